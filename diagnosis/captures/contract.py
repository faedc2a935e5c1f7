"""What every capture format implements, and what it yields beside messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Protocol, runtime_checkable

from diagnosis.captures.frames import Glance
from diagnosis.captures.message import Message, Span
from diagnosis.captures.sources import Source


class Sureness(IntEnum):
    """How sure a format is that a capture is its own.

    `NO`: nothing of it is. `POSSIBLE`: its sign is there, and no message in the beginning. `LIKELY`: messages stand
    there in a shape that several tools may write. `CERTAIN`: messages stand there behind a sign of this format alone.
    """

    NO = 0
    POSSIBLE = 1
    LIKELY = 2
    CERTAIN = 3


@dataclass(frozen=True, slots=True)
class Claim:
    """A format's answer to `detect`: how sure it is, and the reason a person is shown."""

    sureness: Sureness
    why: str


class Kind(StrEnum):
    """What a line without a message was."""

    BLANK = "blank"
    OTHER = "other"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line (or element) that no message came from, and why.

    `other` belongs to the log but carries no message (life-cycle lines, stderr, banners, JSON that is not
    JSON-RPC). `unreadable` means that a message was due there and could not be decoded. `excerpt` holds
    the first bytes of it for the problems screen, and is empty for blank lines. In a capture of lines a span
    with layers is a part of a line that also holds messages; one without layers is the whole line.
    """

    kind: Kind
    span: Span
    why: str = ""
    excerpt: bytes = b""


class CaptureFormat(Protocol):
    """Turns the bytes of one capture into messages."""

    @property
    def name(self) -> str:
        """The word for `--capture-format` and reports."""
        ...

    @property
    def title(self) -> str:
        """What files it reads, in a person's words."""
        ...

    @property
    def cannot_show(self) -> str:
        """What captures of this kind never hold."""
        ...

    def detect(self, head: bytes) -> Claim:
        """Says whether `head`, the first bytes of a capture (64 KiB at most), looks like this format."""
        ...

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields every message and every skipped line of the capture, in the order of the capture."""
        ...


@runtime_checkable
class GlancingFormat(CaptureFormat, Protocol):
    """A format that can be read faster by whoever has no need of most of its messages."""

    def glances(self, source: Source) -> Iterator[Glance | Message | Skipped]:
        """Yields what `messages` yields, with glances in the place of messages of which nothing is odd."""
        ...

"""What is known of the files of a diagnosis beside their messages: counts, refusals, progress."""

from __future__ import annotations

from dataclasses import dataclass

from diagnosis.captures import Detection
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.message import Message
from diagnosis.captures.records import BATCH
from diagnosis.captures.sources import Source


@dataclass(frozen=True, slots=True)
class CaptureFacts:
    """What is known of one capture file. `messages` counts JSON-RPC messages; the other counts are lines.

    `path` of a member of an archive is `archive.zip!member`. `why` is the reason that `detect` gave for the format, how
    sure it is, and the packing around it. `sha256` and `size` are of the whole file on disk; the hash is "" where
    reading was stopped before its end. `partial` says that it was, or that a limit ended the unpacking. `changed` says
    that the file changed while it was read.
    """

    path: str
    format: str
    why: str
    sha256: str
    size: int
    lines: int
    blank: int
    messages: int
    other: int
    unreadable: int
    reads: int
    cannot_show: str = ""
    partial: bool = False
    changed: bool = False


@dataclass(frozen=True, slots=True)
class SetFacts:
    """Captures that were read as one stream, in its order, and why; `parted` do not follow the part before them."""

    name: str
    paths: tuple[str, ...]
    why: str
    parted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that could not be opened, or that no format claims.

    `kind` is `missing`, another kind of `SourceError`, or `not-a-capture`; `sentence` says it in words and
    `reasons` has one sentence for each format that was looked for, by its name.
    """

    path: str
    kind: str
    sentence: str
    reasons: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a load has come, in bytes of the captures on disk; `done` is True once, at the end.

    While a capture is followed `following` is set, and `settled` where everything that came was judged by all that is
    known; `notices` says how many sentences there are about what became of the file.
    """

    bytes_read: int
    bytes_total: int
    messages: int
    reads: int
    done: bool = False
    following: bool = False
    settled: bool = False
    notices: int = 0


@dataclass(slots=True)
class Tally:
    """The running counts of one capture.

    An unreadable element beside messages on one line is counted as unreadable, and its line once. What else stands
    beside messages in a batch is no line of its own, and its line holds messages.
    """

    lines: int = 0
    messages: int = 0
    blank: int = 0
    other: int = 0
    unreadable: int = 0
    last_line: int = 0

    def count(self, item: Message | Skipped) -> None:
        line = item.span.line
        if line != self.last_line:
            self.lines += 1
            self.last_line = line
        if isinstance(item, Message):
            self.messages += 1
        elif item.kind is Kind.BLANK:
            self.blank += 1
        elif item.kind is Kind.OTHER:
            self.other += item.span.layers[-1:] != (BATCH,)
        else:
            self.unreadable += 1

    def count_message(self, line: int) -> None:
        if line != self.last_line:
            self.lines += 1
            self.last_line = line
        self.messages += 1


def facts_of(source: Source, detection: Detection, tally: Tally, reads: int, partial: bool) -> CaptureFacts:
    """What is known of a capture once it has been read, or reading was stopped."""
    return CaptureFacts(
        path=source.path,
        format=detection.format.name,
        why=detection.reason,
        sha256=source.sha256 or "",
        size=source.file_size,
        lines=tally.lines,
        blank=tally.blank,
        messages=tally.messages,
        other=tally.other,
        unreadable=tally.unreadable,
        reads=reads,
        cannot_show=detection.format.cannot_show,
        partial=partial or (source.trouble is not None and source.trouble.limited),
        changed=source.changed_while_reading,
    )

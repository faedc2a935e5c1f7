"""The layers between a file on disk and the text of a capture, and the limits on what they may make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from diagnosis.captures.archives import Member, checked
from diagnosis.captures.compression import Broken, Compression, compression_of, unpacked
from diagnosis.captures.texts import as_utf8, charset_of, colourless

NESTING = 2  # compressions inside each other; a member of an archive is one


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is unpacked: bytes in all, and bytes for each byte on disk once `free` bytes were made.

    Small logs of equal lines shrink a hundredfold and are no bombs: the ratio only counts behind `free` bytes.
    """

    total: int = 1024**3
    ratio: int = 200
    free: int = 16 * 1024**2


LIMITS = Limits()


class Allowance:
    """The bytes that the captures of one file may still unpack to, all together."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.left = limits.total


class LimitReached(Broken):
    """Not more is unpacked, by a limit of this tool."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why the text of a capture ends before its file does.

    `offset` is where the text that was read ends; `limited` says that a limit of this tool ended it and not a fault.
    """

    why: str
    offset: int
    limited: bool = False


class Tap:
    """Counts the bytes that were taken from the disk."""

    def __init__(self) -> None:
        self.taken = 0

    def __call__(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            self.taken += len(block)
            yield block


@dataclass(frozen=True, slots=True)
class Layers:
    """What is undone, from the outside in: an archive's member, compressions, a charset, colours.

    Offsets of a capture are those of the text behind all of them; the names are told once for the capture.
    """

    member: Member | None = None
    compressions: tuple[Compression, ...] = ()
    charset: str | None = None
    coloured: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The layers in words for people, from the outside in."""
        found = ["zip"] if self.member is not None else []
        found += [each.name for each in self.compressions]
        found += [self.charset.upper()] if self.charset else []
        return (*found, "terminal colours") if self.coloured else tuple(found)

    @property
    def none(self) -> bool:
        """Whether the text is the file itself, byte for byte."""
        return self.member is None and not self.compressions and self.charset is None and not self.coloured

    def undone(self, blocks: Iterable[bytes], tap: Tap, limits: Limits, allowed: int) -> Iterator[bytes]:
        """The text of what `blocks` hold on disk, block by block; raises `Broken` behind the last good byte."""
        text: Iterator[bytes] = tap(blocks)
        if self.member is not None:
            if self.member.compression is not None:
                text = unpacked(text, self.member.compression)
            text = checked(_limited(text, tap, limits, allowed), self.member)
        for each in self.compressions:
            text = _limited(unpacked(text, each), tap, limits, allowed)
        if self.charset is not None:
            text = as_utf8(text, self.charset)
        return colourless(text) if self.coloured else text


def layers_of(member: Member | None, head: Callable[[Layers], bytes]) -> Layers:
    """Finds the layers by looking at the first bytes behind those that are known already."""
    found = Layers(member)
    beginning = head(found)
    while len(found.compressions) + (member is not None) < NESTING:
        kind = compression_of(beginning)
        if kind is None:
            break
        found = Layers(member, (*found.compressions, kind))
        beginning = head(found)
    return Layers(member, found.compressions, charset_of(beginning))


def _limited(blocks: Iterable[bytes], tap: Tap, limits: Limits, allowed: int) -> Iterator[bytes]:
    made = 0
    for block in blocks:
        if made + len(block) > allowed:
            yield block[: allowed - made]
            raise LimitReached(f"the first {amount(allowed)} of it was read: not more is unpacked")
        made += len(block)
        yield block
        if made > limits.free and made > limits.ratio * tap.taken:
            why = f"it unpacks to more than {limits.ratio} times its size, as a decompression bomb does"
            raise LimitReached(f"the first {amount(made)} of it was read: {why}")


def amount(size: int) -> str:
    """A number of bytes for people: exact where it is a round one, else the nearest tenth."""
    for unit, name in ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}" if size % unit == 0 else f"{size / unit:.1f} {name}"
    return f"{size} bytes"

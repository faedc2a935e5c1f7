"""Records that a container runtime split, joined again before anything reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import decode
from diagnosis.captures.inside import InnerLine
from diagnosis.captures.message import ALTERED, Span
from diagnosis.captures.records import NOTHING_BESIDE, Beside, is_message, skipped
from diagnosis.captures.sources import LONGEST_LINE

# A runtime that writes JSON puts this in place of each half of a character that it split.
_REPLACEMENT = "\ufffd".encode()
_BESIDE = 512  # bytes that a part takes beside its text
_ALTERED = Beside(losses=ALTERED)


HEADLESS = "the end of a record whose beginning is not in this capture"


def is_tail(text: bytes) -> bool:
    """Whether a text closes what it does not open, as the end of a JSON record does that was split.

    Where a log begins behind a rotation, its first record may be such an end: a message that is lost.
    """
    return text.rstrip()[-1:] == b"}" and text.count(b"}") > text.count(b"{") and b'"' in text


@dataclass(slots=True)
class _Held:
    """The parts of one record so far."""

    parts: list[InnerLine] = field(default_factory=list)
    size: int = 0


class Joiner:
    """Joins the parts of each stream's records; streams may be interleaved."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._held: dict[str, _Held] = {}
        self._size = 0

    @property
    def empty(self) -> bool:
        """Whether no record waits for its next part."""
        return not self._held

    def feed(self, stream: str, part: InnerLine, *, last: bool) -> Iterator[InnerLine | Skipped]:
        """Takes a part and yields the record that it ends; one whose end never came is yielded as it is."""
        held = self._held.get(stream)
        if held is not None and last and held.parts[0].text[:1] == b"{" and _is_whole(part.text):
            # A whole message is never the end of another one: there its quotes would be escaped.
            yield from self._close(stream)
            held = None
        if held is None:
            if last:
                yield part
                return
            held = self._held[stream] = _Held()
        held.parts.append(part)
        held.size += len(part.record) + _BESIDE
        self._size += len(part.record) + _BESIDE
        if last or held.size > LONGEST_LINE:
            yield from self._close(stream)
        while self._size > LONGEST_LINE:  # many streams may wait together: no more is held than one line may have
            yield from self._close(next(iter(self._held)))

    def rest(self) -> Iterator[InnerLine | Skipped]:
        """The records whose end the capture does not hold."""
        for stream in list(self._held):
            yield from self._close(stream)

    def _close(self, stream: str) -> Iterator[InnerLine | Skipped]:
        held = self._held.pop(stream)
        self._size -= held.size
        parts = held.parts
        first = parts[0]
        text = b"".join([part.text for part in parts])
        split = any(
            before.text.endswith(_REPLACEMENT) or after.text.startswith(_REPLACEMENT)
            for before, after in pairwise(parts)
        )
        beside = _ALTERED if split else NOTHING_BESIDE
        ends = [part.offset + len(part.record) + 1 for part in parts[:-1]]
        if ends == [part.offset for part in parts[1:]]:
            record = b"\n".join([part.record for part in parts])
            yield first._replace(text=text, record=record, beside=beside)
            return
        yield first._replace(text=text, layers=(*first.layers, f"joined[{len(parts)}]"), beside=beside)
        for part in parts[1:]:
            span = Span(self._path, part.number, part.offset, len(part.record))
            yield skipped(Kind.OTHER, span, part.record, f"a further part of the record in line {first.number}")


def _is_whole(text: bytes) -> bool:
    return text[:1] == b"{" and any(map(is_message, decode(text).values))

"""The lines inside the records of a wrapper, as a capture of their own, and the way back to those records."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from itertools import islice
from typing import NamedTuple

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import decode
from diagnosis.captures.message import Direction, Loss, Message, Span
from diagnosis.captures.records import EXCERPT, NOTHING_BESIDE, Beside, skipped, text_line
from diagnosis.captures.sources import HEAD, Source
from diagnosis.captures.times import utc

LAYERS = 4
"""Wrappers inside wrappers that are unwrapped; what lies deeper is text."""
# A record that waits for its parts is read behind later ones; that far back an item finds its outer record.
_SLACK = 256


class InnerLine(NamedTuple):
    """A line inside a record, and where that record stands; a tuple, because a large log has one per line.

    `record` holds the record's bytes, which begin at `offset`; `layers` leads from it to the line. `time` is as the
    record writes it. Where a record holds several lines, `part` counts them from 1 up to `parts`.
    """

    text: bytes
    number: int
    offset: int
    record: bytes
    layers: tuple[str, ...] = ()
    time: object = None
    beside: Beside = NOTHING_BESIDE
    part: int = 1
    parts: int = 1


def lines_of(
    text: str, number: int, offset: int, record: bytes, layers: tuple[str, ...], time: object, beside: Beside
) -> Iterator[InnerLine]:
    """The inner lines of a text: one, where it is one line or one JSON document; else each of its lines."""
    data = text.encode("utf-8", "surrogatepass").rstrip(b"\r\n")
    if b"\n" not in data:
        yield InnerLine(data, number, offset, record, layers, time, beside)
        return
    if data.lstrip()[:1] in (b"{", b"[") and not decode(data).reason:
        # A line break in a valid document stands between its tokens, never inside a string.
        yield InnerLine(data.replace(b"\n", b" "), number, offset, record, layers, time, beside)
        return
    pieces = data.split(b"\n")
    for part, piece in enumerate(pieces, 1):
        yield InnerLine(piece, number, offset, record, (*layers, f"line[{part - 1}]"), time, beside, part, len(pieces))


class Head(Source):
    """The first bytes of a capture, read like a capture: what `detect` may look at."""

    def __init__(self, head: bytes) -> None:
        self.path, self.labels = "", TokenLabels()
        self.bytes_read, self.sha256, self.changed_while_reading = 0, None, False
        self._descriptor, self._reopens, self._head = -1, False, head

    @property
    def size(self) -> int:
        """Bytes of the head."""
        return len(self._head)

    def head(self) -> bytes:
        """All of it."""
        return self._head

    def lines(self) -> Generator[tuple[int, int, bytes]]:
        """Yields the lines of the head; the last one may be cut."""
        offset = 0
        for number, line in enumerate(self._head.split(b"\n"), 1):
            yield number, offset, line
            offset += len(line) + 1

    def whole(self) -> bytes:
        """All of it."""
        return self._head


class NotLinesError(Exception):
    """A format wants its capture as one document, and the lines inside a wrapper are none."""


class Inside(Source):
    """The lines inside a wrapper as a capture of their own, and the way back to the outer records."""

    def __init__(self, outer: Source, feed: Iterator[InnerLine | Skipped], depth: int) -> None:
        self.path, self.labels, self.depth = outer.path, outer.labels, depth
        self.bytes_read, self.sha256, self.changed_while_reading = 0, None, False
        self._descriptor, self._reopens = -1, False
        self._outer, self._feed = outer, feed
        self._ahead: deque[InnerLine] = deque()
        self._window: deque[tuple[int, int, InnerLine]] = deque()
        self._passed: deque[tuple[int, Skipped]] = deque()
        self._parts: list[Skipped] = []
        self._spoken = False
        self._pulled = self._number = self._offset = 0
        self._end: int | None = None

    @property
    def size(self) -> int:
        """Bytes of all inner lines, known with the last one; until then no line is at the end."""
        return self._end if self._end is not None else 2**63

    @property
    def drained(self) -> bool:
        """Whether the next record has to be waited for: then nothing looks ahead."""
        return self._outer.drained

    def fill(self) -> bool:
        """Looks ahead as far as a head reaches; False where no line is left."""
        held = sum(len(line.text) + 1 for line in self._ahead)
        while held < HEAD and not (held and self.drained) and (line := self._pull()) is not None:
            self._ahead.append(line)
            held += len(line.text) + 1
        return bool(self._ahead)

    def head(self) -> bytes:
        """The first 64 KiB of the lines that have not been read yet."""
        self.fill()
        return b"\n".join([line.text for line in self._ahead])[:HEAD]

    def lines(self) -> Generator[tuple[int, int, bytes]]:
        """Yields the inner lines, numbered and placed as in a file of their own."""
        while (line := self._next()) is not None:
            yield self._number, self._window[-1][1], line.text

    def whole(self) -> bytes:
        """Refuses: nothing here is one document."""
        raise NotLinesError

    def give_up(self) -> Iterator[Message | Skipped]:
        """Lets the lines go that were looked at and that no format claims."""
        for _ in range(len(self._ahead)):
            line = self._next()
            assert line is not None
            span = Span(self.path, self._number, self._window[-1][1], len(line.text))
            # Behind the last layer that is undone the quotes of a message are still escaped.
            owed = (b"jsonrpc" if self.depth >= LAYERS else b'"jsonrpc"') in line.text
            yield from self.place(text_line(span, line.text, owed=owed))

    def rest(self) -> Iterator[Skipped]:
        """What stands behind the last inner line."""
        yield from self._close_parts()
        while self._passed:
            yield self._passed.popleft()[1]

    def place_alone(self, item: Message | Skipped) -> Message | None:
        """The short way of a message that is one line of one record, with nothing skipped before it; else None."""
        window, inner = self._window, item.span
        first = window[0][0]
        if self._passed or self._parts or not isinstance(item, Message) or inner.line < first:
            return None
        line = window[inner.line - first][2]
        if line.parts != 1 or inner.length > len(line.text):
            return None
        if first < inner.line - _SLACK:
            window.popleft()
        place = Span(self.path, line.number, line.offset, len(line.record), line.layers + inner.layers)
        return _merged(item, place, line.record, line)

    def place(self, item: Message | Skipped) -> Iterator[Message | Skipped]:
        """Gives an item its place in the outer capture, behind whatever stood before it there."""
        inner = item.span
        while self._passed and self._passed[0][0] < inner.line:
            yield self._passed.popleft()[1]
        window = self._window
        while len(window) > 1 and window[0][0] < inner.line - _SLACK:
            window.popleft()
        index = max(inner.line - window[0][0], 0)
        line = window[index][2]
        if line.part == 1:
            yield from self._close_parts()
        number, offset, record, layers = line.number, line.offset, line.record, line.layers
        if inner.length > len(line.text):
            record = self._across(index, inner.offset + inner.length)
        if isinstance(item, Message):
            self._spoken = True
            span = Span(self.path, number, offset, len(record), layers + inner.layers)
            yield _merged(item, span, record, line)
        elif line.parts > 1:
            self._parts.append(
                skipped(item.kind, Span(self.path, number, offset, len(record), layers), record, item.why)
            )
        else:
            yield _skipped(
                item, Span(self.path, number, offset, len(record), inner.layers and layers + inner.layers), record
            )

    def _across(self, index: int, end: int) -> bytes:
        """The bytes of the records that an item stands across, as long as they follow each other."""
        pieces = [self._window[index][2]]
        for _, begin, line in islice(self._window, index, None):
            last = pieces[-1]
            if begin >= end or (line.offset != last.offset and line.offset != last.offset + len(last.record) + 1):
                break
            if line.offset != last.offset:
                pieces.append(line)
        return b"\n".join([line.record for line in pieces])

    def _close_parts(self) -> Iterator[Skipped]:
        """The skipped lines of a record of several: parts of it beside a message, one for all of it without any."""
        parts, self._parts, spoken, self._spoken = self._parts, [], self._spoken, False
        if spoken:
            yield from (part for part in parts if part.kind is not Kind.BLANK)
        elif parts:
            worst = next((part for part in parts if part.kind is Kind.UNREADABLE), parts[0])
            yield _skipped(worst, Span(self.path, worst.span.line, worst.span.offset, worst.span.length), worst.excerpt)

    def _next(self) -> InnerLine | None:
        line = self._ahead.popleft() if self._ahead else self._pull()
        if line is None:
            return None
        if self._window:
            self._offset += len(self._window[-1][2].text) + 1
        self._number += 1
        self._window.append((self._number, self._offset, line))
        waits = self.drained
        if not self._ahead and not waits and (following := self._pull()) is not None:
            self._ahead.append(following)
        if not self._ahead and not waits:
            self._end = self._offset + len(line.text)
        return line

    def _pull(self) -> InnerLine | None:
        for item in self._feed:
            if isinstance(item, InnerLine):
                self._pulled += 1
                return item
            self._passed.append((self._pulled, item))
        return None


def _merged(message: Message, span: Span, record: bytes, line: InnerLine) -> Message:
    """The message with what its outer record says, where the inner one says nothing itself."""
    beside, time, basis = line.beside, message.time, message.time_basis
    if time is None:
        time, basis = utc(line.time)
    return Message(
        message.body,
        span,
        record,
        message.direction if message.direction is not Direction.UNKNOWN else beside.direction,
        message.session or beside.session,
        message.channel or beside.channel,
        time,
        basis,
        message.credential or beside.credential,
        message.http or beside.http,
        _both(message.losses, beside.losses) if beside.losses else message.losses,
        message.notes,
    )


def _both(inner: tuple[Loss, ...], outer: tuple[Loss, ...]) -> tuple[Loss, ...]:
    return inner + tuple(each for each in outer if each not in inner)


def _skipped(item: Skipped, span: Span, record: bytes) -> Skipped:
    if item.kind is Kind.BLANK:
        return Skipped(Kind.OTHER, span, "a record without text", record[:EXCERPT])
    return Skipped(item.kind, span, item.why, record[:EXCERPT])

"""Records of recorders: one per line, or one per element of an array in a document, and the messages inside.

What the readers of recordings share. A reader is given one record after another and says which messages stand
in it; a record in which it finds none is other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import BOM, RECOVERED, Decoded, decode, second_look, wants_second_look
from diagnosis.captures.documents import Elements, elements_of, head_elements
from diagnosis.captures.message import Message, Span
from diagnosis.captures.records import (
    AT_END,
    Beside,
    is_message,
    message_of,
    messages_in,
    skipped,
    undecoded,
    unmessaged,
)
from diagnosis.captures.sources import HEAD, CutLine, Source

NO_MESSAGE = "a record without a JSON-RPC message"


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a recording: its members, its place and its bytes.

    `number` counts records from 0. `notes` are those of its decoding. `about` holds members of the document
    that stand beside an array of records.
    """

    value: dict[str, Any]
    span: Span
    raw: bytes
    number: int
    labels: TokenLabels
    notes: tuple[str, ...] = ()
    about: dict[str, Any] | None = None


Reader = Callable[[Record], Sequence[Message | Skipped]]


def from_lines(source: Source, read: Reader) -> Iterator[Message | Skipped]:
    """Yields what `read` finds in each line that is a JSON object, and what the other lines are."""
    count = 0
    for number, offset, line in source.lines():
        if line[:1] != b"{" or type(line) is CutLine:
            none = unmessaged(source.path, number, offset, line)
            if none is not None:
                yield none
                continue
        span = Span(source.path, number, offset, len(line))
        decoded = decode(line)
        if decoded.reason:
            yield undecoded(decoded, span, line, source.size)
            continue
        several = len(decoded.values) > 1
        for index, value in enumerate(decoded.values):
            place = deeper(span, f"document[{index}]") if several else span
            yield from _found(value, place, line, count, source.labels, decoded.notes, None, read)
            count += 1


def from_array(
    source: Source, read: Reader, member: str | None = None, about: tuple[str, ...] = ()
) -> Iterator[Message | Skipped]:
    """Yields what `read` finds in each element of the document's array, or of the array under `member`.

    `about` names members beside that array, which every record is given.
    """
    # The map closes with the last reference to it: an iterator over it may still hold it open here.
    data = source.mmap()
    found: Elements = elements_of(data, member, about)
    line, counted, end = 1, 0, found.begin
    for number, (start, end, closed) in enumerate(found.places):
        line, counted = line + data[counted:start].count(b"\n"), start
        raw = data[start:end]
        source.bytes_read = end
        span = Span(source.path, line, start, end - start, (f"{member or ''}[{number}]",))
        if not closed:
            yield skipped(Kind.UNREADABLE, span, raw, AT_END)
            continue
        decoded = decode(raw)
        if decoded.reason:
            yield skipped(Kind.UNREADABLE, span, raw, decoded.reason)
            continue
        yield from _found(decoded.values[0], span, raw, number, source.labels, decoded.notes, found.about, read)
    if found.broken:
        line += data[counted:end].count(b"\n")
        span = Span(source.path, line, end, len(data) - end)
        yield skipped(Kind.UNREADABLE, span, data[end : end + HEAD], found.broken)


def _found(
    value: Any,
    span: Span,
    raw: bytes,
    number: int,
    labels: TokenLabels,
    notes: tuple[str, ...],
    about: dict[str, Any] | None,
    read: Reader,
) -> Sequence[Message | Skipped]:
    if type(value) is not dict:
        return (skipped(Kind.OTHER, span, raw, NO_MESSAGE),)
    found = read(Record(value, span, raw, number, labels, notes, about))
    return found or (skipped(Kind.OTHER, span, raw, NO_MESSAGE),)


def inside(record: Record, way: tuple[str, ...], beside: Beside) -> Sequence[Message | Skipped]:
    """The messages at the end of `way`, which leads through the record's members: an object, a batch, or a JSON
    string; nothing where none stands there.
    """
    value = follow(record.value, way)
    notes = record.notes
    if type(value) is str:
        if value[:1] not in ("{", "[") and value.lstrip()[:1] not in ("{", "["):
            return ()
        decoded, layers = decode(value), (*way, "string")
        if decoded.reason:
            # Text that merely begins with a bracket is no lost message.
            lost = '"jsonrpc"' in value
            return (skipped(Kind.UNREADABLE, deeper(record.span, *layers), record.raw, decoded.reason),) if lost else ()
        notes = (*notes, *(note for note in decoded.notes if note not in notes))
        values = decoded.values
    elif type(value) is dict or type(value) is list:
        values, layers = (value,), way
        # A line of several documents has had its second look.
        if RECOVERED not in notes and wants_second_look(record.raw, value):
            exact = second_look(record.raw, record.value)
            values, notes = (follow(exact.values[0], way),), exact.notes
    else:
        return ()
    if not any(is_message(each) for each in flat(values)):
        return ()
    return messages_in(Decoded(values, notes), deeper(record.span, *layers), record.raw, beside)


def made(record: Record, way: tuple[str, ...], members: dict[str, Any], beside: Beside) -> Message:
    """A message put together from members that stand apart in the record; `way` leads to where they stand."""
    body = {"jsonrpc": "2.0", **members}
    return message_of(body, deeper(record.span, *way), record.raw, beside, record.notes)


def follow(value: Any, way: tuple[str, ...]) -> Any:
    """The value at the end of a way through objects; None where it leads nowhere."""
    for key in way:
        value = value.get(key) if type(value) is dict else None
    return value


def flat(values: Sequence[Any]) -> list[Any]:
    """The values, with lists replaced by their elements."""
    return [each for value in values for each in (value if type(value) is list else (value,))]


def deeper(span: Span, *layers: str) -> Span:
    """The same place, with more layers."""
    return replace(span, layers=(*span.layers, *layers))


def text_of(value: Any) -> str | None:
    """A text that is not empty, or None."""
    return value if isinstance(value, str) and value else None


def head_lines(head: bytes) -> Iterator[dict[str, Any]]:
    """The JSON objects among the whole lines of a capture's beginning."""
    for line in head.split(b"\n"):
        if line.lstrip(BOM + b" \t")[:1] == b"{":
            yield from (value for value in decode(line).values if type(value) is dict)


def head_records(head: bytes, member: str | None = None) -> Iterator[dict[str, Any]]:
    """The objects among the whole elements of the array that a capture begins with, or has under `member`."""
    for start, end in head_elements(head, member):
        yield from (value for value in decode(head[start:end]).values if type(value) is dict)

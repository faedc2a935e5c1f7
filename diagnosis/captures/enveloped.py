"""JSON lines in which each message stands beside a time, a direction, a session and perhaps a caller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from diagnosis.callers.authorization import from_authorization, from_record
from diagnosis.callers.credentials import Credential, TokenLabels
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import (
    RECOVERED,
    Decoded,
    decode,
    is_plain,
    looked_at,
    plain_message,
    second_look,
    wants_second_look,
)
from diagnosis.captures.directions import direction_of, written_by_client
from diagnosis.captures.frames import Glance
from diagnosis.captures.layouts import Layout, is_set, layout_of
from diagnosis.captures.message import ALTERED, Direction, Loss, Message, Span
from diagnosis.captures.ordinary import Ordinary
from diagnosis.captures.records import (
    Beside,
    is_message,
    messages_in,
    skipped,
    undecoded,
    unmessaged,
    why_no_message,
)
from diagnosis.captures.sources import CutLine, Source
from diagnosis.captures.times import utc


class Enveloped:
    """Reads JSON lines that wrap each JSON-RPC message in a record of its own."""

    name = "enveloped"
    title = "JSON lines with time, direction and session beside each message"
    cannot_show = "HTTP headers and status, unless the record carries them"

    def detect(self, head: bytes) -> Claim:
        """Likely with one JSON-RPC message under a message key of a JSON line; no tool's sign is asked for."""
        found = sum(1 for _ in _sampled(head))
        if found:
            return Claim(Sureness.LIKELY, f"JSON lines of its beginning that wrap a JSON-RPC message: {found}")
        return Claim(Sureness.NO, "no JSON line wraps a JSON-RPC message under a key such as message, data or payload")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines, in the order of the capture."""
        read = _Reader(source).read
        for number, offset, line in source.lines():
            yield from read(number, offset, line)

    def glances(self, source: Source) -> Iterator[Glance | Message | Skipped]:
        """Yields the same; of an ordinary record only what stands beside its message, and the message's frame."""
        reader = _Reader(source)
        ordinary, read = Ordinary(reader.read, reader.by_client), reader.read
        for number, offset, line in source.lines():
            found = ordinary.glance(number, offset, line)
            if found is not None:
                yield found
            else:
                yield from read(number, offset, line, ordinary)


class _Reader:
    """Reads the lines of one capture."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._path, self._labels = source.path, source.labels
        self.by_client = written_by_client(_words(source.head()))

    def read(
        self, number: int, offset: int, line: bytes, ordinary: Ordinary | None = None
    ) -> Sequence[Message | Skipped]:
        """The messages of a line, or what it is; `ordinary` learns from it."""
        path = self._path
        if line[:1] != b"{" or type(line) is CutLine:
            none = unmessaged(path, number, offset, line)
            if none is not None:
                return (none,)
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            record = None
        if type(record) is dict and "jsonrpc" not in record:
            message = _short_way(record, line, path, number, offset, self.by_client, self._labels)
            if message is not None:
                if ordinary is not None:
                    ordinary.learn(record)
                return (message,)
        decoded = decode(line) if record is None else looked_at(line, record)
        span = Span(path, number, offset, len(line))
        if decoded.reason:
            return (undecoded(decoded, span, line, self._source.size),)
        found: list[Message | Skipped] = []
        for index, record in enumerate(decoded.values):
            within = span if len(decoded.values) == 1 else _deeper(span, f"document[{index}]")
            if type(record) is dict:
                found += _from_record(record, decoded, within, line, self.by_client, self._labels)
            else:
                found += messages_in(Decoded((record,), decoded.notes), within, line, Beside())
        return found


def _short_way(
    record: dict[str, Any], line: bytes, path: str, number: int, offset: int, by_client: bool, labels: TokenLabels
) -> Message | None:
    """The message of an ordinary record, where nothing about either is odd; most lines of a large log.

    It is what `_beside` and `message_of` would make, without a `Beside` in between.
    """
    layout = layout_of(record)
    if not layout.messages:
        return None
    key = layout.messages[0]
    message, layers = record[key], layout.first_way
    if type(message) is str:
        text, layers = message, (key, "string")
        message = plain_message(text) if text[:1] == "{" else None
        # Where the record looks like a message too, it may deserve a second look of its own.
        if message is None or (_is_bare(record) and wants_second_look(text, message)):
            return None
    elif not is_plain(line, record, message):
        return None
    time, basis = utc(record[layout.time]) if layout.time else (None, "none")
    return Message(
        message,
        Span(path, number, offset, len(line), layers),
        line,
        _direction(record, layout, by_client),
        _text(record[layout.session]) if layout.session else None,
        _text(record[layout.channel]) if layout.channel else None,
        time,
        basis,
        _credential(record, layout, labels) if layout.principals or layout.header else None,
        None,
        _losses(record, layout) if layout.losses else (),
    )


def _from_record(
    record: dict[str, Any], decoded: Decoded, span: Span, line: bytes, by_client: bool, labels: TokenLabels
) -> Sequence[Message | Skipped]:
    layout = layout_of(record)
    if is_message(record):
        beside = _beside(record, layout, by_client, labels)
        return messages_in(Decoded((record,), decoded.notes), span, line, beside)
    unread: Decoded | None = None
    for key in layout.messages:
        inner, layers = _inner(record[key], key)
        if inner is None or not any(map(_holds_message, inner.values)):
            unread = inner if inner is not None and inner.reason else unread
            continue
        # A line of several documents has had its second look; there `_again` could not tell them apart.
        if len(layers) == 1 and RECOVERED not in decoded.notes and wants_second_look(line, inner.values[0]):
            inner = _again(line, record, key)
        notes = (*decoded.notes, *(note for note in inner.notes if note not in decoded.notes))
        beside = _beside(record, layout, by_client, labels)
        return messages_in(Decoded(inner.values, notes), _deeper(span, *layers), line, beside)
    if unread is not None:
        return (skipped(Kind.UNREADABLE, span, line, f"the message inside: {unread.reason}"),)
    return (skipped(Kind.OTHER, span, line, why_no_message(record)),)


def _inner(value: Any, key: str) -> tuple[Decoded | None, tuple[str, ...]]:
    """The documents under a key, and the way to them; None where the key holds none."""
    if type(value) is dict or type(value) is list:
        return Decoded((value,)), (key,)
    if type(value) is not str:
        return None, ()
    start = value.lstrip()[:1] if value[:1] not in ("{", "[") else value[:1]
    if start not in ("{", "["):
        return None, ()
    inner = decode(value)
    # Text that merely begins with a bracket is no lost message.
    if inner.reason and '"jsonrpc"' not in value:
        return None, ()
    return inner, (key, "string")


def _again(line: bytes, record: dict[str, Any], key: str) -> Decoded:
    exact = second_look(line, record)
    for value in exact.values:
        if type(value) is dict and key in value:
            return Decoded((value[key],), exact.notes)
    return Decoded((record[key],), exact.notes)


def _holds_message(value: Any) -> bool:
    return is_message(value) or (type(value) is list and any(is_message(each) for each in value))


def _flat(values: tuple[Any, ...]) -> list[Any]:
    return [each for value in values for each in (value if type(value) is list else (value,))]


def _beside(record: dict[str, Any], layout: Layout, by_client: bool, labels: TokenLabels) -> Beside:
    time, basis = utc(record[layout.time]) if layout.time else (None, "none")
    return Beside(
        _direction(record, layout, by_client),
        _text(record[layout.session]) if layout.session else None,
        _text(record[layout.channel]) if layout.channel else None,
        time,
        basis,
        _credential(record, layout, labels) if layout.principals or layout.header else None,
        None,
        _losses(record, layout),
    )


def _is_bare(record: dict[str, Any]) -> bool:
    return "method" in record or "result" in record


def _losses(record: dict[str, Any], layout: Layout) -> tuple[Loss, ...]:
    return ALTERED if any(is_set(record[key]) for key in layout.losses) else ()


def _direction(record: dict[str, Any], layout: Layout, by_client: bool) -> Direction:
    for key in layout.directions:
        found = direction_of(record[key], by_client)
        if found is not Direction.UNKNOWN:
            return found
    return Direction.UNKNOWN


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _credential(record: dict[str, Any], layout: Layout, labels: TokenLabels) -> Credential | None:
    for key in layout.principals:
        found = from_record(record[key], labels)
        if found is not None:
            return found
    header = record[layout.header] if layout.header else None
    return from_authorization(header, labels) if isinstance(header, str) else None


def _deeper(span: Span, *layers: str) -> Span:
    return Span(span.capture, span.line, span.offset, span.length, (*span.layers, *layers))


def _sampled(head: bytes) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The records of the head that say something beside a message, and that message."""
    for line in head.split(b"\n"):
        if line.lstrip(b"\xef\xbb\xbf \t")[:1] != b"{":
            continue
        for record in decode(line).values:
            message = _message_of(record) if type(record) is dict else None
            if message is not None:
                yield record, message


def _message_of(record: dict[str, Any]) -> dict[str, Any] | None:
    layout = layout_of(record)
    if is_message(record):
        # JSON-RPC itself has no such members: this message carries its envelope in its own object.
        return record if layout.directions or layout.session or layout.time else None
    for key in layout.messages:
        inner, _ = _inner(record[key], key)
        for each in _flat(inner.values) if inner else ():
            if is_message(each):
                return each
    return None


def _words(head: bytes) -> Iterator[tuple[Any, Any]]:
    for record, message in _sampled(head):
        for key in layout_of(record).directions:
            yield record[key], message.get("method")

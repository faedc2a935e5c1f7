"""JSON logs in which the message stands behind several strings, or in an object of the record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import Decoded, decode, second_look, wants_second_look
from diagnosis.captures.directions import written_by_client
from diagnosis.captures.facts import SIDE_KEYS
from diagnosis.captures.fields import SIDES, Found, found_in
from diagnosis.captures.layouts import MESSAGE_KEYS, layout_of
from diagnosis.captures.message import HttpExchange, Message, Span
from diagnosis.captures.records import (
    NOTHING_BESIDE,
    is_message,
    messages_in,
    skipped,
    undecoded,
    unmessaged,
    why_no_message,
)
from diagnosis.captures.sources import Source
from diagnosis.captures.wrapped import wrapper_of


class WrappedField:
    """Reads JSON lines whose message hides deeper than an envelope's: up to four strings inside each other."""

    name = "wrapped-field"
    title = "JSON logs with the message in a field of theirs, through up to four strings"
    cannot_show = "HTTP headers and status, unless the record carries them"

    def detect(self, head: bytes) -> Claim:
        """Likely with one message deeper than in an envelope, or two bodies; no tool's sign is asked for."""
        if wrapper_of(head) is not None:
            return Claim(Sureness.NO, "its records are those of a log service or a container runtime")
        found = sum(any(map(_is_deep, each)) for _, each in _sampled(head))
        if found:
            return Claim(Sureness.LIKELY, f"JSON lines of its beginning with a JSON-RPC message deep inside: {found}")
        return Claim(Sureness.NO, "no JSON line holds a JSON-RPC message behind several strings or in an inner object")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines, in the order of the capture."""
        by_client = written_by_client(_words(source.head()))
        path = source.path
        for number, offset, line in source.lines():
            none = unmessaged(path, number, offset, line)
            if none is not None:
                yield none
                continue
            span = Span(path, number, offset, len(line))
            decoded = decode(line)
            record = decoded.values[0] if len(decoded.values) == 1 else None
            if decoded.reason:
                yield undecoded(decoded, span, line, source.size)
            elif type(record) is not dict or is_message(record):
                yield from messages_in(decoded, span, line, NOTHING_BESIDE)
            else:
                found, unread = found_in(record, by_client, source.labels)
                yield from _placed(found, unread, record, decoded, span, line)


def _placed(
    found: list[Found], unread: str, record: dict[str, Any], decoded: Decoded, span: Span, line: bytes
) -> Iterator[Message | Skipped]:
    if not found:
        why = f"the message inside: {unread}" if unread else why_no_message(record)
        yield skipped(Kind.UNREADABLE if unread else Kind.OTHER, span, line, why)
    exchange = HttpExchange(span.line) if len(found) > 1 else None
    for each in found:
        inner = _looked_again(each, line, record)
        notes = (*decoded.notes, *(note for note in inner.notes if note not in decoded.notes))
        place = Span(span.capture, span.line, span.offset, span.length, each.layers)
        beside = replace(each.beside, http=exchange) if exchange else each.beside
        yield from messages_in(Decoded(inner.values, notes), place, line, beside)


def _looked_again(found: Found, line: bytes, record: dict[str, Any]) -> Decoded:
    """A message in an object of the record had no look of its own at ids past 64 bits and duplicate keys."""
    if found.strings or not wants_second_look(line, found.decoded.values[0]):
        return found.decoded
    exact = second_look(line, record)
    value: Any = exact.values[0]
    for key in found.layers:
        value = value.get(key) if type(value) is dict else None
    return Decoded((value if value is not None else found.decoded.values[0],), exact.notes)


def _is_deep(found: Found) -> bool:
    names = [layer for layer in found.layers if layer != "string"]
    return found.strings > 1 or len(names) > 1 or names[0] not in MESSAGE_KEYS or names[0] in SIDES


def _sampled(head: bytes) -> Iterator[tuple[dict[str, Any], list[Found]]]:
    labels = TokenLabels()
    for line in head.split(b"\n"):
        if b"jsonrpc" not in line or line.lstrip(b"\xef\xbb\xbf \t")[:1] != b"{":
            continue
        values = decode(line).values
        if len(values) == 1 and type(values[0]) is dict and not is_message(values[0]):
            yield values[0], found_in(values[0], False, labels)[0]


def _words(head: bytes) -> Iterator[tuple[Any, Any]]:
    for record, found in _sampled(head):
        innermost = [value for each in found for value in each.decoded.values if type(value) is dict]
        for message in innermost:
            for words in _records_on_the_way(record, found):
                for key in layout_of(words).directions:
                    yield words[key], message.get("method")


def _records_on_the_way(record: dict[str, Any], found: list[Found]) -> Iterator[dict[str, Any]]:
    """The records that the message stands in, the innermost first: its word for the direction counts."""
    chain, value = [record], record
    for layer in found[0].layers[:-1] if found else ():
        inner: Any = value.get(layer) if layer != "string" else value
        if type(inner) is str:
            values = decode(inner).values
            inner = values[0] if values else None
        if type(inner) is not dict:
            break
        value = inner
        chain.append(inner)
    for each in reversed(chain):
        yield each
        yield from (each[key] for key in SIDE_KEYS if type(each.get(key)) is dict)

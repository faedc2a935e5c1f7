"""The JSON-RPC messages of an HTTP body: one JSON document, or an event stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import decode
from diagnosis.captures.event_stream import events, looks_like_events
from diagnosis.captures.message import Message, Span
from diagnosis.captures.records import Beside, is_message, messages_in, skipped


def messages_of_body(text: str, span: Span, record: bytes, beside: Beside) -> Iterator[Message | Skipped]:
    """Yields the messages of a body; one that never was JSON-RPC is no loss and gives nothing."""
    if looks_like_events(text):
        for event in events(text):
            place = Span(span.capture, span.line, span.offset, span.length, (*span.layers, f"sse[{event.index}]"))
            yield from _from_json(event.data, place, record, beside)
    else:
        yield from _from_json(text, span, record, beside)


def _from_json(text: str, span: Span, record: bytes, beside: Beside) -> Iterator[Message | Skipped]:
    if text.lstrip()[:1] not in ("{", "["):
        return
    decoded = decode(text)
    if decoded.reason and '"jsonrpc"' in text:
        yield skipped(Kind.UNREADABLE, span, record, decoded.reason)
    elif any(is_message(each) for value in decoded.values for each in _each(value)):
        yield from messages_in(decoded, span, record, beside)


def _each(value: Any) -> list[Any]:
    return value if type(value) is list else [value]

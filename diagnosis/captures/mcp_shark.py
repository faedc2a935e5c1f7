"""SQLite recordings of mcp-shark: one row per HTTP packet, with its headers and its body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.callers.authorization import from_authorization
from diagnosis.captures.contract import Claim, Kind, Skipped
from diagnosis.captures.databases import claim, from_rows
from diagnosis.captures.decoding import decode
from diagnosis.captures.directions import direction_of
from diagnosis.captures.event_stream import events, looks_like_events
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.recordings import Record, deeper, flat, inside, text_of
from diagnosis.captures.records import Beside, is_message, messages_in, skipped
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_COLUMNS = ("timestamp_iso", "direction", "session_id", "headers_json", "body_raw", "body_json")


class McpShark:
    """Reads the databases of mcp-shark."""

    name = "mcp-shark"
    title = "mcp-shark's SQLite recordings"
    cannot_show = "which response belongs to which HTTP request, and what still stands in a -wal file beside it"

    def detect(self, head: bytes) -> Claim:
        """Certain with the definition of the table of packets."""
        return claim(head, "packets", ("frame_number", "headers_json", "body_raw"))

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the messages in the body of each packet."""
        return from_rows(source, "packets", _COLUMNS, _from_packet)


def _from_packet(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    direction = direction_of(value.get("direction"))
    headers = _headers(text_of(value.get("headers_json")) or "")
    time, basis = utc(value.get("timestamp_iso"))
    session = text_of(value.get("session_id")) or headers.get("mcp-session-id")
    to_server = direction is not Direction.TO_CLIENT and "authorization" in headers
    credential = from_authorization(headers["authorization"], record.labels) if to_server else None
    beside = Beside(direction, session, None, time, basis, credential)
    body = text_of(value.get("body_raw"))
    if body is not None and looks_like_events(body):
        found: list[Message | Skipped] = []
        for event in events(body):
            decoded = decode(event.data)
            span = deeper(record.span, "body_raw", f"sse[{event.index}]")
            if decoded.reason and '"jsonrpc"' in event.data:
                found.append(skipped(Kind.UNREADABLE, span, record.raw, decoded.reason))
            elif any(map(is_message, flat(decoded.values))):
                found += messages_in(decoded, span, record.raw, beside)
        return found
    return inside(record, ("body_raw",), beside) or inside(record, ("body_json",), beside)


def _headers(text: str) -> dict[str, str]:
    """Header values by lower-case name; of a repeated header the first counts."""
    decoded = decode(text) if text else None
    headers: Any = decoded.values[0] if decoded is not None and decoded.values else None
    found: dict[str, str] = {}
    for name, value in headers.items() if type(headers) is dict else ():
        if isinstance(value, str):
            found.setdefault(name.lower(), value)
    return found

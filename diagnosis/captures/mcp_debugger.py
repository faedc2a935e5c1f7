"""SQLite recordings of mcp-debugger: one row per message, with its members in columns of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Kind, Skipped
from diagnosis.captures.databases import claim, from_rows
from diagnosis.captures.decoding import decode_exactly
from diagnosis.captures.directions import direction_of
from diagnosis.captures.message import Loss, Message
from diagnosis.captures.recordings import Record, deeper, made, text_of
from diagnosis.captures.records import Beside, skipped
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_COLUMNS = ("session_id", "message_id", "direction", "method", "params", "result", "error", "timestamp")


class McpDebugger:
    """Reads the databases of mcp-debugger."""

    name = "mcp-debugger"
    title = "mcp-debugger's SQLite recordings"
    cannot_show = (
        "the types of JSON-RPC ids, HTTP headers, who the caller was, and what still stands in a -wal file beside it"
    )

    def detect(self, head: bytes) -> Claim:
        """Certain with the definition of the table of messages."""
        return claim(head, "messages", ("message_id", "latency_ms", "message_type"))

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message of each row, put together from its columns."""
        return from_rows(source, "messages", _COLUMNS, _from_row)


def _from_row(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    members: dict[str, Any] = {} if value.get("message_id") is None else {"id": value["message_id"]}
    method = text_of(value.get("method"))
    notes: tuple[str, ...] = ()
    for column in ("params",) if method is not None else ("result", "error"):
        text = text_of(value.get(column))
        if text is None or text == "null":
            continue
        decoded = decode_exactly(text)
        if decoded.reason:
            return (skipped(Kind.UNREADABLE, deeper(record.span, column), record.raw, decoded.reason),)
        members[column] = decoded.values[0]
        notes = decoded.notes
    if method is not None:
        members["method"] = method
    elif "result" not in members and "error" not in members:
        return ()
    time, basis = utc(value.get("timestamp"))
    session = text_of(value.get("session_id"))
    beside = Beside(direction_of(value.get("direction")), session, None, time, basis, losses=(Loss.ID,))
    noted = Record(value, record.span, record.raw, record.number, record.labels, notes)
    return (made(noted, (), members, beside),)

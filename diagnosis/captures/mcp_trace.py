"""Recordings of the mcp-trace middleware: which user called which method when; of a read it keeps no URI."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.callers.authorization import from_record
from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.message import Direction, HttpExchange, Loss, Message
from diagnosis.captures.recordings import Record, from_lines, head_lines, made, text_of
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_SIGN = ("type", "method", "timestamp", "session_id")
_OWN = ("user_id", "client_id", "sdk_language", "mcp_trace_version")  # members that only this middleware writes


class McpTrace:
    """Reads the files of mcp-trace, which say who asked and are looked at beside other captures."""

    name = "mcp-trace"
    title = "mcp-trace's middleware log (who asked)"
    cannot_show = "the URIs of reads, answers, documents, templates and JSON-RPC ids, and calls that failed"

    def detect(self, head: bytes) -> Claim:
        """Certain with one record of a call."""
        if any(_is_record(value) for value in head_lines(head)):
            return Claim(Sureness.CERTAIN, "lines with type, method, timestamp, session_id and who called")
        return Claim(Sureness.NO, "no line has type, method, timestamp, session_id and who called")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields a request without a URI for each record of a read."""
        return from_lines(source, _from_record)


def _is_record(value: dict[str, Any]) -> bool:
    return (
        all(key in value for key in _SIGN)
        and any(key in value for key in _OWN)
        and "request" in value
        and "jsonrpc" not in value
    )


def _from_record(record: Record) -> Sequence[Message]:
    value = record.value
    if not _is_record(value) or value["method"] != "resources/read":
        return ()
    time, basis = utc(value["timestamp"])
    user = text_of(value.get("user_id"))
    beside = Beside(
        Direction.TO_SERVER,
        text_of(value["session_id"]),
        time=time,
        time_basis=basis,
        credential=from_record(user, record.labels) if user is not None else None,
        http=HttpExchange(record.span.line),
        losses=(Loss.ID, Loss.URI),
    )
    return (made(record, (), {"id": record.number, "method": "resources/read", "params": {}}, beside),)

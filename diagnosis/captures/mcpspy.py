"""Recordings of MCPSpy: one record per line, with the message as text in `raw`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.recordings import Record, follow, from_lines, head_lines, inside, text_of
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_KINDS = ("request", "response", "notification")


class McpSpy:
    """Reads the recordings of MCPSpy, which sees the pipes and the HTTP traffic of processes."""

    name = "mcpspy"
    title = "MCPSpy's recordings"
    cannot_show = (
        "sessions, HTTP headers, who the caller was, messages over 16 KB and answers that came after five seconds"
    )

    def detect(self, head: bytes) -> Claim:
        """Certain with one record of a message."""
        if any(_is_record(value) for value in head_lines(head)):
            return Claim(Sureness.CERTAIN, "lines with transport_type, type and raw")
        return Claim(Sureness.NO, "no line has transport_type, type and raw")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message in `raw`; the request that a response's record repeats is not counted again."""
        return from_lines(source, _from_record)


def _is_record(value: dict[str, Any]) -> bool:
    return value.get("type") in _KINDS and "transport_type" in value and isinstance(value.get("raw"), str)


def _from_record(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    time, basis = utc(value["timestamp"]) if "timestamp" in value else (None, "none")
    return inside(record, ("raw",), Beside(_direction(value), None, _channel(value), time, basis))


def _direction(value: dict[str, Any]) -> Direction:
    """What HTTP says; a pipe does not say which of its ends is the client."""
    sent = follow(value, ("http_transport", "is_request"))
    if type(sent) is not bool:
        return Direction.UNKNOWN
    return Direction.TO_SERVER if sent else Direction.TO_CLIENT


def _channel(value: dict[str, Any]) -> str | None:
    """The pair of processes, whichever of them wrote; or the host."""
    ends = [follow(value, ("stdio_transport", end)) for end in ("from_pid", "to_pid")]
    if all(type(end) is int for end in ends):
        return "-".join(str(end) for end in sorted(ends))
    return text_of(follow(value, ("http_transport", "host")))

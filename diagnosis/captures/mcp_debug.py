"""Recordings of mcp-debug: comment lines, a header object, then one message per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.directions import direction_of
from diagnosis.captures.message import Message
from diagnosis.captures.recordings import Record, from_lines, head_lines, inside, text_of
from diagnosis.captures.records import Beside, is_message
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_SIGNS = frozenset(("timestamp", "direction", "message_type", "server_name", "message"))


class McpDebug:
    """Reads the recordings of mcp-debug (standardbeagle)."""

    name = "mcp-debug"
    title = "mcp-debug's recordings"
    cannot_show = "sessions, HTTP headers and who the caller was; some versions record tool calls only"

    def detect(self, head: bytes) -> Claim:
        """Certain with one record of a JSON-RPC message."""
        if any(_is_record(value) and is_message(value["message"]) for value in head_lines(head)):
            return Claim(Sureness.CERTAIN, "lines with direction, message_type, server_name and message")
        return Claim(Sureness.NO, "no line has direction request or response, message_type, server_name and message")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message of each record; comments and the header are other."""
        return from_lines(source, _from_record)


def _is_record(value: dict[str, Any]) -> bool:
    return value.keys() >= _SIGNS and value["direction"] in ("request", "response")


def _from_record(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    time, basis = utc(value["timestamp"]) if "timestamp" in value else (None, "none")
    direction = direction_of(value.get("direction"))
    beside = Beside(direction, None, text_of(value.get("server_name")), time, basis)
    return inside(record, ("message",), beside)

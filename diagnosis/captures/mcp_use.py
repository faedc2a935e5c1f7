"""What the inspector of mcp-use downloads: an array of messages, each with its direction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.recordings import Record, from_array, head_records, inside, text_of
from diagnosis.captures.records import Beside, is_message
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

# The inspector is the client.
_SIDES = {"send": Direction.TO_SERVER, "receive": Direction.TO_CLIENT}


class McpUse:
    """Reads the downloads of mcp-use's inspector."""

    name = "mcp-use"
    title = "mcp-use inspector's download"
    cannot_show = "sessions, HTTP headers, who the caller was, and more than the last 1,000 messages of a server"

    def detect(self, head: bytes) -> Claim:
        """Certain with one element that holds a JSON-RPC message and whether it was sent or received."""
        if any(_is_entry(value) and is_message(value["message"]) for value in head_records(head)):
            return Claim(Sureness.CERTAIN, "an array of entries with serverId, direction send or receive, and message")
        return Claim(Sureness.NO, "it is no array of entries with serverId, direction and message")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message of each element."""
        return from_array(source, _from_entry)


def _is_entry(value: dict[str, Any]) -> bool:
    return value.get("direction") in ("send", "receive") and "serverId" in value and "message" in value


def _from_entry(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    word, widget = value.get("direction"), text_of(value.get("widgetId"))
    side = _SIDES[word] if isinstance(word, str) and word in _SIDES else Direction.UNKNOWN
    server = text_of(value.get("serverId"))
    # A widget talks to the inspector on its own channel, with ids of its own.
    channel = f"{server or ''}/{widget}" if widget else server
    time, basis = utc(value["timestamp"]) if "timestamp" in value else (None, "none")
    return inside(record, ("message",), Beside(side, None, channel, time, basis))

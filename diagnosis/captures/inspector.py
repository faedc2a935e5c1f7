"""What MCP Inspector v2 exports as "protocol": an array of requests, each with its answer inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.message import Direction, HttpExchange, Message
from diagnosis.captures.recordings import Record, from_array, head_records, inside
from diagnosis.captures.records import Beside, is_message
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_SIDES = {"client": Direction.TO_SERVER, "server": Direction.TO_CLIENT}
_KINDS = ("request", "response", "notification")


class InspectorProtocol:
    """Reads the protocol export of MCP Inspector."""

    name = "inspector-protocol"
    title = "MCP Inspector's protocol export (v2)"
    cannot_show = "sessions, HTTP headers, who the caller was, and more than the last 1,000 messages"

    def detect(self, head: bytes) -> Claim:
        """Certain with one element that holds a JSON-RPC message and its direction as the Inspector says it."""
        if any(_is_entry(value) and is_message(value["message"]) for value in head_records(head)):
            return Claim(Sureness.CERTAIN, "an array of entries with direction, message and response")
        return Claim(Sureness.NO, "it is no array of entries with id, direction and message")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields each entry's message, then the answer inside it."""
        return from_array(source, _from_entry)


def _is_entry(value: dict[str, Any]) -> bool:
    return value.get("direction") in _KINDS and "message" in value and "timestamp" in value


def _from_entry(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    origin = value.get("origin")
    side = _SIDES.get(origin, Direction.UNKNOWN) if isinstance(origin, str) else Direction.UNKNOWN
    time, basis = utc(value.get("timestamp"))
    # The answer stands in its request's entry: no other id can claim it.
    entry = HttpExchange(record.number) if type(value.get("response")) is dict else None
    sent = Beside(side, time=time, time_basis=basis, http=entry)
    received = Beside(side.opposite, time=time, time_basis=basis, http=entry)
    return (*inside(record, ("message",), sent), *inside(record, ("response",), received))

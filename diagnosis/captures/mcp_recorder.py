"""Cassettes of mcp-recorder: one document with a list of interactions, each a request with its response."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.message import Direction, HttpExchange, Message
from diagnosis.captures.recordings import Record, follow, from_array, head_records, inside, text_of
from diagnosis.captures.records import Beside, is_message
from diagnosis.captures.sources import Source

_KINDS = ("jsonrpc_request", "notification", "lifecycle")


class McpRecorder:
    """Reads the cassettes of mcp-recorder (devhelmhq)."""

    name = "mcp-recorder"
    title = "mcp-recorder's cassettes"
    cannot_show = "the time of each message, sessions, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one interaction that holds a JSON-RPC request."""
        kinds = 0
        for value in head_records(head, "interactions"):
            kinds += value.get("type") in _KINDS
            if value.get("type") in _KINDS and is_message(value.get("request")):
                return Claim(Sureness.CERTAIN, "a document with interactions that hold request and response")
        if kinds:
            return Claim(Sureness.POSSIBLE, "a document with interactions, none of them with a JSON-RPC request yet")
        return Claim(Sureness.NO, "it is no document with a list of interactions")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields per interaction the request, then its response."""
        return from_array(source, _from_interaction, "interactions", ("metadata",))


def _from_interaction(record: Record) -> Sequence[Message | Skipped]:
    status: Any = record.value.get("response_status")
    http = HttpExchange(
        record.number,
        text_of(follow(record.about, ("metadata", "server_url"))),
        status if type(status) is int and status > 0 else None,
    )
    # The cassette has one time for all interactions, which is no message's own.
    asked = inside(record, ("request",), Beside(Direction.TO_SERVER, http=http))
    return (*asked, *inside(record, ("response",), Beside(Direction.TO_CLIENT, http=http)))

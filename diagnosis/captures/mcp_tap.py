"""Recordings of mcp-tap: one record per line, with the members of the message apart from each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.directions import direction_of
from diagnosis.captures.message import Loss, Message
from diagnosis.captures.recordings import Record, from_lines, head_lines, made, text_of
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_SIGNS = frozenset(("sequence", "session_id", "direction", "params", "message_type"))
_SIDES = ("client_to_server", "server_to_client")
_HIDDEN = (Loss.ID, Loss.DOCUMENT, Loss.ECHO)


class McpTap:
    """Reads the recordings of mcp-tap (annawhooo), in which a response's result or error stands in `params`."""

    name = "mcp-tap"
    title = "mcp-tap's recordings"
    cannot_show = "the types of JSON-RPC ids, HTTP headers and who the caller was; values may be redacted or hashed"

    def detect(self, head: bytes) -> Claim:
        """Certain with one record of a message."""
        if any(_is_record(value) for value in head_lines(head)):
            return Claim(Sureness.CERTAIN, "lines with sequence, direction, message_type, message_id and params")
        return Claim(Sureness.NO, "no line has sequence, direction, message_type and params")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message of each record, put together from its members; life-cycle records are other."""
        return from_lines(source, _from_record)


def _is_record(value: dict[str, Any]) -> bool:
    return value.keys() >= _SIGNS and value["direction"] in _SIDES


def _from_record(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    if not _is_record(value):
        return ()
    kind, method, params = value["message_type"], text_of(value.get("method")), value["params"]
    time, basis = utc(value["timestamp"]) if "timestamp" in value else (None, "none")
    session, server = text_of(value["session_id"]), text_of(value.get("server_id"))
    losses: tuple[Loss, ...] = (Loss.ID,)
    members: dict[str, Any] = {} if value.get("message_id") is None else {"id": value["message_id"]}
    if kind in ("request", "notification") and method is not None:
        members |= {"method": method} | ({} if params is None else {"params": params})
    elif kind in ("response", "error"):
        failed = kind == "error" or _is_error(params)
        members["error" if failed else "result"] = params
        losses = losses if type(params) is dict else _HIDDEN
    else:
        return ()
    beside = Beside(direction_of(value["direction"]), session, server, time, basis, losses=losses)
    return (made(record, ("params",), members, beside),)


def _is_error(params: Any) -> bool:
    """A response does not say which of the two its members are; an MCP result has no code beside a message."""
    return type(params) is dict and type(params.get("code")) is int and isinstance(params.get("message"), str)

"""Builders for the tests of pairing: messages by hand, and the reads that come of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from diagnosis.captures.message import Direction, HttpExchange, Message, Span
from diagnosis.reads.context import Context
from diagnosis.reads.pairing import Pairing
from diagnosis.reads.read import Read

C2S, S2C, UNKNOWN = Direction.TO_SERVER, Direction.TO_CLIENT, Direction.UNKNOWN
CAPTURE = "trace.jsonl"


def message(body: Mapping[str, Any], direction: Direction = UNKNOWN, **beside: Any) -> Message:
    """A message; its place and its bytes are of no interest here."""
    return Message({"jsonrpc": "2.0", **body}, Span(CAPTURE, 1, 0, 1), b"{}", direction, **beside)


def request(request_id: Any, method: str, direction: Direction = UNKNOWN, params: Any = None, **beside: Any) -> Message:
    return message({"id": request_id, "method": method, "params": params or {}}, direction, **beside)


def read_request(request_id: Any, uri: Any = "a://1", direction: Direction = UNKNOWN, **beside: Any) -> Message:
    return request(request_id, "resources/read", direction, {"uri": uri}, **beside)


def result(request_id: Any, value: Any, direction: Direction = UNKNOWN, **beside: Any) -> Message:
    return message({"id": request_id, "result": value}, direction, **beside)


def contents(request_id: Any, uri: str = "a://1", direction: Direction = UNKNOWN, **beside: Any) -> Message:
    """The result of a read that holds one text and echoes `uri`."""
    return result(request_id, {"contents": [{"uri": uri, "text": "words"}]}, direction, **beside)


def error(request_id: Any, code: int = -32002, direction: Direction = UNKNOWN, **beside: Any) -> Message:
    return message({"id": request_id, "error": {"code": code, "message": "no"}}, direction, **beside)


def cancelled(request_id: Any, direction: Direction = UNKNOWN, **beside: Any) -> Message:
    return message({"method": "notifications/cancelled", "params": {"requestId": request_id}}, direction, **beside)


def initialize(request_id: Any, direction: Direction = UNKNOWN, **beside: Any) -> Message:
    return request(request_id, "initialize", direction, {"protocolVersion": "2025-11-25"}, **beside)


def exchange(number: int, url: str | None = "http://h/mcp") -> HttpExchange:
    return HttpExchange(number, url, 200)


def paired(messages: Iterable[Message], context: Context | None = None) -> list[Read]:
    """The reads of one capture, to its end."""
    return pairing_of(messages, context).reads


def pairing_of(messages: Iterable[Message], context: Context | None = None) -> Pairing:
    pairing = Pairing(CAPTURE, context or Context())
    for each in messages:
        pairing.feed(each)
    for _ in pairing.finish():
        pass
    return pairing


def echoes(reads: Iterable[Read]) -> list[str | None]:
    """For each read the URI that its answer echoes, `"error"` for an error, None without an answer."""
    return [_echo(read) for read in reads]


def _echo(read: Read) -> str | None:
    if read.response is None:
        return None
    return "error" if read.response.failure is not None else read.response.contents[0].uri


def both_ways(messages: list[Message]) -> list[list[Message]]:
    """The same log with its directions, and as a format that knows none would hold it."""
    return [messages, [replace(each, direction=UNKNOWN) for each in messages]]


def as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

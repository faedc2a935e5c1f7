"""The JSON-RPC message inside a log record: under which members it stands, through how many strings.

It never looks into a message, nor into lists of contents: a document that quotes JSON-RPC is no message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures.decoding import Decoded, decode
from diagnosis.captures.event_stream import events, looks_like_events
from diagnosis.captures.facts import facts_of, within
from diagnosis.captures.message import Direction
from diagnosis.captures.records import NOTHING_BESIDE, Beside, is_message

STRINGS = 4
"""Strings inside strings that are decoded."""
_DEPTH = 64
FIELD_KEYS = (
    "message", "msg", "log", "body", "payload", "data", "content", "raw", "line", "frame", "rpc", "json", "event",
    "text", "jsonPayload", "textPayload", "record", "attributes", "fields", "request", "response", "mcp",
    "http", "event.original", "request_body", "response_body",
)  # fmt: skip
SIDES = {
    "request_body": Direction.TO_SERVER, "requestBody": Direction.TO_SERVER, "req_body": Direction.TO_SERVER,
    "response_body": Direction.TO_CLIENT, "responseBody": Direction.TO_CLIENT, "resp_body": Direction.TO_CLIENT,
}  # fmt: skip
# A part of a document or of a tool's result may quote anything.
_QUOTING = frozenset(("text", "tool_result", "resource", "tool_use", "image"))


@dataclass(frozen=True, slots=True)
class Found:
    """A message (or batch) of a record: its JSON, the way to it, its facts, and the strings that were decoded."""

    decoded: Decoded
    layers: tuple[str, ...]
    beside: Beside
    strings: int


@dataclass(frozen=True, slots=True)
class _Walk:
    by_client: bool
    labels: TokenLabels


def found_in(record: dict[str, Any], by_client: bool, labels: TokenLabels) -> tuple[list[Found], str]:
    """The messages of a record, and why one that was due there cannot be read."""
    unread: list[str] = []
    found = _in_record(record, (), NOTHING_BESIDE, 0, 0, _Walk(by_client, labels), unread)
    return found, unread[0] if unread and not found else ""


def _in_record(
    record: dict[str, Any], layers: tuple[str, ...], outer: Beside, strings: int, depth: int, walk: _Walk,
    unread: list[str],
) -> list[Found]:  # fmt: skip
    """The two bodies of an exchange, where the record has them; else the message behind the most strings."""
    if depth > _DEPTH or _quotes(record):
        return []
    beside = within(facts_of(record, walk.by_client, walk.labels), outer)
    sides: list[Found] = []
    best: list[Found] = []
    for key, side in SIDES.items():
        if key in record:
            there = within(Beside(side), beside)
            sides += _in_value(record[key], (*layers, key), there, strings, depth + 1, walk, unread)
    if sides:
        return sides
    for key in FIELD_KEYS:
        if key not in record or key in SIDES:
            continue
        found = _in_value(record[key], (*layers, key), beside, strings, depth + 1, walk, unread)
        if found and (not best or found[0].strings > best[0].strings):
            best = found
    return best


def _in_value(
    value: Any, layers: tuple[str, ...], beside: Beside, strings: int, depth: int, walk: _Walk, unread: list[str]
) -> list[Found]:
    if type(value) is dict:
        if is_message(value):
            return [Found(Decoded((value,)), layers, beside, strings)]
        return _in_record(value, layers, beside, strings, depth, walk, unread)
    if type(value) is list:
        batch = any(is_message(each) for each in value)
        return [Found(Decoded((value,)), layers, beside, strings)] if batch else []
    if type(value) is not str or strings >= STRINGS:
        return []
    return _in_text(value, layers, beside, strings + 1, depth, walk, unread)


def _in_text(
    text: str, layers: tuple[str, ...], beside: Beside, strings: int, depth: int, walk: _Walk, unread: list[str]
) -> list[Found]:
    if text.lstrip()[:1] not in ("{", "["):
        if "data:" not in text or not looks_like_events(text):
            return []
        return [
            each
            for event in events(text)
            for each in _in_text(event.data, (*layers, f"sse[{event.index}]"), beside, strings, depth, walk, unread)
        ]
    decoded = decode(text)
    if decoded.reason:
        if '"jsonrpc"' in text:
            unread.append(decoded.reason)
        return []
    layers = (*layers, "string")
    if any(is_message(value) or _is_batch(value) for value in decoded.values):
        return [Found(decoded, layers, beside, strings)]
    if len(decoded.values) == 1 and type(decoded.values[0]) is dict:
        return _in_record(decoded.values[0], layers, beside, strings, depth + 1, walk, unread)
    return []


def _is_batch(value: Any) -> bool:
    return type(value) is list and any(is_message(each) for each in value)


def _quotes(record: dict[str, Any]) -> bool:
    return record.get("type") in _QUOTING if isinstance(record.get("type"), str) else "mimeType" in record

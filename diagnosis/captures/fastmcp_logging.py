"""FastMCP's logging middleware: that a read began and how it ended, as JSON or as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from diagnosis.captures.anchored import without_message
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import decode
from diagnosis.captures.message import Direction, Loss, Message, Span
from diagnosis.captures.records import Beside, message_of, skipped
from diagnosis.captures.sources import CutLine, Source
from diagnosis.captures.times import utc

# The JSON may stand behind a logger's prefix.
_JSON = re.compile(rb"""(?:\xef\xbb\xbf)?[^{}"'\n]{0,160}?(?=\{"event": ?"request_)""").match
_TEXT = re.compile(
    rb"""(?:\xef\xbb\xbf)?[^{}"'\n]{0,160}?\bevent=(request_start|request_success|request_error) """
    rb"""method=(\S{1,100}) source=(\S{1,40})(?: payload=(.*))?""",
    re.DOTALL,
).match
_READ = "resources/read"
_EVENTS = ("request_start", "request_success", "request_error")


class FastMcpLogging:
    """Reads which reads began and how each ended; FastMCP logs no ids and no results."""

    name = "fastmcp-logging"
    title = "FastMCP's logging middleware: event request_start, method resources/read"
    cannot_show = "ids, results, templates, sessions and who the caller was; answers are paired by order"

    def detect(self, head: bytes) -> Claim:
        """Certain with one entry of a client's request."""
        found = sum(1 for line in head.split(b"\n") if _entry(line) is not None)
        if found:
            return Claim(Sureness.CERTAIN, f"entries of event request_start, request_success or request_error: {found}")
        return Claim(Sureness.NO, "no entry says event request_start with method and source")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields reads and their ends; entries of other methods are other."""
        for number, offset, line in source.lines():
            entry = None if type(line) is CutLine else _entry(line)
            if entry is None:
                yield without_message(source.path, number, offset, line)
                continue
            span = Span(source.path, number, offset, len(line))
            if entry["method"] != _READ or entry.get("source") not in ("client", None):
                yield skipped(Kind.OTHER, span, line, "an entry of another method")
                continue
            yield _message(entry, span, line)


def _entry(line: bytes) -> dict[str, Any] | None:
    found = _JSON(line)
    if found:
        decoded = decode(line[found.end() :].rstrip())
        value = decoded.values[0] if len(decoded.values) == 1 else None
        if isinstance(value, dict) and value.get("event") in _EVENTS and isinstance(value.get("method"), str):
            return value
        return None
    plain = _TEXT(line)
    if plain is None:
        return None
    event, method, source, payload = (each.decode("utf-8", "replace") if each else None for each in plain.groups())
    if payload is not None:
        # The type stands behind the payload; a blank before it is no part of either.
        before, found_type, _ = payload.rpartition(" payload_type=")
        payload = before if found_type else payload
    return {"event": event, "method": method, "source": source, "payload": payload}


def _message(entry: dict[str, Any], span: Span, line: bytes) -> Message:
    time, basis = utc(entry.get("timestamp"))
    losses: tuple[Loss, ...]
    if entry["event"] == "request_start":
        params = _params(entry.get("payload"))
        body: dict[str, Any] = {"jsonrpc": "2.0", "method": _READ, "params": params or {}}
        losses = (Loss.ID,) if params else (Loss.URI, Loss.ID)
        return message_of(body, span, line, Beside(Direction.TO_SERVER, time=time, time_basis=basis, losses=losses))
    if entry["event"] == "request_error":
        error = entry.get("error_message", entry.get("error"))
        body = {"jsonrpc": "2.0", "error": {"code": None, "message": error if isinstance(error, str) else ""}}
    else:
        body = {"jsonrpc": "2.0", "result": {"contents": []}}
    losses = (Loss.DOCUMENT, Loss.ECHO, Loss.ID)
    return message_of(body, span, line, Beside(Direction.TO_CLIENT, time=time, time_basis=basis, losses=losses))


def _params(payload: Any) -> dict[str, Any] | None:
    """The request's parameters; None where the log left them out or cut them (at 1000 characters)."""
    value = payload
    if isinstance(payload, str):
        decoded = decode(payload)
        value = decoded.values[0] if len(decoded.values) == 1 else None
    if not isinstance(value, dict):
        return None
    # Some versions log the whole request instead of its parameters.
    inner = value.get("params")
    found = inner if isinstance(inner, dict) and "uri" not in value else value
    return found if isinstance(found.get("uri"), str) else None

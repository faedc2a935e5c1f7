"""HTTP archives (HAR 1.2): one exchange per entry, bodies as JSON or as an event stream."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from diagnosis.callers.authorization import from_authorization
from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.cutting import Buffer, placed, scanned
from diagnosis.captures.decoding import BOM, decode, plain_message
from diagnosis.captures.event_stream import events, looks_like_events
from diagnosis.captures.har_streams import Streams, endpoint_of, session_in
from diagnosis.captures.message import Direction, HttpExchange, Message, Span
from diagnosis.captures.records import AT_END, Beside, is_message, message_of, messages_in, skipped
from diagnosis.captures.sources import HEAD, Source
from diagnosis.captures.times import utc

_ENTRIES = re.compile(rb'"entries"\s*:\s*\[')
_SIGNS = (b'"log"', b'"entries"', b'"request"')
_TO_WEB = re.compile(rb'"url"\s*+:\s*+"(?i:https?):').search
_SENTINEL = re.compile(r"=\?base64\?([A-Za-z0-9+/_=-]*)\?=").fullmatch


BROKEN = "the archive is cut or broken, or holds a second list of entries"
SNOOPED = "only parameters and results, no messages: open the .jsonl of the mcpsnoop session instead"


class _Log(msgspec.Struct):
    entries: list[msgspec.Raw]


class _Archive(msgspec.Struct):
    log: _Log


class Har:
    """Reads HTTP archives that browsers, proxies and gateways export."""

    name = "har"
    title = "HTTP archives (HAR 1.2)"
    cannot_show = "traffic outside HTTP; browsers leave out Authorization unless told otherwise"

    def detect(self, head: bytes) -> Claim:
        """Certain with `log.entries` and a request to an HTTP address; likely where the addresses are made up.

        The head is often cut inside an entry, so these are signs in its text.
        """
        if head.removeprefix(BOM).lstrip()[:1] != b"{":
            return Claim(Sureness.NO, "it does not begin with an object that holds log.entries")
        if all(sign in head for sign in _SIGNS) and _ENTRIES.search(head) and not _is_json_rpc(head):
            if _TO_WEB(head):
                return Claim(Sureness.CERTAIN, "an object with log.entries and their requests to HTTP addresses")
            return Claim(Sureness.LIKELY, "an object with log.entries and requests, but none to an HTTP address")
        if b'"log"' in head[:4096] and b'"creator"' in head and not _is_json_rpc(head):
            return Claim(Sureness.POSSIBLE, "an object with log and creator; its entries begin later")
        return Claim(Sureness.NO, "the object has no log.entries")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields per entry the request's messages, then the response's; an entry without any is other.

        What came in a stream that stood open beside other requests is yielded behind those.
        """
        # The map closes with the last reference to it: an iterator over it may still hold it open here.
        data = source.mmap()
        line, counted, end = 1, 0, 0
        entries, whole = entries_of(data)
        streams = Streams()
        for number, (start, end, closed) in enumerate(entries):
            line, counted = line + data[counted:start].count(b"\n"), start
            record = data[start:end]
            source.bytes_read = end
            span = Span(source.path, line, start, end - start, (f"entries[{number}]",))
            if not closed:
                yield skipped(Kind.UNREADABLE, span, record, AT_END)
                continue
            key, is_stream, items = _from_entry(number, span, record, source.labels)
            if is_stream:
                yield from streams.begin(key, items)
            else:
                yield from items
                yield from streams.behind(key, items)
        yield from streams.rest()
        if not whole:
            line += data[counted:end].count(b"\n")
            span = Span(source.path, line, end, len(data) - end)
            yield skipped(Kind.UNREADABLE, span, data[end : end + HEAD], BROKEN)


def entries_of(data: Buffer) -> tuple[Iterator[tuple[int, int, bool]], bool]:
    """The `(start, end, closed)` of every entry, in bytes, and whether they are all that the archive holds.

    Token by token where the archive is cut or broken. A second list of entries is hidden by a duplicate key.
    """
    sign = _ENTRIES.search(data)
    begin = sign.end() if sign else 0
    try:
        with memoryview(data) as view, view[3 if data[:3] == BOM else 0 :] as rest:
            parts = msgspec.json.decode(rest, type=_Archive).log.entries
            found = placed(data, parts, begin)
            # A part holds the map open: none may outlive this block.
            del parts
    except (msgspec.DecodeError, RecursionError, ValueError):
        return (scanned(data, begin - 1) if sign else iter(())), False
    first, last = (found[0][0], found[-1][1]) if found else (begin, begin)
    return iter(found), not _ENTRIES.search(data, begin, first) and not _ENTRIES.search(data, last)


def _is_json_rpc(head: bytes) -> bool:
    """A bare message or a JSON line may quote an archive; then its first line is whole."""
    first = head.removeprefix(BOM).lstrip().split(b"\n", 1)[0]
    values = decode(first).values
    return bool(values) and type(values[0]) is dict and type(values[0].get("log")) is not dict


def _from_entry(
    number: int, span: Span, record: bytes, labels: TokenLabels
) -> tuple[str, bool, Sequence[Message | Skipped]]:
    """The session of an entry (or its address), whether it is a stream of that session, and what it holds."""
    decoded = decode(record)
    entry: Any = decoded.values[0] if decoded.values else {}
    request, response = _member(entry, "request"), _member(entry, "response")
    if request is None or response is None:
        missing = "it has no request object" if request is None else "it has no response object"
        return "", False, (skipped(Kind.UNREADABLE, span, record, decoded.reason or f"a bad entry: {missing}"),)
    sent, returned = _headers(request), _headers(response)
    status, url = response.get("status"), _text(request.get("url"))
    http = HttpExchange(
        number,
        url,
        status if type(status) is int and status > 0 else None,
        mcp_name(sent["mcp-name"]) if "mcp-name" in sent else None,
    )
    time, basis = utc(entry.get("startedDateTime"))
    text, place = _response_text(response)
    streams = request.get("method") == "GET" and text is not None and _is_events(response, text)
    session = sent.get("mcp-session-id") or returned.get("mcp-session-id") or session_in(url)
    endpoint = endpoint_of(url, text) if streams and text is not None else None
    session = session or session_in(endpoint)
    credential = from_authorization(sent["authorization"], labels) if "authorization" in sent else None
    asked = Beside(Direction.TO_SERVER, session, None, time, basis, credential, http)
    # The answers in such a stream are those of the server behind that address.
    answering = replace(http, url=endpoint) if endpoint is not None else http
    answered = Beside(Direction.TO_CLIENT, session, None, time, basis, None, answering)
    found = [*_request_body(request, span, record, asked)]
    found += _response_body(response, text, _deeper(span, *place), record, answered)
    if not found:
        snooped = (url or "").startswith("mcp://")
        kind, why = (Kind.UNREADABLE, SNOOPED) if snooped else (Kind.OTHER, "an exchange without a JSON-RPC message")
        return "", False, (skipped(kind, span, record, why),)
    return session or (url or "").partition("?")[0], streams, found


def _request_body(request: dict[str, Any], span: Span, record: bytes, beside: Beside) -> Iterator[Message | Skipped]:
    body = _member(request, "postData")
    text = body.get("text") if body else None
    if isinstance(text, str):
        yield from _from_json(text, _deeper(span, "request.postData.text"), record, beside)


def _response_text(response: dict[str, Any]) -> tuple[str | None, tuple[str, ...]]:
    """The text of a response and the way to it; None where it has none, or none that can be read."""
    content = _member(response, "content") or {}
    text = content.get("text")
    if not isinstance(text, str) or content.get("encoding") != "base64":
        return text if isinstance(text, str) else None, ("response.content.text",)
    try:
        text = base64.b64decode(text, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        text = None
    return text, ("response.content.text", "base64")


def _is_events(response: dict[str, Any], text: str) -> bool:
    return "event-stream" in _mime(response) or looks_like_events(text)


def _mime(response: dict[str, Any]) -> str:
    return _text((_member(response, "content") or {}).get("mimeType")) or ""


def _response_body(
    response: dict[str, Any], text: str | None, place: Span, record: bytes, beside: Beside
) -> Iterator[Message | Skipped]:
    if text is None:
        if place.layers[-1] == "base64" and _owes_message(_mime(response)):
            yield skipped(Kind.UNREADABLE, place, record, "the body is no base64 of UTF-8 text")
    elif text and _is_events(response, text):
        for event in events(text):
            inside = _deeper(place, f"sse[{event.index}]")
            yield from _from_json(event.data, inside, record, beside, cut=not event.closed)
    elif text:
        yield from _from_json(text, place, record, beside)


def _from_json(
    text: str, span: Span, record: bytes, beside: Beside, *, cut: bool = False
) -> Iterator[Message | Skipped]:
    """The messages of a body; a body that never was JSON-RPC is no loss and gives nothing."""
    if text[:1] not in ("{", "[") and text.lstrip()[:1] not in ("{", "["):
        return
    plain = plain_message(text)
    if plain is not None:
        yield message_of(plain, span, record, beside)
        return
    decoded = decode(text)
    if decoded.reason:
        if '"jsonrpc"' in text:
            reason = "the event stream was cut" if cut and decoded.truncated else decoded.reason
            yield skipped(Kind.UNREADABLE, span, record, reason)
        return
    if any(is_message(value) or _is_batch(value) for value in decoded.values):
        yield from messages_in(decoded, span, record, beside)


def _is_batch(value: Any) -> bool:
    return type(value) is list and any(is_message(each) for each in value)


def mcp_name(header: str) -> str:
    """The value of an `Mcp-Name` header with its base64 sentinel undone (MCP 2026-07-28, transports)."""
    found = _SENTINEL(header.strip())
    if found is None:
        return header
    try:
        text = found.group(1).replace("-", "+").replace("_", "/")
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return header


def _owes_message(mime: str) -> bool:
    return "json" in mime or "event-stream" in mime


def _headers(message: dict[str, Any]) -> dict[str, str]:
    """Header values by lower-case name; of a repeated header the first counts."""
    found: dict[str, str] = {}
    headers = message.get("headers")
    for header in headers if isinstance(headers, list) else ():
        if type(header) is dict:
            name, value = header.get("name"), header.get("value")
            if isinstance(name, str) and isinstance(value, str):
                found.setdefault(name.lower(), value)
    return found


def _member(value: Any, key: str) -> dict[str, Any] | None:
    found = value.get(key) if type(value) is dict else None
    return found if type(found) is dict else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _deeper(span: Span, *layers: str) -> Span:
    return Span(span.capture, span.line, span.offset, span.length, (*span.layers, *layers))

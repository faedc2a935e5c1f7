"""What MCP Inspector v2 exports as "network": an array of HTTP exchanges with headers and bodies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.callers.authorization import from_authorization
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import decode
from diagnosis.captures.event_stream import events, looks_like_events
from diagnosis.captures.har import mcp_name
from diagnosis.captures.message import Direction, HttpExchange, Message
from diagnosis.captures.recordings import Record, deeper, flat, from_array, head_records, inside, text_of
from diagnosis.captures.records import Beside, is_message, messages_in, skipped
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_SIGNS = frozenset(("method", "url", "requestHeaders", "category"))


class InspectorNetwork:
    """Reads the network export of MCP Inspector."""

    name = "inspector-network"
    title = "MCP Inspector's network export (v2)"
    cannot_show = "traffic outside HTTP, and secrets that the Inspector replaced by [REDACTED]"

    def detect(self, head: bytes) -> Claim:
        """Certain with one exchange whose request body is a JSON-RPC message; possible without."""
        exchanges = 0
        for value in head_records(head):
            if value.keys() >= _SIGNS:
                exchanges += 1
                body = value.get("requestBody")
                if isinstance(body, str) and any(map(is_message, flat(decode(body).values))):
                    return Claim(Sureness.CERTAIN, "an array of exchanges with requestHeaders, requestBody, category")
        if exchanges:
            return Claim(Sureness.POSSIBLE, "an array of exchanges without a JSON-RPC request in its beginning")
        return Claim(Sureness.NO, "it is no array of exchanges with requestHeaders and category")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the messages of each exchange: the request's, then the response's."""
        return from_array(source, _from_exchange)


def _from_exchange(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    sent, returned = _headers(value.get("requestHeaders")), _headers(value.get("responseHeaders"))
    status = value.get("responseStatus")
    http = HttpExchange(
        record.number,
        text_of(value.get("url")),
        status if type(status) is int and status > 0 else None,
        mcp_name(sent["mcp-name"]) if "mcp-name" in sent else None,
    )
    time, basis = utc(value.get("timestamp"))
    session = sent.get("mcp-session-id") or returned.get("mcp-session-id") or None
    credential = from_authorization(sent["authorization"], record.labels) if "authorization" in sent else None
    asked = Beside(Direction.TO_SERVER, session, None, time, basis, credential, http)
    answered = Beside(Direction.TO_CLIENT, session, None, time, basis, None, http)
    return (*inside(record, ("requestBody",), asked), *_answers(record, answered))


def _answers(record: Record, beside: Beside) -> Sequence[Message | Skipped]:
    body = record.value.get("responseBody")
    if not isinstance(body, str) or not looks_like_events(body):
        return inside(record, ("responseBody",), beside)
    found: list[Message | Skipped] = []
    for event in events(body):
        span = deeper(record.span, "responseBody", f"sse[{event.index}]")
        decoded = decode(event.data)
        if decoded.reason and '"jsonrpc"' in event.data:
            reason = "the event stream was cut" if decoded.truncated and not event.closed else decoded.reason
            found.append(skipped(Kind.UNREADABLE, span, record.raw, reason))
        elif any(map(is_message, flat(decoded.values))):
            found += messages_in(decoded, span, record.raw, beside)
    return found


def _headers(value: Any) -> dict[str, str]:
    """Header values by lower-case name; of a repeated header the first counts."""
    found: dict[str, str] = {}
    for name, text in value.items() if type(value) is dict else ():
        if isinstance(text, str):
            found.setdefault(name.lower(), text)
    return found

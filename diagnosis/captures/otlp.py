"""OpenTelemetry traces as JSON lines (OTLP/JSON): the spans of reads, in the dialects of several libraries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import BOM, decode
from diagnosis.captures.message import Direction, HttpExchange, Loss, Message, Span
from diagnosis.captures.records import Beside, message_of, skipped, undecoded, unmessaged
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

READ = "resources/read"
_METHODS = ("mcp.method.name", "rpc.method", "mcp.method")
# OpenTelemetry's convention, Sentry, OpenLLMetry.
_URIS = ("mcp.resource.uri", "mcp.request.argument.uri", "mcp.resource")
_IDS = ("jsonrpc.request.id", "mcp.request.id")
# Logfire, then OpenLLMetry (Traceloop).
_REQUESTS = ("request", "traceloop.entity.input", "mcp.request.value")
_RESULTS = ("response", "traceloop.entity.output", "mcp.response.value")
_SEEN = 1_000_000  # spans of reads that are remembered, to recognise the other end of the same read; no more are kept
NO_READ = "spans without a read of a resource"
SAME_READ = "the other end of a read that another span told of"


class Otlp:
    """Reads traces of MCP clients and servers."""

    name = "otlp-traces"
    title = "OpenTelemetry traces (OTLP/JSON, one export per line)"
    cannot_show = "documents, except where Logfire or OpenLLMetry recorded them; enduser.id is a client, not a person"

    def detect(self, head: bytes) -> Claim:
        """Certain with one span of an MCP method; the head may end inside the first line."""
        first = head.removeprefix(BOM).lstrip()
        if first[:1] != b"{" or b'"resourceSpans"' not in first[:4096]:
            return Claim(Sureness.NO, "no line is an object with resourceSpans")
        spans = [span for line in head.split(b"\n") for value in decode(line).values for _, span, _ in _spans(value)]
        found = sum(_is_mcp(_attributes(span.get("attributes"))) for span in spans)
        if found:
            return Claim(Sureness.CERTAIN, f"spans of its beginning that name an MCP method: {found}")
        if b'"mcp.' in head or b'"' + READ.encode() + b'"' in head:
            return Claim(Sureness.POSSIBLE, "an object with resourceSpans that speaks of MCP")
        return Claim(Sureness.NO, "its spans name no MCP method")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields a request per read, made from its span, and its result where the span holds one."""
        trail = _Trail()
        for number, offset, line in source.lines():
            none = unmessaged(source.path, number, offset, line)
            if none is not None:
                yield none
                continue
            place = Span(source.path, number, offset, len(line))
            decoded = decode(line)
            if decoded.reason:
                yield undecoded(decoded, place, line, source.size)
                continue
            found = [
                item
                for value in decoded.values
                for layers, span, server in _spans(value)
                for item in _from_span(span, server, Span(source.path, number, offset, len(line), layers), line, trail)
            ]
            if any(isinstance(item, Message) for item in found):
                yield from found
            else:
                why = found[0].why if found and isinstance(found[0], Skipped) else NO_READ
                yield skipped(Kind.OTHER, place, line, why)


@dataclass(slots=True)
class _Trail:
    """The reads so far: how many, their spans, and the spans that they are children of, each with its URI."""

    count: int = 0
    spans: dict[tuple[str, str], str | None] = field(default_factory=dict)
    parents: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def knows(self, span: dict[str, Any], uri: str | None) -> bool:
        """Whether the read of this span was told of by its parent or its child."""
        trace, own, parent = (str(span.get(key) or "") for key in ("traceId", "spanId", "parentSpanId"))
        before = (self.spans.get((trace, parent), "") if parent else "", self.parents.get((trace, own), ""))
        if any(each != "" and (uri is None or each == uri) for each in before):
            return True
        if len(self.spans) < _SEEN and own:
            self.spans[trace, own] = uri
            if parent:
                self.parents[trace, parent] = uri
        return False


def _from_span(
    span: dict[str, Any], server: str | None, place: Span, line: bytes, trail: _Trail
) -> Iterator[Message | Skipped]:
    attributes = _attributes(span.get("attributes"))
    asked = _document(_first(attributes, _REQUESTS))
    method = _first(attributes, _METHODS) or asked.get("method")
    if method != READ:
        return
    uri = _uri(attributes, asked)
    if trail.knows(span, uri):
        yield skipped(Kind.OTHER, place, line, SAME_READ)
        return
    trail.count += 1
    stated = _first(attributes, _IDS)
    # Spans hold ids as text, whatever they were on the wire.
    request_id = stated if isinstance(stated, str | int) else trail.count
    session = attributes.get("mcp.session.id")
    time, basis = utc(span.get("startTimeUnixNano"))
    until, until_basis = utc(span.get("endTimeUnixNano"))
    session = session if isinstance(session, str) and session else None
    http = HttpExchange(trail.count)
    body = {"jsonrpc": "2.0", "id": request_id, "method": READ, "params": {} if uri is None else {"uri": uri}}
    beside = Beside(Direction.TO_SERVER, session, server, time, basis, None, http, (Loss.ID,))
    yield message_of(body, place, line, beside)
    result = _document(_first(attributes, _RESULTS))
    result = result["result"] if type(result.get("result")) is dict else result
    if type(result.get("contents")) is list:
        back = Beside(Direction.TO_CLIENT, session, server, until, until_basis, None, http, (Loss.ID,))
        yield message_of({"jsonrpc": "2.0", "id": request_id, "result": result}, place, line, back)


def _uri(attributes: dict[str, Any], asked: dict[str, Any]) -> str | None:
    found = _first(attributes, _URIS)
    if isinstance(found, str):
        return found
    params = asked.get("params", asked)
    uri = params.get("uri") if type(params) is dict else None
    return uri if isinstance(uri, str) else None


def _document(value: Any) -> dict[str, Any]:
    """The object that an attribute holds as JSON text; an empty one where it holds none."""
    values = decode(value).values if isinstance(value, str) and value.lstrip()[:1] == "{" else ()
    return values[0] if len(values) == 1 and type(values[0]) is dict else {}


def _is_mcp(attributes: dict[str, Any]) -> bool:
    return any(key.startswith("mcp.") for key in attributes) or _first(attributes, _METHODS) == READ


def _first(attributes: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((attributes[key] for key in keys if attributes.get(key) is not None), None)


def _spans(value: Any) -> Iterator[tuple[tuple[str, ...], dict[str, Any], str | None]]:
    """Every span of an export, the way to it, and the service that it is of."""
    for number, resource in enumerate(_list(value, "resourceSpans")):
        about = resource.get("resource") if type(resource) is dict else None
        name = _attributes(about.get("attributes") if type(about) is dict else None).get("service.name")
        scopes = _list(resource, "scopeSpans") or _list(resource, "instrumentationLibrarySpans")
        for scope_number, scope in enumerate(scopes):
            for index, span in enumerate(_list(scope, "spans")):
                if type(span) is dict:
                    layers = (f"resourceSpans[{number}]", f"scopeSpans[{scope_number}]", f"spans[{index}]")
                    yield layers, span, name if isinstance(name, str) else None


def _list(value: Any, key: str) -> list[Any]:
    found = value.get(key) if type(value) is dict else None
    return found if type(found) is list else []


def _attributes(pairs: Any) -> dict[str, Any]:
    """The attributes by key: text, numbers (int64 comes as text) and booleans; others say nothing here."""
    found: dict[str, Any] = {}
    for pair in pairs if type(pairs) is list else ():
        value = pair.get("value") if type(pair) is dict else None
        key = pair.get("key") if type(pair) is dict else None
        if type(value) is not dict or not isinstance(key, str):
            continue
        for kind in ("stringValue", "intValue", "boolValue", "doubleValue"):
            if kind in value:
                found[key] = value[kind]
                break
    return found

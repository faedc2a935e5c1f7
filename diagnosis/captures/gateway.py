"""Access logs of gateways that write down which MCP resource was asked for: requests only, no answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from diagnosis.callers.authorization import from_record
from diagnosis.callers.credentials import Credential, TokenLabels
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import decode
from diagnosis.captures.fields import found_in
from diagnosis.captures.har import mcp_name
from diagnosis.captures.layouts import LOSS_KEYS, is_set
from diagnosis.captures.message import Direction, HttpExchange, Loss, Message, Span
from diagnosis.captures.records import Beside, is_message, is_unversioned, message_of, skipped, undecoded, unmessaged
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

READ = "resources/read"
# Names are compared in lower case with underscores: Mcp-Name, http_mcp_name and mcp.name are one.
_METHODS = ("mcp_method", "http_mcp_method", "mcp_method_name")
_HEADER = ("mcp_name", "http_mcp_name", "request_header_mcp_name")
_URIS = ("resourcereaduri", "mcp_primitive_name", "mcp_resource_uri", "resource_uri")
_TIMES = ("time", "start_time", "datetime", "timestamp", "@timestamp", "time_iso8601", "ts", "time_local")
_STATUSES = ("status", "response_code", "statuscode", "status_code", "http_status", "edgeresponsestatus")
_SESSIONS = ("mcp_session_id", "http_mcp_session_id", "sessionid", "session_id", "session")
_SUBJECTS = (
    "jwt_sub", "jwt_claim_sub", "sub", "subject", "principal", "user", "user_id", "useremail", "user_email",
    "remote_user", "x_forwarded_user", "x_auth_request_email", "http_x_forwarded_user", "consumer", "authorization",
)  # fmt: skip
_TENANTS = ("jwt_tenant", "jwt_claim_tenant", "tenant", "tenant_id", "jwt_org_id", "jwt_tid")
_ENVOY, _ENVOY_JWT = "envoy.filters.http.mcp", "envoy.filters.http.jwt_authn"
_INNER = ("dynamic_metadata", "headers", "request_headers", "request", "http", "mcp", "jsonPayload")


class Gateway:
    """Reads the JSON access logs of nginx, Envoy, Cloudflare and Tyk, where they name the resource."""

    name = "gateway-access"
    title = "JSON access logs of gateways (nginx, Envoy, Cloudflare, Tyk) that name the MCP resource"
    cannot_show = "answers and documents: only who asked for which URI, and the HTTP status"

    def detect(self, head: bytes) -> Claim:
        """Certain with one record that names a method or a resource of MCP and holds no message."""
        found = sum(map(_is_access, _sampled(head)))
        if found:
            return Claim(
                Sureness.CERTAIN, f"access records of its beginning that name an MCP method and resource: {found}"
            )
        return Claim(Sureness.NO, "no JSON line is an access record with mcp_method, mcp_name or the like")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields one request per read; it is made from the record, since the log holds no body."""
        path = source.path
        for number, offset, line in source.lines():
            none = unmessaged(path, number, offset, line)
            if none is not None:
                yield none
                continue
            span = Span(path, number, offset, len(line))
            decoded = decode(line)
            record = decoded.values[0] if len(decoded.values) == 1 else None
            if decoded.reason:
                yield undecoded(decoded, span, line, source.size)
            elif type(record) is not dict:
                yield skipped(Kind.OTHER, span, line, "JSON that is no access record")
            else:
                yield _request(record, span, line, source.labels)


def _request(record: dict[str, Any], span: Span, line: bytes, labels: TokenLabels) -> Message | Skipped:
    names = _names(record)
    envoy = names.get(_ENVOY)
    envoy = envoy if type(envoy) is dict else record
    params = envoy.get("params")
    header = _first(names, _HEADER)
    in_body = params.get("uri") if type(params) is dict else None
    uri = in_body if isinstance(in_body, str) else _uri(names, header)
    method = _method(names, envoy)
    if method is None and "resourcereaduri" in names and uri is not None:
        method = READ
    if method != READ:
        return skipped(Kind.OTHER, span, line, "an access without a read of a resource")
    status = _first(names, _STATUSES)
    time, basis = utc(next((names[key] for key in _TIMES if key in names), None))
    request_id = envoy.get("id") if envoy is not record else None
    kept = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id if kept else span.line, "method": READ, "params": {}}
    if uri is not None:
        body["params"]["uri"] = uri
    http = HttpExchange(span.line, None, _status(status), mcp_name(header) if isinstance(header, str) else None)
    session = _first(names, _SESSIONS)
    altered = any(is_set(names.get(key)) for key in LOSS_KEYS)
    beside = Beside(
        Direction.TO_SERVER,
        session if isinstance(session, str) else None,
        None,
        time,
        basis,
        _credential(names, labels),
        http,
        (() if kept else (Loss.ID,)) + ((Loss.URI,) if altered else ()),
    )
    return message_of(body, span, line, beside)


def _uri(names: dict[str, Any], header: Any) -> str | None:
    if isinstance(header, str):
        return mcp_name(header)
    found = _first(names, _URIS)
    return found if isinstance(found, str) else None


def _method(names: dict[str, Any], envoy: dict[str, Any]) -> Any:
    method = _first(names, _METHODS)
    return method if method is not None else envoy.get("method", names.get("method"))


def _status(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) == 3:
        value = int(value)
    return value if type(value) is int and 100 <= value <= 599 else None


def _credential(names: dict[str, Any], labels: TokenLabels) -> Credential | None:
    claims = names.get(_ENVOY_JWT)
    if type(claims) is dict:
        payload = claims.get("payload", claims)
        if (found := from_record(payload, labels)) is not None:
            return found
    subject, tenant = _first(names, _SUBJECTS), _first(names, _TENANTS)
    if tenant is not None and (subject is None or isinstance(subject, str)):
        return from_record({"sub": subject, "tenant": tenant}, labels)
    return from_record(subject, labels)


def _names(record: dict[str, Any]) -> dict[str, Any]:
    """The members of the record and of its inner objects by plain name; the outer ones count first."""
    names: dict[str, Any] = {}
    inner = [record[key] for key in _INNER if type(record.get(key)) is dict]
    inner += [each[key] for each in inner for key in _INNER if type(each.get(key)) is dict]
    for members in (record, *inner):
        for key, value in members.items():
            plain = key if key in (_ENVOY, _ENVOY_JWT) else key.lower().replace("-", "_").replace(".", "_")
            names.setdefault(plain, value)
    return names


def _first(names: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """The first member that says something; nginx writes `-` or nothing where there is no value."""
    return next((names[key] for key in keys if names.get(key) not in (None, "", "-")), None)


def _is_access(record: dict[str, Any]) -> bool:
    names = _names(record)
    if _ENVOY in names:
        return True
    named = _first(names, _HEADER) is not None or _first(names, _URIS) is not None
    return "resourcereaduri" in names or (named and _first(names, _METHODS) is not None)


def _sampled(head: bytes) -> Iterator[dict[str, Any]]:
    labels = TokenLabels()
    for line in head.split(b"\n"):
        if line.lstrip(b"\xef\xbb\xbf \t")[:1] != b"{":
            continue
        for record in decode(line).values:
            if type(record) is not dict or is_message(record) or is_unversioned(record):
                continue
            if not found_in(record, False, labels)[0]:
                yield record

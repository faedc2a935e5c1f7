"""A log with an attack wherever text can stand: ids, times, sessions, names, errors, templates, documents."""

from __future__ import annotations

import base64
import json
from typing import Any

TEMPLATE = "docs://{tenant}/{+name}"


def records(attack: str) -> list[dict[str, Any]]:
    """A conversation that lists a template, reads three documents, and has an error and an answer to nothing."""
    uri = f"docs://a/{attack}"
    server = {"name": attack, "version": attack, "title": attack}
    document = json.dumps({"tenant": attack, "name": attack, attack: attack})
    contents = [{"uri": uri, "mimeType": attack, "text": document}, {"uri": attack, "text": attack}]
    return [
        _ask("init", "initialize", {"clientInfo": server, "protocolVersion": attack}, attack),
        _tell("init", {"serverInfo": server, "protocolVersion": attack, "capabilities": {}}, attack),
        _ask("list", "resources/templates/list", {}, attack),
        _tell("list", {"resourceTemplates": [{"uriTemplate": TEMPLATE, "name": attack}]}, attack),
        _ask("odd", "resources/templates/list", {}, attack),
        _tell("odd", {"resourceTemplates": [{"uriTemplate": attack + "{x", "name": attack}]}, attack),
        _ask(attack, "resources/read", {"uri": uri}, attack),
        _tell(attack, {"contents": contents}, attack),
        _ask(2, "resources/read", {"uri": f"docs://{attack}/%2e%2e/x"}, attack),
        _record({"id": 2, "error": {"code": -32002, "message": attack, "data": {"uri": attack}}}, attack, "server"),
        _ask(3, "resources/read", {"uri": uri}, attack),
        _tell("nobody", {"contents": contents}, attack),
        _ask(4, attack, {attack: attack}, attack),
    ]


def log(attack: str) -> bytes:
    """The log as bytes, with a line that is no text and one that is cut."""
    made = [json.dumps(each, ensure_ascii=False) for each in records(attack)]
    made += ['{"jsonrpc": "2.0", "id": "' + attack, attack]
    return "".join(line + "\n" for line in made).encode("utf-8", "surrogatepass")


def _ask(number: object, method: str, params: dict[str, Any], attack: str) -> dict[str, Any]:
    return _record({"id": number, "method": method, "params": params}, attack, "client")


def _tell(number: object, result: dict[str, Any], attack: str) -> dict[str, Any]:
    return _record({"id": number, "result": result}, attack, "server")


def _record(message: dict[str, Any], attack: str, sender: str) -> dict[str, Any]:
    claims = {"sub": attack, "tenant": attack, "tenants": [attack]}
    token = f"{_base64({'alg': 'none'})}.{_base64(claims)}."
    return {
        "ts": f"2026-11-02T10:00:00Z{attack}",
        "dir": f"{sender}->{'server' if sender == 'client' else 'client'}",
        "session": f"s-{attack}",
        "principal": {"id": attack, "allowed_tenants": [attack]},
        "authorization": f"Bearer {token}",
        "headers": {attack: attack},
        attack: attack,
        "message": {"jsonrpc": "2.0", **message},
    }


def _base64(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

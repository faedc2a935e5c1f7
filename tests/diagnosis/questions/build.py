"""Writes a capture of a few messages, diagnoses it, and says the answers in short words."""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from diagnosis import diagnose, load_statements
from diagnosis.questions.findings import Answer, Severity
from diagnosis.questions.judgement import Judgement

ACME_ONLY = {"principals": [{"id": "ana", "sessions": ["s1"], "allowed_tenants": ["acme"]}]}
NOT_FOUND = {"code": -32002, "message": "Resource not found"}
SILENT: Any = object()  # no answer at all


class Log:
    """A JSON-lines capture in the making: every line says its direction and, where there is one, its session."""

    def __init__(self, *templates: str, server: str = "reports", session: str | None = "s1") -> None:
        self.session = session
        self.records: list[dict[str, Any]] = []
        self._next = 100
        if server:
            self.ask("initialize", {"clientInfo": {"name": "quill", "version": "1"}}, _server(server))
        if templates:
            self.templates(*templates)

    def send(self, message: Any, way: str = "client->server", **record: Any) -> None:
        """Writes one message; what else the record says (`principal`, `authorization`) stands beside it."""
        beside = {key: value for key, value in record.items() if value is not None}
        session = beside.pop("session", self.session)
        where = {"session": session} if session is not None else {}
        body = {"jsonrpc": "2.0", **message} if isinstance(message, dict) else message
        self.records.append({"dir": way, **where, **beside, "message": body})

    def reply(self, message: Any, **record: Any) -> None:
        """Writes one message of the server."""
        self.send(message, "server->client", **record)

    def ask(self, method: str, params: Any, result: Any, **record: Any) -> None:
        """Writes a request and its result."""
        self._next += 1
        self.send({"id": self._next, "method": method, "params": params}, **record)
        self.reply({"id": self._next, "result": result}, session=record.get("session"))

    def templates(self, *templates: str, session: str | None = None, **more: Any) -> None:
        """Lists templates; `more` stands beside each (`_meta`), `cursor` in the result."""
        after = {"nextCursor": more.pop("cursor")} if "cursor" in more else {}
        rows = [{"name": text, "uriTemplate": text, **more} for text in templates]
        self.ask("resources/templates/list", {}, {"resourceTemplates": rows, **after}, session=session)

    def resources(self, *uris: str) -> None:
        """Lists resources."""
        rows = [{"name": uri, "uri": uri} for uri in uris]
        self.ask("resources/list", {}, {"resources": rows})

    def request(self, uri: str, number: Any = None, **record: Any) -> Any:
        """Writes a read without its answer and gives its id."""
        self._next += 1
        number = self._next if number is None else number
        self.send({"id": number, "method": "resources/read", "params": {"uri": uri}}, **record)
        return number

    def read(self, uri: str, body: Any = "some text", *, echo: Any = "", error: Any = None, **more: Any) -> None:
        """Writes a read and its answer: a body (an object is JSON), an error, or nothing for `SILENT`."""
        result, mime = more.pop("result", None), more.pop("mime", None)
        number = self.request(uri, more.pop("number", None), **more)
        session = more.get("session")
        if error is not None:
            self.reply({"id": number, "error": error}, session=session)
        elif result is not None:
            self.reply({"id": number, "result": result}, session=session)
        elif body is not SILENT:
            shown = uri if echo == "" else echo
            self.reply({"id": number, "result": {"contents": [content(shown, body, mime)]}}, session=session)

    def judge(self, policy: Any = None, given: Sequence[str] = (), allow: Sequence[str] = ()) -> list[Judgement]:
        """Diagnoses the capture under a policy and with given templates."""
        with tempfile.TemporaryDirectory() as folder:
            capture = Path(folder, "trace.jsonl")
            capture.write_text("".join(json.dumps(record) + "\n" for record in self.records), "utf-8")
            return judged_file(capture, policy, given, allow)

    def last(self, policy: Any = None, **more: Any) -> Judgement:
        """The judgement of the last read."""
        return self.judge(policy, **more)[-1]


def judged_file(
    capture: Path, policy: Any = None, given: Sequence[str] = (), allow: Sequence[str] = ()
) -> list[Judgement]:
    """Diagnoses a capture file; the policy file is written beside it."""
    place = None
    if policy is not None:
        place = capture.parent / "policy.json"
        place.write_text(json.dumps(policy), "utf-8")
    statements = load_statements(policy_path=str(place) if place else None, templates=given, allow=allow)
    found = diagnose([str(capture)], statements)
    assert not found.refusals
    return list(found.judgements)


def content(uri: Any, body: Any, mime: str | None = None) -> dict[str, Any]:
    """One element of `contents`; `uri` None leaves it out, a bytes body is a blob."""
    echo = {"uri": uri} if uri is not None else {}
    if isinstance(body, bytes):
        return {**echo, "mimeType": mime or "image/png", "blob": base64.b64encode(body).decode()}
    if isinstance(body, str):
        return {**echo, "mimeType": mime or "text/plain", "text": body}
    return {**echo, "mimeType": mime or "application/json", "text": json.dumps(body)}


def one(template: str | Sequence[str], uri: str, body: Any = "some text", policy: Any = None, **more: Any) -> Judgement:
    """The judgement of a single read of a server with these templates."""
    templates = (template,) if isinstance(template, str) else tuple(template)
    log = Log(*templates)
    log.read(uri, body, **more)
    return log.last(policy)


def said(answer: Answer) -> str:
    """Verdict and reason, as `cannot_tell no-template`."""
    return f"{answer.verdict} {answer.reason}"


def rules(judged: Judgement) -> list[str]:
    """The findings as `rule certainty`, sorted."""
    return sorted(f"{finding.rule.id} {finding.certainty}" for finding in judged.findings)


def classes(judged: Judgement) -> set[str]:
    """The classes of the findings."""
    return {str(finding.rule.finding_class) for finding in judged.findings}


def severe(judged: Judgement) -> bool:
    """Whether any finding is severe."""
    return any(finding.rule.severity is Severity.SEVERE for finding in judged.findings)


def remarks(judged: Judgement) -> set[str]:
    """The names of the remarks, wherever they hang."""
    found = [*judged.remarks, *(each for answer in judged.answers for each in answer.remarks)]
    return {remark.rule.id.removeprefix("remark/") for remark in found}


def bearer(**claims: Any) -> str:
    """An `Authorization` header with a JWT of these claims; its signature is nonsense."""

    def part(value: Mapping[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"Bearer {part({'alg': 'RS256', 'typ': 'JWT'})}.{part(claims)}.c2lnbmF0dXJlLW9mLW5vdGhpbmc"


def _server(name: str) -> dict[str, Any]:
    return {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": name, "version": "1"}}

"""One session of four reads that tests write in the notation of each format, and what must come out of it.

The server has one template, `docs://team/{team}/policy/{name}`; every caller may see team `acme-eu` only.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from diagnosis.diagnosis import Diagnosis, diagnose
from diagnosis.questions.judgement import Judgement
from diagnosis.statements import load_statements

TEMPLATE = "docs://team/{team}/policy/{name}"
POLICY = {
    "principals": [{"id": "everyone", "sessions": ["*"], "subjects": ["*"], "allowed_tenants": ["acme-eu"]}],
    "tenant_of": {TEMPLATE: {"variable": "team"}},
}
URIS = (
    "docs://team/acme-eu/policy/on-call",
    "docs://team/acme-eu/policy/on-call/escalation",
    "docs://team/acme-eu/policy/50%2525-rule",
    "docs://team/globex/policy/on-call",
)
# Verdicts of the three questions and the rules of the findings, where the log carries every fact.
COMPLETE = [
    ("intact match allowed", []),
    ("escaped cannot_tell cannot_tell", ["segments/extra-separator"]),
    ("intact mismatch allowed", ["document/decoded-twice"]),
    ("intact match not_checked", ["principal/foreign-tenant"]),
]


def contents(uri: str, team: str, name: str) -> dict[str, Any]:
    """A result with one JSON document; its own fields name the team and the policy."""
    return {
        "contents": [{"uri": uri, "mimeType": "application/json", "text": json.dumps({"team": team, "name": name})}]
    }


ASK_TEMPLATES: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "resources/templates/list", "params": {}}
TEMPLATES = {"jsonrpc": "2.0", "id": 1, "result": {"resourceTemplates": [{"uriTemplate": TEMPLATE, "name": "policy"}]}}
ASKS: list[dict[str, Any]] = [
    {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}}
    for number, uri in enumerate(URIS, 2)
]
ANSWERS: list[dict[str, Any]] = [
    {"jsonrpc": "2.0", "id": 2, "result": contents(URIS[0], "acme-eu", "on-call")},
    {
        "jsonrpc": "2.0",
        "id": 3,
        "error": {"code": -32002, "message": "Resource not found", "data": {"uri": URIS[1]}},
    },
    {"jsonrpc": "2.0", "id": 4, "result": contents("docs://team/acme-eu/policy/50%25-rule", "acme-eu", "50%-rule")},
    {"jsonrpc": "2.0", "id": 5, "result": contents(URIS[3], "globex", "on-call")},
]
# Whether the client sent it, and the message, in the order of the wire.
SESSION: list[tuple[bool, dict[str, Any]]] = [
    (True, ASK_TEMPLATES),
    (False, TEMPLATES),
    *(pair for ask, answer in zip(ASKS, ANSWERS, strict=True) for pair in ((True, ask), (False, answer))),
]


def compact(message: dict[str, Any]) -> str:
    """The message as a server writes it: JSON without blanks."""
    return json.dumps(message, separators=(",", ":"))


def diagnosed(folder: Path, data: bytes, *, templates: tuple[str, ...] = ()) -> Diagnosis:
    """The diagnosis of a capture with these bytes, with the session's policy."""
    capture, policy = folder / "session", folder / "policy.json"
    capture.write_bytes(data)
    policy.write_text(json.dumps(POLICY), encoding="utf-8")
    return diagnose([str(capture)], load_statements(str(policy), None, (), templates))


def outcome(judgement: Judgement) -> tuple[str, list[str]]:
    """The verdicts of the three questions as one text, and the rules of the findings."""
    verdicts = " ".join(answer.verdict.value for answer in judgement.answers)
    return verdicts, [finding.rule.id for finding in judgement.findings]


def reasons(judgement: Judgement) -> tuple[str, ...]:
    """The reason beside each verdict."""
    return tuple(answer.reason for answer in judgement.answers)

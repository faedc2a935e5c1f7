"""ToolHive's audit log as its logger writes it, and the bodies that it keeps where it was told to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import Direction, detect
from diagnosis.captures.message import NOT_SERVED, Loss
from tests.diagnosis.captures.common_session import diagnosed
from tests.diagnosis.captures.reading import counts, messages, read

URI = "docs://team/acme"
ASK = {"jsonrpc": "2.0", "id": "q7", "method": "resources/read", "params": {"uri": URI}}
ANSWER = {"jsonrpc": "2.0", "id": "q7", "result": {"contents": [{"uri": URI, "text": "{}"}]}}


def record(**members: Any) -> bytes:
    written = {
        "time": "2026-11-30T09:15:03.2Z",
        "level": "INFO+2",
        "msg": "audit_event",
        "audit_id": "a1",
        "type": "mcp_resource_read",
        "logged_at": "2026-11-30T09:15:03.1Z",
        "outcome": "success",
        "component": "kb",
        "source": {"type": "network", "value": "10.0.0.9", "extra": {"session_id": "s1", "request_id": "r1"}},
        "subjects": {"user": "Ana", "user_id": "u1", "client_name": "desk"},
        "target": {"endpoint": "/mcp", "method": "resources/read", "type": "resource", "name": URI},
        "metadata": {"extra": {"duration_ms": 3, "transport": "http"}},
    }
    return json.dumps({**written, **members}).encode() + b"\n"


def test_a_record_as_its_logger_writes_it(tmp_path: Path) -> None:
    assert detect(record()).format.name == "toolhive-audit"
    (found,) = messages(read(tmp_path, record()))
    assert found.body == {"jsonrpc": "2.0", "id": 0, "method": "resources/read", "params": {"uri": URI}}
    assert (found.direction, found.session, found.time) == (Direction.TO_SERVER, "s1", "2026-11-30T09:15:03.1Z")
    assert (found.server, found.losses, found.notes) == ("kb", (Loss.ID,), ())
    assert found.credential is not None and found.credential.subject == "u1"


@pytest.mark.parametrize(
    ("subjects", "name"),
    [
        ({"user": "ana"}, "ana"),
        ({"user": "anonymous", "user_id": "u1"}, "u1"),
        ({"user": "anonymous"}, None),
        ({"user": "Anonymous", "client_name": "ana"}, None),
        ({"user": 7, "user_id": None}, None),
    ],
)
def test_who_asked(tmp_path: Path, subjects: dict[str, Any], name: str | None) -> None:
    (found,) = messages(read(tmp_path, record(subjects=subjects)))
    assert (found.credential and found.credential.subject) == name


@pytest.mark.parametrize(
    ("outcome", "status", "notes"),
    [
        ("success", None, ()),
        ("denied", 403, (NOT_SERVED,)),
        ("failure", None, (NOT_SERVED,)),
        ("error", None, (NOT_SERVED,)),
        ("application_error", None, (NOT_SERVED,)),
        (None, None, (NOT_SERVED,)),
    ],
)
def test_an_outcome_makes_up_no_answer(
    tmp_path: Path, outcome: str | None, status: int | None, notes: tuple[str, ...]
) -> None:
    (found,) = messages(read(tmp_path, record(outcome=outcome)))
    assert found.http is not None
    assert (found.http.status, found.notes) == (status, notes)


@pytest.mark.parametrize("text", [False, True], ids=["parsed", "text"])
def test_kept_bodies_are_the_messages(tmp_path: Path, text: bool) -> None:
    data = {"request": json.dumps(ASK) if text else ASK, "response": json.dumps(ANSWER) if text else ANSWER}
    asked, answered = messages(read(tmp_path, record(data=data)))
    assert (asked.body, asked.losses) == (ASK, ())
    assert asked.credential is not None and answered.credential is None
    assert (answered.body, answered.direction) == (ANSWER, Direction.TO_CLIENT)
    assert answered.span.layers[:2] == ("data", "response")


@pytest.mark.parametrize("events", [False, True], ids=["json", "event stream"])
def test_an_answer_without_its_request_answers_the_record(tmp_path: Path, events: bool) -> None:
    response = f"event: message\ndata: {json.dumps(ANSWER)}\n\n" if events else ANSWER
    data = record() + record(data={"response": response})
    one, other = (judgement.read for judgement in diagnosed(tmp_path, data).judgements)
    assert (one.response, other.request_id, other.uri) == (None, "q7", URI)
    assert other.response is not None and other.response.contents[0].uri == URI
    assert other.losses == (Loss.ID,)


@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        [],
        {},
        {"request": None, "response": None},
        {"request": {"a": 1}, "response": {"b": 2}},
        {"request": "GET /", "response": "<html>"},
        {"request": [[]], "response": "data: x\n\n"},
        {"response": {"jsonrpc": "2.0", "id": [{}], "result": {}}},
    ],
)
def test_other_bodies_are_no_messages_and_lose_no_request(tmp_path: Path, data: Any) -> None:
    asked = messages(read(tmp_path, record(data=data)))[0]
    assert (asked.body["method"], asked.body["params"]) == ("resources/read", {"uri": URI})
    assert len(diagnosed(tmp_path, record(data=data)).judgements) == 1


def test_a_body_that_was_cut_is_accounted_for(tmp_path: Path) -> None:
    found = read(tmp_path, record(data={"request": ASK, "response": json.dumps(ANSWER)[:-9]}))
    assert counts(found) == {"message": 1, "unreadable": 1}

"""Files of recorders and inspectors: the common session in the notation of each, and what each may get wrong."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import Direction, Kind, Sureness, detect
from diagnosis.captures.message import ALTERED, Loss
from tests.diagnosis.captures.common_session import COMPLETE, SESSION, TEMPLATE, compact, diagnosed, outcome
from tests.diagnosis.captures.reading import counts, messages, named, read, skipped
from tests.diagnosis.captures.recorders import (
    ANSWER,
    ASK,
    PAIRS,
    TIME,
    array,
    captures,
    debugger,
    exchange,
    har,
    har_entry,
    jam,
    lines,
    reticle,
    shark,
    snooped,
)

# Formats in which no template list can stand.
NO_LISTS = ("mcp-tap",)


@pytest.mark.parametrize("name", list(captures()))
def test_every_recorder_gives_the_verdicts_of_the_session(tmp_path: Path, name: str) -> None:
    data = captures()[name]
    found = diagnosed(tmp_path, data, templates=(TEMPLATE,) if name in NO_LISTS else ())
    assert found.captures[0].format == name
    assert [outcome(each) for each in found.judgements] == COMPLETE
    items = read(tmp_path, data)
    assert counts(items)["message"] == len(SESSION) and not counts(items)["unreadable"]
    if name != "mcpspy":  # a pipe does not say which of its ends is the client
        assert [each.direction is Direction.TO_SERVER for each in messages(items)] == [sent for sent, _ in SESSION]


@pytest.mark.parametrize("name", list(captures()))
def test_a_cut_recording_loses_one_record_and_says_so(tmp_path: Path, name: str) -> None:
    data = captures()[name]
    cut = read(tmp_path, data[: -len(data) // 40], name)
    whole = counts(read(tmp_path, data, name))
    assert counts(cut)["unreadable"] >= 1 and 0 < counts(cut)["message"] < whole["message"]


@pytest.mark.parametrize("name", list(captures()))
@pytest.mark.parametrize(
    "data", [b"", b"[", b"{", b"[1,null,[]]", b'{"interactions":[1]}', b'{"messages":[{}]}x', b"\0\xff"]
)
def test_nothing_raises(tmp_path: Path, name: str, data: bytes) -> None:
    assert not messages(read(tmp_path, data, name))


def test_mcpsnoop_tells_connections_apart_and_says_what_was_cut(tmp_path: Path) -> None:
    data = lines(
        snooped({"command": ["x"]}, "meta"),
        snooped(ASK, conn_id="c1"),
        snooped(ASK, conn_id="c2", truncated=True),
        {**snooped(None, "stderr"), "text": compact(ASK)},
        snooped([ANSWER, ANSWER], "s2c"),
    )
    items = read(tmp_path, data)
    found = messages(items)
    assert [(each.session, each.channel, each.losses) for each in found[:2]] == [
        ("s1", "c1", ()),
        ("s1", "c2", ALTERED),
    ]
    assert [each.span.layers for each in found[2:]] == [("raw", "batch[0]"), ("raw", "batch[1]")]
    assert [each.why for each in skipped(items)] == ["an envelope of kind meta", "an envelope of kind stderr"]


def test_the_har_of_mcpsnoop_has_no_ids_and_a_made_up_status(tmp_path: Path) -> None:
    entry = har_entry(*PAIRS[2])
    items = read(tmp_path, har(har_entry(ASK, ANSWER), entry, {"request": {"url": "https://a"}, "response": {}}))
    found = messages(items)
    assert [each.body["id"] for each in found] == [0, 0, 1, 1] and found[3].body["error"]["code"] == -32002
    assert all(each.losses == (Loss.ID,) and each.http and each.http.status is None for each in found)
    assert found[0].span.layers == ("entries[0]", "request", "postData", "text") and found[0].channel == "kb"
    assert counts(items)["other"] == 1


def test_a_network_export_keeps_sessions_but_no_redacted_secret(tmp_path: Path) -> None:
    stream = f"event: message\ndata: {compact(ANSWER)}\n\n"
    headers = {"Authorization": "[REDACTED]", "Mcp-Session-Id": "s9"}
    ask, answer = messages(read(tmp_path, array(exchange(ASK, stream, **headers))))
    assert (ask.session, ask.credential, answer.session) == ("s9", None, "s9")
    assert answer.span.layers == ("[0]", "responseBody", "sse[0]")
    (known, _) = messages(read(tmp_path, array(exchange(ASK, stream, authorization="Bearer opaque"))))
    assert known.credential is not None


def test_the_inspector_says_which_answer_belongs_to_which_request(tmp_path: Path) -> None:
    lost = {"id": "m", "timestamp": TIME, "direction": "request", "origin": "client", "message": ASK}
    found = diagnosed(tmp_path, array(lost, {**lost, "response": ANSWER}))
    assert [each.read.response is not None for each in found.judgements] == [False, True]
    server = {**lost, "origin": "server", "message": {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}}
    (asked,) = messages(read(tmp_path, array(server)))
    assert asked.direction is Direction.TO_CLIENT


def test_what_reticle_itself_sent_or_changed_proves_nothing(tmp_path: Path) -> None:
    changed = [reticle(ASK, True, injected=True), reticle(ANSWER, False, modified=True), reticle(ASK, True)]
    found = messages(read(tmp_path, json.dumps({"messages": changed, "id": "s1"}).encode()))
    assert [each.losses for each in found] == [ALTERED, ALTERED, ()]
    assert {each.session for each in found} == {"s1"}


def test_mcpjam_exports_the_newest_first(tmp_path: Path) -> None:
    # The export that the inspector writes holds no ids of its own: order alone places entries of one time.
    entries = [jam(each, sent) for sent, each in SESSION]
    for times in (lambda n: f"2026-11-30T09:15:{n:02}.000Z", lambda n: TIME):
        timed = [{**entry, "timestamp": times(number)} for number, entry in enumerate(entries)]
        found = messages(read(tmp_path, array(*reversed(timed))))
        assert [each.body for each in found] == [each for _, each in SESSION]
    upward = [{**entry, "timestamp": f"2026-11-30T09:15:{number:02}.000Z"} for number, entry in enumerate(entries)]
    assert [each.body for each in messages(read(tmp_path, array(*upward)))] == [each for _, each in SESSION]


def test_mcpjam_tells_servers_and_widgets_apart(tmp_path: Path) -> None:
    widget = {**jam(ASK, True), "source": "mcp-apps", "direction": "UI→HOST"}
    told = {**jam(ANSWER, False), "source": "mcp-apps", "direction": "HOST→UI"}
    login = {**jam({"step": "token"}, True), "source": "oauth", "direction": "OAUTH", "method": "Token"}
    odd = {**jam(ASK, True), "direction": "?", "serverId": None}
    items = read(tmp_path, array(odd, login, told, widget, jam(ASK, True)))
    assert [(each.direction, each.channel) for each in messages(items)] == [
        (Direction.TO_SERVER, "kb"),
        (Direction.TO_SERVER, "kb/widget"),
        (Direction.TO_CLIENT, "kb/widget"),
        (Direction.UNKNOWN, None),
    ]
    assert [each.span.layers for each in messages(items)] == [(f"[{n}]", "payload") for n in (4, 3, 2, 0)]
    assert [each.span.layers for each in skipped(items)] == [("[1]",)]


def test_an_export_of_mcpjam_that_a_filter_emptied() -> None:
    login = {**jam({"step": "token"}, True), "source": "oauth", "direction": "OAUTH", "method": "Token"}
    found = detect(array(login))
    assert (found.format.name, found.sureness) == ("mcpjam", Sureness.POSSIBLE)
    assert "filter" in found.format.cannot_show


def test_a_list_that_stands_there_twice_is_read_twice(tmp_path: Path) -> None:
    one = compact(reticle(ASK, True))
    data = f'{{"x":{{"messages":[{one}]}},"messages":[{one}],"y":"\\"messages\\":[","messages":[{one},{one}]}}'.encode()
    assert len(messages(read(tmp_path, data, "reticle-session"))) == 3


def test_a_document_that_quotes_a_message_yields_none(tmp_path: Path) -> None:
    quote = {"jsonrpc": "2.0", "id": 2, "result": {"contents": [{"uri": "docs://a", "text": compact(snooped(ASK))}]}}
    assert len(messages(read(tmp_path, lines(snooped(ASK), snooped(quote, "s2c"))))) == 2


def test_text_that_is_no_message_beside_a_cassette(tmp_path: Path) -> None:
    data = captures()["mcp-recorder"]
    items = read(tmp_path, data + b"tail", "mcp-recorder")
    assert counts(items)["message"] == len(SESSION)
    assert [each.kind for each in skipped(items)] == [Kind.UNREADABLE]


@pytest.mark.parametrize(
    ("name", "make", "table"), [("mcp-debugger", debugger, "messages"), ("mcp-shark", shark, "packets")]
)
def test_databases(tmp_path: Path, name: str, make: Any, table: str) -> None:
    data = make()
    assert detect(data[: 64 * 1024]).format.name == name
    found = diagnosed(tmp_path, data)
    assert [outcome(each) for each in found.judgements] == COMPLETE
    first, second, *rest = messages(read(tmp_path, data))
    assert first.span.layers[:2] == (table, "rowid 1") and second.span.layers[:2] == (table, "rowid 2")
    assert (first.session, first.direction, len(rest)) == ("s1", Direction.TO_SERVER, 8)
    assert first.losses == ((Loss.ID,) if name == "mcp-debugger" else ())
    assert (first.credential is not None) is (name == "mcp-shark")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["capture", "policy.json", "session"]


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE VIEW messages AS WITH RECURSIVE n(message_id) AS (SELECT 1 UNION ALL SELECT message_id + 1 FROM n)"
        " SELECT message_id, 1 AS latency_ms, 2 AS message_type FROM n",
        "CREATE TABLE messages(rowid TEXT, message_id TEXT)",
        "CREATE TABLE messages(message_id TEXT PRIMARY KEY) WITHOUT ROWID",
        "CREATE TABLE other(message_id TEXT)",
        "CREATE TABLE messages(session_id TEXT, method TEXT AS (upper(session_id)))",
    ],
)
def test_hostile_databases_are_refused_in_a_sentence(tmp_path: Path, schema: str) -> None:
    with sqlite3.connect(tmp_path / "base") as base:
        base.execute(schema)
    base.close()
    (only,) = read(tmp_path, (tmp_path / "base").read_bytes(), "mcp-debugger") or [None]
    assert only is None or skipped([only])[0].kind is Kind.UNREADABLE


def test_a_damaged_database_is_said_to_be_one(tmp_path: Path) -> None:
    data = debugger()
    for broken in (data[:4096], data[:100] + b"\xff" * 3000 + data[3100:], data[:16]):
        items = read(tmp_path, broken, "mcp-debugger")
        assert counts(items)["unreadable"] >= 1


def test_every_recorder_has_its_words() -> None:
    for name in (*captures(), "mcp-debugger", "mcp-shark"):
        assert named(name).title and named(name).cannot_show

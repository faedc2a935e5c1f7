from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.callers.credentials import CredentialSource
from diagnosis.captures import Direction, Kind, detect
from diagnosis.captures.directions import direction_of, written_by_client
from diagnosis.captures.message import Loss
from tests.diagnosis.captures.reading import messages, read, skipped

ASK = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "docs://a"}}
ANSWER = {"jsonrpc": "2.0", "id": 1, "result": {"contents": [{"uri": "docs://a", "text": "{}"}]}}


def lines(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def test_an_object_beside_time_direction_session_and_caller(tmp_path: Path) -> None:
    record = {
        "ts": "2026-11-03T09:00:00.137Z",
        "dir": "client->server",
        "session": "s-1",
        "principal": {"id": "u-ada", "allowed_tenants": ["alderfen"]},
        "message": ASK,
    }
    data = lines(record, {"ts": 1, "dir": "server->client", "session": 7, "message": ANSWER})
    assert detect(data).format.name == "enveloped" and detect(data).others == ()
    ask, answer = messages(read(tmp_path, data))
    assert ask.body == ASK and ask.span.layers == ("message",) and ask.span.offset == 0
    assert (ask.time, ask.time_basis) == ("2026-11-03T09:00:00.137Z", "utc")
    assert (ask.direction, ask.session) == (Direction.TO_SERVER, "s-1")
    assert ask.credential is not None and ask.credential.source is CredentialSource.RECORD
    assert (ask.credential.subject, ask.credential.tenants) == ("u-ada", ("alderfen",))
    assert (answer.direction, answer.session, answer.time) == (
        Direction.TO_CLIENT,
        "7",
        "1970-01-01T00:00:01.000000Z",
    )
    assert answer.span.line == 2 and answer.span.offset == ask.span.length + 1


@pytest.mark.parametrize("key", ["message", "msg", "data", "payload", "raw", "body", "frame", "content", "rpc", "json"])
def test_a_string_under_any_message_key(tmp_path: Path, key: str) -> None:
    (found,) = messages(read(tmp_path, lines({"ts": "2026-11-03T09:00:00Z", "dir": "c2s", key: json.dumps(ASK)})))
    assert found.body == ASK and found.span.layers == (key, "string")


def test_a_plain_text_under_an_earlier_key_is_passed_over(tmp_path: Path) -> None:
    (found,) = messages(read(tmp_path, lines({"msg": "mcp frame [in]", "payload": json.dumps(ASK)})))
    assert found.span.layers == ("payload", "string")


def test_a_batch_inside(tmp_path: Path) -> None:
    items = read(tmp_path, lines({"data": json.dumps([ASK, 1, ANSWER])}, {"data": [ANSWER]}))
    assert [item.span.layers for item in messages(items)] == [
        ("data", "string", "batch[0]"),
        ("data", "string", "batch[2]"),
        ("data", "batch[0]"),
    ]
    assert [item.span.layers for item in skipped(items)] == [("data", "string", "batch")]


def test_records_without_a_message_and_lost_messages(tmp_path: Path) -> None:
    cut = json.dumps(ASK)[:-5]
    items = read(tmp_path, lines({"data": json.dumps(ASK)}, {"dir": "stderr", "data": "{boom"}, {"data": cut}))
    assert [(item.kind, item.span.line, item.why) for item in skipped(items)] == [
        (Kind.OTHER, 2, "JSON without a JSON-RPC message"),
        (Kind.UNREADABLE, 3, "the message inside: the JSON is not closed"),
    ]


def test_big_ids_and_duplicate_keys_inside(tmp_path: Path) -> None:
    big = 2**64 + 1
    data = lines({"message": {**ASK, "id": big}}, {"data": json.dumps({**ASK, "id": big})})
    data += b'{"message":{"jsonrpc":"2.0","id":3,"method":"resources/read","method":"ping"}}\n'
    data += b'{"dir":"c2s","dir":"s2c","message":' + json.dumps(ASK).encode() + b"}\n"
    found = messages(read(tmp_path, data))
    assert [item.body["id"] for item in found] == [big, big, 3, 1]
    assert [item.notes for item in found] == [(), (), ("duplicate-key",), ("duplicate-key",)]


def test_two_records_on_a_line_keep_their_own_message(tmp_path: Path) -> None:
    data = lines({"dir": "c2s", "message": ASK}).rstrip() + lines({"dir": "s2c", "message": ANSWER})
    ask, answer = messages(read(tmp_path, data))
    assert (ask.body, answer.body) == (ASK, ANSWER)
    assert ask.span.layers == ("document[0]", "message") and answer.span.layers == ("document[1]", "message")
    assert (ask.direction, answer.direction) == (Direction.TO_SERVER, Direction.TO_CLIENT)


def test_a_message_that_carries_its_envelope_in_its_own_object(tmp_path: Path) -> None:
    data = lines({**ASK, "ts": "2026-11-03T09:00:00Z", "dir": "in", "session": "s"})
    assert detect(data).format.name == "enveloped"
    (found,) = messages(read(tmp_path, data))
    assert (found.direction, found.session, found.span.layers) == (Direction.TO_SERVER, "s", ())


def test_session_connection_and_server(tmp_path: Path) -> None:
    data = lines(
        {"session_id": "s", "conn_id": 4, "server_label": "kb", "truncated": True, "raw": ASK},
        {"conn_id": 4, "raw": ASK},
    )
    first, second = messages(read(tmp_path, data))
    assert (first.session, first.channel, first.losses) == ("s", "kb", (Loss.URI, Loss.DOCUMENT, Loss.ECHO))
    assert (second.session, second.channel) == ("4", None)


def test_an_authorization_field(tmp_path: Path) -> None:
    (found,) = messages(read(tmp_path, lines({"authorization": "Bearer opaque-secret", "message": ASK})))
    assert found.credential is not None and found.credential.source is CredentialSource.TOKEN
    assert "opaque-secret" not in repr(found.credential)


@pytest.mark.parametrize(
    "word",
    [
        "client->server",
        "Client -> Server",
        "client_to_server",
        "C2S",
        "to_server",
        "toserver",
        "client→server",
        "request",
    ],
)
def test_words_for_the_way_to_the_server(word: str) -> None:
    assert direction_of(word) is direction_of(word, True) is Direction.TO_SERVER


@pytest.mark.parametrize("word", ["server->client", "s2c", "to_client", "toclient", "response", "server -> editor"])
def test_words_for_the_way_to_the_client(word: str) -> None:
    assert direction_of(word) is direction_of(word, True) is Direction.TO_CLIENT


@pytest.mark.parametrize(
    ("inward", "outward"), [("in", "out"), ("recv", "send"), ("received", "sent"), ("read", "write")]
)
def test_relative_words_turn_with_the_writer(tmp_path: Path, inward: str, outward: str) -> None:
    assert direction_of(inward) is direction_of(outward, True) is Direction.TO_SERVER
    data = lines({"dir": outward, "data": ASK}, {"dir": inward, "data": ANSWER})
    assert [item.direction for item in messages(read(tmp_path, data))] == [
        Direction.TO_SERVER,
        Direction.TO_CLIENT,
    ]


def test_unknown_words() -> None:
    for word in ("stderr", "meta", "", None, 7, {}, "x" * 10_000):
        assert direction_of(word) is Direction.UNKNOWN
    assert not written_by_client([("out", "ping"), (None, None), ("c2s", "initialize")])

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import Direction, Sureness
from diagnosis.captures.wrapped_field import WrappedField
from tests.diagnosis.captures.common_session import COMPLETE, SESSION, compact, diagnosed, outcome
from tests.diagnosis.captures.reading import counts, messages, read, skipped

ASK = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
DONE = '{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"docs://a","text":"x"}]}}'


def line(**members: Any) -> bytes:
    return json.dumps(members).encode() + b"\n"


def nested(strings: int) -> bytes:
    """The message behind so many strings."""
    value = ASK
    for _ in range(strings - 1):
        value = json.dumps({"message": value})
    return line(message=value)


@pytest.mark.parametrize("strings", [2, 3, 4])
def test_up_to_four_strings_inside_each_other(tmp_path: Path, strings: int) -> None:
    found = messages(read(tmp_path, nested(strings)))
    assert found[0].span.layers == ("message", "string") * strings
    assert WrappedField().detect(nested(strings)).sureness is Sureness.LIKELY


def test_a_fifth_string_is_not_decoded(tmp_path: Path) -> None:
    items = read(tmp_path, nested(2) + nested(5))
    assert counts(items) == {"message": 1, "other": 1}


def test_facts_count_at_any_layer_and_the_inner_ones_first(tmp_path: Path) -> None:
    inner = json.dumps({"direction": "inbound", "time": "2026-11-30T09:15:02Z", "payload": ASK})
    data = line(time="2026-11-30T10:00:00Z", user="ana", labels={"mcp_session_id": "s1"}, message=inner)
    found = messages(read(tmp_path, data))[0]
    assert (found.direction, found.session, found.time) == (Direction.TO_SERVER, "s1", "2026-11-30T09:15:02Z")
    assert found.credential is not None and found.credential.subject == "ana"


def test_the_deepest_message_is_taken(tmp_path: Path) -> None:
    data = line(message=DONE, payload=json.dumps({"body": ASK}))
    found = messages(read(tmp_path, data))
    assert [item.span.layers for item in found] == [("payload", "string", "body", "string")]


def test_both_bodies_of_an_exchange(tmp_path: Path) -> None:
    data = line(request_body=ASK, response_body=DONE, user="ana")
    found = messages(read(tmp_path, data, "wrapped-field"))
    assert [item.direction for item in found] == [Direction.TO_SERVER, Direction.TO_CLIENT]
    assert [item.http.number for item in found if item.http] == [1, 1]
    stream = f"event: message\r\ndata: {DONE}\r\n\r\n"
    found = messages(read(tmp_path, line(request_body=ASK, response_body=stream)))
    assert found[1].span.layers == ("response_body", "sse[0]", "string")


@pytest.mark.parametrize(
    "record",
    [
        {"message": {"content": [{"type": "tool_result", "content": ASK}]}},
        {"data": {"type": "text", "text": ASK}},
        {"data": {"type": "tool_result", "content": ASK}},
        {"data": {"contents": [{"uri": "docs://a", "text": ASK}]}},
        {"data": {"uri": "docs://a", "mimeType": "text/plain", "text": ASK}},
        {"message": json.dumps({"result": {"contents": [{"uri": "docs://a", "text": ASK}]}})},
        {"note": json.dumps({"message": ASK})},
    ],
)
def test_a_document_that_quotes_json_rpc_is_no_message(tmp_path: Path, record: dict[str, Any]) -> None:
    assert counts(read(tmp_path, nested(2) + line(**record))) == {"message": 1, "other": 1}
    assert WrappedField().detect(line(**record)).sureness is Sureness.NO


def test_a_message_is_never_looked_into(tmp_path: Path) -> None:
    outer = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"contents": [{"uri": "a", "text": ASK}]}, "log": ASK})
    assert len(messages(read(tmp_path, line(message=json.dumps({"payload": outer}))))) == 1


def test_a_message_that_was_cut_inside_its_string_is_unreadable(tmp_path: Path) -> None:
    items = read(tmp_path, nested(2) + line(message=json.dumps({"payload": ASK[:50]})))
    assert counts(items) == {"message": 1, "unreadable": 1}
    assert "not closed" in skipped(items)[0].why


def test_a_deep_tower_of_objects_ends_somewhere(tmp_path: Path) -> None:
    tower = b'{"data":' * 500 + ASK.encode() + b"}" * 500
    assert counts(read(tmp_path, nested(2) + tower + b"\n")) == {"message": 1, "other": 1}


def test_duplicate_keys_and_large_ids_are_seen(tmp_path: Path) -> None:
    twice = ASK.replace('"id":1', '"id":1,"id":18446744073709551616')
    data = line(message=json.dumps({"payload": twice})) + b'{"fields":{"message":' + twice.encode() + b"}}\n"
    found = messages(read(tmp_path, data))
    assert [item.body["id"] for item in found] == [18446744073709551616] * 2
    assert all("duplicate-key" in item.notes for item in found)


def test_the_common_session(tmp_path: Path) -> None:
    data = b"".join(
        line(fields={"direction": "in" if asked else "out"}, log=json.dumps({"event": {"raw": compact(message)}}))
        for asked, message in SESSION
    )
    assert [outcome(each) for each in diagnosed(tmp_path, data).judgements] == COMPLETE

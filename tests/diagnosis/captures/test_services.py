"""CloudWatch, Datadog, Elasticsearch and Loki: one session in the notation of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import Direction
from tests.diagnosis.captures.common_session import COMPLETE, SESSION, compact, diagnosed, outcome
from tests.diagnosis.captures.reading import counts, messages, read, skipped

ASK = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
SECOND = 1796030102


def cloudwatch(lines: list[str]) -> bytes:
    events = [
        {"timestamp": (SECOND + n) * 1000, "message": line, "ingestionTime": 1, "logStreamName": "kb/1"}
        for n, line in enumerate(lines)
    ]
    return json.dumps({"events": events, "searchedLogStreams": []}, indent=1).encode()


def datadog(lines: list[str]) -> bytes:
    data = [
        {"id": str(n), "type": "log", "attributes": {"timestamp": f"2026-11-30T09:15:{n:02}Z", "message": line}}
        for n, line in enumerate(lines)
    ]
    return json.dumps({"data": data[::-1], "meta": {}}).encode()


def elastic(lines: list[str]) -> bytes:
    hits = [
        {"_id": str(n), "_source": {"@timestamp": f"2026-11-30T09:15:{n:02}Z", "message": line}}
        for n, line in enumerate(lines)
    ]
    return json.dumps({"took": 1, "hits": {"total": {"value": 1}, "hits": hits[::-1]}}).encode()


def logcli(lines: list[str]) -> bytes:
    records = [
        {"labels": {"app": "kb"}, "line": line, "timestamp": f"2026-11-30T09:15:{n:02}Z"}
        for n, line in enumerate(lines)
    ]
    return b"".join(json.dumps(each).encode() + b"\n" for each in records[::-1])


def loki_api(lines: list[str]) -> bytes:
    values = [[f"{SECOND + n}000000000", line] for n, line in enumerate(lines)][::-1]
    streams = [{"stream": {"pod": str(k)}, "values": values[k::2]} for k in range(2)]
    return json.dumps({"status": "success", "data": {"resultType": "streams", "result": streams}}).encode()


SHAPES = {
    "wrapped-cloudwatch": cloudwatch,
    "wrapped-datadog": datadog,
    "wrapped-elastic": elastic,
    "wrapped-loki": logcli,
    "wrapped-loki api": loki_api,
}
shapes = pytest.mark.parametrize("name", SHAPES)


def shape(name: str) -> Callable[[list[str]], bytes]:
    return SHAPES[name]


@shapes
def test_the_common_session_oldest_first_whatever_the_order_of_the_answer(tmp_path: Path, name: str) -> None:
    data = shape(name)([compact(message) for _, message in SESSION])
    diagnosis = diagnosed(tmp_path, data)
    assert diagnosis.captures[0].format == name.split()[0]
    assert [outcome(each) for each in diagnosis.judgements] == COMPLETE


@shapes
def test_three_layers_of_json(tmp_path: Path, name: str) -> None:
    line = json.dumps({"direction": "inbound", "sessionId": "s1", "user": "ana", "payload": ASK})
    found = messages(read(tmp_path, shape(name)([line])))
    assert len(found) == 1
    assert (found[0].direction, found[0].session) == (Direction.TO_SERVER, "s1")
    assert found[0].credential is not None and found[0].credential.subject == "ana"
    assert found[0].span.layers[-2:] == ("payload", "string")
    assert found[0].time_basis == "utc"


@shapes
def test_text_beside_and_a_message_that_was_cut(tmp_path: Path, name: str) -> None:
    items = read(tmp_path, shape(name)(["starting", ASK, ASK[:50]]))
    assert counts(items) == {"other": 1, "message": 1, "unreadable": 1}


@shapes
def test_a_document_that_quotes_json_rpc_is_no_message(tmp_path: Path, name: str) -> None:
    quoting = {"jsonrpc": "2.0", "id": 1, "result": {"contents": [{"uri": "docs://a", "text": ASK}]}}
    assert len(messages(read(tmp_path, shape(name)([ASK, json.dumps(quoting)])))) == 2


@shapes
def test_a_pretty_printed_message_is_one_and_a_text_of_several_lines_is_several(tmp_path: Path, name: str) -> None:
    pretty = json.dumps(json.loads(ASK), indent=1)
    items = read(tmp_path, shape(name)([ASK, pretty, "Traceback\n  line 1\nError", f"noise\n{ASK}"]))
    assert counts(items) == {"message": 3, "other": 2}


@pytest.mark.parametrize("name", ["wrapped-cloudwatch", "wrapped-datadog", "wrapped-elastic"])
@pytest.mark.parametrize("cut", [2, 60, 140])
def test_a_document_that_was_cut_is_read_up_to_there(tmp_path: Path, name: str, cut: int) -> None:
    items = read(tmp_path, shape(name)([ASK] * 5)[:-cut])
    assert counts(items)["message"] >= 4
    assert counts(items)["unreadable"] >= 1


def test_elements_stand_where_their_spans_say(tmp_path: Path) -> None:
    data = cloudwatch(["up", ASK])
    found = messages(read(tmp_path, data))[0]
    # Line 1 opens the object, line 2 the list; an event takes six lines, with its brackets.
    assert found.span.line == 9
    assert data[found.span.offset : found.span.offset + found.span.length].startswith(b'{\n   "timestamp"')
    assert found.span.layers == ("events[1]", "message", "string")
    assert found.channel == "kb/1"


def test_labels_of_a_hit_count_beside_its_message(tmp_path: Path) -> None:
    source: dict[str, Any] = {
        "@timestamp": "2026-11-30T09:15:02Z", "message": ASK, "user": {"id": "ana"},
        "labels": {"direction": "inbound", "mcp_session_id": "s1"},
    }  # fmt: skip
    found = messages(read(tmp_path, json.dumps({"hits": {"hits": [{"_source": source}]}}).encode()))[0]
    assert (found.direction, found.session) == (Direction.TO_SERVER, "s1")
    assert found.credential is not None and found.credential.subject == "ana"
    source["message"], source["payload"] = "mcp frame", json.loads(ASK)
    found = messages(read(tmp_path, json.dumps({"hits": {"hits": [{"_source": source}]}}).encode()))[0]
    assert found.session == "s1" and found.span.layers == ("hits.hits[0]", "_source", "payload")


def test_newest_first_lines_keep_their_own_numbers(tmp_path: Path) -> None:
    items = read(tmp_path, logcli(["one", ASK, "three"]))
    assert [(item.span.line) for item in items] == [3, 2, 1]
    assert {item.span.line for item in skipped(items)} == {1, 3}

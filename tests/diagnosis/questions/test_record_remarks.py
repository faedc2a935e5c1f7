"""Remarks about how messages were written, sent and answered."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.diagnosis.questions.build import Log, content, judged_file, one, remarks, said

REPORT = "report://{tenant}/{month}"
URI = "report://acme/2025-10"


def named(tmp_path: Path, header: str) -> Any:
    """A HAR with one read of `URI` whose request carries `Mcp-Name`."""
    ask = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": URI}}
    told = {"jsonrpc": "2.0", "id": 1, "result": {"contents": [content(URI, "text")]}}
    headers = [{"name": "Mcp-Method", "value": "resources/read"}, {"name": "Mcp-Name", "value": header}]
    text = json.dumps(ask)
    entry = {
        "startedDateTime": "2026-11-03T09:00:00.000Z",
        "request": {
            "method": "POST",
            "url": "https://mcp.example/mcp",
            "headers": headers,
            "postData": {"mimeType": "application/json", "text": text},
        },
        "response": {
            "status": 200,
            "headers": [],
            "content": {"mimeType": "application/json", "text": json.dumps(told)},
        },
    }
    place = tmp_path / "trace.har"
    place.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "x"}, "entries": [entry]}}))
    return judged_file(place, given=(REPORT,))[0]


def sentinel(uri: str) -> str:
    """A URI as the base64 sentinel of a header."""
    return f"=?base64?{base64.b64encode(uri.encode()).decode()}?="


@pytest.mark.parametrize(
    "other", ["report://acme/2025-09", sentinel("report://acme/2025-09"), "report://acme%2F2025-10"]
)
def test_a_header_that_names_another_uri(tmp_path: Path, other: str) -> None:
    assert "header-uri-differs" in remarks(named(tmp_path, other))


@pytest.mark.parametrize("same", [URI, sentinel(URI)])
def test_a_header_that_names_the_same_uri(tmp_path: Path, same: str) -> None:
    assert "header-uri-differs" not in remarks(named(tmp_path, same))


def test_a_duplicate_key_in_the_message(tmp_path: Path) -> None:
    line = (
        '{"dir":"client->server","session":"s1","message":{"jsonrpc":"2.0","id":1,"method":"resources/read",'
        '"params":{"uri":"report://acme/2025-09","uri":"report://acme/2025-10"}}}\n'
    )
    place = tmp_path / "trace.jsonl"
    place.write_text(line)
    (judged,) = judged_file(place)
    assert "duplicate-key" in remarks(judged)


def test_a_batch_is_read_message_by_message() -> None:
    log = Log(REPORT)
    ask = [
        {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": f"report://acme/{number}"}}
        for number in (1, 2)
    ]
    told = [
        {"jsonrpc": "2.0", "id": number, "result": {"contents": [content(f"report://acme/{number}", "x")]}}
        for number in (2, 1)
    ]
    log.send(ask)
    log.reply(told)
    assert [said(judged.document) for judged in log.judge()] == ["cannot_tell echo-only"] * 2


@pytest.mark.parametrize("number", [1, "a", 2**70, 1.5])
def test_unusual_ids_pair(number: Any) -> None:
    log = Log(REPORT)
    log.read(URI, {"tenant": "acme", "month": "2025-10"}, number=number)
    assert said(log.last().document) == "match fields-agree"


def test_ids_used_again_one_after_the_other_pair_in_order() -> None:
    log = Log(REPORT)
    for month in ("2025-09", "2025-10"):
        log.read(f"report://acme/{month}", {"tenant": "acme", "month": month}, number=1)
    assert [said(judged.document) for judged in log.judge()] == ["match fields-agree"] * 2


def test_the_same_id_for_the_same_uri_is_harmless() -> None:
    log = Log(REPORT)
    log.request(URI, 1)
    log.request(URI, 1)
    for _ in range(2):
        log.reply({"id": 1, "result": {"contents": [content(URI, {"tenant": "acme", "month": "2025-10"})]}})
    assert [said(judged.document) for judged in log.judge()] == ["match fields-agree"] * 2


def test_an_input_required_read_and_its_retry() -> None:
    log = Log(REPORT)
    log.read(URI, result={"resultType": "input_required", "requestState": "s"})
    log.read(URI, {"tenant": "acme", "month": "2025-10"})
    first, second = log.judge()
    assert said(first.document) == "cannot_tell no-answer"
    assert said(second.document) == "match fields-agree"


@pytest.mark.parametrize("result", [[], 7, "text", {"contents": 7}, {"contents": [7]}, {"contents": [{}]}])
def test_malformed_results_never_crash(result: Any) -> None:
    judged = one(REPORT, URI, result=result)
    assert judged.document.verdict == "cannot_tell"
    assert not judged.findings


@pytest.mark.parametrize("uri", [None, 7, [], {}, True])
def test_a_uri_that_is_none_never_crashes(uri: Any) -> None:
    log = Log(REPORT)
    log.send({"id": 5, "method": "resources/read", "params": {"uri": uri}})
    log.reply({"id": 5, "result": {"contents": [content(URI, "x")]}})
    judged = log.last()
    assert {str(answer.verdict) for answer in judged.answers} == {"cannot_tell"}


def test_a_new_initialize_ends_a_conversation_without_sessions() -> None:
    log = Log(REPORT, session=None)
    log.request(URI, 50)
    log.ask("initialize", {}, {"protocolVersion": "2025-06-18", "serverInfo": {"name": "reports"}})
    log.reply({"id": 50, "result": {"contents": [content(URI, "x")]}})
    assert said(log.last().document) == "cannot_tell no-answer"


def test_ids_that_start_again_end_a_conversation_without_sessions() -> None:
    log = Log(REPORT, session=None, server="")
    log.records.clear()
    log.request("report://acme/2025-08", 5)
    log.request("report://acme/2025-09", 6)
    log.request(URI, 5)
    log.reply({"id": 6, "result": {"contents": [content("report://acme/2025-09", "x")]}})
    log.reply({"id": 5, "result": {"contents": [content(URI, "x")]}})
    assert [str(judged.document.reason) for judged in log.judge(given=(REPORT,))] == [
        "no-answer",
        "no-answer",
        "echo-only",
    ]


def test_a_change_of_case_in_the_echo_is_remarked() -> None:
    judged = one(REPORT, "report://Acme/2025-10", echo="report://acme/2025-10")
    assert said(judged.document) == "cannot_tell alias"
    assert "case-changed" in remarks(judged)

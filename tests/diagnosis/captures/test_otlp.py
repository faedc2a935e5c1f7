from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from diagnosis.captures import Direction
from diagnosis.captures.message import Loss
from tests.diagnosis.captures.common_session import TEMPLATE, URIS, contents, diagnosed, outcome, reasons
from tests.diagnosis.captures.reading import counts, messages, read

NANOS = "1796030103201000000"


def span(number: int = 1, parent: int | None = None, **attributes: Any) -> dict[str, Any]:
    pairs = [{"key": key.replace("__", "."), "value": {"stringValue": text}} for key, text in attributes.items()]
    ids = {"traceId": "aa", "spanId": f"{number:016x}"} | ({"parentSpanId": f"{parent:016x}"} if parent else {})
    return {**ids, "startTimeUnixNano": NANOS, "endTimeUnixNano": NANOS, "attributes": pairs}


def line(*spans: dict[str, Any]) -> bytes:
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "kb"}}]}
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": spans}]}]}).encode() + b"\n"


def asked(number: int, uri: str, **more: Any) -> dict[str, Any]:
    return span(number, mcp__method__name="resources/read", mcp__resource__uri=uri, **more)


def test_a_span_of_a_read(tmp_path: Path) -> None:
    extra = {"mcp__session__id": "s1", "jsonrpc__request__id": "7", "enduser__id": "oauth-client"}
    found = messages(read(tmp_path, line(asked(1, "docs://a", **extra))))
    assert len(found) == 1
    assert found[0].body["id"] == "7" and found[0].body["params"] == {"uri": "docs://a"}
    assert (found[0].session, found[0].channel, found[0].losses) == ("s1", "kb", (Loss.ID,))
    assert (found[0].time, found[0].time_basis) == ("2026-11-30T09:15:03.201000Z", "utc")
    assert found[0].credential is None  # enduser.id names the OAuth client, not the person
    assert found[0].span.layers == ("resourceSpans[0]", "scopeSpans[0]", "spans[0]")


def test_a_read_without_a_uri_is_a_read(tmp_path: Path) -> None:
    data = line(span(1, mcp__method__name="resources/read"))
    assert messages(read(tmp_path, data))[0].body["params"] == {}
    assert reasons(diagnosed(tmp_path, data).judgements[0])[0] == "no-uri"


def test_dialects(tmp_path: Path) -> None:
    request = json.dumps({"method": "resources/read", "params": {"meta": None, "uri": "docs://a"}})
    result = json.dumps({"meta": None, **contents("docs://a", "acme-eu", "a")})
    sentry = span(1, mcp__method__name="resources/read", mcp__request__argument__uri="docs://a")
    logfire = span(2, rpc__method="resources/read", request=request, response=result)
    traceloop = span(3, mcp__method__name="resources/read", traceloop__entity__input=request)
    found = messages(read(tmp_path, line(sentry) + line(logfire) + line(traceloop)))
    assert [item.direction for item in found] == [
        Direction.TO_SERVER, Direction.TO_SERVER, Direction.TO_CLIENT, Direction.TO_SERVER,
    ]  # fmt: skip
    assert {item.body["params"]["uri"] for item in found if "params" in item.body} == {"docs://a"}
    assert found[2].body["result"]["contents"][0]["uri"] == "docs://a"


def test_both_ends_of_one_read_count_once(tmp_path: Path) -> None:
    client, server = asked(1, "docs://a"), {**asked(2, "docs://a"), "parentSpanId": f"{1:016x}"}
    assert len(messages(read(tmp_path, line(client) + line(server)))) == 1
    assert len(messages(read(tmp_path, line(server, client)))) == 1
    other = {**asked(2, "docs://b"), "parentSpanId": f"{1:016x}"}
    assert len(messages(read(tmp_path, line(client, other)))) == 2
    assert len(messages(read(tmp_path, line(asked(1, "docs://a"), asked(2, "docs://a"))))) == 2


def test_every_line_is_accounted_for(tmp_path: Path) -> None:
    tool = span(9, mcp__method__name="tools/call")
    odd = b'{"resourceSpans":[7,{"scopeSpans":[{"spans":[null,{"attributes":[1,{"key":2}]}]}]}]}\n'
    items = read(tmp_path, line(asked(1, "docs://a")) + b"\n" + line(tool) + odd + line(tool)[:-9])
    assert counts(items) == {"message": 1, "blank": 1, "other": 2, "unreadable": 1}


def test_the_common_session_as_far_as_requests_go(tmp_path: Path) -> None:
    data = line(*(asked(number, uri) for number, uri in enumerate(URIS, 1)))
    judgements = diagnosed(tmp_path, data, templates=(TEMPLATE,)).judgements
    assert [outcome(each)[0].split()[0] for each in judgements] == ["intact", "escaped", "intact", "intact"]
    assert {reasons(each)[1:] for each in judgements} == {("no-answer", "no-answer")}

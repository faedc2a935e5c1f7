"""Answers that come in a stream which was opened before the requests, as archives by time have it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from diagnosis import diagnose
from diagnosis.captures.har_streams import endpoint_of, session_in

TEMPLATE = "report://{tenant}/{month}"
URIS = {3: "report://acme/2025-10", 4: "report://n%2541/2025-10"}


def answer(request_id: int, result: dict[str, Any]) -> str:
    return f"data: {json.dumps({'jsonrpc': '2.0', 'id': request_id, 'result': result})}\n\n"


def document(request_id: int, tenant: str) -> str:
    text = json.dumps({"tenant": tenant, "month": "2025-10"})
    return answer(request_id, {"contents": [{"uri": URIS[request_id], "mimeType": "application/json", "text": text}]})


LISTED = answer(2, {"resourceTemplates": [{"uriTemplate": TEMPLATE, "name": "report"}]})
NOTE = 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n'


def entry(url: str, sent: dict[str, Any] | None, returned: str, session: str | None, mime: str) -> dict[str, Any]:
    headers = [{"name": "Mcp-Session-Id", "value": session}] if session else []
    request: dict[str, Any] = {
        "method": "POST" if sent else "GET",
        "url": f"https://h.example{url}",
        "headers": headers,
    }
    if sent:
        request["postData"] = {"mimeType": "application/json", "text": json.dumps({"jsonrpc": "2.0", **sent})}
    content = {"mimeType": mime, "text": returned}
    response = {"status": 202 if sent else 200, "headers": [], "content": content}
    return {"startedDateTime": "2026-08-14T06:00:00.000Z", "time": 100, "request": request, "response": response}


def asked(url: str, session: str | None = None) -> list[dict[str, Any]]:
    requests = [{"id": 2, "method": "resources/templates/list"}]
    requests += [{"id": each, "method": "resources/read", "params": {"uri": uri}} for each, uri in URIS.items()]
    return [entry(url, each, "Accepted", session, "text/plain") for each in requests]


def stream(url: str, text: str, session: str | None = None) -> dict[str, Any]:
    return entry(url, None, text, session, "text/event-stream")


def told(folder: Path, *entries: dict[str, Any]) -> list[tuple[Any, ...]]:
    path = folder / "capture.har"
    path.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "t"}, "entries": list(entries)}}))
    diagnosis = diagnose([str(path)])
    assert (diagnosis.captures[0].unreadable, diagnosis.limits) == (0, ())
    return [
        (each.read.request_id, each.read.outcome.value, each.template, each.document.verdict.value)
        for each in diagnosis.judgements
    ]


RIGHT = [(3, "result", TEMPLATE, "match"), (4, "result", TEMPLATE, "mismatch")]
TEXT = NOTE + LISTED + document(3, "acme") + NOTE + document(4, "nA")


def test_a_stream_that_stands_first_answers_what_is_posted_behind_it(tmp_path: Path) -> None:
    first = stream("/mcp", TEXT, "S")
    requests = asked("/mcp", "S")
    assert told(tmp_path, first, *requests) == RIGHT
    # Behind all of them the list of templates is late: it decides nothing any more.
    late = [(3, "result", TEMPLATE, "cannot_tell"), (4, "result", TEMPLATE, "cannot_tell")]
    assert told(tmp_path, *requests, first) == late


def test_answers_out_of_order_and_in_the_next_stream(tmp_path: Path) -> None:
    requests = asked("/mcp", "S")
    swapped = stream("/mcp", LISTED + document(4, "nA") + document(3, "acme"), "S")
    assert told(tmp_path, swapped, *requests) == RIGHT
    one, two = stream("/mcp", LISTED + document(3, "acme"), "S"), stream("/mcp", document(4, "nA"), "S")
    assert told(tmp_path, one, *requests[:2], two, requests[2]) == RIGHT


def test_a_stream_of_another_session_answers_nothing(tmp_path: Path) -> None:
    found = told(tmp_path, stream("/mcp", LISTED, "S"), *asked("/mcp", "S"), stream("/mcp", NOTE, "T"))
    assert found == [(3, "none", TEMPLATE, "cannot_tell"), (4, "none", TEMPLATE, "cannot_tell")]


def test_the_transport_of_2024_names_its_session_in_addresses(tmp_path: Path) -> None:
    opening = "event: endpoint\ndata: /messages?sessionId=abc\n\n"
    assert told(tmp_path, stream("/sse", opening + TEXT), *asked("/messages?sessionId=abc")) == RIGHT


def test_addresses() -> None:
    assert session_in("https://h.example/messages?x=1&session_id=abc") == "abc"
    assert [
        session_in(each) for each in (None, "https://h.example/mcp", "https://h?sessionId=", "http://[?sessionId=a")
    ] == [
        None,
        None,
        None,
        None,
    ]
    assert (
        endpoint_of("https://h.example/a/sse", "event: endpoint\ndata: messages?s=1\n\n")
        == "https://h.example/a/messages?s=1"
    )
    assert endpoint_of("https://h.example/sse", "event: message\ndata: /messages\n\n") is None

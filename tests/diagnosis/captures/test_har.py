from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.callers.credentials import CredentialSource
from diagnosis.captures import Direction, Kind, Sureness, detect
from diagnosis.captures.event_stream import Event, events
from diagnosis.captures.har import mcp_name
from tests.diagnosis.captures.reading import messages, named, read, skipped

ASK = {"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": "docs://a"}}
ANSWER = {"jsonrpc": "2.0", "id": 2, "result": {"contents": [{"uri": "docs://a", "text": "{}"}]}}
NOTE = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}


def entry(
    sent: Any = ASK,
    returned: str | None = None,
    *,
    mime: str = "application/json",
    encoding: str | None = None,
    asked: dict[str, str] | None = None,
    answered: dict[str, str] | None = None,
    status: int = 200,
    method: str = "POST",
) -> dict[str, Any]:
    content: dict[str, Any] = {"size": 1, "mimeType": mime}
    content |= {"text": returned} if returned is not None else {}
    content |= {"encoding": encoding} if encoding else {}
    request: dict[str, Any] = {
        "method": method,
        "url": "http://h/mcp",
        "headers": [{"name": name, "value": value} for name, value in (asked or {}).items()],
    }
    if sent is not None:
        request["postData"] = {"mimeType": "application/json", "text": json.dumps(sent)}
    return {
        "startedDateTime": "2026-11-30T10:15:30.5+01:00",
        "request": request,
        "response": {
            "status": status,
            "headers": [{"name": name, "value": value} for name, value in (answered or {}).items()],
            "content": content,
        },
    }


def archive(*entries: Any, indent: int | None = None) -> bytes:
    log = {"version": "1.2", "creator": {"name": "t", "version": "1"}, "pages": [], "entries": list(entries)}
    return json.dumps({"log": log}, indent=indent).encode()


@pytest.mark.parametrize("indent", [None, 1])
def test_an_exchange(tmp_path: Path, indent: int | None) -> None:
    data = archive(
        entry(method="GET", sent=None),
        entry(returned=json.dumps(ANSWER), asked={"MCP-Session-Id": "s-1", "Authorization": "Bearer opaque"}),
        indent=indent,
    )
    assert detect(data).format.name == "har"
    items = read(tmp_path, data)
    ask, answer = messages(items)
    assert (ask.body, answer.body) == (ASK, ANSWER)
    assert (ask.direction, answer.direction) == (Direction.TO_SERVER, Direction.TO_CLIENT)
    assert ask.span.layers == ("entries[1]", "request.postData.text")
    assert answer.span.layers == ("entries[1]", "response.content.text")
    assert json.loads(ask.record)["request"]["url"] == "http://h/mcp"
    assert ask.span.line == data[: ask.span.offset].count(b"\n") + 1
    assert ask.session == answer.session == "s-1"
    assert (ask.time, ask.time_basis) == ("2026-11-30T09:15:30.5Z", "zoned")
    assert ask.http is not None and (ask.http.number, ask.http.url, ask.http.status) == (
        1,
        "http://h/mcp",
        200,
    )
    assert ask.credential is not None and ask.credential.source is CredentialSource.TOKEN
    assert answer.credential is None
    assert [item.kind for item in skipped(items)] == [Kind.OTHER]


def test_the_session_of_the_first_answer(tmp_path: Path) -> None:
    data = archive(entry(returned=json.dumps(ANSWER), answered={"Mcp-Session-Id": "new"}))
    assert [item.session for item in messages(read(tmp_path, data))] == ["new", "new"]


def test_an_event_stream(tmp_path: Path) -> None:
    body = f": ping\r\n\r\nevent: message\r\ndata: {json.dumps(NOTE)}\r\n\r\n"
    body += f"id: 7\r\ndata: {json.dumps(ANSWER)}\r\n\r\n"
    for mime in ("text/event-stream", ""):
        found = messages(read(tmp_path, archive(entry(returned=body, mime=mime))))
        assert [item.span.layers[2:] for item in found] == [(), ("sse[0]",), ("sse[1]",)]
        assert found[2].body == ANSWER


def test_a_base64_body(tmp_path: Path) -> None:
    text = base64.b64encode(f"data: {json.dumps(ANSWER)}\n\n".encode()).decode()
    found = messages(read(tmp_path, archive(entry(returned=text, encoding="base64", mime="text/event-stream"))))
    assert found[1].span.layers == ("entries[0]", "response.content.text", "base64", "sse[0]")
    (lost,) = skipped(read(tmp_path, archive(entry(returned="!!!", encoding="base64"))))
    assert lost.kind is Kind.UNREADABLE and "base64" in lost.why


def test_a_batch_and_a_refusal_without_a_body(tmp_path: Path) -> None:
    items = messages(read(tmp_path, archive(entry([ASK, NOTE], status=403, returned="Forbidden", mime="text/plain"))))
    assert [item.span.layers[2:] for item in items] == [("batch[0]",), ("batch[1]",)]
    assert all(item.http is not None and item.http.status == 403 for item in items)


def test_a_cut_body_is_lost_and_said(tmp_path: Path) -> None:
    whole = json.dumps(ANSWER)
    items = read(
        tmp_path,
        archive(entry(returned=whole[:-9]), entry(returned=f"data: {whole[:-9]}", mime="text/event-stream")),
    )
    assert [(item.kind, item.why) for item in skipped(items)] == [
        (Kind.UNREADABLE, "the JSON is not closed"),
        (Kind.UNREADABLE, "the event stream was cut"),
    ]


@pytest.mark.parametrize("bad", [1, None, "x", [], {}, {"request": 1, "response": {}}, {"request": {}}])
def test_a_bad_entry_hides_no_other(tmp_path: Path, bad: Any) -> None:
    items = read(tmp_path, archive(bad, entry(returned=json.dumps(ANSWER))))
    assert len(messages(items)) == 2
    (lost,) = skipped(items)
    assert lost.kind is Kind.UNREADABLE and lost.why.startswith("a bad entry")


def test_odd_members_of_an_entry(tmp_path: Path) -> None:
    odd = entry(returned=json.dumps(ANSWER))
    odd["startedDateTime"], odd["request"]["url"], odd["response"]["status"] = 7, None, "200"
    odd["request"]["headers"] = [None, {"name": 1, "value": 2}, {"name": "mcp-session-id"}]
    odd["response"]["headers"] = {"a": "b"}
    ask, _ = messages(read(tmp_path, archive(odd)))
    assert ask.http is not None and (ask.http.url, ask.http.status, ask.session) == (None, None, None)


def test_a_cut_archive(tmp_path: Path) -> None:
    data = archive(entry(returned=json.dumps(ANSWER)), entry(), indent=1)
    items = read(tmp_path, data[:-200])
    assert len(messages(items)) == 2
    assert [item.kind for item in skipped(items)] == [Kind.UNREADABLE] * 2
    assert skipped(items)[0].span.layers == ("entries[1]",)


def test_a_second_list_of_entries_is_not_passed_over(tmp_path: Path) -> None:
    one, two = archive(entry()).decode(), archive(entry(returned=json.dumps(ANSWER))).decode()
    inner = one[one.index('"entries"') : -2] + ", " + two[two.index('"entries"') :]
    items = read(tmp_path, b'{"log": {' + inner.encode(), "har")
    assert [item.kind for item in skipped(items)] == [Kind.UNREADABLE]


def test_a_reader_that_stops_early_closes_the_map(tmp_path: Path) -> None:
    from diagnosis.captures import open_source

    for data in (archive(entry(), entry()), archive(entry(), entry())[:-3]):
        (tmp_path / "capture").write_bytes(data)
        with open_source(str(tmp_path / "capture")) as source:
            items = named("har").messages(source)
            next(items)
            items.close()  # type: ignore[attr-defined]


def test_an_export_without_messages_says_so(tmp_path: Path) -> None:
    snooped = entry({"uri": "docs://a"})
    snooped["request"]["url"] = "mcp://kb/resources/read"
    (lost,) = skipped(read(tmp_path, archive(snooped)))
    assert lost.kind is Kind.UNREADABLE and "mcpsnoop" in lost.why


def test_detection_from_a_cut_head() -> None:
    har = named("har")
    data = archive(entry(returned="x" * 100_000))
    assert har.detect(data[: 64 * 1024]).sureness is Sureness.CERTAIN
    assert har.detect(b'{"log":{"creator":{},"pages":[').sureness is Sureness.POSSIBLE
    quoted = {"jsonrpc": "2.0", "id": 1, "result": {"log": {"entries": [{"request": 1}]}}}
    assert har.detect(json.dumps(quoted).encode()).sureness is Sureness.NO


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("docs://a", "docs://a"),
        ("=?base64?ZG9jczovL3TDtg==?=", "docs://tö"),
        ("=?base64?!!?=", "=?base64?!!?="),
        ("=?base64?/w==?=", "=?base64?/w==?="),
        ("=?utf-8?q?x?=", "=?utf-8?q?x?="),
    ],
)
def test_the_name_header(tmp_path: Path, header: str, value: str) -> None:
    assert mcp_name(header) == value
    ask, *_ = messages(read(tmp_path, archive(entry(asked={"Mcp-Name": header}))))
    assert ask.http is not None and ask.http.mcp_name == value


def test_events_and_where_they_stand() -> None:
    text = ": c\r\n\r\nevent: a\r\ndata: one\r\ndata:two\r\n\r\nid: 3\ndata\n\nevent: no-data\n\ndata: cut"
    found = list(events(text))
    assert found == [
        Event(0, "a", "one\ntwo", None, 7, 38, True),
        Event(1, "message", "", "3", 40, 51, True),
        Event(2, "message", "cut", "3", 68, 77, False),
    ]
    assert text[7:38] == "event: a\r\ndata: one\r\ndata:two\r\n"
    assert text[68:77] == "data: cut"


def test_events_with_other_line_ends() -> None:
    for end in ("\n", "\r\n", "\r"):
        text = end.join(["\ufeffdata: x", "data: y", "", "data: z", "", ""])
        assert [event.data for event in events(text)] == ["x\ny", "z"]

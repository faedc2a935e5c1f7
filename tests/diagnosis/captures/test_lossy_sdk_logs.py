"""The Rust SDK's and FastMCP's logs: they keep the URI and lose most else."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnosis.captures import Direction, Kind, detect
from diagnosis.captures.message import Loss
from tests.diagnosis.captures.common_session import TEMPLATE, URIS, diagnosed, outcome
from tests.diagnosis.captures.reading import messages, read, skipped

RMCP = "2026-11-30T09:15:02.101000Z DEBUG serve_inner: rmcp::service: "
FAST = '{"event": "request_start", "method": "resources/read", "source": "client", "payload": "{\\"uri\\":\\"docs://a\\"}"}'


def rmcp_ask(number: int, uri: str) -> str:
    inner = f'Request {{ method: ReadResourceRequestMethod, params: P {{ meta: None, uri: "{uri}" }}, extensions: E }}'
    return f"{RMCP}received request id={number} request=ReadResourceRequest({inner})"


def rmcp_answer(number: int, uri: str, text: str = "x") -> str:
    inner = f'R {{ contents: [TextResourceContents {{ uri: "{uri}", mime_type: Some("a/b"), text: "{text}" }}] }}'
    return f"{RMCP}response message id={number} result=ReadResourceResult({inner})"


def test_rmcp_keeps_ids_and_uris(tmp_path: Path) -> None:
    escaped = rmcp_ask(3, 'docs://a\\"b\\u{e9}')
    trap = 'y uri: \\", uri: \\"docs://evil\\" '
    refused = f'{RMCP}response error id=4 error=ErrorData {{ code: ErrorCode(-32002), message: "gone", data: None }}'
    lines = [
        escaped,
        rmcp_answer(3, "docs://a", trap),
        refused,
        RMCP + "received request id=5 request=PingRequest(..)",
    ]
    data = "\n".join(lines).encode()
    assert detect(data).format.name == "rmcp-debug"
    items = read(tmp_path, data)
    ask, answer, error = messages(items)
    assert ask.body == {"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": 'docs://a"bé'}}
    assert answer.body["result"] == {"contents": [{"uri": "docs://a"}]}
    assert error.body["error"] == {"code": -32002, "message": "gone"}
    assert (ask.direction, answer.direction) == (Direction.TO_SERVER, Direction.TO_CLIENT)
    assert (ask.losses, answer.losses) == ((Loss.ID,), (Loss.DOCUMENT, Loss.ID))
    assert [(each.kind, each.span.line) for each in skipped(items)] == [(Kind.OTHER, 4)]


def test_rmcp_in_colours(tmp_path: Path) -> None:
    data = "\x1b[2m" + rmcp_ask(3, "docs://a").replace("DEBUG", "\x1b[34mDEBUG\x1b[0m").replace(
        "id=", "\x1b[3mid\x1b[0m="
    )
    assert [each.read.uri for each in diagnosed(tmp_path, data.encode()).judgements] == ["docs://a"]


def test_rmcp_proves_nothing_about_documents(tmp_path: Path) -> None:
    lines = [text for number, uri in enumerate(URIS, 2) for text in (rmcp_ask(number, uri), rmcp_answer(number, uri))]
    found = diagnosed(tmp_path, "\n".join(lines).encode(), templates=(TEMPLATE,)).judgements
    assert [each.read.uri for each in found] == list(URIS)
    assert {outcome(each)[0].split()[1] for each in found} == {"cannot_tell"}


@pytest.mark.parametrize("cut", [rmcp_ask(3, "docs://a")[:-60], rmcp_ask(3, "\\q"), rmcp_ask(3, 'a", uri: "b')])
def test_rmcp_lines_that_cannot_be_read(tmp_path: Path, cut: str) -> None:
    assert [each.kind for each in skipped(read(tmp_path, cut.encode(), "rmcp-debug"))] == [Kind.UNREADABLE]


def test_fastmcp_pairs_by_order(tmp_path: Path) -> None:
    lines = [
        FAST,
        '{"event": "request_success", "method": "resources/read", "source": "client", "duration_ms": 3}',
        "INFO fastmcp.structured - " + FAST.replace("docs://a", "docs://b"),
        '{"event": "request_error", "method": "resources/read", "source": "client", "error": "Unknown resource"}',
        '{"event": "request_start", "method": "tools/call", "source": "client"}',
    ]
    data = "\n".join(lines).encode()
    assert detect(data).format.name == "fastmcp-logging"
    items = read(tmp_path, data)
    assert [each.span.line for each in messages(items)] == [1, 2, 3, 4]
    assert [(each.kind, each.span.line) for each in skipped(items)] == [(Kind.OTHER, 5)]
    found = diagnosed(tmp_path, data).judgements
    assert [(each.read.uri, each.read.outcome.value) for each in found] == [
        ("docs://a", "result"),
        ("docs://b", "error"),
    ]
    assert {outcome(each)[0].split()[1] for each in found} == {"cannot_tell"}


def test_fastmcp_text_entries_and_cut_payloads(tmp_path: Path) -> None:
    lines = [
        'event=request_start method=resources/read source=client payload={"uri":"docs://a b"} payload_type=P',
        'event=request_start method=resources/read source=client payload={"uri":"docs://aaaa... payload_type=P',
        "event=request_start method=resources/read source=client",
        "event=request_success method=resources/read source=client duration_ms=3",
    ]
    whole, cut, bare, end = messages(read(tmp_path, "\n".join(lines).encode(), "fastmcp-logging"))
    assert whole.body["params"] == {"uri": "docs://a b"} and whole.losses == (Loss.ID,)
    assert cut.body["params"] == bare.body["params"] == {} and cut.losses == (Loss.URI, Loss.ID)
    assert end.body["result"] == {"contents": []} and Loss.DOCUMENT in end.losses

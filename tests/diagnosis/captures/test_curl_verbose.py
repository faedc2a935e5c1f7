from __future__ import annotations

from pathlib import Path

from diagnosis.callers.credentials import CredentialSource
from diagnosis.captures import Direction
from tests.diagnosis.captures.reading import counts, messages, read

DONE = b'{"jsonrpc":"2.0","id":2,"result":{"contents":[{"uri":"docs://a","text":"x"}]}}'
HEADERS = (
    b"*   Trying 192.0.2.10:443...\n> POST /mcp HTTP/1.1\r\n> Host: kb.example\r\n> Authorization: Bearer opaque\r\n"
    b"> Mcp-Session-Id: s1\r\n> \r\n} [104 bytes data]\n< HTTP/1.1 200 OK\r\n"
    b"< date: Mon, 30 Nov 2026 09:15:03 GMT\r\n< \r\n{ [300 bytes data]\n"
)


def test_an_event_stream_behind_its_headers(tmp_path: Path) -> None:
    data = HEADERS + b"event: message\ndata: " + DONE + b"\n\n* Connection #0 to host kb.example left intact\n"
    items = read(tmp_path, data)
    found = messages(items)[0]
    assert (found.span.line, found.span.layers, found.direction) == (12, ("sse[0]",), Direction.TO_CLIENT)
    assert (found.session, found.time, found.time_basis) == ("s1", "2026-11-30T09:15:03Z", "utc")
    assert found.credential is not None and found.credential.source is CredentialSource.TOKEN
    assert found.http is not None
    assert (found.http.number, found.http.url, found.http.status) == (1, "kb.example/mcp", 200)
    assert counts(items) == {"other": 12, "message": 1, "blank": 1}


def test_a_body_with_a_remark_of_curls_behind_it(tmp_path: Path) -> None:
    items = read(tmp_path, HEADERS + DONE + b"* Connection #0 left intact\n" + HEADERS + DONE[:-5] + b"\n")
    found = messages(items)
    assert [(item.span.line, item.http.number) for item in found if item.http] == [(12, 1)]
    assert counts(items) == {"other": 22, "message": 1, "unreadable": 1}

"""Claude Desktop and VS Code: text lines with an anchor before the JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnosis.captures import Direction, Kind, detect
from tests.diagnosis.captures.reading import messages, read, skipped

ASK = b'{"method":"resources/read","params":{"uri":"docs://a"},"jsonrpc":"2.0","id":2}'
ANSWER = b'{"jsonrpc":"2.0","id":2,"result":{"contents":[{"uri":"docs://a","text":"{ metadata: undefined }"}]}}'
CLIENT = b"2026-11-30T09:15:02.101Z [kb] [info] Message from client: "
SERVER = b"2026-11-30T09:15:02.102Z [info] [kb] Message from server: "


def test_claude_desktop_both_orders_of_the_brackets(tmp_path: Path) -> None:
    data = (
        b"2026-11-30T09:15:01.201Z [kb] [info] Initializing server... { metadata: undefined }\n"
        b"2026-11-30T09:15:01.221Z [kb] [info] Using MCP server command: node: {\n  metadata: {\n  }\n} %o\n"
        + CLIENT + ASK + b" { metadata: undefined }\n"
        + b"[kb] stderr caf\xc3\xa9\n\n"
        + SERVER + ANSWER + b"\r\n"
    )  # fmt: skip
    assert detect(data).format.name == "claude-desktop"
    items = read(tmp_path, data)
    ask, answer = messages(items)
    assert (ask.span.line, answer.span.line) == (6, 9)
    assert (ask.direction, answer.direction) == (Direction.TO_SERVER, Direction.TO_CLIENT)
    assert ask.channel == answer.channel == "kb"
    assert (ask.time, ask.time_basis) == ("2026-11-30T09:15:02.101Z", "utc")
    assert answer.body["result"]["contents"][0]["text"] == "{ metadata: undefined }"
    assert [item.kind for item in skipped(items)] == [Kind.OTHER] * 6 + [Kind.BLANK]


def test_claude_desktop_keeps_servers_apart(tmp_path: Path) -> None:
    data = SERVER.replace(b"[kb]", b"[a b]") + ANSWER + b"\n" + SERVER + ANSWER + b"\n"
    assert [item.channel for item in messages(read(tmp_path, data))] == ["a b", "kb"]


@pytest.mark.parametrize(
    "suffix", [b"", b" { metadata: undefined }", b" {}", b" trailing text", b" { metadata: undefined }  "]
)
def test_claude_desktop_accepts_any_text_behind_closed_json(tmp_path: Path, suffix: bytes) -> None:
    assert len(messages(read(tmp_path, CLIENT + ASK + suffix + b"\n"))) == 1


def test_claude_desktop_json_that_does_not_close(tmp_path: Path) -> None:
    items = read(tmp_path, CLIENT + ASK + b"\n" + SERVER + ANSWER[:-20] + b"\n" + SERVER + b"{\n" + SERVER + b"{x}\n")
    assert [(item.kind, item.why) for item in skipped(items)][:2] == [(Kind.UNREADABLE, "truncated")] * 2
    assert skipped(items)[2].kind is Kind.UNREADABLE


def test_claude_desktop_never_takes_json_of_stderr(tmp_path: Path) -> None:
    items = read(tmp_path, CLIENT + ASK + b"\n" + ANSWER + b"\n")
    assert len(messages(items)) == 1 and [item.kind for item in skipped(items)] == [Kind.OTHER]


def test_vscode_with_and_without_time(tmp_path: Path) -> None:
    data = (
        b"2026-11-30 09:15:02.096 [info] Starting server kb\n"
        b"2026-11-30 09:15:02.101 [trace] [editor -> server] " + ASK + b"\n"
        b"[trace] [server -> editor] " + ANSWER + b"\n"
        b"[editor -> server] " + ASK + b"\n"
        b"2026-11-30 09:15:02.101 [info] [Client Says] " + ASK + b"\n"
        b"[Server Says] " + ANSWER + b"\n\n"
        b"[editor -> server] " + ASK[:-3] + b"\n"
    )
    assert detect(data).format.name == "vscode"
    items = read(tmp_path, data)
    assert [item.direction for item in messages(items)] == [
        Direction.TO_SERVER,
        Direction.TO_CLIENT,
        Direction.TO_SERVER,
        Direction.TO_SERVER,
        Direction.TO_CLIENT,
    ]
    first, second, *_ = messages(items)
    assert (first.time, first.time_basis) == ("2026-11-30 09:15:02.101", "none")
    assert second.time is None
    assert [(item.kind, item.span.line) for item in skipped(items)] == [
        (Kind.OTHER, 1),
        (Kind.BLANK, 7),
        (Kind.UNREADABLE, 8),
    ]

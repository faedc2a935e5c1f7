"""Logs of the Go, C#, Java and Kotlin SDKs: a line's anchor, then JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnosis.captures import Direction, Kind, Sureness, detect
from tests.diagnosis.captures.common_session import COMPLETE, SESSION, compact, diagnosed, outcome, reasons
from tests.diagnosis.captures.reading import messages, named, read, skipped

ASK = b'{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"docs://a"}}'
ANSWER = b'{"jsonrpc":"2.0","id":2,"result":{"contents":[{"uri":"docs://a","text":"read: {}"}]}}'
CATEGORY = b"trce: ModelContextProtocol.Server.StdioServerTransport[867385121]\n"
IN = b"      Server (stream) (kb) transport received message. Message: '"
OUT = b"      Server (stream) (kb) transport sending message. Message: '"
JAVA = b"09:15:02.101 [pool-1-thread-1] DEBUG i.m.s.McpSchema -- Received JSON message: "
POST = b"09:15:02.101 [main] DEBUG c.Http -- Client sending message via POST to https://mcp.example/mcp: "
EVENT = b"09:15:02.102 [main] TRACE c.Http -- Client received SSE event: event=message, data="


def go(by_client: bool) -> bytes:
    words = ("write", "read") if by_client else ("read", "write")
    return "".join(f"{words[not sent]}: {compact(message)}\n" for sent, message in SESSION).encode()


def test_go_lines_are_relative_to_the_server_that_wrote_them(tmp_path: Path) -> None:
    data = b"read: " + ASK + b"\nwrite: " + ANSWER + b"\n\nread error: EOF\nread: " + ASK[:-4] + b"\n"
    assert detect(data).format.name == "go-logging-transport"
    items = read(tmp_path, data)
    assert [(each.direction, each.span.line, each.span.offset) for each in messages(items)] == [
        (Direction.TO_SERVER, 1, 0),
        (Direction.TO_CLIENT, 2, 85),
    ]
    assert [(each.kind, each.span.line) for each in skipped(items)] == [
        (Kind.BLANK, 3),
        (Kind.OTHER, 4),
        (Kind.UNREADABLE, 5),
    ]


@pytest.mark.parametrize("first", [b"write: " + ASK, b"read: " + ANSWER])
def test_go_lines_of_a_client(tmp_path: Path, first: bytes) -> None:
    data = first + b"\nwrite: " + ASK + b"\nread: " + ANSWER + b"\n"
    _, ask, answer = messages(read(tmp_path, data))
    assert (ask.direction, answer.direction) == (Direction.TO_SERVER, Direction.TO_CLIENT)


@pytest.mark.parametrize("by_client", [False, True])
def test_go_gives_every_verdict_of_the_session(tmp_path: Path, by_client: bool) -> None:
    assert [outcome(each) for each in diagnosed(tmp_path, go(by_client)).judgements] == COMPLETE


def test_csharp_entries_stand_on_two_lines(tmp_path: Path) -> None:
    escaped = ANSWER.replace(b"docs://a", rb"docs://R\u0026D\u0027")
    data = CATEGORY + IN + ASK + b"'.\r\n" + CATEGORY + OUT + escaped + b"'.\n" + OUT + ASK[:-3] + b"'.\n"
    assert detect(data).format.name == "csharp-trace"
    items = read(tmp_path, data)
    ask, answer = messages(items)
    assert (ask.direction, answer.direction) == (Direction.TO_SERVER, Direction.TO_CLIENT)
    assert (ask.span.line, answer.span.line) == (2, 4)
    assert ask.channel == answer.channel == "Server (stream) (kb)"
    assert answer.body["result"]["contents"][0]["uri"] == "docs://R&D'"
    assert [(each.kind, each.span.line) for each in skipped(items)] == [
        (Kind.OTHER, 1),
        (Kind.OTHER, 3),
        (Kind.UNREADABLE, 5),
    ]


@pytest.mark.parametrize(
    ("prefix", "channel"),
    [
        (b"trce: ModelContextProtocol.Server.StdioServerTransport[1] ", "Server (stream) (kb)"),
        (b"<7>ModelContextProtocol.Server.StdioServerTransport[1] ", "Server (stream) (kb)"),
        (b"[09:15:02 VRB] ", "Server (stream) (kb)"),
        (b"2026-11-30T09:15:02Z ", "Server (stream) (kb)"),
    ],
)
def test_csharp_entries_on_one_line(tmp_path: Path, prefix: bytes, channel: str) -> None:
    found = messages(read(tmp_path, prefix + IN.strip() + ASK + b"'.\n"))
    assert [(each.channel, each.direction) for each in found] == [(channel, Direction.TO_SERVER)]


def test_csharp_endpoint_of_a_client(tmp_path: Path) -> None:
    data = (
        b"      kb-client transport sending message. Message: '" + ASK + b"'.\n"
        b"      kb-client transport received message. Message: '" + ANSWER + b"'.\n"
        b"[09:15:02 VRB] kb-client transport sending message. Message: '" + ASK + b"'.\n"
    )
    found = messages(read(tmp_path, data))
    assert [(each.channel, each.direction) for each in found] == [
        ("kb-client", Direction.TO_SERVER),
        ("kb-client", Direction.TO_CLIENT),
        (None, Direction.TO_SERVER),
    ]


def test_csharp_gives_every_verdict_of_the_session(tmp_path: Path) -> None:
    lines = []
    for sent, message in SESSION:
        text = compact(message).replace('\\"', "\\u0022").replace("'", "\\u0027")
        lines.append(CATEGORY + (IN if sent else OUT) + text.encode() + b"'.\n")
    assert [outcome(each) for each in diagnosed(tmp_path, b"".join(lines)).judgements] == COMPLETE


def test_java_keeps_incoming_messages_only(tmp_path: Path) -> None:
    data = (
        JAVA + ASK + b"\n"
        b"09:15:02.132 [pool-1-thread-1] DEBUG i.m.s.McpServerSession -- Received response: "
        b"JSONRPCResponse[jsonrpc=2.0, id=2, result={contents=[{uri=docs://a}]}, error=null]\n"
        b"09:15:02.140 [main] INFO shop -- user said \"Received JSON message: " + ASK + b'"\n'
        b"2026-11-30T09:15:03.101Z DEBUG 1 --- [main] i.m.spec.McpSchema : Received JSON message: " + ASK + b"\n"
    )  # fmt: skip
    assert detect(data).format.name == "java-debug"
    items = read(tmp_path, data)
    assert [(each.span.line, each.direction, each.time, each.time_basis) for each in messages(items)] == [
        (1, Direction.TO_SERVER, "09:15:02.101", "none"),
        (4, Direction.TO_SERVER, "2026-11-30T09:15:03.101Z", "utc"),
    ]
    assert [(each.kind, each.span.line) for each in skipped(items)] == [(Kind.OTHER, 2), (Kind.OTHER, 3)]


def test_java_log_of_a_client_holds_answers(tmp_path: Path) -> None:
    assert [each.direction for each in messages(read(tmp_path, JAVA + ANSWER + b"\n"))] == [Direction.TO_CLIENT]


def test_java_answers_are_missing_and_said_to_be(tmp_path: Path) -> None:
    data = b"".join(JAVA + compact(message).encode() + b"\n" for sent, message in SESSION if sent)
    found = diagnosed(tmp_path, data, templates=("docs://team/{team}/policy/{name}",)).judgements
    assert [outcome(each)[0] for each in found] == [
        "intact cannot_tell cannot_tell",
        "escaped cannot_tell cannot_tell",
        "intact cannot_tell cannot_tell",
        "intact cannot_tell cannot_tell",
    ]
    assert {reasons(each)[1:] for each in found} == {("no-answer", "no-answer")}


def test_kotlin_posts_and_events(tmp_path: Path) -> None:
    data = POST + ASK + b"\n" + EVENT + ANSWER + b", id=7, retry=null\n" + EVENT + ANSWER[:-9] + b"\nDEBUG other\n"
    assert detect(data).format.name == "kotlin-debug"
    items = read(tmp_path, data)
    assert [(each.span.line, each.direction) for each in messages(items)] == [
        (1, Direction.TO_SERVER),
        (2, Direction.TO_CLIENT),
    ]
    assert [(each.kind, each.span.line) for each in skipped(items)] == [(Kind.UNREADABLE, 3), (Kind.OTHER, 4)]


def test_kotlin_gives_every_verdict_of_the_session(tmp_path: Path) -> None:
    lines = [(POST if sent else EVENT) + compact(message).encode() + b"\n" for sent, message in SESSION]
    assert [outcome(each) for each in diagnosed(tmp_path, b"".join(lines)).judgements] == COMPLETE


HOSTILE = (
    "go-logging-transport", "csharp-trace", "java-debug", "kotlin-debug",
    "python-sdk-v1", "python-sdk-v2", "rmcp-debug", "fastmcp-logging",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    "line",
    [
        b"\x80\xff\x00",
        b"read: {",
        b"read: " + b"[" * 5000,
        b"x" * 5000 + b" transport received message. Message: '{",
        b"trce: " * 3000,
        b"trce: x[" * 3000,
        b"Client received SSE event: event=" * 500,
        b"Received JSON message: {" + b'"' * 5000,
        b"Sending client message: root=JSONRPCRequest(" + b"a=(" * 5000,
        b"Sending client message: jsonrpc='2.0' " + b"a=" * 5000,
        b"Received JSON: b'" + rb"\'" * 200_000,
        b"event=request_start method=tools/call source=client payload=" + b" " * 200_000 + b"x",
        b"response error id=1 error=" + rb"\"" * 200_000,
        b"received request id=1 request=ReadResourceReques(" + b'uri: "' * 50_000,
        b" " * 20000 + b"Received JSON message: {}",
    ],
)
def test_hostile_lines_are_accounted_for(tmp_path: Path, name: str, line: bytes) -> None:
    # FastMCP logs other methods too, and its reader knows its own log by them.
    assert name == "fastmcp-logging" or named(name).detect(line).sureness is not Sureness.CERTAIN
    assert [item.span.line for item in read(tmp_path, line + b"\n" + line, name)] == [1, 2]

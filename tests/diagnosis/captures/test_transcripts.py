"""Transcripts of agents: calls and results instead of messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import Direction, Kind, Sureness, detect
from diagnosis.captures.message import Loss
from tests.diagnosis.captures.common_session import ANSWERS, COMPLETE, TEMPLATE, URIS, compact, diagnosed, outcome
from tests.diagnosis.captures.reading import counts, messages, named, read, skipped

DOCUMENT = '{"contents":[{"uri":"docs://a","text":"t"}]}'


def line(value: dict[str, Any]) -> str:
    return compact(value) + "\n"


def claude(role: str, *parts: dict[str, Any]) -> str:
    turn = {"type": role, "sessionId": "s1", "timestamp": "2026-11-30T09:15:03.201Z"}
    return line({**turn, "message": {"role": role, "content": list(parts)}})


def claude_ask(call: str, uri: Any, tool: str = "ReadMcpResourceTool") -> str:
    return claude("assistant", {"type": "tool_use", "id": call, "name": tool, "input": {"server": "kb", "uri": uri}})


def claude_answer(call: str, content: Any, **more: Any) -> str:
    return claude("user", {"type": "tool_result", "tool_use_id": call, "content": content, **more})


def codex(payload: dict[str, Any]) -> str:
    return line({"timestamp": "2026-11-30T09:15:03.201Z", "type": "response_item", "payload": payload})


def codex_ask(call: str, uri: str) -> str:
    arguments = compact({"server": "kb", "uri": uri})
    return codex({"type": "function_call", "name": "read_mcp_resource", "arguments": arguments, "call_id": call})


def codex_answer(call: str, output: Any) -> str:
    return codex({"type": "function_call_output", "call_id": call, "output": output})


def cline_ask(uri: str, **more: Any) -> dict[str, Any]:
    text = compact({"type": "access_mcp_resource", "serverName": "kb", "uri": uri})
    return {"ts": 1796030103201, "type": "say", "say": "use_mcp_server", "text": text, **more}


def cline_answer(text: str) -> dict[str, Any]:
    return {"ts": 1796030103232, "type": "say", "say": "mcp_server_response", "text": text}


def test_claude_code_pairs_by_the_id_of_the_call(tmp_path: Path) -> None:
    data = (
        claude_ask("t1", "docs://a") + claude_answer("t1", DOCUMENT) + '{"type":"summary"}\n\n{"type":"user"' + "\n"
    ).encode()
    assert detect(data).format.name == "agent-transcript-claude-code"
    items = read(tmp_path, data)
    ask, answer = messages(items)
    assert (ask.direction, ask.session, ask.channel, ask.losses) == (Direction.TO_SERVER, "s1", "kb", (Loss.ID,))
    assert ask.body == {"jsonrpc": "2.0", "id": "t1", "method": "resources/read", "params": {"uri": "docs://a"}}
    assert ask.span.layers == ("message", "content[0]", "input") and ask.time == "2026-11-30T09:15:03.201Z"
    assert (answer.direction, answer.channel, answer.losses) == (Direction.TO_CLIENT, "kb", (Loss.ID,))
    assert answer.body["result"] == json.loads(DOCUMENT) and answer.span.line == 2
    assert answer.span.layers == ("message", "content[0]", "content", "string")
    assert [(each.kind, each.span.line) for each in skipped(items)] == [
        (Kind.OTHER, 3),
        (Kind.BLANK, 4),
        (Kind.UNREADABLE, 5),
    ]


@pytest.mark.parametrize(
    ("content", "more", "body", "losses"),
    [
        ("MCP error -32002: gone", {"is_error": True}, {"error": {"code": -32002, "message": "gone"}}, (Loss.ID,)),
        ([{"type": "text", "text": DOCUMENT}], {}, {"result": json.loads(DOCUMENT)}, (Loss.ID,)),
        (DOCUMENT[:-5], {}, {"result": {"contents": [{"text": DOCUMENT[:-5]}]}}, (Loss.ID, Loss.ECHO, Loss.DOCUMENT)),
    ],
)
def test_claude_code_results_of_every_shape(
    tmp_path: Path, content: Any, more: dict[str, Any], body: dict[str, Any], losses: tuple[Loss, ...]
) -> None:
    data = (claude_ask("t1", "docs://a") + claude_answer("t1", content, **more)).encode()
    _, answer = messages(read(tmp_path, data))
    assert answer.body == {"jsonrpc": "2.0", "id": "t1", **body}
    assert answer.losses == losses


def test_what_the_agent_says_of_a_failure_is_no_answer_of_the_server(tmp_path: Path) -> None:
    data = (claude_ask("t1", "docs://a") + claude_answer("t1", "Permission denied", is_error=True)).encode()
    assert counts(read(tmp_path, data)) == {"message": 1, "other": 1}


def test_a_result_that_quotes_a_call_is_no_call(tmp_path: Path) -> None:
    quoted = claude_ask("t9", "docs://x")
    data = (claude_ask("t1", "docs://a") + claude_answer("t1", quoted) + claude_answer("t9", DOCUMENT)).encode()
    assert counts(read(tmp_path, data)) == {"message": 2, "other": 1}


def test_a_transcript_without_reads_is_possible(tmp_path: Path) -> None:
    data = claude_ask("t1", "docs://a", "Bash").encode()
    assert named("agent-transcript-claude-code").detect(data).sureness is Sureness.POSSIBLE
    assert counts(read(tmp_path, data)) == {"other": 1}


def test_a_uri_said_twice_in_a_call_is_noted(tmp_path: Path) -> None:
    data = claude_ask("t1", "docs://a").replace('"uri":', '"uri":"docs://b","uri":').encode()
    (ask,) = messages(read(tmp_path, data))
    assert "duplicate-key" in ask.notes


def test_codex_pairs_by_call_id(tmp_path: Path) -> None:
    output = compact({"server": "kb", "uri": "docs://a", "contents": [{"uri": "docs://a", "text": "t"}]})
    data = (codex_ask("c1", "docs://a") + codex_answer("c1", output) + codex_answer("c2", "x")).encode()
    assert detect(data).format.name == "agent-transcript-codex"
    items = read(tmp_path, data)
    ask, answer = messages(items)
    assert (ask.body["params"], ask.direction, ask.channel) == ({"uri": "docs://a"}, Direction.TO_SERVER, "kb")
    assert ask.span.layers == ("payload", "arguments", "string")
    # The request's URI beside the result is no echo.
    assert answer.body["result"] == {"contents": [{"uri": "docs://a", "text": "t"}]}
    assert (answer.direction, answer.losses, answer.session) == (Direction.TO_CLIENT, (Loss.ID,), None)
    assert counts(items)["other"] == 1


def test_codex_arguments_that_are_no_json_are_unreadable(tmp_path: Path) -> None:
    bad = codex({"type": "function_call", "name": "read_mcp_resource", "arguments": "{", "call_id": "c3"})
    data = (codex_ask("c1", "docs://a") + bad).encode()
    assert counts(read(tmp_path, data)) == {"message": 1, "unreadable": 1}


def test_cline_pairs_by_order_and_knows_no_echo(tmp_path: Path) -> None:
    shown = [
        cline_ask("docs://a", partial=True),
        cline_ask("docs://a"),
        cline_ask("docs://b"),
        cline_answer("t"),
        cline_answer("not ours"),
    ]
    data = json.dumps(shown).encode()
    assert detect(data).format.name == "agent-transcript-cline"
    items = read(tmp_path, data)
    first, second, answer = messages(items)
    assert [each.body["id"] for each in (first, second, answer)] == [1, 2, 2]
    assert second.span.layers == ("[2]", "text", "string") and answer.span.layers == ("[3]", "text")
    assert (first.losses, answer.losses) == ((Loss.ID,), (Loss.ID, Loss.ECHO))
    assert answer.body["result"] == {"contents": [{"text": "t"}]}
    assert counts(items) == {"message": 3, "other": 2}


def test_a_tools_response_answers_no_read(tmp_path: Path) -> None:
    tool = {"ts": 1, "type": "ask", "ask": "use_mcp_server", "text": '{"type":"use_mcp_tool"}'}
    data = json.dumps([cline_ask("docs://a"), tool, cline_answer("t")]).encode()
    assert counts(read(tmp_path, data)) == {"message": 1, "other": 2}


def transcripts() -> dict[str, bytes]:
    texts = [compact(each["result"]) if "result" in each else "MCP error -32002: not found" for each in ANSWERS]
    calls = list(zip(("a", "b", "c", "d"), URIS, texts, strict=True))
    return {
        "agent-transcript-claude-code": "".join(claude_ask(c, u) + claude_answer(c, t) for c, u, t in calls).encode(),
        "agent-transcript-codex": "".join(codex_ask(c, u) + codex_answer(c, t) for c, u, t in calls).encode(),
        "agent-transcript-cline": json.dumps(
            [
                each
                for uri, answer in zip(URIS, ANSWERS, strict=True)
                for each in (
                    cline_ask(uri),
                    *([cline_answer(answer["result"]["contents"][0]["text"])] if "result" in answer else []),
                )
            ]
        ).encode(),
    }


@pytest.mark.parametrize("name", list(transcripts()))
def test_verdicts_of_the_session(tmp_path: Path, name: str) -> None:
    found = diagnosed(tmp_path, transcripts()[name], templates=(TEMPLATE,))
    assert found.captures[0].format == name
    assert [outcome(each) for each in found.judgements] == COMPLETE

"""Two logs in one file: neither may hide the other."""

from __future__ import annotations

import json
from pathlib import Path

from diagnosis import diagnose, load_statements
from diagnosis.captures import detect

FAKE = (
    b"2026-05-18T07:40:00.900Z [notes] [info] Message from client: "
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
)


def enveloped(count: int) -> bytes:
    """Reads of northwind's report in session s1, each with its answer."""
    lines = []
    for number in range(count):
        uri = "report://northwind/2025-10"
        ask = {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}}
        text = json.dumps({"tenant": "northwind", "month": "2025-10"})
        told = {"jsonrpc": "2.0", "id": number, "result": {"contents": [{"uri": uri, "text": text}]}}
        for way, message in (("client->server", ask), ("server->client", told)):
            lines.append(json.dumps({"dir": way, "session": "s1", "message": message}))
    return "".join(line + "\n" for line in lines).encode()


def test_one_line_does_not_flip_the_format(tmp_path: Path) -> None:
    capture = tmp_path / "log.jsonl"
    capture.write_bytes(enveloped(3) + FAKE)
    statements = load_statements(allow=["acme"], templates=["report://{tenant}/{month}"])
    diagnosis = diagnose([str(capture)], statements)
    assert diagnosis.captures[0].format == "enveloped"
    assert [len(each.findings) for each in diagnosis.judgements] == [1, 1, 1]


def test_what_the_chosen_format_leaves_unread_is_a_problem(tmp_path: Path) -> None:
    capture = tmp_path / "log.jsonl"
    capture.write_bytes(enveloped(2) + FAKE * 4)
    diagnosis = diagnose([str(capture)])
    (facts,) = diagnosis.captures
    assert (facts.format, facts.unreadable) == ("claude-desktop", 1)
    (problem,) = diagnosis.problems
    assert (problem.span.capture, problem.span.line) == (str(capture), 1)
    assert "--capture-format enveloped" in problem.why


def test_bodies_are_not_lost_to_a_log_of_accesses() -> None:
    # Every record names the resource, and half of them hold the bodies as well: those say more than an access.
    access = {"mcp_method": "resources/read", "mcp_name": "a://b"}
    bodies = {"request_body": '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a://b"}}'}
    found = detect("".join(json.dumps(each) + "\n" for each in (access, {**access, **bodies})).encode())
    assert (found.format.name, found.others) == ("wrapped-field", ("gateway-access",))
    assert [each.span.line for each in found.mixed] == [1]


def test_a_log_of_one_kind_is_not_mixed() -> None:
    assert detect(enveloped(3)).mixed == ()


def test_two_servers_in_one_desktop_log_keep_their_templates_apart(tmp_path: Path) -> None:
    def line(server: str, side: str, message: dict[str, object]) -> str:
        text = json.dumps({"jsonrpc": "2.0", **message})
        return f"2026-05-18T07:40:00.900Z [info] [{server}] Message from {side}: {text}\n"

    listed = {"resourceTemplates": [{"name": "r", "uriTemplate": "report://{tenant}/{month}"}]}
    capture = tmp_path / "mcp.log"
    capture.write_text(
        line("a", "client", {"id": 1, "method": "resources/templates/list"})
        + line("a", "server", {"id": 1, "result": listed})
        + line("b", "client", {"id": 1, "method": "resources/read", "params": {"uri": "report://x/y/z"}})
        + line("a", "client", {"id": 2, "method": "resources/read", "params": {"uri": "report://x/y/z"}})
    )
    found = [(each.read.server, each.segments.reason) for each in diagnose([str(capture)]).judgements]
    assert found == [("b", "no-template"), ("a", "extra-separator")]


def test_a_read_behind_a_second_method_does_not_vanish(tmp_path: Path) -> None:
    capture = tmp_path / "log.jsonl"
    capture.write_text(
        '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a://b"},"method":"ping"}\n'
        '{"jsonrpc":"2.0","id":1,"result":{}}\n'
    )
    diagnosis = diagnose([str(capture)])
    assert [(each.span.line, each.why) for each in diagnosis.problems] == [
        (1, "one object names a key twice; another reader may see another message here")
    ]

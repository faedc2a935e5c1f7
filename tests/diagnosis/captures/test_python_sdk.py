"""Debug logs of the Python SDK: messages as Python prints them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.captures import Direction, Kind, detect
from diagnosis.captures.python_literals import Call, NotALiteral, read_literal, read_pairs
from tests.diagnosis.captures.common_session import ASKS, COMPLETE, SESSION, compact, diagnosed, outcome, reasons
from tests.diagnosis.captures.reading import messages, read, skipped

AT = "2026-11-30 09:15:02,101 - "
CLIENT = AT + "mcp.client.streamable_http - DEBUG - "
SERVER = AT + "mcp.server.sse - DEBUG - "
CHUNK = AT + "sse_starlette.sse - DEBUG - chunk: "


def printed(message: dict[str, Any]) -> str:
    """A message as the 1.x models print it."""
    if "method" in message:
        given_id = f", id={message['id']!r}" if "id" in message else ""
        kind = "Request" if "id" in message else "Notification"
        params = f"params={message.get('params')!r}, jsonrpc='2.0'"
        return f"root=JSONRPC{kind}(method={message['method']!r}, {params}{given_id})"
    if "error" in message:
        error = ", ".join(f"{key}={value!r}" for key, value in message["error"].items())
        return f"root=JSONRPCError(jsonrpc='2.0', id={message['id']!r}, error=ErrorData({error}))"
    return f"root=JSONRPCResponse(jsonrpc='2.0', id={message['id']!r}, result={message['result']!r})"


def client_log() -> bytes:
    lines = [AT + "mcp.client.streamable_http - INFO - Received session ID: 5d41"]
    for sent, message in SESSION:
        lines.append(CLIENT + ("Sending client message: " if sent else "SSE message: ") + printed(message))
    return "\n".join(lines).encode()


def server_log() -> bytes:
    lines: list[str] = []
    for sent, message in SESSION:
        wire = compact(message).encode()
        if sent:
            lines += [SERVER + "Parsed session ID: 0ffc8b6f", SERVER + f"Received JSON: {wire!r}"]
            lines += [SERVER + f"Validated client message: {printed(message)}"]
        else:
            lines += [SERVER + f"Sending message via SSE: {printed(message)}"]
            lines += [CHUNK + repr(b"event: message\r\ndata: " + wire + b"\r\n\r\n")]
    return "\n".join(lines).encode()


def test_client_log_gives_every_verdict_and_its_session(tmp_path: Path) -> None:
    assert detect(client_log()).format.name == "python-sdk-v1"
    found = diagnosed(tmp_path, client_log()).judgements
    assert [outcome(each) for each in found] == COMPLETE
    assert {each.read.session for each in found} == {"5d41"}


def test_server_log_counts_each_message_once(tmp_path: Path) -> None:
    items = read(tmp_path, server_log())
    assert len(messages(items)) == 10
    assert {each.kind for each in skipped(items)} == {Kind.OTHER}
    # Of five lines for each exchange one holds the request and one the answer.
    assert len(items) == len({each.span.line for each in items}) == 25
    found = diagnosed(tmp_path, server_log()).judgements
    assert [outcome(each) for each in found] == COMPLETE
    assert {each.read.session for each in found} == {"0ffc8b6f"}


def test_one_view_alone_is_enough(tmp_path: Path) -> None:
    for view in (b"Received JSON", b"chunk: "):
        lines = [line for line in server_log().split(b"\n") if view in line]
        assert len(messages(read(tmp_path, b"\n".join(lines)))) == 5


def test_an_id_used_again_makes_a_new_message(tmp_path: Path) -> None:
    lines = [SERVER + f"Received JSON: {compact(ASKS[0]).encode()!r}"] * 2
    lines += [SERVER + f"Validated client message: {printed(ASKS[0])}"] * 2
    assert len(messages(read(tmp_path, "\n".join(lines).encode()))) == 2


def test_sessions_posted_at_once_are_not_guessed(tmp_path: Path) -> None:
    body = SERVER + f"Received JSON: {compact(ASKS[0]).encode()!r}"
    other = SERVER + f"Received JSON: {compact(ASKS[1]).encode()!r}"
    lines = [SERVER + "Parsed session ID: one", SERVER + "Parsed session ID: two", body, other]
    found = messages(read(tmp_path, "\n".join(lines).encode()))
    assert found[0].session is None


def test_spans_and_layers_lead_to_the_message(tmp_path: Path) -> None:
    first, second, *_ = messages(read(tmp_path, server_log()))
    assert (first.span.line, first.span.layers, first.direction) == (2, ("bytes",), Direction.TO_SERVER)
    assert (second.span.line, second.span.layers, second.direction) == (4, ("repr",), Direction.TO_CLIENT)
    assert (first.time, first.time_basis) == ("2026-11-30 09:15:02,101", "none")


def test_the_second_version_prints_requests(tmp_path: Path) -> None:
    lines = []
    for sent, message in SESSION:
        if sent:
            pairs = " ".join(f"{key}={message[key]!r}" for key in ("jsonrpc", "id", "method", "params"))
            lines.append(CLIENT + "Sending client message: " + pairs)
    data = "\n".join(lines).encode()
    assert detect(data).format.name == "python-sdk-v2"
    found = diagnosed(tmp_path, data, templates=("docs://team/{team}/policy/{name}",)).judgements
    assert [outcome(each)[0].split()[0] for each in found] == ["intact", "escaped", "intact", "intact"]
    assert {reasons(each)[1:] for each in found} == {("no-answer", "no-answer")}


@pytest.mark.parametrize(
    "line",
    [
        "Sending client message: root=JSONRPCRequest(method='resources/read', params={'uri': 'docs://a'}, id=2",
        "Sending client message: root=JSONRPCRequest(method=open('/etc/passwd'))",
        "Sending client message: root=JSONRPCRequest(method='a', params=" + "[" * 9000,
        "Sending client message: root=JSONRPCRequest(method='a', id=" + "9" * 9000 + ")",
        "Sending client message: root=JSONRPCRequest(method='\\q')",
        "Sending client message: root=JSONRPCRequest(method='\\U00110000')",
        "Received JSON: b'{\"jsonrpc\":'",
        "Received JSON: b'" + "\\" * 9001,
        "Sending client message: jsonrpc='2.0' id=<object>",
    ],
)
def test_what_python_did_not_print_is_unreadable(tmp_path: Path, line: str) -> None:
    (item,) = read(tmp_path, (CLIENT + line).encode(), "python-sdk-v1")
    # A call in a message is data, and runs nothing: it makes no message either.
    assert skipped([item])[0].kind is (Kind.OTHER if "open" in line else Kind.UNREADABLE)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda each: st.lists(each, max_size=4)
                    | st.dictionaries(st.text(max_size=9), each, max_size=4), max_leaves=12))  # fmt: skip
def test_literals_come_back_as_they_were(value: Any) -> None:
    text = repr(value)
    assert read_literal(text) == (value, len(text))


@given(st.binary(max_size=60))
def test_bytes_come_back_as_they_were(value: bytes) -> None:
    assert read_literal(repr(value))[0] == value


@given(st.text(alphabet="()[]{}'\"\\,:=b1aN. \n", max_size=40))
def test_any_text_is_a_literal_or_refused(text: str) -> None:
    for reader in (read_literal, read_pairs):
        try:
            reader(text)
        except NotALiteral as error:
            assert str(error)


def test_calls_are_data() -> None:
    assert read_literal("A(b='c', d=E(f=1))tail")[0] == Call("A", {"b": "c", "d": Call("E", {"f": 1})})

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from diagnosis.captures import CAPTURE_FORMATS, NotACapture, Sureness, detect
from tests.diagnosis.captures.reading import counts, messages, read

ASK = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
DESKTOP = b"2026-11-30T09:15:02.101Z [kb] [info] Message from client: "
SAMPLES = {
    "json-rpc": ASK + b"\n",
    "enveloped": b'{"dir":"c2s","message":' + ASK + b"}\n",
    "claude-desktop": DESKTOP + ASK + b"\n",
    "vscode": b"[editor -> server] " + ASK + b"\n",
    "go-logging-transport": b"read: " + ASK + b"\n",
    "csharp-trace": b"      Server (stream) (kb) transport received message. Message: '" + ASK + b"'.\n",
    "java-debug": b"09:15:02.101 [main] DEBUG i.m.s.McpSchema -- Received JSON message: " + ASK + b"\n",
    "kotlin-debug": b"DEBUG Client sending message via POST to https://kb.example/mcp: " + ASK + b"\n",
    "python-sdk-v1": b"DEBUG mcp: SSE message: root=JSONRPCResponse(jsonrpc='2.0', id=1, result={})\n",
    "python-sdk-v2": b"DEBUG mcp: Sending client message: jsonrpc='2.0' id=1 method='ping' params={}\n",
    "rmcp-debug": b"DEBUG rmcp::service: received request id=3 request=ReadResourceRequest(..)\n",
    "fastmcp-logging": b'{"event": "request_success", "method": "resources/read", "source": "client"}\n',
    "har": b'{"log":{"entries":[{"request":{},"response":{}}]}}',
}


def test_every_format_is_certain_of_its_own_and_of_no_other() -> None:
    for name, sample in SAMPLES.items():
        sure = {each.name: each.detect(sample).sureness for each in CAPTURE_FORMATS}
        assert {each for each, how in sure.items() if how is not Sureness.NO} == {name}
        assert sure[name] is Sureness.CERTAIN
        assert detect(sample).format.name == name and detect(sample).why


def test_two_equally_sure_formats_are_both_named() -> None:
    found = detect(SAMPLES["enveloped"] + SAMPLES["json-rpc"])
    assert (found.format.name, found.others) == ("enveloped", ("json-rpc",))


def test_a_sign_without_a_message_is_not_certain() -> None:
    assert detect(DESKTOP + ASK[:-3]).format.detect(DESKTOP + ASK[:-3]).sureness is Sureness.POSSIBLE


def test_a_format_asked_for_by_name_ends_all_doubt() -> None:
    assert detect(ASK, "har").format.name == "har"
    with pytest.raises(NotACapture, match="json-rpc"):
        detect(ASK, "nonsense")


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        (b"", "empty"),
        (b"\n\n \n", "blank lines"),
        (gzip.compress(ASK), "gzip"),
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"PK\x03\x04", "zip"),
        (ASK.decode().encode("utf-16"), "UTF-16"),
        (ASK.decode().encode("utf-16-be"), "UTF-16"),
        (b"\0" * 4096, "NUL"),
        (b"INFO " + ASK, "JSON-RPC messages in it"),
        (b"hello\n", "No JSON-RPC message"),
    ],
)
def test_what_is_no_capture_is_told_in_one_sentence(head: bytes, sentence: str) -> None:
    with pytest.raises(NotACapture) as refused:
        detect(head)
    assert sentence in str(refused.value) and str(refused.value).endswith(".")


def test_a_first_message_longer_than_the_head(tmp_path: Path) -> None:
    long = b'{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"a","text":"' + b"x" * 70_000 + b'"}]}}'
    assert detect(long[: 64 * 1024]).format.name == "json-rpc"
    assert len(messages(read(tmp_path, long + b"\n" + ASK))) == 2
    assert len(messages(read(tmp_path, b"[" + long + b"," + ASK + b"]"))) == 2


@pytest.mark.parametrize("start", [b"{x", b"[x", b"x", b'{"y'])
def test_a_long_run_of_blanks_costs_no_more_than_its_length(tmp_path: Path, start: bytes) -> None:
    blanks = b" " * 200_000
    found = counts(read(tmp_path, ASK + b"\n" + blanks + start + blanks + b"\n", "json-rpc"))
    assert found["message"] == 1 and found.total() == 2
    with pytest.raises(NotACapture):
        detect(b" " * 65_000 + start)

"""Files that are known and hold no reads."""

from __future__ import annotations

import pytest

from diagnosis.captures import KNOWN_FILES, NotACapture, detect

SAMPLES = {
    "pcap": b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00",
    "mitmproxy-flow": b"2609:9:websocket;0:~8:response;574:6:reason;2:OK,",
    "cursor-mcp": b"2026-11-30 09:15:03.201 [info] user-kb: Handling ReadResource action\n",
    "claude-code-mcp": b'{"debug":"Starting","timestamp":"2026-11-30T09:15:01.801Z","sessionId":"0f","cwd":"/"}\n',
    "claude-code-debug": b'2026-11-30T09:15:01.801Z [DEBUG] MCP server "kb": Starting connection\n',
    "zed": b"2026-11-30T09:15:01.801+01:00 ERROR [context_server] kb: exited\n",
    "typescript-with-logging": b"HTTP POST https://kb.example/mcp 200 OK (12.3ms)\n",
}
ASK = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}\n'


def test_every_known_file_has_a_sample() -> None:
    assert set(SAMPLES) == {each.name for each in KNOWN_FILES}


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_known_files_are_told_in_one_sentence(name: str) -> None:
    with pytest.raises(NotACapture) as refused:
        detect(SAMPLES[name])
    known = refused.value.known
    assert known is not None and known.name == name
    assert str(refused.value) == known.sentence and known.ask in known.sentence
    assert known.sentence.startswith("It is ") and known.sentence.endswith(".")
    assert [each.name for each in KNOWN_FILES if each.sign(SAMPLES[name])] == [name]


def test_messages_in_such_a_file_are_read_all_the_same() -> None:
    assert detect(SAMPLES["cursor-mcp"] + ASK).format.name == "json-rpc"


@pytest.mark.parametrize("head", [ASK, b"12:hello world!,", b"HTTP POST\n", b"[context_server]\n", b'{"debug":1}\n'])
def test_other_files_are_not_mistaken_for_them(head: bytes) -> None:
    assert not any(each.sign(head) for each in KNOWN_FILES)

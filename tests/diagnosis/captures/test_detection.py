from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from diagnosis.captures import NotACapture, Sureness, detect
from tests.diagnosis.captures.reading import counts, messages, named, read

ASK = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
DESKTOP = b"2026-11-30T09:15:02.101Z [kb] [info] Message from client: "
ENVELOPE = b'{"dir":"c2s","message":' + ASK + b"}\n"
TAPE = b'{"t":"2026-11-30T09:15:03Z","dir":"in","raw":' + ASK + b"}\n"


def test_of_two_equally_sure_formats_the_more_specific_reads_and_the_other_is_named() -> None:
    found = detect(ENVELOPE + ASK + b"\n")
    assert (found.format.name, found.sureness, found.others) == ("enveloped", Sureness.LIKELY, ("json-rpc",))
    assert found.reason.startswith("likely, JSON lines") and found.reason.endswith("; it may also be json-rpc")


def test_a_general_format_beside_a_certain_one_is_no_doubt() -> None:
    found = detect(TAPE)
    assert (found.format.name, found.sureness, found.others) == ("mcp-tape", Sureness.CERTAIN, ())
    assert found.reason == found.why


def test_bare_messages_are_certain_only_where_nothing_else_stands() -> None:
    for beside in (b"starting\n", b'{"level":"info"}\n', b'{"dir":"in",' + ASK[1:] + b"\n"):
        assert named("json-rpc").detect(ASK + b"\n" + beside).sureness is Sureness.LIKELY
    assert named("json-rpc").detect(b"\n" + ASK + b"\r\n\n" + ASK[:30]).sureness is Sureness.CERTAIN


def test_an_archive_is_certain_only_of_exchanges_with_http_addresses() -> None:
    archive = b'{"log":{"entries":[{"request":{"url":"%s"},"response":{}}]}}'
    sure = [named("har").detect(archive % url).sureness for url in (b"https://kb/mcp", b"HTTP://kb", b"mcp://kb/x")]
    assert sure == [Sureness.CERTAIN, Sureness.CERTAIN, Sureness.LIKELY]
    quoting = b'{"log":{"entries":[{"request":{"url":"mcp://kb","postData":{"text":"{\\"url\\":\\"http://kb\\"}"}}}]}}'
    assert named("har").detect(quoting).sureness is Sureness.LIKELY


def test_a_planted_line_of_a_certain_format_does_not_outweigh_a_likely_one() -> None:
    for planted in (TAPE, DESKTOP + ASK + b"\n", b"read: " + ASK + b"\n"):
        found = detect(planted + ENVELOPE * 3)
        assert (found.format.name, found.sureness) == ("enveloped", Sureness.LIKELY)
        assert len(found.others) == 1 and found.others[0] != "json-rpc"


def test_a_known_file_in_which_only_a_general_format_finds_messages_is_read() -> None:
    known = b'{"debug":"up","timestamp":"2026-11-30T09:15:02Z","sessionId":"s1"}\n'
    with pytest.raises(NotACapture):
        detect(known)
    assert detect(known + ENVELOPE).format.name == "enveloped"


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
        (gzip.compress(ASK, mtime=0), "gzip"),
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

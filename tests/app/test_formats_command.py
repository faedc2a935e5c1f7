"""`misread formats`, as a person types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli import run
from app.status import Status
from diagnosis.captures import CAPTURE_FORMATS, KNOWN_FILES

ASK = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}\n'
CURSOR = b"2026-11-30 09:15:02.101 [info] user-kb: Handling ReadResource action\n"


def test_without_captures_every_format_is_listed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["formats"]) == Status.CLEAR
    text = capfd.readouterr().out
    flat = " ".join(text.split())
    for each in CAPTURE_FORMATS:
        assert f"{each.name}\n  reads: " in text and each.cannot_show in flat
    for known in KNOWN_FILES:
        assert f"{known.name} (known, not read)" in text and known.ask in flat
    assert max(map(len, text.splitlines())) <= 79


def test_a_capture_is_named_with_the_reason(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    capture = tmp_path / "log"
    capture.write_bytes(ASK)
    assert run(["formats", str(capture)]) == Status.CLEAR
    text = capfd.readouterr().out
    assert "  format: json-rpc\n" in text and "why: " in text and "hides: " in text


def test_a_file_without_reads_ends_with_the_text_to_send(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    capture = tmp_path / "MCP Logs.log"
    capture.write_bytes(CURSOR)
    assert run(["formats", str(capture)]) == Status.NOT_ALL_READ
    text = capfd.readouterr().out
    assert "Cursor's MCP log" in text and "Text for the customer:\n\nThank you for MCP Logs.log." in text
    assert text.rstrip().endswith("send those.")
    assert max(len(line) for line in text.splitlines()[1:]) <= 79


def test_a_file_to_convert_says_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    capture = tmp_path / "x.pcap"
    capture.write_bytes(b"\xd4\xc3\xb2\xa1" + b"\0" * 20)
    assert run(["formats", str(capture)]) == Status.NOT_ALL_READ
    assert "\n  tshark -r FILE -Y http -T json --no-duplicate-keys\n" in capfd.readouterr().out


def test_what_is_no_capture_and_what_is_missing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "a\x1b[2Jb"
    other.write_bytes(b"hello\n")
    assert run(["formats", str(other)]) == Status.NOT_ALL_READ
    assert "\x1b" not in capfd.readouterr().out
    assert run(["formats", str(tmp_path / "missing")]) == Status.USAGE


@pytest.mark.parametrize("data", [CURSOR, b"2609:9:websocket;0:~8:response;574:6:reason;"])
def test_a_report_of_such_a_file_says_the_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], data: bytes
) -> None:
    capture = tmp_path / "capture"
    capture.write_bytes(data)
    assert run(["report", str(capture)]) == Status.NOT_ALL_READ
    said = capfd.readouterr().err
    assert "It is Cursor's MCP log" in said or "mitmdump -nr FILE --set hardump=OUT.har" in said
    assert "Looked for" not in said

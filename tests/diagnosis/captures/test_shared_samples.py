"""Extra checks on sample captures that lie beside the repository; skipped where they are absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.diagnosis.captures.reading import counts, messages, read

SHARED = Path(__file__).parents[4] / "shared"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the folder of shared sample captures is absent")

# File, format and messages of the common session of four reads, counted by hand.
FORMATS = {
    "app_jsonlog_escaped_payload.jsonl": 13,
    "batch_2025-03-26.ndjson": 8,
    "claude_desktop_mcp-server-handbook.log": 13,
    "claude_desktop_mcp.log": 15,
    "enc_utf8_bom_crlf.ndjson": 13,
    "mcp-debug_recording.jsonl": 13,
    "mcpsnoop_session.jsonl": 13,
    "mitmproxy_2025-11-25.har": 12,
    "pretty_concatenated.json": 13,
    "quirk_lone_surrogate_and_bigint.ndjson": 4,
    "quirk_mixed_stdout_noise.log": 13,
    "quirk_php_escaped_slashes.ndjson": 13,
    "stdio_both_ways.ndjson": 13,
    "vscode_mcp_output.log": 13,
}


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_samples_of_formats(tmp_path: Path, name: str) -> None:
    data = (SHARED / "formats" / name).read_bytes()
    assert len(messages(read(tmp_path, data))) == FORMATS[name]


def test_every_labelled_capture_is_read_without_loss(tmp_path: Path) -> None:
    captures = sorted([*SHARED.glob("cases/*/trace.*"), *SHARED.glob("corpus/*/*[!n]")])
    traces = [path for path in captures if path.suffix in (".jsonl", ".log", ".har") or path.stem == "trace"]
    assert traces
    for path in traces:
        found = counts(read(tmp_path, path.read_bytes()))
        assert found["message"] and not found["unreadable"], path

"""Every sample of the shared table of formats: its counts, its directions, and the verdicts of the common session."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from diagnosis.captures import CAPTURE_FORMATS, Direction, NotACapture, detect
from diagnosis.diagnosis import Diagnosis, diagnose
from diagnosis.reads.read import Outcome
from diagnosis.statements import load_statements
from tests.diagnosis.captures.common_session import COMPLETE, TEMPLATE, outcome, reasons
from tests.diagnosis.captures.expected import FOLDER, NAMES, TABLE, table
from tests.diagnosis.captures.reading import messages, read

# Formats of the table that no reader is registered for yet, or that are answered without reading them.
NOT_YET = {
    "claude-code-mcp-debug": "holds no messages, and a sentence says so",
    "cursor-mcp": "holds no messages, and a sentence says so",
    "mitmproxy-flow": "answered with the command that converts it",
    "pcap": "answered with the command that converts it",
}
# Two readers give the same of these.
EITHER = {"wrapped-field": ("wrapped-field", "enveloped")}
# The formats of this list give the common session's verdicts; templates are stated where the capture lists none.
WITHOUT_TEMPLATES = frozenset(
    {"agent-transcript-claude-code", "agent-transcript-codex", "agent-transcript-cline", "mcpsnoop-har"}
)
WHOLE = (
    "python-sdk-v1",
    "csharp-trace",
    "go-logging-transport",
    "agent-transcript-claude-code",
    "agent-transcript-cline",
    "inspector-protocol",
    "mcpsnoop-jsonl",
    "mcpsnoop-har",
    "mcp-recorder",
    "reticle-session",
    "mcp-debug",
    "wrapped-field",
    "wrapped-cloudwatch",
    "wrapped-elastic",
    "wrapped-loki",
    "tshark-json",
)
# The same for logs that do not say a message's direction.
WHOLE_INFERRED = ("wrapped-docker", "wrapped-cri")

# What question 2 and 3 say where the log keeps no answers or no documents.
LOSSY = {
    "java-debug": {("no-answer", "no-answer")},
    "gateway-access": {("no-answer", "no-answer")},
    "fastmcp-logging": {("no-document", "no-document"), ("no-document", "not-found")},
}

pytestmark = pytest.mark.skipif(not TABLE.is_file(), reason="the table of shared sample captures is absent")


def samples() -> list[dict[str, str]]:
    """The rows whose format has a reader."""
    known = {each.name for each in CAPTURE_FORMATS}
    return [row for row in table() if NAMES.get(row["format_id"], row["format_id"]) in known - NOT_YET.keys()]


def diagnosed(name: str, templates: tuple[str, ...] = ()) -> Diagnosis:
    statements = load_statements(str(FOLDER / "policy.json"), None, (), templates)
    return diagnose([str(FOLDER / name)], statements)


@pytest.mark.parametrize("row", samples(), ids=lambda row: row["file"])
def test_counts_of_the_table(row: dict[str, str]) -> None:
    found = diagnosed(row["file"])
    capture = found.captures[0]
    own = NAMES.get(row["format_id"], row["format_id"])
    assert capture.format in EITHER.get(own, (own,))
    reads = [judgement.read for judgement in found.judgements]
    answered = sum(each.outcome is not Outcome.NONE for each in reads)
    assert len(reads) == int(row["reads"])
    if reads:
        assert answered == int(row["answered"])
        assert any(each.session for each in reads) is (row["session"] != "none")


def test_every_format_of_the_table_is_read_or_said_to_be_missing() -> None:
    known = {each.name for each in CAPTURE_FORMATS} | NOT_YET.keys()
    missing = {row["format_id"] for row in table()} - {row["format_id"] for row in samples()}
    assert missing <= NOT_YET.keys() | {name for name in missing if NAMES.get(name, name) not in known}


@pytest.mark.parametrize("row", [row for row in samples() if row["format_id"] in WHOLE], ids=lambda row: row["file"])
def test_explicit_and_implied_directions(row: dict[str, str], tmp_path: Path) -> None:
    found = messages(read(tmp_path, (FOLDER / row["file"]).read_bytes()))
    assert not [each for each in found if each.direction is Direction.UNKNOWN]
    sides = Counter(each.direction for each in found if each.body.get("method") == "resources/read")
    assert sides == {Direction.TO_SERVER: int(row["reads"])}


@pytest.mark.parametrize(
    "row", [row for row in samples() if row["format_id"] in (*WHOLE, *WHOLE_INFERRED)], ids=lambda row: row["file"]
)
def test_verdicts_of_the_common_session(row: dict[str, str]) -> None:
    templates = (TEMPLATE,) if row["format_id"] in WITHOUT_TEMPLATES else ()
    assert [outcome(each) for each in diagnosed(row["file"], templates).judgements] == COMPLETE


@pytest.mark.parametrize("row", [row for row in samples() if row["format_id"] in LOSSY], ids=lambda row: row["file"])
def test_what_a_log_does_not_keep_cannot_be_told(row: dict[str, str]) -> None:
    found = diagnosed(row["file"], (TEMPLATE,)).judgements
    assert {reasons(each)[1:] for each in found} == LOSSY[row["format_id"]]
    assert all(not rules or set(rules) == {"segments/extra-separator"} for _, rules in map(outcome, found))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("otlp_fastmcp.jsonl", [("strict", "no-answer", "no-answer")] * 4),
        ("otlp_python_sdk_v2_no_uri.jsonl", [("no-uri", "no-variables", "no-answer")] * 4),
    ],
)
def test_spans_without_results_or_without_uris(name: str, expected: list[tuple[str, ...]]) -> None:
    found = [reasons(each) for each in diagnosed(name, (TEMPLATE,)).judgements]
    if name == "otlp_fastmcp.jsonl":
        expected[1] = ("extra-separator", "no-answer", "no-answer")
    assert found == expected


@pytest.mark.parametrize("row", [row for row in table() if row["format_id"] in NOT_YET], ids=lambda row: row["file"])
def test_what_cannot_be_read_is_said(row: dict[str, str]) -> None:
    with pytest.raises(NotACapture) as refused:
        detect((FOLDER / row["file"]).read_bytes()[: 64 * 1024])
    assert refused.value.known is not None and refused.value.known.ask in str(refused.value)

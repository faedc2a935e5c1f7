"""What is shown is limited, what is known is not; times are compared on one line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from diagnosis import Diagnosis, diagnose
from diagnosis.options import Options
from diagnosis.reports import REPORTS, Report
from diagnosis.reports.json import report

BODY = {"method": "resources/read"}


def ask(time: str | None, session: str, request_id: int, uri: str) -> str:
    body = {"jsonrpc": "2.0", "id": request_id, **BODY, "params": {"uri": uri}}
    record: dict[str, Any] = {"ts": time, "dir": "client->server", "session": session, "message": body}
    return json.dumps({key: value for key, value in record.items() if value is not None}) + "\n"


LOG = (
    ask("2026-11-02T10:00:00Z", "s1", 1, "docs://a b")  # a raw space: escaped, a finding
    + ask("2026-11-02T10:00:01Z", "s2", 1, "docs://one")
    + ask("2026-11-02T13:00:02+02:00", "s1", 2, "docs://two")  # 11:00:02 in UTC
    + ask(None, "s2", 2, "docs://three")
)


def diagnosed(folder: Path, **options: Any) -> Diagnosis:
    path = folder / "trace.jsonl"
    path.write_text(LOG)
    return diagnose([str(path)], options=Options(**options))


def shown(diagnosis: Diagnosis) -> list[str | None]:
    return [each.read.uri for each in diagnosis.shown()]


def at(hour: int, second: int = 0) -> datetime:
    return datetime(2026, 11, 2, hour, 0, second, tzinfo=UTC)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["docs://a b", "docs://one", "docs://two", "docs://three"]),
        ({"since": at(10, 1)}, ["docs://one", "docs://two", "docs://three"]),
        ({"until": at(10, 1)}, ["docs://a b", "docs://three"]),
        ({"since": at(11), "until": at(12)}, ["docs://two", "docs://three"]),
        ({"sessions": ("s1",)}, ["docs://a b", "docs://two"]),
        ({"sessions": ("s1",), "since": at(11)}, ["docs://two"]),
        ({"sessions": ("trace",)}, ["docs://a b", "docs://one", "docs://two", "docs://three"]),
        ({"sessions": ("s3",)}, []),
    ],
)
def test_what_is_shown(tmp_path: Path, options: dict[str, Any], expected: list[str]) -> None:
    diagnosis = diagnosed(tmp_path, **options)
    assert shown(diagnosis) == expected
    assert len(diagnosis.judgements) == 4


def test_the_report_says_what_it_leaves_out(tmp_path: Path) -> None:
    found = report(diagnosed(tmp_path, since=at(10, 1)))
    assert (found.summary.reads, found.summary.findings.under_encoding) == (3, 0)
    assert (found.summary.not_shown.reads, found.summary.not_shown.with_findings) == (1, 1)
    assert found.inputs.options == {"since": "2026-11-02T10:00:01Z"}


def test_a_read_shown_for_want_of_a_time_is_told_from_others(tmp_path: Path) -> None:
    diagnosis = diagnosed(tmp_path, since=at(11))
    assert [each.read.uri for each in diagnosis.judgements if diagnosis.selection.is_timeless(each)] == ["docs://three"]


def test_what_is_not_shown_still_counts_for_the_rest(tmp_path: Path) -> None:
    """The templates that a session listed before the span asked for explain the reads inside it."""
    path = tmp_path / "trace.jsonl"
    listed = {"resourceTemplates": [{"uriTemplate": "docs://{name}", "name": "n"}]}
    path.write_text(
        json.dumps({"ts": "2026-11-02T09:00:00Z", "dir": "client->server", "session": "s9",
                    "message": {"jsonrpc": "2.0", "id": 1, "method": "resources/templates/list"}}) + "\n"
        + json.dumps({"ts": "2026-11-02T09:00:00Z", "dir": "server->client", "session": "s9",
                      "message": {"jsonrpc": "2.0", "id": 1, "result": listed}}) + "\n"
        + LOG
    )  # fmt: skip
    diagnosis = diagnose([str(path)], options=Options(since=at(10, 1), sessions=("s2",)))
    assert [each.segments.reason for each in diagnosis.shown()] == ["strict", "strict"]


@pytest.mark.parametrize("report_format", [each for each in REPORTS if each.name != "json"], ids=lambda each: each.name)
def test_every_export_says_that_something_is_not_shown(tmp_path: Path, report_format: Report) -> None:
    """Nobody may take what was left out for absent."""
    text = " ".join(report_format.render(diagnosed(tmp_path, since=at(10, 1))).split())
    assert "1 read outside of what was asked for is not shown; 1 of them with a finding" in text or (
        "NOT SHOWN: 1 further read, 1 with a finding" in text
    )
    assert "not shown" not in report_format.render(diagnosed(tmp_path)).lower()

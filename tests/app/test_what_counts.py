"""`report --baseline` and `--fail-on`: which findings give status 1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app import cli
from tests.diagnosis.after_fix.build import DOCS, written
from tests.diagnosis.questions.build import Log

RAW = "docs://team/a/policy/on-call/escalation"


@pytest.fixture
def trace(tmp_path: Path) -> str:
    """A capture with one under-encoded read."""
    return written(one_fault(), tmp_path / "trace.jsonl")


def one_fault() -> Log:
    log = Log(DOCS)
    log.read(RAW)
    return log


def run(*args: Any) -> int:
    return cli.run(["report", *map(str, args)])


def test_known_findings_do_not_count_and_one_more_does(
    trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = tmp_path / "base.json"
    assert run(trace, "--format", "json", "-o", base, "--quiet") == 1
    assert run(trace, "--baseline", base) == 0
    assert "In the baseline, and not counted: 1 finding of 1." in capsys.readouterr().err
    # The same log, grown: the old finding keeps its fingerprint, a second read of the same URI is new.
    log = one_fault()
    log.read("docs://team/b/policy/x/y")
    grown = written(log, tmp_path / "renamed.jsonl")
    assert run(grown, "--baseline", base, "--quiet") == 1


def test_a_baseline_hides_nothing_that_was_not_read(trace: str, tmp_path: Path) -> None:
    base = tmp_path / "base.json"
    run(trace, "--format", "json", "-o", base, "--quiet")
    with open(trace, "a", encoding="utf-8") as file:
        file.write('{"dir": "client->server", "mess\n')
    assert run(trace, "--baseline", base, "--quiet") == 3
    assert run(trace, "--baseline", base, "--quiet", "--strict") == 1


@pytest.mark.parametrize(
    ("classes", "status"),
    [
        ("under-encoding", 1),
        ("missing-authorization, under-encoding", 1),
        ("double-decode,missing-authorization", 0),
    ],
)
def test_only_the_named_classes_count(
    trace: str, classes: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(trace, "--fail-on", classes) == status
    said = "Of a class that --fail-on does not name, and not counted: 1 finding." in capsys.readouterr().err
    assert said is (status == 0)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (("--fail-on", "double"), "There is no class double; there are: under-encoding, double-decode, missing-auth"),
        (("--fail-on", "under-encoding,"), "There is no class ;"),
        (("--fail-on", ""), "--fail-on is given without a value."),
        (("--baseline", "missing.json"), "The baseline missing.json cannot be read: no such file or directory."),
    ],
)
def test_usage(trace: str, option: tuple[str, str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(trace, *option) == 2
    assert sentence in capsys.readouterr().err


def test_a_report_never_replaces_its_baseline(trace: str, tmp_path: Path) -> None:
    base = tmp_path / "base.json"
    run(trace, "--format", "json", "-o", base, "--quiet")
    assert run(trace, "--baseline", base, "-o", base, "--force") == 2


def test_classes_named_twice_add_up(trace: str) -> None:
    assert run(trace, "--fail-on", "under-encoding", "--fail-on", "double-decode", "--quiet") == 1
    assert run(trace, "--fail-on", "double-decode", "--fail-on", "under-encoding", "--quiet") == 1
    assert run(trace, "--fail-on", "double-decode", "--fail-on", "missing-authorization", "--quiet") == 0

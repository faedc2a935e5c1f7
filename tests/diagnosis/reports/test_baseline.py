"""A baseline holds what was known; what it lacks is new, in every form of the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.options import Options
from diagnosis.reports import json as json_report
from diagnosis.reports import markdown, text
from diagnosis.reports.baseline import BaselineError, load_baseline, marked_new
from diagnosis.reports.tally import tally
from tests.diagnosis.reports import build

# `build.foreign(n)` has the fingerprint of its line, 2 * n + 1, in 64 hexadecimal digits.
FIRST, SECOND = f"{1:064x}", f"{3:064x}"


def report(*judgements: Any) -> dict[str, Any]:
    """A JSON report as a value."""
    value: dict[str, Any] = json.loads(json_report.render(build.diagnosis(*judgements)))
    return value


def saved(path: Path, value: object) -> str:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def test_the_fingerprints_of_a_report(tmp_path: Path) -> None:
    name = saved(tmp_path / "base.json", report(build.foreign(0), build.judgement(1)))
    assert load_baseline(name) == {FIRST}


def test_a_report_from_before_findings_were_marked_is_a_baseline(tmp_path: Path) -> None:
    old = report(build.foreign(0))
    del old["reads"][0]["findings"][0]["new"]
    assert load_baseline(saved(tmp_path / "base.json", old)) == {FIRST}


def test_any_text_of_a_log_comes_back(tmp_path: Path) -> None:
    name = saved(tmp_path / "base.json", report(build.foreign(0, uri="report://\ud800\x1b/x")))
    assert load_baseline(name) == {FIRST}


def test_marks() -> None:
    one, two, clean = marked_new([build.foreign(0), build.foreign(1), build.judgement(2)], frozenset({FIRST}))
    assert [[each.new for each in found.findings] for found in (one, two, clean)] == [[False], [True], []]
    counted = tally([one, two, clean])
    assert (counted.all_findings, counted.counting.total()) == (2, 1)


def test_every_form_says_what_is_new() -> None:
    marked = tuple(marked_new([build.foreign(0), build.foreign(1)], frozenset({FIRST})))
    held = build.diagnosis(*marked, options=Options(baseline="base.json"))
    loaded = json.loads(json_report.render(held))
    assert [each["findings"][0]["new"] for each in loaded["reads"]] == [False, True]
    assert loaded["inputs"]["options"] == {"baseline": "base.json"}
    shown = markdown.render(held)
    assert "- New since the baseline: 1 of 2 such findings" in shown
    assert f"Fingerprint: `{SECOND}`" in shown, "the new one stands for its group"
    assert "- Option: `--baseline base.json`" in shown
    assert "  new since the baseline: 1 finding of 2" in text.render(held).splitlines()


def test_without_a_baseline_nothing_is_said_of_it() -> None:
    held = build.diagnosis(build.foreign(0))
    assert json.loads(json_report.render(held))["reads"][0]["findings"][0]["new"] is None
    assert "aseline" not in markdown.render(held) + text.render(held)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is no misread report: its schema is not misread-report/1."),
        ({"schema": "misread-compare/1"}, "is no misread report"),
        ({"schema": "misread-report/1"}, "cannot be used: tool: Field required."),
        ({**report(), "reads": [7]}, "cannot be used: reads.0: "),
        ({**report(), "extra": 1}, "cannot be used: extra: "),
    ],
)
def test_what_is_no_baseline(tmp_path: Path, value: object, sentence: str) -> None:
    with pytest.raises(BaselineError) as raised:
        load_baseline(saved(tmp_path / "base.json", value))
    assert sentence in str(raised.value)


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_files_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(BaselineError):
        load_baseline(f"{tmp_path}/{name}")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "base.json").write_bytes(b'{"schema": "\xff"}')
    with pytest.raises(BaselineError):
        load_baseline(str(tmp_path / "base.json"))

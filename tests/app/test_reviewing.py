"""The filter and the case on the command line of a report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app import cli
from diagnosis.case import Case

SAMPLE = str(Path(cli.__file__).parents[1] / "sample_traces" / "all-three.jsonl")


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def report(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    status = cli.run(["report", SAMPLE, "--format", "json", *words])
    out, err = capfd.readouterr()
    return status, json.loads(out) if out else {}, err


def ids(found: dict[str, Any]) -> list[Any]:
    return [each["request_id"] for each in found["reads"]]


def test_a_filter_limits_what_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    status, found, err = report(capfd, "--where", "status:ok not any:fault")
    assert (status, ids(found)) == (0, [4])
    assert found["inputs"]["options"] == {"where": "status:ok not any:fault"}
    assert found["summary"]["not_shown"] == {"reads": 2, "with_findings": 1}
    assert "2 reads outside of what was asked for are not shown; 1 of them with a finding." in err


@pytest.mark.parametrize(
    "words", [("--where", "id:99"), ("--since", "2090-01-01", "--where", "status:ok"), ("--where", "id:9", "--strict")]
)
def test_a_filter_that_shows_nothing_decides_nothing(words: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    status, found, _ = report(capfd, *words, "--quiet")
    assert (status, found) == (2, {})


def test_a_filter_that_shows_nothing_of_a_log_without_findings_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    one = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "docs://a/b"}}
    log.write_text(json.dumps(one) + "\n")
    words = ["report", str(log), "--where", "id:99", "--quiet", "--format", "chat"]
    assert cli.run(words) == 0
    assert "1 read outside of what was asked for is not shown" in capfd.readouterr().err
    assert cli.run([*words, "--strict"]) == 2  # its answers cannot be told, and would count
    error = "No read is within what was asked for, and 1 read outside of it would count: nothing is decided."
    assert error in capfd.readouterr().err


def test_a_stated_caller_that_is_nobody_is_said_even_when_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    _, _, err = report(capfd, "--allow", "s-4c9=acme", "--quiet")
    assert err == "No read's caller, session or capture is s-4c9, which --allow names.\n"


def test_a_filter_that_cannot_be_used_is_refused_with_its_place(capfd: pytest.CaptureFixture[str]) -> None:
    status, _, err = report(capfd, "--where", "any:fault q9:fault")
    assert status == 2
    line, caret = err.splitlines()[-2:]
    assert line.index("q9") == caret.index("^")


def test_decisions_of_a_case_can_be_asked_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, found, _ = report(capfd, "--sample")
    (finding, *_) = next(each for each in found["reads"] if each["findings"])["findings"]
    path = str(tmp_path / "case.json")
    Case.open([path], "ana").confirm(finding["fingerprint"])
    assert ids(report(capfd, "--case", path, "--where", "review:confirmed")[1]) == [5]
    assert report(capfd, "--where", "review:confirmed")[0] == 2


def test_what_a_case_states_judges_all_reads(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "case.json")
    Case.open([path], "ana").state_caller("*", ["northwind"])
    before, after = report(capfd)[1], report(capfd, "--case", path)[1]
    verdicts = [[each["questions"]["principal"]["verdict"] for each in found["reads"]] for found in (before, after)]
    assert verdicts == [["cannot_tell"] * 3, ["not_checked", "allowed", "cannot_tell"]]
    assert "caller *=northwind, by ana at" in after["inputs"]["stated"][0]


def test_a_case_that_cannot_be_used_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "case.json"
    path.write_text("[]")
    status, _, err = report(capfd, "--case", str(path))
    assert status == 2
    assert "cannot be used" in err


def test_the_scope_is_all_or_what_was_confirmed_or_one_finding(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = report(capfd, "--sample")[1]
    (finding, *_) = next(each for each in found["reads"] if each["findings"])["findings"]
    path = str(tmp_path / "case.json")
    status, _, err = report(capfd, "--scope", "confirmed", "--quiet")
    assert (status, "No finding is confirmed: there is no case file" in err) == (2, True)
    Case.open([path], "ana").note(finding["fingerprint"], "not sure yet")
    status, shown, err = report(capfd, "--case", path, "--scope", "confirmed", "--quiet")
    assert (status, ids(shown)) == (0, [])
    assert err == "3 reads outside of what was asked for are not shown; 1 of them with a finding.\n"
    assert report(capfd, "--case", path, "--scope", "confirmed", "--where", "id:99")[0] == 2
    Case.open([path], "ana").confirm(finding["fingerprint"])
    Case.open([path], "bob").dismiss(finding["fingerprint"], "a test")
    assert ids(report(capfd, "--case", path, "--scope", "confirmed")[1]) == [5]
    assert ids(report(capfd, "--scope", finding["fingerprint"][:12])[1]) == [5]
    status, _, err = report(capfd, "--scope", "0" * 12)
    assert (status, "No finding's fingerprint begins with 000000000000." in err) == (2, True)
    assert ids(report(capfd, "--scope", "all")[1]) == [4, 5, 6]
    assert report(capfd, "--scope", "mine")[0] == 2


def test_what_one_reviewer_confirms_is_in_the_scope_whatever_another_says(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = report(capfd, "--sample")[1]
    (finding, *_) = next(each for each in found["reads"] if each["findings"])["findings"]
    ana, bob = str(tmp_path / "ana.json"), str(tmp_path / "bob.json")
    Case.open([bob], "bob").confirm(finding["fingerprint"])
    Case.open([ana], "ana").dismiss(finding["fingerprint"], "a test tenant")
    for files in ((ana, bob), (bob, ana)):
        words = [word for file in files for word in ("--case", file)]
        assert ids(report(capfd, *words, "--scope", "confirmed")[1]) == [5]
    assert ids(report(capfd, "--case", ana, "--scope", "confirmed")[1]) == []


def test_a_case_that_is_not_there_is_refused_before_anything_is_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    own, missing = str(tmp_path / "own.json"), str(tmp_path / "slip.json")
    Case.open([own], "ana").state_caller("*", ["northwind"])
    status, found, err = report(capfd, "--case", missing, "--quiet")
    assert (status, found, f"There is no case file {missing}." in err) == (2, {}, True)
    assert report(capfd, "--case", own, "--case", missing)[0] == 2


def test_a_session_that_nobody_has_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    status, found, err = report(capfd, "--session", "s-71", "--session", "s-17", "--quiet")
    assert (status, found) == (2, {})
    assert "No read is of a session or a capture with the name s-17." in err
    assert ids(report(capfd, "--session", "s-71")[1]) == [4, 5, 6]
    assert ids(report(capfd, "--session", "all-three")[1]) == [4, 5, 6]


def test_a_report_prints_what_reviewers_decided_and_where_that_stands(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = report(capfd, "--sample")[1]
    (finding, *_) = next(each for each in found["reads"] if each["findings"])["findings"]
    path = str(tmp_path / "case.json")
    Case.open([path], "ana").dismiss(finding["fingerprint"], "the client is a test")
    cli.run(["report", SAMPLE, "--case", path])
    out = capfd.readouterr().out
    assert "the client is a test" in out
    assert f"| case file | `{path}`" in out
    cli.run(["report", SAMPLE, "--case", path, "--format", "sarif"])
    results = json.loads(capfd.readouterr().out)["runs"][0]["results"]
    assert [each["suppressions"][0]["justification"] for each in results if each.get("suppressions")] == [
        "the client is a test"
    ]


def test_reviewers_who_disagree_are_all_shown_and_a_reopening_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = report(capfd, "--sample")[1]
    (finding, *_) = next(each for each in found["reads"] if each["findings"])["findings"]
    path = str(tmp_path / "case.json")
    Case.open([path], "ana").dismiss(finding["fingerprint"], "a test tenant")
    Case.open([path], "bob").confirm(finding["fingerprint"])
    cli.run(["report", SAMPLE, "--case", path])
    out = capfd.readouterr().out
    assert "- Review: reviewers disagree\n- Review: `dismissed` by `ana`, because: `a test tenant`\n" in out
    assert "- Review: `confirmed` by `bob`\n" in out
    cli.run(["report", SAMPLE, "--case", path, "--format", "sarif"])
    results = json.loads(capfd.readouterr().out)["runs"][0]["results"]
    assert [each["suppressions"] for each in results if each.get("suppressions")] == [
        [
            {
                "kind": "external",
                "status": "underReview",
                "justification": "reviewers disagree: dismissed by ana, because: a test tenant; confirmed by bob",
            }
        ]
    ]
    Case.open([path], "eve").reopen(finding["fingerprint"], "new facts")
    cli.run(["report", SAMPLE, "--case", path, "--format", "text"])
    assert "    review: reopened by eve, because: new facts\n" in capfd.readouterr().out


def test_statements_that_contradict_each_other_are_called_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "case.json")
    Case.open([path], "ana").state_caller("s-71", ["acme", "northwind"])
    Case.open([path], "bob").state_caller("s-71", ["acme"])
    _, found, err = report(capfd, "--case", path)
    assert found["inputs"]["contradictions"] == ["caller s-71=acme,northwind by ana; acme by bob"]
    assert "Reviewers disagree: caller s-71=acme,northwind by ana; acme by bob." in err
    cli.run(["report", SAMPLE, "--case", path])
    assert "- Reviewers disagree: `caller session-1=acme,northwind by ana; acme by bob`" in capfd.readouterr().out


def test_json_that_is_not_redacted_says_so_at_its_beginning(capfd: pytest.CaptureFixture[str]) -> None:
    _, found, err = report(capfd, "--no-redact", "--quiet")
    assert list(found)[:2] == ["schema", "notice"] and found["notice"].startswith("NOT REDACTED")
    assert err.startswith("NOT REDACTED")
    assert report(capfd, "--quiet")[1]["notice"] is None


def test_what_is_not_redacted_is_said_loudly(capfd: pytest.CaptureFixture[str]) -> None:
    cli.run(["report", SAMPLE, "--no-redact"])
    out, err = capfd.readouterr()
    assert "NOT REDACTED" in out
    assert "NOT REDACTED" in err
    assert "s-71" in out
    cli.run(["report", SAMPLE, "--no-redact", "--format", "json", "--quiet"])
    assert all("NOT REDACTED" in text for text in capfd.readouterr())
    cli.run(["report", SAMPLE, "--format", "chat", "--quiet"])
    out, err = capfd.readouterr()
    assert (err, "NOT REDACTED" in out) == ("", False)


def test_aliases_stand_for_tenants_and_callers(capfd: pytest.CaptureFixture[str]) -> None:
    policy = SAMPLE.replace(".jsonl", ".policy.json")
    cli.run(["report", SAMPLE, "--policy", policy, "--aliases"])
    out = capfd.readouterr().out
    assert ("northwind" in out, "acme-billing" in out) == (False, False)
    assert ("tenant-1" in out, "caller-1" in out) == (True, True)


def test_a_shell_completes_commands_and_formats() -> None:
    def completed(words: str, at: int) -> list[str]:
        environment = {**os.environ, "_MISREAD_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
        found = subprocess.run(
            [sys.executable, "-m", "app"], env=environment, capture_output=True, text=True, check=False, timeout=60
        )
        return [line.partition(",")[2] for line in found.stdout.splitlines()]

    assert completed("misread re", 1) == ["report"]
    assert completed("misread report --format sa", 3) == ["sarif"]

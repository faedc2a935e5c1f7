"""`misread compare`: every exit status, and where the text goes."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from app import cli
from tests.diagnosis.after_fix.build import DOCS, written
from tests.diagnosis.questions.build import Log

RAW = "docs://team/a/policy/on-call/escalation"
ENCODED = "docs://team/a/policy/on-call%2Fescalation"


@pytest.fixture
def capture(tmp_path: Path) -> Any:
    """Writes a capture with reads of some URIs and gives its name."""

    def made(name: str, *uris: str) -> str:
        log = Log(DOCS)
        for uri in uris:
            log.read(uri)
        return written(log, tmp_path / name)

    return made


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        ([RAW], [ENCODED], 0),
        ([ENCODED], [ENCODED], 0),
        ([RAW], [RAW], 1),
        ([ENCODED], [RAW], 1),
        ([RAW], ["docs://team/a/policy/other"], 3),
        ([RAW], [], 3),
        ([], [ENCODED], 3),
        # What is still there weighs more than what was not tried again.
        ([RAW, RAW + "/more"], [RAW], 1),
    ],
)
def test_exit_statuses(capture: Any, before: list[str], after: list[str], status: int) -> None:
    assert cli.run(["compare", capture("b.jsonl", *before), capture("a.jsonl", *after), "--quiet"]) == status


def test_how_captures_belong_together_is_asked_and_said(
    capture: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a pair of views each fault counts once; without the option BEFORE would have two reads of it."""
    for side, uri in (("before", RAW), ("after", ENCODED)):
        (tmp_path / side).mkdir()
        for view in ("client", "server"):
            capture(f"{side}/{view}.jsonl", uri)
    folders, words = [str(tmp_path / "before"), str(tmp_path / "after")], ["--same-traffic", "--zone", "Europe/Berlin"]
    for given, reads in ((words, 1), ([], 2)):
        assert cli.run(["compare", *folders, *given, "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["inputs"]["options"] == ({"same-traffic": True, "zone": "Europe/Berlin"} if given else {})
        assert (found["before"]["reads"], found["summary"]["gone"]) == (reads, 1)
    cli.run(["compare", *folders, *words])
    out = capsys.readouterr().out
    assert "- Option: `--same-traffic`\n- Option: `--zone Europe/Berlin`\n" in out


def test_what_could_not_be_read_is_status_3(capture: Any) -> None:
    before, after = capture("b.jsonl", RAW), capture("a.jsonl", ENCODED)
    with open(after, "a", encoding="utf-8") as file:
        file.write('{"dir": "client->server", "mess\n')
    assert cli.run(["compare", before, after]) == 3


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["compare"], "Missing argument 'BEFORE'"),
        (["compare", "."], "Missing argument 'AFTER'"),
        (["compare", "-", "-"], "Only one of BEFORE and AFTER can be standard input."),
        (["compare", ".", "missing.jsonl"], "missing.jsonl cannot be opened"),
        (["compare", ".", ".", "--format", "sarif"], "sarif"),
        (["compare", ".", ".", "--policy", "missing.json"], "missing.json"),
        (["compare", ".", ".", "-o", "."], "Error: "),
    ],
)
def test_usage(args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(args) == 2
    assert sentence in capsys.readouterr().err


def test_folders_and_an_output_file(capture: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each side is two captures in a folder; the faulty read of each is found."""
    for folder, uri in (("b", RAW), ("a", ENCODED)):
        (tmp_path / folder).mkdir()
        capture(f"{folder}/1.jsonl", uri)
        capture(f"{folder}/2.jsonl", "docs://team/a/policy/other")
    out = tmp_path / "out.json"
    args = ["compare", str(tmp_path / "b"), str(tmp_path / "a"), "--format", "json", "-o", str(out)]
    assert cli.run(args) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    loaded = json.loads(out.read_text())
    assert [len(loaded[side]["captures"]) for side in ("before", "after")] == [2, 2]
    assert [each["status"] for each in loaded["subjects"]] == ["gone"]
    assert "The encoding is fixed." in capsys.readouterr().err
    assert cli.run(args) == 2
    assert cli.run([*args, "--force", "--quiet"]) == 0
    assert capsys.readouterr().err.endswith("--force replaces it.\n")


def test_an_output_never_replaces_an_input(capture: Any) -> None:
    before, after = capture("b.jsonl", RAW), capture("a.jsonl", ENCODED)
    assert cli.run(["compare", before, after, "-o", after, "--force"]) == 2


def test_what_a_person_says_counts_for_both_sides(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without templates nothing is known; a given one shows the fault, and that it is repaired."""
    before, after = Log(), Log()
    before.read(RAW)
    after.read(ENCODED)
    names = [written(before, tmp_path / "b.jsonl"), written(after, tmp_path / "a.jsonl")]
    assert cli.run(["compare", *names, "--format", "text", "--template", DOCS, "--allow", "acme"]) == 0
    assert capfd.readouterr().out.startswith("The encoding is fixed.\n")


def test_two_faults_and_one_repair(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The sample with all faults, and the same session with only the encoding repaired."""
    sample = Path(cli.__file__).parents[1] / "sample_traces" / "all-three.jsonl"
    repaired = tmp_path / "repaired.jsonl"
    repaired.write_text(sample.read_text().replace("section/costs/R%2526D", "section/costs%2FR%2526D"))
    policy = str(sample.with_name("all-three.policy.json"))
    assert cli.run(["compare", str(sample), str(repaired), "--policy", policy, "--format", "text"]) == 1
    assert capfd.readouterr().out.startswith(
        "The encoding is fixed; the double decode is still there; the unauthorized read is still reachable.\n"
    )


def test_a_stated_caller_of_one_side_is_nobodys_slip(capture: Any, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = capture("b.jsonl", RAW), capture("a.jsonl", ENCODED)
    assert cli.run(["compare", before, after, "--allow", "b=acme", "--allow", "a=acme", "--allow", "c=acme"]) == 3
    err = capsys.readouterr().err
    assert [name for name in "abc" if f"caller, session or capture is {name}," in err] == ["c"]

"""The default place of a case, and its author."""

from __future__ import annotations

import getpass
import hashlib
import stat
from pathlib import Path

import pytest

from app.cases import author, case_path, open_case
from diagnosis import CaptureFacts, diagnose
from tests.diagnosis.reports import build

ONE, OTHER = "1" * 64, "2" * 64


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's state folder of this test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("MISREAD_AUTHOR", "ana")
    return tmp_path / "state"


def test_the_place_is_named_by_the_captures_alone(state: Path) -> None:
    name = hashlib.sha256(f"{ONE}\n{OTHER}".encode()).hexdigest()
    assert case_path([OTHER, ONE, OTHER]) == str(state / "misread" / "cases" / f"{name}.json")
    assert case_path([ONE]) == str(state / "misread" / "cases" / f"{hashlib.sha256(ONE.encode()).hexdigest()}.json")
    assert not state.exists()


@pytest.mark.parametrize("hashes", [[], [""], [ONE, ""]])
def test_captures_that_were_not_read_to_the_end_have_no_place(state: Path, hashes: list[str]) -> None:
    assert case_path(hashes) is None


def test_without_a_home_there_is_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    assert case_path([ONE]) is None


def test_the_case_of_a_capture_is_found_again_and_never_beside_it(state: Path, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    log = evidence / "trace.jsonl"
    log.write_bytes((Path(__file__).parents[2] / "sample_traces" / "decoded-twice.log").read_bytes())
    diagnosis = diagnose([str(log)])
    fingerprint = next(each.fingerprint for judgement in diagnosis.judgements for each in judgement.findings)
    case = open_case((), diagnosis.captures)
    assert not state.exists()
    case.confirm(fingerprint, "seen in the store")
    assert case.trouble == ""
    (saved,) = (state / "misread" / "cases").iterdir()
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert stat.S_IMODE(saved.parent.stat().st_mode) == 0o700
    assert [path.name for path in evidence.iterdir()] == ["trace.jsonl"]
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(log.read_bytes())
    again = open_case((), diagnose([str(copy)]).captures)
    assert again.state_of(fingerprint).reason == "seen in the store"
    assert again.entries == case.entries


def test_given_files_win(state: Path, tmp_path: Path) -> None:
    given = tmp_path / "given.json"
    open_case([str(given)], [build.facts()]).confirm(ONE)
    assert given.exists() and not state.exists()


def test_a_stopped_load_keeps_its_case_in_memory(state: Path) -> None:
    facts: list[CaptureFacts] = [build.facts(sha256="")]
    case = open_case((), facts)
    case.confirm(ONE)
    assert case.trouble.startswith("The case was not saved: no case file is named; 1 entry is kept only while")
    assert not state.exists()


@pytest.mark.parametrize(
    ("said", "system", "name"),
    [
        ("bo", "ana", "bo"),
        (" ", "ana", "ana"),
        ("b\x1b[31m", "ana", r"b\u{1b}[31m"),
        ("", "a\u202e", r"a\u{202e}"),
        ("", "", "unknown"),
        ("x" * 300, "ana", "x" * 100),
    ],
)
def test_the_author(monkeypatch: pytest.MonkeyPatch, said: str, system: str, name: str) -> None:
    monkeypatch.setenv("MISREAD_AUTHOR", said)
    monkeypatch.setattr(getpass, "getuser", lambda: system)
    assert author() == name


@pytest.mark.parametrize("error", [KeyError("uid not found"), OSError("no name"), ImportError("pwd")])
def test_a_user_without_a_name(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def nobody() -> str:
        raise error

    monkeypatch.delenv("MISREAD_AUTHOR", raising=False)
    monkeypatch.setattr(getpass, "getuser", nobody)
    assert author() == "unknown"
    case = open_case((), [])
    assert case.confirm(ONE).author == "unknown"

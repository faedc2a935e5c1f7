"""An open case: several files, what a person may add, undo, the order of time."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnosis.case import Case, CaseError, Decision, Note, State, StatedCaller, StatedTemplate, Withdrawal
from diagnosis.case.text import Contents, parse, render
from diagnosis.statements import Statements
from tests.diagnosis.case.build import FIRST, SECOND, Clock, at, caller, decision, note, opened, withdrawal


def written(path: Path, *entries: object) -> Path:
    path.write_bytes(render(Contents(entries)))  # type: ignore[arg-type]
    return path


def test_every_kind_of_entry(tmp_path: Path) -> None:
    path, clock = tmp_path / "case.json", Clock()
    case = opened(path, clock=clock)
    done = []
    for act in (
        lambda: case.confirm(FIRST, " seen in the store "),
        lambda: case.dismiss(SECOND, "a test tenant"),
        lambda: case.reopen(SECOND),
        lambda: case.note(FIRST, "ask the team"),
        lambda: case.state_caller("s1", ["acme", "globex"]),
        lambda: case.state_template("docs://{name}"),
        lambda: case.withdraw(done[0].id),
    ):
        clock.second += 1
        done.append(act())
    assert done == [
        Decision(time=at(1), author="ana", fingerprint=FIRST, decided="confirmed", reason="seen in the store"),  # type: ignore[arg-type]
        Decision(time=at(2), author="ana", fingerprint=SECOND, decided="dismissed", reason="a test tenant"),  # type: ignore[arg-type]
        Decision(time=at(3), author="ana", fingerprint=SECOND, decided="reopened"),  # type: ignore[arg-type]
        Note(time=at(4), author="ana", fingerprint=FIRST, text="ask the team"),
        StatedCaller(time=at(5), author="ana", who="s1", tenants=("acme", "globex")),
        StatedTemplate(time=at(6), author="ana", template="docs://{name}"),
        Withdrawal(time=at(7), author="ana", entry=done[0].id),
    ]
    assert case.entries == tuple(done) == parse(path.read_bytes()).entries
    assert case.fingerprints == {FIRST, SECOND}
    assert case.statements(Statements()).templates == ("docs://{name}",)


def test_what_cannot_be_kept_is_said_and_changes_nothing(tmp_path: Path) -> None:
    case = opened(tmp_path / "case.json")
    for act, sentence in (
        (lambda: case.dismiss(FIRST, " "), "This cannot be kept: a dismissal needs a reason."),
        (lambda: case.note(FIRST, ""), "This cannot be kept: text: it is empty."),
        (lambda: case.note(FIRST, "x" * 10_001), "This cannot be kept: text: it is longer than 10,000 characters."),
        (
            lambda: case.confirm(""),
            "This cannot be kept: fingerprint: 64 hexadecimal digits in lower case are due here.",
        ),
        (lambda: case.state_caller("", ["acme"]), "This cannot be kept: who: it is empty."),
        (lambda: case.state_caller("ana", [""]), "This cannot be kept: tenants.0: it is empty."),
        (lambda: case.state_template("docs://{"), "This cannot be kept: template: it is no RFC 6570 template."),
        (lambda: case.withdraw(FIRST), "There is no such entry to take back."),
    ):
        with pytest.raises(CaseError) as caught:
            act()
        assert str(caught.value) == sentence
    assert case.entries == ()
    assert list(tmp_path.iterdir()) == []


def test_all_files_are_read_and_the_first_is_written(tmp_path: Path) -> None:
    theirs, shared = decision("dismissed", 2, "bo"), note("shared", 1)
    own = written(tmp_path / "own.json", decision("confirmed", 1), shared)
    other = written(tmp_path / "other.json", shared, theirs)
    before = other.read_bytes()
    case = opened(own, other, clock=Clock(9))
    assert case.state_of(FIRST).state is State.DISMISSED
    assert [each.about for each in case.contradictions] == [FIRST]
    assert len(case.state_of(FIRST).notes) == 1
    case.withdraw(theirs.id)
    assert case.state_of(FIRST).state is State.CONFIRMED and not case.contradictions
    assert other.read_bytes() == before
    # Only what was written here is in the first file: theirs is not copied.
    assert set(parse(own.read_bytes()).entries) == {decision("confirmed", 1), shared, withdrawal(theirs, 9)}
    assert opened(own, other).state_of(FIRST) == case.state_of(FIRST)


def test_the_same_file_twice_is_one_file(tmp_path: Path) -> None:
    own = written(tmp_path / "own.json", note("text"))
    assert opened(own, own).entries == (note("text"),)


def test_further_files_must_exist(tmp_path: Path) -> None:
    with pytest.raises(CaseError) as caught:
        opened(tmp_path / "own.json", tmp_path / "missing.json")
    assert str(caught.value) == f"The case file {tmp_path}/missing.json cannot be used: no such file or directory."


@pytest.mark.parametrize("first", [True, False])
def test_a_name_that_no_file_can_have(tmp_path: Path, first: bool) -> None:
    paths = ["a\0b"] if first else [str(tmp_path / "own.json"), "a\0b"]
    with pytest.raises(CaseError, match="the name holds a character that no file name can hold"):
        Case.open(paths, "ana")


def test_an_asterisk_is_no_tenant(tmp_path: Path) -> None:
    case = Case.open([str(tmp_path / "own.json")], "ana")
    with pytest.raises(CaseError, match=r"`\*` is no tenant's name; .* has \"admin\": true in a policy file\.$"):
        case.state_caller("*", ["acme", "*"])
    assert case.entries == ()


def test_a_case_without_a_file_says_so(tmp_path: Path) -> None:
    case = opened()
    assert case.trouble == ""
    case.confirm(FIRST)
    case.state_caller("*", ["acme"])
    assert case.trouble == (
        "The case was not saved: no case file is named; 2 entries are kept only while this program runs."
    )
    assert case.state_of(FIRST).state is State.CONFIRMED
    assert not case.save()


def test_the_file_stays_the_same_when_the_program_goes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    case = Case.open(["case.json"], "ana")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    case.confirm(FIRST)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["case.json", "elsewhere"]


def test_undo_goes_back_one_act_at_a_time(tmp_path: Path) -> None:
    case = opened(tmp_path / "case.json")
    first, second, elsewhere = case.confirm(FIRST), case.dismiss(FIRST, "no"), case.note(SECOND, "text")
    assert case.undo(FIRST) == second
    assert case.state_of(FIRST).state is State.CONFIRMED
    assert case.undo() == elsewhere
    assert case.undo() == first
    assert case.undo() is None
    assert case.fingerprints == frozenset()
    assert len(case.entries) == 6  # nothing was deleted


def test_undo_never_touches_what_others_did(tmp_path: Path) -> None:
    path = written(tmp_path / "case.json", decision("confirmed", author="bo"))
    case = opened(path)
    assert case.undo(FIRST) is None
    assert case.state_of(FIRST).author == "bo"


def test_a_clock_that_is_behind_does_not_undo_a_later_decision(tmp_path: Path) -> None:
    path = written(tmp_path / "case.json", decision("dismissed", 3600, "bo"))
    case = opened(path, clock=Clock(0))
    case.reopen(FIRST)
    assert (case.state_of(FIRST).state, case.state_of(FIRST).author) == (State.NEW, "ana")
    assert case.entries[-1].time == "2026-12-01T11:00:00.000001Z"
    # The same act again, in the same instant, is another entry.
    case.confirm(FIRST)
    case.undo()
    case.confirm(FIRST)
    assert case.state_of(FIRST).state is State.CONFIRMED


def test_the_end_of_all_time(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    path.write_bytes(
        render(Contents((Note(time="9999-12-31T23:59:59.999999Z", author="bo", fingerprint=FIRST, text="late"),)))
    )
    with pytest.raises(CaseError) as caught:
        opened(path).confirm(FIRST)
    assert str(caught.value) == "This cannot be kept: the newest entry stands at the end of all time."


def test_statements_follow_the_entries(tmp_path: Path) -> None:
    path = written(tmp_path / "case.json", caller("s1", "acme"))
    case = opened(path)
    assert case.statements(Statements()).stated == (f"caller s1=acme, by ana at {at(0)}",)
    case.undo()
    assert case.statements(Statements()) == Statements()


@pytest.mark.parametrize("reason", ["\u200b", " \u200b\u2060 ", "\u2800", "\ufeff"])
def test_a_reason_that_draws_nothing_is_none(reason: str) -> None:
    with pytest.raises(CaseError, match="a dismissal needs a reason"):
        Case("ana").dismiss("1" * 64, reason)

"""What reviewers' entries add up to, worked out by hand."""

from __future__ import annotations

import pytest

from diagnosis.case import Contradiction, Entry, Review, State
from diagnosis.case.entries import merged
from diagnosis.case.reviews import NOT_REVIEWED, contradictions_of, reviews_of
from tests.diagnosis.case.build import FIRST, SECOND, at, caller, decision, note, withdrawal

ANA_CONFIRMS = decision("confirmed", 1)
ANA_DISMISSES = decision("dismissed", 2, reason="a test tenant")
BO_CONFIRMS = decision("confirmed", 3, "bo")
BO_DISMISSES = decision("dismissed", 3, "bo", reason="out of scope")
BO_REOPENS = decision("reopened", 4, "bo", reason="new log")
ANA_AGAIN = decision("confirmed", 5)


@pytest.mark.parametrize(
    ("entries", "state", "author", "reason", "contradicted", "suppresses"),
    [
        ([ANA_CONFIRMS], State.CONFIRMED, "ana", "", False, False),
        ([ANA_DISMISSES], State.DISMISSED, "ana", "a test tenant", False, True),
        ([ANA_CONFIRMS, ANA_DISMISSES], State.DISMISSED, "ana", "a test tenant", False, True),
        ([ANA_CONFIRMS, BO_CONFIRMS], State.CONFIRMED, "bo", "", False, False),
        ([ANA_CONFIRMS, BO_DISMISSES], State.DISMISSED, "bo", "out of scope", True, False),
        ([ANA_DISMISSES, BO_CONFIRMS], State.CONFIRMED, "bo", "", True, False),
        ([ANA_DISMISSES, BO_DISMISSES], State.DISMISSED, "bo", "out of scope", False, True),
        ([ANA_CONFIRMS, BO_DISMISSES, BO_REOPENS], State.NEW, "bo", "new log", False, False),
        ([ANA_CONFIRMS, BO_DISMISSES, BO_REOPENS, ANA_AGAIN], State.CONFIRMED, "ana", "", False, False),
        ([ANA_DISMISSES, BO_CONFIRMS, ANA_AGAIN], State.CONFIRMED, "ana", "", False, False),
        ([ANA_DISMISSES, withdrawal(ANA_DISMISSES, 6)], State.NEW, "", "", False, False),
        ([ANA_CONFIRMS, ANA_DISMISSES, withdrawal(ANA_DISMISSES, 6)], State.CONFIRMED, "ana", "", False, False),
        ([ANA_CONFIRMS, BO_DISMISSES, withdrawal(BO_DISMISSES, 6)], State.CONFIRMED, "ana", "", False, False),
        ([ANA_DISMISSES, BO_REOPENS, withdrawal(BO_REOPENS, 6)], State.DISMISSED, "ana", "a test tenant", False, True),
    ],
)
def test_the_state_of_a_finding(
    entries: list[Entry], state: State, author: str, reason: str, contradicted: bool, suppresses: bool
) -> None:
    review = reviews_of(merged(entries)).get(FIRST, NOT_REVIEWED)
    assert (review.state, review.author, review.reason) == (state, author, reason)
    assert (review.contradicted, review.suppresses) == (contradicted, suppresses)


def test_what_is_said_of_one_finding_says_nothing_of_another() -> None:
    first, second = note("first", 1), note("second", 2, "bo", SECOND)
    found = reviews_of([first, second, decision("confirmed", 3)])
    assert found == {
        FIRST: Review(State.CONFIRMED, "", "ana", at(3), (first,), (decision("confirmed", 3),)),
        SECOND: Review(notes=(second,)),
    }


def test_a_note_that_was_taken_back_is_gone() -> None:
    first, second = note("first", 1), note("second", 2)
    assert reviews_of([first, second, withdrawal(first, 3)]) == {FIRST: Review(notes=(second,))}
    assert reviews_of([first, withdrawal(first, 3)]) == {}


def test_contradictions_about_findings_are_listed_in_words() -> None:
    (found,) = contradictions_of([ANA_CONFIRMS, BO_DISMISSES, decision("confirmed", 7, fingerprint=SECOND)])
    assert found == Contradiction(FIRST, (ANA_CONFIRMS, BO_DISMISSES))
    assert found.sentence == (
        f"Reviewers disagree about `{FIRST}`: `ana` at {at(1)} has confirmed it and `bo` at {at(3)} has dismissed it "
        "(`out of scope`)."
    )


def test_contradictions_about_callers_compare_all_that_each_person_says() -> None:
    agreed = [
        *(caller("s1", "acme", second=1), caller("s1", "globex", second=2)),
        caller("s1", "globex", "acme", second=3, author="bo"),
    ]
    assert contradictions_of(agreed) == ()
    more = caller("s1", "initech", second=4, author="bo")
    assert contradictions_of([*agreed, more]) == (Contradiction("s1", (*agreed, more)),)
    assert contradictions_of([*agreed, more, withdrawal(more, 5)]) == ()
    assert contradictions_of([caller("s1", "acme"), caller("s2", "globex", author="bo")]) == ()
    (found,) = contradictions_of([caller("\x1b[31m", "acme"), caller("\x1b[31m", "glo`bex", author="bo", second=1)])
    assert found.sentence == (
        rf"Reviewers disagree about `\u{{1b}}[31m`: `ana` at {at(0)} states `acme` and `bo` at {at(1)} states "
        r"`glo\u{60}bex`."
    )

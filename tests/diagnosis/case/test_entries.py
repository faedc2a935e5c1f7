"""Entries: their ids, their order, merging."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.case import Entry, Note, Review, State, Withdrawal, standing
from diagnosis.case.entries import merged
from diagnosis.case.reviews import reviews_of
from tests.diagnosis.case.build import (
    FIRST,
    SECOND,
    Clock,
    caller,
    decision,
    entry,
    note,
    opened,
    template,
    withdrawal,
)

AUTHORS = st.sampled_from(["ana", "bo"])
FINDINGS = st.sampled_from([FIRST, SECOND])
SECONDS = st.integers(0, 3)
# Any text that is not blank, lone surrogates and control characters included.
TEXTS = st.text(st.characters(exclude_categories=()), min_size=1, max_size=20).map(lambda text: f"x{text}")
ENTRIES = st.one_of(
    st.builds(
        decision,
        st.sampled_from(["confirmed", "dismissed", "reopened"]),
        second=SECONDS,
        author=AUTHORS,
        fingerprint=FINDINGS,
        reason=st.just("") | TEXTS,
    ),
    st.builds(note, TEXTS, second=SECONDS, author=AUTHORS, fingerprint=FINDINGS),
    st.builds(caller, TEXTS, TEXTS, second=SECONDS, author=AUTHORS),
)


@st.composite
def files(draw: st.DrawFn) -> list[Entry]:
    """The entries of a file; some of them take others back."""
    found = draw(st.lists(ENTRIES, max_size=6))
    taken = draw(st.lists(st.sampled_from(found), max_size=2)) if found else []
    return found + [withdrawal(each, draw(SECONDS), draw(AUTHORS)) for each in taken]


def test_the_id_is_the_hash_of_the_other_members_as_json() -> None:
    spelled = (
        '{"author":"ana","decided":"dismissed","fingerprint":"' + FIRST + '","kind":"decision",'
        '"reason":"\\u0442\\u0435\\u0441\\u0442","time":"2026-12-01T10:00:00.000000Z"}'
    )
    assert decision("dismissed", reason="тест").id == hashlib.sha256(spelled.encode()).hexdigest()


def test_members_that_are_not_known_are_part_of_the_entry() -> None:
    plain, more = note("text"), entry("note", fingerprint=FIRST, text="text", ticket={"b": [1], "a": None})
    assert plain.id != more.id
    assert json.loads(more.extra) == {"ticket": {"a": None, "b": [1]}}


def test_the_order_is_that_of_time_and_not_of_digits() -> None:
    times = ["2026-12-01T10:00:00.5Z", "2026-12-01T10:00:00Z", "2026-12-01T10:00:00.50001Z", "2026-12-01T09:59:59.9Z"]
    found = [Note(time=time, author="ana", fingerprint=FIRST, text="text") for time in times]
    assert [each.time for each in merged(found)] == [times[3], times[1], times[0], times[2]]


def test_what_was_taken_back_does_not_stand_and_neither_do_withdrawals() -> None:
    first, second = note("first"), note("second")
    taken = withdrawal(first, 1)
    assert standing([first, second, taken]) == (second,)
    # A withdrawal of a withdrawal takes nothing back: to decide again is a new decision.
    assert standing([first, second, taken, withdrawal(taken, 2)]) == (second,)
    # The entry may stand in a file that was not given.
    assert standing([second, taken]) == (second,)


@given(files(), files(), files())
def test_merging_is_commutative_associative_and_idempotent(
    first: list[Entry], second: list[Entry], third: list[Entry]
) -> None:
    assert merged(first, second) == merged(second, first) == merged(first, second, first)
    assert merged(merged(first, second), third) == merged(first, merged(second, third))
    assert {each.id for each in merged(first, second)} == {each.id for each in first + second}
    assert reviews_of(merged(first, second)) == reviews_of(merged(second, first))


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["confirm", "dismiss", "reopen", "note", "undo", "undo-all", "caller", "template"]),
        FINDINGS,
        AUTHORS,
        TEXTS,
        st.floats(-2, 2),
    ),
    max_size=12,
)


@settings(max_examples=50)  # each opens and syncs up to 12 files
@given(STEPS)
def test_what_was_done_is_what_is_read_again(steps: list[tuple[str, str, str, str, float]]) -> None:
    """Against a model that knows nothing of entries: the last act of each person, undo as a stack."""
    done: list[tuple[int, str, str, str, str]] = []
    with TemporaryDirectory() as folder:
        path, clock = Path(folder) / "case.json", Clock()
        for number, (act, finding, author, text, tick) in enumerate(steps):
            clock.second += tick  # a clock that is set back must not change which decision is the last
            case = opened(path, author=author, clock=clock)
            if act == "undo":
                mine = [each for each in done if each[3] == author and each[1] == finding]
                undone = case.undo(finding)
                assert (undone is None) == (not mine)
                if mine:
                    done.remove(mine[-1])
            elif act == "undo-all":
                mine = [each for each in done if each[3] == author]
                assert (case.undo() is None) == (not mine)
                if mine:
                    done.remove(mine[-1])
            elif act == "caller":
                case.state_caller(text, ["acme"])
                done.append((number, "", act, author, text))
            elif act == "template":
                case.state_template("docs://{name}")
                done.append((number, "", act, author, text))
            elif act == "note":
                case.note(finding, text)
                done.append((number, finding, act, author, text))
            else:
                getattr(case, act)(finding, text)
                done.append((number, finding, act, author, text.strip()))
            assert case.trouble == ""
            again = opened(path)
            assert again.entries == case.entries
            for each in (FIRST, SECOND):
                assert again.state_of(each) == case.state_of(each)
                check(again.state_of(each), [one for one in done if one[1] == each])


def check(review: Review, done: list[tuple[int, str, str, str, str]]) -> None:
    """The review is what the acts on this finding, all of them standing, come to."""
    states = {"confirm": State.CONFIRMED, "dismiss": State.DISMISSED, "reopen": State.NEW}
    acts = [each for each in done if each[2] in states]
    assert [each.text for each in review.notes] == [each[4] for each in done if each[2] == "note"]
    last = acts[-1] if acts else None
    found = (review.state, review.author, review.reason)
    assert found == ((states[last[2]], last[3], last[4]) if last else (State.NEW, "", ""))
    since = max((number for number, each in enumerate(acts) if each[2] == "reopen"), default=-1)
    verdicts = {each[3]: each[2] for each in acts[since + 1 :]}
    assert review.contradicted == (len(set(verdicts.values())) > 1)


def test_a_withdrawal_is_an_entry_of_its_own() -> None:
    one = template("docs://{name}")
    taken = withdrawal(one, 1, "bo")
    assert isinstance(taken, Withdrawal)
    assert (taken.entry, taken.author) == (one.id, "bo")

"""The templates of both captures count for both, and clear nothing."""

from __future__ import annotations

from pathlib import Path

from diagnosis.after_fix.before_after import Status
from tests.diagnosis.after_fix.build import DOCS, PEOPLE, REPORT, comparison
from tests.diagnosis.questions.build import Log

RAW = "docs://team/a/policy/on-call/escalation"
ENCODED = "docs://team/a/policy/on-call%2Fescalation"


def log(uri: str, *templates: str) -> Log:
    made = Log(*templates)
    made.read(uri)
    return made


def test_a_capture_without_templates_takes_those_of_the_other(tmp_path: Path) -> None:
    found = comparison(tmp_path, log(RAW), log(ENCODED, DOCS))
    assert [each.status for each in found.subjects] == [Status.GONE]
    assert (found.together.only_before, found.together.only_after) == ((), (DOCS,))
    turned = comparison(tmp_path, log(RAW, DOCS), log(ENCODED))
    assert [each.status for each in turned.subjects] == [Status.GONE]
    assert turned.together.only_before == (DOCS,)


def test_a_template_of_after_clears_nothing_in_before(tmp_path: Path) -> None:
    """AFTER lists a template that holds the slash; the same bytes are no repaired client."""
    wider = "docs://team/{team}/policy/{+name}"
    found = comparison(tmp_path, log(RAW, DOCS), log(RAW, wider))
    (subject,) = found.subjects
    assert (subject.status, subject.after[0].reason) == (Status.UNDECIDED, "same-bytes")


def test_given_templates_are_not_said_to_be_listed_on_one_side(tmp_path: Path) -> None:
    found = comparison(tmp_path, log(RAW), log(ENCODED, DOCS), templates=[DOCS])
    assert found.together.only_after == ()
    assert [each.status for each in found.subjects] == [Status.GONE]


def test_equal_tokens_have_equal_names_on_both_sides(tmp_path: Path) -> None:
    """BEFORE knows one opaque token; AFTER meets another one first, which is not the same caller."""
    before, after = Log(DOCS), Log(DOCS)
    before.read(RAW, authorization="Bearer opaque-one-0001")
    after.read(ENCODED, authorization="Bearer opaque-two-0002")
    (found,) = comparison(tmp_path, before, after).subjects
    assert found.status is Status.NOT_EXERCISED
    after.read(ENCODED, authorization="Bearer opaque-one-0001")
    (found,) = comparison(tmp_path, before, after).subjects
    assert found.status is Status.GONE


def test_what_was_held_does_not_change(tmp_path: Path) -> None:
    before = Log(REPORT)
    before.read("report://northwind/2025-10", {"tenant": "northwind", "month": "2025-10"})
    found = comparison(tmp_path, before, log(ENCODED), PEOPLE)
    (own,) = found.after.judgements
    assert own.segments.reason == "no-template"

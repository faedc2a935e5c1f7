"""What reports are given of a case."""

from __future__ import annotations

from dataclasses import replace

from diagnosis.case import Overview, Review, State, overview, reviews
from diagnosis.questions.judgement import Judgement
from tests.diagnosis.case.build import FIRST, SECOND, opened
from tests.diagnosis.reports import build

THIRD = "c" * 64


def marked(*fingerprints: str) -> Judgement:
    """A read with a finding of each fingerprint."""
    found = tuple(build.finding(build.FOREIGN) for _ in fingerprints)
    found = tuple(replace(each, fingerprint=name) for each, name in zip(found, fingerprints, strict=True))
    judgement = build.foreign()
    return replace(judgement, principal=replace(judgement.principal, findings=found))


def test_every_finding_stands_beside_its_review() -> None:
    case = opened()
    case.dismiss(SECOND, "a test tenant")
    case.note(SECOND, "ask the team")
    judgement = marked(FIRST, SECOND)
    first, second = reviews(case, judgement)
    assert (first.finding, second.finding) == judgement.findings
    assert first.review == Review()
    assert (second.review.state, second.review.reason, second.review.author) == (
        State.DISMISSED,
        "a test tenant",
        "ana",
    )
    assert [each.text for each in second.review.notes] == ["ask the team"]


def test_a_read_without_findings_has_no_reviews() -> None:
    assert reviews(opened(), build.judgement()) == ()


def test_the_overview_counts_by_state_and_names_what_is_not_here() -> None:
    case = opened()
    case.confirm(FIRST)
    case.author = "bo"
    case.dismiss(FIRST, "a test tenant")
    case.note(SECOND, "still new")
    case.confirm(THIRD)
    found = overview(case, [marked(FIRST, SECOND), build.judgement(1), marked("d" * 64)])
    assert found == Overview(
        findings={State.NEW: 2, State.CONFIRMED: 0, State.DISMISSED: 1},
        contradicted=1,
        contradictions=case.contradictions,
        elsewhere=(THIRD,),
    )
    assert [each.about for each in found.contradictions] == [FIRST]

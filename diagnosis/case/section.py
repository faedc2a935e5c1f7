"""What reports print of a case, as plain data: each format quotes and masks it in its own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from diagnosis.case.case import Case
from diagnosis.case.reviews import Contradiction, Review, State
from diagnosis.questions.findings import Finding
from diagnosis.questions.judgement import Judgement


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finding and its review. The review's texts are as typed: quote them like text of a log."""

    finding: Finding
    review: Review


@dataclass(frozen=True, slots=True)
class Overview:
    """How far the review of these captures is.

    `findings` counts them by state; `contradicted` are among those. `elsewhere` are the fingerprints of reviewed
    findings that these captures do not hold: another capture's, or gone.
    """

    findings: Mapping[State, int]
    contradicted: int
    contradictions: tuple[Contradiction, ...]
    elsewhere: tuple[str, ...]


def reviews(case: Case, judgement: Judgement) -> tuple[Reviewed, ...]:
    """Every finding of a read with its review, in the order of `judgement.findings`."""
    return tuple(Reviewed(finding, case.state_of(finding.fingerprint)) for finding in judgement.findings)


def overview(case: Case, judgements: Iterable[Judgement]) -> Overview:
    """Counts the findings of all reads by the state of their review."""
    found = [each for judgement in judgements for each in reviews(case, judgement)]
    states = Counter(each.review.state for each in found)
    here = {each.finding.fingerprint for each in found}
    return Overview(
        findings={state: states[state] for state in State},
        contradicted=sum(each.review.contradicted for each in found),
        contradictions=case.contradictions,
        elsewhere=tuple(sorted(case.fingerprints - here)),
    )

"""What reviewers decided about a finding, as every report tells it: nobody's decision stands for another's."""

from __future__ import annotations

from dataclasses import dataclass

from diagnosis.reports.choices import Review, Reviews


@dataclass(frozen=True, slots=True)
class Ruling:
    """One reviewer's decision: `confirmed`, `dismissed` or `reopened`. All texts are as typed."""

    word: str
    author: str
    reason: str


DISAGREE = "reviewers disagree"


def review_of(fingerprint: str, reviews: Reviews) -> Review | None:
    """The review of a finding; None where it has no fingerprint or nobody spoke of it."""
    return reviews(fingerprint) if fingerprint else None


def rulings(review: Review) -> tuple[Ruling, ...]:
    """What is to be told: all decisions where reviewers disagree, else the last one, a reopening too."""
    if review.contradicted:
        return tuple(Ruling(str(each.decided), each.author, each.reason) for each in review.decisions)
    if review.state != "new":
        return (Ruling(str(review.state), review.author, review.reason),)
    return (Ruling("reopened", review.author, review.reason),) if review.author else ()


def in_short(review: Review | None) -> str:
    """The state in a word or two; "" for a finding that nobody decided about."""
    if review is None:
        return ""
    return DISAGREE if review.contradicted else next((each.word for each in rulings(review)), "")

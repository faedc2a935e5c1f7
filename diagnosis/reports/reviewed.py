"""What reviewers think of a finding, in the words of the reports that people read."""

from __future__ import annotations

from collections.abc import Callable

from diagnosis.reports.choices import Review, ReviewDecision


def review_words(review: Review, shown: Callable[[str], str]) -> str:
    """The decision that counts, or all of them where reviewers disagree; "" where nobody has decided anything.

    `shown` masks and quotes what was typed.
    """
    if review.contradicted:
        return "reviewers disagree: " + "; ".join(_said(each, shown) for each in review.decisions)
    if review.state == "new" and not review.author:
        return ""
    state = "reopened" if review.state == "new" else str(review.state)
    return _words(state, review.author, review.reason, shown)


def _said(decision: ReviewDecision, shown: Callable[[str], str]) -> str:
    return _words(str(decision.decided), decision.author, decision.reason, shown)


def _words(state: str, author: str, reason: str, shown: Callable[[str], str]) -> str:
    by = f" by {shown(author)}" if author else ""
    why = f", because: {shown(reason)}" if reason else ""
    return f"{state}{by}{why}"

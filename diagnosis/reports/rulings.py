"""What the three answers rule out of a finding's causes, and what is still to be ruled out, in our own words."""

from __future__ import annotations

from collections.abc import Iterator

from diagnosis.questions.findings import Finding, FindingClass, Verdict
from diagnosis.questions.judgement import Judgement

_ENCODING = "Repairing this leaves question 3 where it was."
_TWO_DECODES = "A check placed between the two decodes saw neither what the client sent nor what storage saw."
_NO_CHECK = "There was no effective check, or the policy is out of date."

_NEXT = {
    FindingClass.UNDER_ENCODING: (
        "whether a hop between the client and this capture wrote the URI: a capture taken at the client tells"
    ),
    FindingClass.DOUBLE_DECODE: (
        "which layer decodes a second time: log the value before and after the proxy, the matcher and the handler"
    ),
    FindingClass.MISSING_AUTHORIZATION: (
        "whether the policy is out of date, and whether another caller was refused the same document"
    ),
}


def standing_sentences(judgement: Judgement, kind: FindingClass | None) -> Iterator[str]:
    """What holds for every finding of a class."""
    if kind is FindingClass.DOUBLE_DECODE:
        yield _TWO_DECODES
        yield _CLEAN_WIRE.get(judgement.segments.verdict, _SEGMENTS_OPEN)
    if kind is FindingClass.UNDER_ENCODING:
        yield _OWN_DOCUMENT.get(judgement.document.verdict, _DOCUMENT_OPEN)
    if kind in (FindingClass.UNDER_ENCODING, FindingClass.DOUBLE_DECODE):
        yield _ENCODING
    if kind is FindingClass.MISSING_AUTHORIZATION:
        segments = _SEGMENTS.get(judgement.segments.verdict, _SEGMENTS_OPEN)
        document = _DOCUMENT.get(judgement.document.verdict, _DOCUMENT_OPEN)
        yield f"{_NO_CHECK} {segments} {document}"


_INTACT = "Question 1 rules out under-encoding: the URI is clean on the wire."
_MATCH = "Question 2 rules out a double decode: the document is the one that was asked for."
_SEGMENTS_OPEN = "Question 1 is undecided and rules nothing out."
_DOCUMENT_OPEN = "Question 2 is undecided and rules nothing out."
_SEGMENTS = {
    Verdict.INTACT: _INTACT,
    Verdict.ESCAPED: "Question 1 has a fault of its own, which does not explain the missing check away.",
}
_DOCUMENT = {
    Verdict.MATCH: _MATCH,
    Verdict.MISMATCH: "Question 2 found another document than was asked for; the exposure is the same.",
}
_CLEAN_WIRE = {
    Verdict.INTACT: _INTACT,
    Verdict.ESCAPED: "Question 1 has a fault of its own, which explains no second decode.",
}
_OWN_DOCUMENT = {
    Verdict.MATCH: _MATCH,
    Verdict.MISMATCH: "Question 2 has a fault of its own, which repairing the client alone does not remove.",
}


def still_open(judgement: Judgement, finding: Finding) -> Iterator[str]:
    """What to rule out next: first what the class leaves open, then the fact that each undecided answer misses."""
    kind = finding.rule.finding_class
    if kind is not None:
        yield _NEXT[kind]
    for answer in judgement.answers:
        if answer.verdict is Verdict.CANNOT_TELL and answer.missing:
            yield f"{answer.question.value}: {answer.missing}"

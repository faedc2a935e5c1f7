"""How question 2 words its answers: mismatches, findings, and the evidence of request and answer."""

from __future__ import annotations

from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Answer, Certainty, Evidence, Finding, Question, Remark, Rule, Verdict


def cannot_tell(reason: str, because: str, missing: str, remarks: tuple[Remark, ...] = ()) -> Answer:
    """Question 2 left open, with the fact that would decide it."""
    return Answer.cannot_tell(Question.DOCUMENT, reason, because, missing, remarks)


def match(because: str, remarks: tuple[Remark, ...] = (), certainty: Certainty = Certainty.CERTAIN) -> Answer:
    """The document is the one requested, by its own fields."""
    return Answer(Question.DOCUMENT, Verdict.MATCH, "fields-agree", because, certainty=certainty, remarks=remarks)


def mismatch(
    reason: str,
    because: str,
    findings: tuple[Finding, ...] = (),
    remarks: tuple[Remark, ...] = (),
    certainty: Certainty = Certainty.CERTAIN,
) -> Answer:
    """The document is not the one requested."""
    return Answer(
        Question.DOCUMENT, Verdict.MISMATCH, reason, because, certainty=certainty, findings=findings, remarks=remarks
    )


def evidence(facts: Facts, what: str = "the answer") -> tuple[Evidence, ...]:
    """The answer first, then the request: a document speaks for itself."""
    request = Evidence(facts.read.request, "the request")
    response = facts.read.response
    return (request,) if response is None else (Evidence(response.seen, what), request)


def finding(facts: Facts, rule: Rule, certainty: Certainty, summary: str, what: str, doubt: str = "") -> Finding:
    """A finding of question 2; `doubt` says why its certainty is not higher."""
    return Finding(rule, certainty, summary, rule.fix, evidence(facts, f"the answer: {what}"), doubt)


def remark(facts: Facts, rule: Rule, summary: str, certainty: Certainty = Certainty.CERTAIN) -> Remark:
    """A remark with the answer and the request as its evidence."""
    return Remark(rule, certainty, summary, evidence(facts), rule.severity)

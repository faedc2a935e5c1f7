"""The three questions, asked of every read: always all three, no short circuit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from diagnosis.questions import q1_segments, q2_document, q3_principal
from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Answer, Certainty, Finding, Question, Remark
from diagnosis.questions.judgement import Judgement
from diagnosis.questions.remarks import REMARKS
from diagnosis.questions.survey import Survey
from diagnosis.reads.read import Read
from diagnosis.uris.alignment import expected
from diagnosis.uris.reading import Fit

QUESTIONS: tuple[tuple[Question, Callable[[Facts], Answer]], ...] = (
    (Question.SEGMENTS, q1_segments.ask),
    (Question.DOCUMENT, q2_document.ask),
    (Question.PRINCIPAL, q3_principal.ask),
)


def judge(read: Read, survey: Survey) -> Judgement:
    """Judges one read: three answers, their findings, and remarks. Pure; opens no file.

    Further responses to the same request are judged as well, and their findings join the read's own.
    """
    facts = survey.facts(read)
    segments, document, principal = (ask(facts) for _, ask in QUESTIONS)
    for further in read.extra:
        other = survey.facts(read, further)
        document = _joined(document, q2_document.ask(other))
        principal = _joined(principal, q3_principal.ask(other))
    if read.doubts:
        document, principal = _doubted(document), _doubted(principal)
    shown = facts.reading.alignments[0] if facts.reading.alignments else facts.reading.late
    return Judgement(
        read=read,
        segments=segments,
        document=document,
        principal=principal,
        remarks=(*_remarks(facts), *segments.remarks, *document.remarks, *principal.remarks),
        readings=facts.reading.alignments,
        template=shown.template.text if shown else None,
        caller=facts.caller,
        tenant_variable=facts.tenant.variable,
        tenants=tuple(dict.fromkeys(t for t in (facts.tenant.requested, facts.tenant.received) if t is not None)),
        expected=_expected(facts),
    )


def _remarks(facts: Facts) -> tuple[Remark, ...]:
    return tuple(remark for look in REMARKS if (remark := look(facts)) is not None)


def _joined(first: Answer, further: Answer) -> Answer:
    """The first response's answer with the findings of a further one; the first one's verdict stands."""
    known = {each.rule.id for each in first.findings}
    added = tuple(
        replace(each, summary=f"In a further response: {each.summary}")
        for each in further.findings
        if each.rule.id not in known
    )
    noted = {each.rule.id for each in first.remarks}
    remarks = tuple(
        replace(each, summary=f"In a further response: {each.summary}")
        for each in further.remarks
        if each.rule.id not in noted
    )
    return replace(first, findings=(*first.findings, *added), remarks=(*first.remarks, *remarks))


_DOUBT = "The pairing of the answer with this request is uncertain."


def _doubted(answer: Answer) -> Answer:
    """Lowers the certainty of what rests on an uncertain pairing."""
    findings = tuple(_lowered(each) for each in answer.findings)
    return replace(answer, certainty=_lower(answer.certainty), findings=findings)


def _lowered(finding: Finding) -> Finding:
    because = f"{finding.because} {_DOUBT}".strip()
    return replace(finding, certainty=_lower(finding.certainty), because=because)


def _lower(certainty: Certainty) -> Certainty:
    return Certainty.LIKELY if certainty is Certainty.CERTAIN else Certainty.POSSIBLE


def _expected(facts: Facts) -> str | None:
    """The correct expansion of the same values, where the values are known and it differs."""
    reading = facts.reading
    if reading.listed or reading.fit in (None, Fit.STRICT) or not facts.bindings:
        return None
    right = expected(reading.alignments[0], facts.uri)
    return right if right != facts.uri else None

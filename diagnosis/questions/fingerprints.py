"""What a finding is known by: in a copy or a longer log, and after a fix."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from diagnosis.questions.findings import Answer, Finding, Question
from diagnosis.questions.judgement import Judgement


def marked(judgements: Iterable[Judgement]) -> Iterator[Judgement]:
    """Gives every finding its fingerprint and subject.

    Fingerprint: SHA-256 over rule id, the request message, for questions 2 and 3 the answer's, and how many equal
    ones stood before it. No path, line or capture hash is in it, so it survives copying and growing a log.
    Subject: template, variables, caller and class, by which the logs before and after a fix are compared.
    """
    seen: Counter[str] = Counter()
    for judgement in judgements:
        if not judgement.findings:
            yield judgement
            continue
        yield replace(
            judgement,
            segments=_marked(judgement, judgement.segments, seen),
            document=_marked(judgement, judgement.document, seen),
            principal=_marked(judgement, judgement.principal, seen),
        )


def _marked(judgement: Judgement, answer: Answer, seen: Counter[str]) -> Answer:
    findings = tuple(_with_marks(judgement, answer.question, each, seen) for each in answer.findings)
    return replace(answer, findings=findings) if findings else answer


def _with_marks(judgement: Judgement, question: Question, finding: Finding, seen: Counter[str]) -> Finding:
    read = judgement.read
    parts = [finding.rule.id, read.digest]
    if question is not Question.SEGMENTS and read.response is not None:
        parts.append(read.response.digest)
    key = "\n".join(parts)
    seen[key] += 1
    fingerprint = hashlib.sha256(f"{key}\n{seen[key]}".encode()).hexdigest()
    return replace(finding, fingerprint=fingerprint, subject=_subject(judgement, finding))


def _subject(judgement: Judgement, finding: Finding) -> str:
    values = (
        "&".join(f"{each.name}={each.raw}" for each in judgement.readings[0].bindings) if judgement.readings else ""
    )
    caller = judgement.caller.id if judgement.caller else ""
    kind = finding.rule.finding_class.value if finding.rule.finding_class else ""
    return " ".join((kind, judgement.template or "-", values or judgement.read.uri or "-", caller or "-"))

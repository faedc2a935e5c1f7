"""Judged reads made by hand for tests of filters."""

from __future__ import annotations

from typing import Any

from diagnosis.callers.principals import Principal, PrincipalSource
from diagnosis.captures.message import Span
from diagnosis.questions.findings import (
    Answer,
    Certainty,
    Evidence,
    Finding,
    FindingClass,
    Owner,
    Question,
    Remark,
    Rule,
    Severity,
    Verdict,
)
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Failure, Outcome, Read, Response, Scalar, Seen
from diagnosis.uris.alignment import align
from diagnosis.uris.templates import parse

INTACT = Answer(Question.SEGMENTS, Verdict.INTACT, "strict", "")
MATCH = Answer(Question.DOCUMENT, Verdict.MATCH, "fields-agree", "")
NO_DOCUMENT = Answer.cannot_tell(Question.DOCUMENT, "no-document", "", "")
ALLOWED = Answer(Question.PRINCIPAL, Verdict.ALLOWED, "inside-allowed", "")
REFUSED = Answer(Question.PRINCIPAL, Verdict.REFUSED, "forbidden", "")
NO_PRINCIPAL = Answer.cannot_tell(Question.PRINCIPAL, "no-principal", "", "")
PLAIN = (INTACT, MATCH, ALLOWED)


def seen(line: int) -> Seen:
    """A place in a capture."""
    return Seen(Span("logs/monday.log", line, 0, 1), "0" * 64)


def finding(
    rule: str,
    kind: FindingClass,
    owner: Owner,
    certainty: Certainty = Certainty.CERTAIN,
    severity: Severity = Severity.SEVERE,
    fingerprint: str = "f1",
) -> Finding:
    """A finding; its texts do not matter here."""
    made = Rule(rule, "", severity, "", "", "", kind, owner)
    return Finding(made, certainty, "", "", (Evidence(seen(1), ""),), fingerprint=fingerprint)


def remark(name: str, severity: Severity = Severity.MILD) -> Remark:
    """A remark."""
    rule = Rule(f"remark/{name}", "", severity, "", "", "")
    return Remark(rule, Certainty.CERTAIN, "", severity=severity)


def escaped(certainty: Certainty = Certainty.CERTAIN, fingerprint: str = "f1") -> Answer:
    """A fault of question 1, or a suspicion."""
    found = finding(
        "segments/extra-separator",
        FindingClass.UNDER_ENCODING,
        Owner.CLIENT,
        certainty,
        fingerprint=fingerprint,
    )
    return Answer(Question.SEGMENTS, Verdict.ESCAPED, "extra-separator", "", certainty=certainty, findings=(found,))


def not_checked(fingerprint: str = "f3") -> Answer:
    """A fault of question 3."""
    found = finding(
        "principal/foreign-tenant",
        FindingClass.MISSING_AUTHORIZATION,
        Owner.READ_HANDLER,
        fingerprint=fingerprint,
    )
    return Answer(Question.PRINCIPAL, Verdict.NOT_CHECKED, "outside-allowed", "", findings=(found,))


def caller(name: str, subject: str | None = None, subjects: tuple[str, ...] = ()) -> Principal:
    """A caller."""
    return Principal(name, PrincipalSource.POLICY, "", subject=subject, subjects=subjects)


def read(
    uri: str | None = "report://acme/2025-10",
    answers: tuple[Answer, Answer, Answer] = PLAIN,
    *,
    number: int = 0,
    template: str | None = None,
    request_id: Scalar = 1,
    session: str | None = None,
    time: str | None = None,
    answered: str | None = None,
    code: int | None = None,
    outcome: Outcome = Outcome.RESULT,
    line: int = 1,
    server: str = "",
    **more: Any,
) -> Judgement:
    """A judged read; its answer stands one line below its request."""
    if code is not None:
        outcome = Outcome.ERROR
    response = Response(
        outcome, seen(line + 1), "", 1, answered, failure=Failure(code, "") if outcome is Outcome.ERROR else None
    )
    asked = Read(
        number=number,
        position=0,
        capture="logs/monday.log",
        request=seen(line),
        digest="",
        request_id=request_id,
        uri=uri,
        session=session,
        server=server,
        time=time,
        response=None if outcome is Outcome.NONE else response,
    )
    found = align(uri, parse(template)) if uri is not None and template is not None else None
    readings = found.found if found is not None else ()
    return Judgement(asked, *answers, readings=readings, template=template, **more)

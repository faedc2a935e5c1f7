"""Builds judgements and diagnoses by hand, so that reports are tested without the steps before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from diagnosis.callers.principals import Principal, PrincipalSource
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.message import Span
from diagnosis.ledger import CaptureFacts
from diagnosis.options import Options
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
from diagnosis.reads.read import Content, Document, DocumentKind, Failure, Outcome, Read, Response, Seen
from diagnosis.selection import Selection
from diagnosis.statements import Statements

FOREIGN = Rule(
    id="principal/foreign-tenant",
    title="A tenant outside the caller's allowed set was served",
    severity=Severity.SEVERE,
    why="The document belongs to a tenant that the caller may not see.",
    fix="Compare the session's principal with the tenant in the read handler, on every read.",
    not_this="It is no encoding fault: the URI is spelled as the client meant it.",
    finding_class=FindingClass.MISSING_AUTHORIZATION,
    owner=Owner.READ_HANDLER,
)
TWICE = Rule(
    id="document/decoded-twice",
    title="The value was decoded twice",
    severity=Severity.SEVERE,
    why="The document's field equals the value after two decodes.",
    fix="Decode exactly once, at a named layer.",
    not_this="It is no missing check.",
    finding_class=FindingClass.DOUBLE_DECODE,
    owner=Owner.BETWEEN,
)
RAW = Rule(
    id="segments/raw-reserved",
    title="A reserved character stands raw in a value",
    severity=Severity.MILD,
    why="The value was never expanded.",
    fix="Expand with an RFC 6570 library.",
    not_this="It is no missing check.",
    finding_class=FindingClass.UNDER_ENCODING,
    owner=Owner.CLIENT,
)
NOT_DECODED = Rule(
    id="remark/not-decoded",
    title="The value was never decoded",
    severity=Severity.MILD,
    why="The field equals the raw span.",
    fix="",
    not_this="",
)


def seen(line: int, capture: str = "trace.jsonl", *layers: str) -> Seen:
    """A place in a capture; its offset is a hundred bytes per line."""
    return Seen(Span(capture, line, line * 100, 80, layers), f"{line:064x}")


def finding(rule: Rule, line: int = 1, summary: str = "A document of northwind was served.", **more: Any) -> Finding:
    """A finding of a rule with one piece of evidence."""
    what = more.pop("what", "the request")
    return Finding(
        rule=rule,
        certainty=more.pop("certainty", Certainty.CERTAIN),
        summary=summary,
        fix=rule.fix,
        evidence=(Evidence(seen(line), what),),
        fingerprint=f"{line:064x}",
        subject=more.pop("subject", "subject"),
        **more,
    )


def answer(
    question: Question, verdict: Verdict, reason: str = "strict", because: str = "So it is.", **more: Any
) -> Answer:
    """An answer with its findings."""
    return Answer(question, verdict, reason, because, **more)


def judgement(number: int = 0, uri: str | None = "report://northwind/2025-10", **more: Any) -> Judgement:
    """A clean read at line `2 * number + 1`, answered on the next line; anything can be said otherwise."""
    line = 2 * number + 1
    outcome = more.pop("outcome", Outcome.RESULT)
    response = None
    if outcome is not Outcome.NONE:
        document = Document(DocumentKind.JSON, (("tenant", "northwind"),), 20)
        contents = (Content(uri, "application/json", document),) if outcome is Outcome.RESULT else ()
        response = Response(
            outcome=outcome,
            seen=seen(line + 1),
            digest="d",
            position=line,
            time=more.get("time"),
            contents=contents,
        )
    read = Read(
        number=number,
        position=line - 1,
        capture="trace.jsonl",
        request=seen(line),
        digest="r",
        request_id=more.pop("request_id", 41),
        uri=uri,
        session=more.pop("session", "s1"),
        time=more.pop("time", None),
        response=response,
    )
    given = {
        "segments": answer(Question.SEGMENTS, Verdict.INTACT),
        "document": answer(Question.DOCUMENT, Verdict.MATCH, "fields-agree"),
        "principal": answer(Question.PRINCIPAL, Verdict.ALLOWED, "inside-allowed"),
        "template": "report://{tenant}/{month}",
        "tenants": ("northwind",),
    }
    return Judgement(read=read, **{**given, **more})


def foreign(number: int = 0, **more: Any) -> Judgement:
    """A read of northwind's report by ana, who may see acme only."""
    found = finding(FOREIGN, 2 * number + 1)
    return judgement(
        number,
        principal=answer(
            Question.PRINCIPAL,
            Verdict.NOT_CHECKED,
            "outside-allowed",
            "ana may not see it.",
            findings=(found,),
        ),
        caller=more.pop("caller", ana()),
        **more,
    )


def ana() -> Principal:
    """The caller of the policy file."""
    return Principal("ana", PrincipalSource.POLICY, "policy: session s1", ("acme",))


def undecided(number: int = 0, **more: Any) -> Judgement:
    """A read of which nobody says who asked."""
    return judgement(
        number,
        principal=answer(
            Question.PRINCIPAL,
            Verdict.CANNOT_TELL,
            "no-principal",
            "Nobody says who asked.",
            missing="Who asked: a policy file would say.",
        ),
        **more,
    )


def everywhere(text: str, ours: str | None = None) -> Any:
    """A diagnosis with a text from the log in every place that can hold one; `ours` stands where we or a person write.

    Ours are names of files, reasons and what a format cannot show.
    """
    ours = text if ours is None else ours
    found = finding(FOREIGN, summary=text, what=text, because=text, subject=text, certainty=Certainty.LIKELY)
    failed = replace(judgement(1, uri=text), principal=answer(Question.PRINCIPAL, Verdict.REFUSED, ours, text))
    error = Response(Outcome.ERROR, seen(4), "d", 3, failure=Failure(-32002, text, text))
    read = judgement(
        uri=text,
        request_id=text,
        session=text,
        time=text,
        template=text,
        tenants=(text, text + "x"),
        expected=text,
        caller=Principal(text, PrincipalSource.CLAIMS, text, (text,)),
        segments=answer(Question.SEGMENTS, Verdict.CANNOT_TELL, ours, text, missing=text or "it is missing"),
        principal=answer(Question.PRINCIPAL, Verdict.NOT_CHECKED, ours, text, findings=(found,)),
        remarks=(Remark(NOT_DECODED, Certainty.CERTAIN, text, (Evidence(seen(1, "trace.jsonl", text), text),)),),
    )
    return diagnosis(
        read,
        replace(failed, read=replace(failed.read, response=error)),
        captures=(facts(ours, why=ours, cannot_show=f"this {ours}"),),
        problems=(unreadable(3, text, ours),),
        statements=Statements(policy_path=ours, templates_path=ours, stated=(f"--allow {text}",)),
    )


def unreadable(line: int, why: str = "This is not JSON.", capture: str = "trace.jsonl") -> Skipped:
    """A line that could not be read."""
    return Skipped(Kind.UNREADABLE, Span(capture, line, line * 100, 10), why)


def facts(path: str = "trace.jsonl", **more: Any) -> CaptureFacts:
    """What is known of a capture of two messages."""
    given = {
        "format": "json-rpc",
        "why": "Each line is a JSON-RPC message.",
        "sha256": "ab" * 32,
        "size": 200,
        "lines": 2,
        "blank": 0,
        "messages": 2,
        "other": 0,
        "unreadable": 0,
        "reads": 1,
    }
    return CaptureFacts(path=path, **{**given, **more})


def diagnosis(*judgements: Judgement, problems: Sequence[Skipped] = (), **more: Any) -> Any:
    """Stands in for a `Diagnosis` that has read everything."""
    return SimpleNamespace(
        limits=(),
        captures=more.pop("captures", (facts(),)),
        judgements=judgements,
        problems=problems,
        refusals=more.pop("refusals", ()),
        statements=more.pop("statements", Statements()),
        partial=more.pop("partial", False),
        options=more.get("options", Options()),
        selection=Selection.of(more.get("options", Options())),
        sets=more.pop("sets", ()),
        alike=more.pop("alike", ()),
        shown=lambda: judgements,
    )

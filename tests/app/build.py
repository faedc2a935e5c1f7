"""Judgements made by hand, and a diagnosis that holds them: the app needs nothing more."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from app.tui import TriageApp
from diagnosis.callers.principals import Principal, PrincipalSource
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.message import Span
from diagnosis.ledger import CaptureFacts, Progress, Refusal, SetFacts
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
from diagnosis.questions.fingerprints import marked
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import (
    Content,
    Document,
    DocumentKind,
    Failure,
    NoAnswer,
    Outcome,
    Read,
    Response,
    Seen,
)
from diagnosis.reads.witnesses import Alike
from diagnosis.selection import Selection
from diagnosis.statements import Statements
from diagnosis.uris.alignment import align, expected
from diagnosis.uris.templates import parse

NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
CAPTURE = "incident.jsonl"

INTACT = Answer(Question.SEGMENTS, Verdict.INTACT, "strict", "Every value is what its template can produce.")
MATCH = Answer(Question.DOCUMENT, Verdict.MATCH, "fields-agree", "The document's own fields agree with the request.")
ALLOWED = Answer(Question.PRINCIPAL, Verdict.ALLOWED, "inside-allowed", "ana may see acme.")
NO_DOCUMENT = Answer(
    Question.DOCUMENT, Verdict.CANNOT_TELL, "no-document", "The server answered with an error.", "an answer"
)
NOT_FOUND = Answer(Question.PRINCIPAL, Verdict.CANNOT_TELL, "not-found", "Nothing was served.", "an answer")
NO_PRINCIPAL = Answer(
    Question.PRINCIPAL,
    Verdict.CANNOT_TELL,
    "no-principal",
    "Nobody says who asked.",
    "who asked (--policy or --allow)",
)

_RULES = {
    FindingClass.UNDER_ENCODING: ("segments/extra-separator", Owner.CLIENT),
    FindingClass.DOUBLE_DECODE: ("document/decoded-twice", Owner.BETWEEN),
    FindingClass.MISSING_AUTHORIZATION: ("principal/foreign-tenant", Owner.READ_HANDLER),
}


def seen(line: int, capture: str = CAPTURE) -> Seen:
    """A place in the capture; lines are 100 bytes long here."""
    return Seen(Span(capture, line, (line - 1) * 100, 99), "0" * 64)


def finding(
    kind: FindingClass, summary: str, fix: str, lines: Sequence[int], certainty: Certainty = Certainty.CERTAIN
) -> Finding:
    """A finding of one of the three classes."""
    name, owner = _RULES[kind]
    rule = Rule(name, name, Severity.SEVERE, "Why.", fix, "Not this.", kind, owner)
    evidence = tuple(Evidence(seen(line), f"what stands in line {line}") for line in lines)
    return Finding(rule, certainty, summary, fix, evidence, "" if certainty is Certainty.CERTAIN else "A reason.")


def remark(name: str, summary: str) -> Remark:
    """A remark."""
    rule = Rule(f"remark/{name}", name, Severity.MILD, "Why.", "Fix.", "Not this.")
    return Remark(rule, Certainty.CERTAIN, summary, (Evidence(seen(2), "what stands there"),))


def escaped(certainty: Certainty = Certainty.CERTAIN) -> Answer:
    """A fault of question 1."""
    found = finding(
        FindingClass.UNDER_ENCODING,
        "The value of name holds a separator.",
        "Expand the template as RFC 6570 says (section 3.2.2).",
        (1,),
        certainty,
    )
    return Answer(
        Question.SEGMENTS,
        Verdict.ESCAPED,
        "extra-separator",
        "Four segments were sent, the template has three.",
        certainty=certainty,
        findings=(found,),
    )


def decoded_twice() -> Answer:
    """A fault of question 2."""
    found = finding(
        FindingClass.DOUBLE_DECODE,
        "The document served is named by the twice decoded value.",
        "Decode once.",
        (3, 4),
    )
    return Answer(
        Question.DOCUMENT,
        Verdict.MISMATCH,
        "decoded-twice",
        "It matches after a second decode.",
        findings=(found,),
    )


def differs() -> Answer:
    """A document that differs for no known cause."""
    return Answer(Question.DOCUMENT, Verdict.MISMATCH, "differs", "The field tenant says globex.")


def not_checked() -> Answer:
    """A fault of question 3."""
    found = finding(
        FindingClass.MISSING_AUTHORIZATION,
        "ana was served a document of northwind.",
        "Check the caller against the tenant in the read handler.",
        (5, 6),
    )
    return Answer(
        Question.PRINCIPAL,
        Verdict.NOT_CHECKED,
        "outside-allowed",
        "ana may see acme only, and was served northwind.",
        findings=(found,),
    )


ANA = Principal("ana", PrincipalSource.POLICY, "policy: session s1", ("acme",))


def judgement(
    number: int,
    uri: str | None,
    template: str | None = None,
    answers: tuple[Answer, Answer, Answer] = (INTACT, MATCH, ALLOWED),
    *,
    session: str | None = "s1",
    code: int | None = None,
    answered: bool = True,
    **more: Any,
) -> Judgement:
    """A judged read; its request is in line 2n+1 of the capture and its answer in the line after it."""
    second = number % 60
    read = Read(
        number=number,
        position=number * 2,
        capture=CAPTURE,
        request=seen(number * 2 + 1),
        digest="1" * 64,
        request_id=number,
        uri=uri,
        session=session,
        time=f"2025-10-01T09:14:{second:02}.118Z",
        time_basis="utc",
        response=_response(number, uri, code) if answered else None,
        no_answer=None if answered else NoAnswer.CAPTURE_ENDS,
    )
    found = align(uri, parse(template)) if uri is not None and template else None
    readings = found.found if found else ()
    return Judgement(
        read,
        *answers,
        readings=readings,
        template=template,
        expected=expected(readings[0], uri) if readings and uri is not None else None,
        **more,
    )


def _response(number: int, uri: str | None, code: int | None) -> Response:
    content = Content(uri, "application/json", Document(DocumentKind.JSON))
    return Response(
        outcome=Outcome.RESULT if code is None else Outcome.ERROR,
        seen=seen(number * 2 + 2),
        digest="2" * 64,
        position=number * 2 + 1,
        time=f"2025-10-01T09:14:{number % 60:02}.130Z",
        contents=(content,) if code is None else (),
        failure=None if code is None else Failure(code, "Resource not found"),
    )


REPORT, POLICY = "report://{tenant}/{month}", "docs://team/{team}/policy/{name}"


def incident() -> list[Judgement]:
    """Eight reads with every state of an answer among them."""
    document = remark("document-mismatch", "The document is of another tenant.")
    return [
        judgement(0, "report://acme/2025-09", REPORT, caller=ANA, tenants=("acme",), tenant_variable="tenant"),
        judgement(
            1,
            "docs://team/Platform & Ops/policy/on-call/escalation",
            POLICY,
            (escaped(), NO_DOCUMENT, NOT_FOUND),
            session="s2",
            code=-32002,
        ),
        judgement(
            2,
            "report://northwind/2025-10",
            REPORT,
            (INTACT, MATCH, not_checked()),
            caller=ANA,
            tenants=("northwind",),
            tenant_variable="tenant",
        ),
        judgement(
            3,
            "docs://team/ops/policy/..%252F..%252Fetc",
            POLICY,
            (INTACT, decoded_twice(), NO_PRINCIPAL),
            session="s2",
        ),
        judgement(4, "report://acme/2025-10", REPORT, (INTACT, differs(), NO_PRINCIPAL), remarks=(document,)),
        judgement(
            5,
            "docs://team/a/b/policy/c/policy/d",
            POLICY,
            (escaped(Certainty.LIKELY), MATCH, ALLOWED),
            session="s2",
        ),
        judgement(6, "report://acme/2025-11", REPORT, (INTACT, NO_DOCUMENT, NOT_FOUND), answered=False),
        judgement(7, None, None, answered=True, session=None),
    ]


def record(one: Judgement, answer: bool = False) -> bytes:
    """A line of the capture."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": one.read.request_id}
    if answer:
        text = json.dumps({"tenant": "acme", "rows": [1, 2]})
        message["result"] = {"contents": [{"uri": one.read.uri, "mimeType": "application/json", "text": text}]}
    else:
        message |= {"method": "resources/read", "params": {"uri": one.read.uri}}
    return json.dumps(message).encode()


class FakeDiagnosis:
    """Holds handmade judgements. `gate` holds a load after its first batch until it is set or stopped."""

    def __init__(
        self,
        judgements: Sequence[Judgement],
        *,
        gate: threading.Event | None = None,
        error: Exception | None = None,
    ) -> None:
        self._all = list(marked(judgements))
        self._gate = gate
        self._error = error
        self._stopped = threading.Event()
        self.judgements: list[Judgement] = []
        self.problems: list[Skipped] = []
        self.refusals: list[Refusal] = []
        self.statements = Statements()
        self.options = Options()
        self.selection = Selection()
        self.sets: list[SetFacts] = []
        self.alike: tuple[Alike, ...] = ()
        self.limits: list[str] = []
        self.partial = False
        self.changed = False
        self.followed = False
        self.notices: list[str] = []
        self.captures = [facts(CAPTURE, len(self._all))]

    def read(self, batch: float = 0.1) -> Iterator[Progress]:
        """The first half, the gate, the rest."""
        if self._error is not None:
            raise self._error
        half = len(self._all) // 2 if self._gate else len(self._all)
        self.judgements.extend(self._all[:half])
        yield Progress(half * 100, len(self._all) * 100, half * 2, half)
        if self._gate is not None:
            self._gate.wait(10)
        if self._stopped.is_set():
            self.partial = True
            yield Progress(len(self._all) * 100, len(self._all) * 100, half * 2, half, done=True)
            return
        self.judgements.extend(self._all[half:])
        count = len(self._all)
        yield Progress(count * 100, count * 100, count * 2, count, done=True)

    def follow(self, wait: Callable[[Progress], bool], batch: float = 0.1) -> Iterator[Progress]:
        """Half of the reads, and one more for each time that was waited, all of them settled by then."""
        self.followed = True
        self.judgements.clear()
        self._stopped.clear()
        count = len(self._all) // 2
        self.judgements.extend(self._all[:count])
        while not self._stopped.is_set():
            settled, said = count == len(self._all), len(self.notices)
            now = Progress(0, 0, count * 2, count, following=True, settled=settled, notices=said)
            if not wait(now):
                break
            self.judgements.extend(self._all[count : count + 1])
            count = len(self.judgements)
        yield Progress(0, 0, count * 2, count, done=True, following=True, notices=len(self.notices))

    def shown(self) -> list[Judgement]:
        """All of them."""
        return self.judgements

    def stop(self) -> None:
        """Ends the load at the gate."""
        self._stopped.set()
        if self._gate is not None:
            self._gate.set()

    def judge(self, statements: Statements) -> None:
        """Not needed here."""
        self.statements = statements

    def evidence(self, place: Seen) -> bytes | None:
        """The bytes of a line; none once the file has changed."""
        if self.changed:
            return None
        number, answer = divmod(place.span.line - 1, 2)
        return record(self._all[number], bool(answer))


def facts(path: str, reads: int, messages: int | None = None) -> CaptureFacts:
    """What is known of a capture file."""
    count = reads * 2 if messages is None else messages
    return CaptureFacts(path, "json-rpc", "one message on each line", "0" * 64, 1, count, 0, count, 0, 0, reads)


def skipped(line: int, why: str, excerpt: bytes, kind: Kind = Kind.UNREADABLE) -> Skipped:
    """A line that no message came from."""
    return Skipped(kind, seen(line).span, why, excerpt)


def app_of(diagnosis: FakeDiagnosis, paths: Sequence[str] = (CAPTURE,)) -> TriageApp:
    """The program on a handmade diagnosis, at a fixed time."""
    opener: Callable[..., Any] = lambda *_: diagnosis  # noqa: E731
    return TriageApp(paths, opener=opener, now=lambda: NOW)


def many(count: int) -> list[Judgement]:
    """Many reads that differ in number and URI only."""
    one = judgement(0, "report://acme/2025-09", REPORT)
    return [
        replace(one, read=replace(one.read, number=number, uri=f"report://acme/{number:07}")) for number in range(count)
    ]

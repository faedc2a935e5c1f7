"""What each field of a filter compares."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from diagnosis.query import Beside, parse_filter
from diagnosis.query.syntax import quoted_value
from diagnosis.questions.findings import Answer, Certainty, Question, Severity, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Outcome
from tests.diagnosis.query.reads import (
    INTACT,
    MATCH,
    NO_DOCUMENT,
    NO_PRINCIPAL,
    PLAIN,
    REFUSED,
    caller,
    escaped,
    not_checked,
    read,
    remark,
)


def matches(text: str, judgement: Judgement, beside: Beside | None = None) -> bool:
    """Whether a filter shows a read."""
    return parse_filter(text, beside).matches(judgement)


FAULTY = read(
    "docs://team/Platform & Ops/policy/costs%2FR%26D",
    (escaped(), NO_DOCUMENT, NO_PRINCIPAL),
    template="docs://team/{team}/policy/{name}",
    number=40,
    request_id=41,
    session="s-71",
    code=-32002,
    line=79,
    server="Documents 2.1",
    time="2025-10-01T09:14:07.930Z",
    answered="2025-10-01T09:14:08.180Z",
)
EXPOSED = read(
    "report://northwind/2025-10",
    (INTACT, MATCH, not_checked()),
    template="report://{tenant}/{month}",
    tenants=("northwind", "acme"),
    caller=caller("ana", "auth0|ana", ("auth0|ana", "ana@acme.example")),
    remarks=(remark("crossed-response", Severity.SEVERE),),
)
SUSPECT = read(answers=(escaped(Certainty.LIKELY), MATCH, REFUSED), outcome=Outcome.NONE, request_id="a-1")
BARE = read(None)


@pytest.mark.parametrize(
    ("text", "judgement", "shown"),
    [
        ("", BARE, True),
        ("q1:fault", FAULTY, True),
        ("Q1:FAULT", FAULTY, True),
        ("q1:fault", SUSPECT, False),
        ("q1:suspect", SUSPECT, True),
        ("q1:clear", EXPOSED, True),
        ("q2:void", FAULTY, True),
        ("q2:fault", EXPOSED, False),
        ("q3:undecided", FAULTY, True),
        ("q3:void", SUSPECT, True),
        ("any:fault", EXPOSED, True),
        ("any:fault", SUSPECT, False),
        ("any:undecided", EXPOSED, False),
        ("segments:escaped", FAULTY, True),
        ("segments:extra-separator", FAULTY, True),
        ("segments:strict", FAULTY, False),
        ("document:no-document", FAULTY, True),
        ("document:cannot-tell", FAULTY, True),
        ("document:cannot_tell", EXPOSED, False),
        ("principal:not_checked", EXPOSED, True),
        ("principal:ana", EXPOSED, True),
        ("principal:*", EXPOSED, True),
        ("principal:*", FAULTY, False),
        ("principal:no-principal", FAULTY, True),
        ("class:missing-authorization", EXPOSED, True),
        ("class:under-encoding", EXPOSED, False),
        ("rule:segments", FAULTY, True),
        ("rule:segments/extra-separator", FAULTY, True),
        ("rule:segments/raw-reserved", FAULTY, False),
        ("rule:segments", EXPOSED, False),
        ("rule:remark", EXPOSED, True),
        ("rule:remark/crossed-response", EXPOSED, True),
        ("rule:*", read(), False),
        ("remark:crossed-response", EXPOSED, True),
        ("remark:*", FAULTY, False),
        ("owner:client", FAULTY, True),
        ('owner:"read handler"', EXPOSED, True),
        ("owner:read-handler", FAULTY, False),
        ("certainty:likely", SUSPECT, True),
        ("certainty:certain", SUSPECT, False),
        ("certainty:certain", read(remarks=(remark("alias"),)), False),
        ("severity:severe", read(remarks=(remark("crossed-response", Severity.SEVERE),)), True),
        ("severity:severe", read(remarks=(remark("not-decoded"),)), False),
        ("severity:mild", read(remarks=(remark("not-decoded"),)), True),
        ("northwind", EXPOSED, True),
        ("Northwind", EXPOSED, False),
        ('"Platform & Ops"', FAULTY, True),
        ("'Platform & Ops'", FAULTY, True),
        ("report://northwind", EXPOSED, True),
        ("%2FR%26D", FAULTY, True),
        ("/R&D", FAULTY, False),
        ("uri:2025", EXPOSED, True),
        ("uri=2025", EXPOSED, False),
        ("uri=report://northwind/2025-10", EXPOSED, True),
        ("uri:*", BARE, False),
        ("uri~^report:", EXPOSED, True),
        ("uri~^northwind", EXPOSED, False),
        ('uri:"*"', EXPOSED, False),
        ("uri:north.ind", EXPOSED, False),
        ("template:{tenant}", EXPOSED, True),
        ("template:{team}", EXPOSED, False),
        ("template:*", BARE, False),
        ("var.tenant:northwind", EXPOSED, True),
        ("var.tenant=northwind", EXPOSED, True),
        ("var.tenant:north", EXPOSED, False),
        ("var.tenant~^north", EXPOSED, True),
        ("var.Tenant:northwind", EXPOSED, False),
        ("var.name:costs%2FR%26D", FAULTY, True),
        ("var.name:costs/R&D", FAULTY, True),
        ("var.name:*", EXPOSED, False),
        ("tenant:northwind", EXPOSED, True),
        ("tenant:acme", EXPOSED, True),
        ("tenant:north", EXPOSED, False),
        ("caller:ana", EXPOSED, True),
        ("caller:auth0|ana", EXPOSED, True),
        ("caller:ana@acme.example", EXPOSED, True),
        ("caller:an", EXPOSED, False),
        ("caller:*", FAULTY, False),
        ("session:s-71", FAULTY, True),
        ("session:s-7", FAULTY, False),
        ("session:*", EXPOSED, False),
        ("capture:monday", FAULTY, True),
        ("capture:tuesday", FAULTY, False),
        ("server:Documents", FAULTY, True),
        ("server:*", EXPOSED, False),
        ("status:ok", EXPOSED, True),
        ("status:error", FAULTY, True),
        ("status:open", SUSPECT, True),
        ("code:-32002", FAULTY, True),
        ("code=-32002", FAULTY, True),
        ("code<-32000", FAULTY, True),
        ("code>=-32002", FAULTY, True),
        ("code>-32002", FAULTY, False),
        ("code:-32099..-32000", FAULTY, True),
        ("code:..-32003", FAULTY, False),
        ("code:-32002..", FAULTY, True),
        ("code:*", EXPOSED, False),
        ("not code:-32002", EXPOSED, True),
        ("id:41", FAULTY, True),
        ("id:a-1", SUSPECT, True),
        ("id:4", FAULTY, False),
        ("id:null", read(request_id=None), True),
        ("id:true", read(request_id=True), True),
        ("id:1.5", read(request_id=1.5), True),
        ("took>200ms", FAULTY, True),
        ("took>250ms", FAULTY, False),
        ("took>=250ms", FAULTY, True),
        ("took:0.25s", FAULTY, True),
        ("took:100ms..1s", FAULTY, True),
        ("took<1h", EXPOSED, False),
        ("at>09:14:00", FAULTY, True),
        ("at:09:14", FAULTY, True),
        ("at:09:15", FAULTY, False),
        ("at:*", EXPOSED, False),
        ("line:79", FAULTY, True),
        ("line:80", FAULTY, True),
        ("line:81", FAULTY, False),
        ("line<80", FAULTY, True),
        ("number:41", FAULTY, True),
        ("number:40", FAULTY, False),
        ("review:new", FAULTY, True),
        ("review:new", read(), False),
        ("review:confirmed", FAULTY, False),
        ("note:*", FAULTY, False),
    ],
)
def test_a_term_shows_the_reads_that_have_the_value(text: str, judgement: Judgement, shown: bool) -> None:
    assert matches(text, judgement) is shown
    assert matches(f"not ({text})" if text else "not uri:x", judgement) is (not shown if text else True)


def test_a_caller_who_is_called_like_a_verdict_is_found_by_caller() -> None:
    named = read(caller=caller("shared"))
    assert not matches("principal:shared", named)
    assert matches("caller:shared", named)
    by_reason = read(answers=(INTACT, MATCH, Answer(Question.PRINCIPAL, Verdict.ALLOWED, "shared", "")))
    assert matches("principal:shared", by_reason)


class Desk:
    """Reviews of two findings."""

    def state(self, fingerprint: str) -> str:
        """One of them is dismissed."""
        return "dismissed" if fingerprint == "f3" else "new"

    def notes(self, fingerprint: str) -> Sequence[str]:
        """It has a note."""
        return ("The customer is a test account.",) if fingerprint == "f3" else ()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("review:dismissed", True),
        ("review:new", False),
        ("note:*", True),
        ('note:"test account"', True),
        ("note:customer", True),
        ("note:Customer", False),
        ("note~^The.*[.]$", True),
    ],
)
def test_reviews_and_notes_come_from_beside(text: str, shown: bool) -> None:
    assert matches(text, EXPOSED, Beside(Desk())) is shown
    assert not matches(text.replace("new", "dismissed"), FAULTY, Beside(Desk()))


def test_a_session_is_also_known_by_the_name_that_the_screen_gives_it() -> None:
    beside = Beside(session_names={"s-71": "s3"})
    assert matches("session:s3", FAULTY, beside)
    assert matches("session:s-71", FAULTY, beside)
    assert not matches("session:s3", FAULTY)


@pytest.mark.parametrize("text", ["report://acme/\x1b[31m", "a\x00b", "\ud800", "a\u202eb", 'say "no"', "back\\slash"])
def test_every_text_of_a_log_can_be_asked_for_by_its_characters(text: str) -> None:
    typed = quoted_value(text)
    assert typed.isprintable()
    assert matches(f"uri={typed}", read(text))
    assert not matches(f"uri={typed}", read(text + "x"))


def test_a_clear_read_is_shown_by_no_fault_state() -> None:
    plain = read(answers=PLAIN)
    assert [
        state for state in ("fault", "suspect", "clear", "undecided", "void") if matches(f"any:{state}", plain)
    ] == ["clear"]

"""What a read of AFTER says of a fault of BEFORE: the same fault, an answer that clears it, or neither."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum

from diagnosis.questions.document_rules import CROSSED_RESPONSE
from diagnosis.questions.facts import document_fields
from diagnosis.questions.fields import Stated, statements
from diagnosis.questions.findings import Answer, FindingClass, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.questions.refusals import Unreached, unreached
from diagnosis.reads.read import Outcome, Read, Seen
from diagnosis.uris.percent import decode, has_double
from diagnosis.wording import listing, quoted


class Says(StrEnum):
    """How one read of AFTER speaks of a fault of BEFORE. `SILENT`: nothing came back, so nothing was exercised."""

    FAULTY = "faulty"
    CLEAN = "clean"
    OPEN = "open"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Again:
    """One read of AFTER that asked for the same: what it says, its reason code, and why in words."""

    judgement: Judgement
    says: Says
    reason: str
    because: str


def answer_of(judgement: Judgement, kind: FindingClass) -> Answer:
    """The answer to the question that a class belongs to."""
    return {
        FindingClass.UNDER_ENCODING: judgement.segments,
        FindingClass.DOUBLE_DECODE: judgement.document,
        FindingClass.MISSING_AUTHORIZATION: judgement.principal,
    }[kind]


def has_fault(judgement: Judgement, kind: FindingClass) -> bool:
    """Whether a read has a finding of the class."""
    return any(each.rule.finding_class is kind for each in judgement.findings)


def crossed_reads(judgements: Iterable[Judgement]) -> frozenset[Seen]:
    """The requests whose answers went to one another: a read with the answer of another one, and that other one."""
    remarks = (remark for each in judgements for remark in each.remarks if remark.rule.id == CROSSED_RESPONSE.id)
    return frozenset(evidence.seen for remark in remarks for evidence in remark.evidence)


def again(
    judgement: Judgement, kind: FindingClass, before: tuple[Judgement, ...], crossed: Set[Seen] = frozenset()
) -> Again:
    """What a read of AFTER says of the fault that the reads `before` show; it asked for the same as they did.

    `crossed` are the requests of AFTER whose answers went to one another.
    """
    answer = answer_of(judgement, kind)
    if has_fault(judgement, kind):
        return Again(judgement, Says.FAULTY, answer.reason, answer.because)
    unanswered = kind is not FindingClass.UNDER_ENCODING and judgement.read.outcome is Outcome.NONE
    if unanswered and answer.verdict is Verdict.CANNOT_TELL:
        return Again(judgement, Says.SILENT, answer.reason, answer.because)
    if answer.verdict is Verdict.CANNOT_TELL:
        return Again(judgement, Says.OPEN, answer.reason, answer.because)
    if kind is FindingClass.UNDER_ENCODING:
        doubt = _of_bytes(judgement, before)
    elif why := _why_uncertain(judgement.read, crossed):
        doubt = ("pairing-uncertain", why)
    elif kind is FindingClass.DOUBLE_DECODE:
        doubt = _of_match(judgement, answer, before)
    else:
        doubt = _of_caller(judgement, answer, before)
    if doubt is not None:
        return Again(judgement, Says.OPEN, *doubt)
    return Again(judgement, Says.CLEAN, answer.reason, answer.because)


Doubt = tuple[str, str] | None


def _why_uncertain(read: Read, crossed: Set[Seen]) -> str:
    """Why nobody knows what came back for a read; "" where that is known."""
    if read.doubts:
        return "Which answer belongs to this read is uncertain."
    if read.request in crossed:
        return "Answers went to the wrong reads here, so what this read would have got is not known."
    if read.response is not None and any(each.digest != read.response.digest for each in read.extra):
        return "Several different answers came to this read, and which one the client took is not known."
    return ""


def _of_bytes(judgement: Judgement, before: tuple[Judgement, ...]) -> Doubt:
    """The answer to question 1 hangs on the bytes and on the templates: of the same bytes only these changed."""
    if judgement.read.uri not in {each.read.uri for each in before}:
        return None
    because = (
        "The client sent the same bytes again. They count as intact here only because AFTER knows another template, or "
        "lists this very URI."
    )
    return "same-bytes", because


def _of_match(judgement: Judgement, answer: Answer, before: tuple[Judgement, ...]) -> Doubt:
    """A match clears a double decode only where the document states the value that was decoded twice."""
    if answer.verdict is not Verdict.MATCH:
        return answer.reason, f"The document still does not match, for another reason. {answer.because}"
    suspects = {name for each in before for name in _suspects(each)}
    stated = _stated(judgement)
    # A value that one decode finishes never meets a second one; only such a value that came back whole clears.
    raw = {each.name: each.raw for reading in judgement.readings for each in reading.bindings}
    told = {name for name, how in stated.items() if how in _WHOLE and has_double(raw.get(name, ""))}
    silent = sorted(suspects - told)
    if suspects and not silent:
        return None
    names = listing(quoted(name) for name in silent) or "the value that was decoded twice"
    return "decode-blind", f"The document matches but does not state {names}, so it says nothing of a second decode."


_WHOLE = (Stated.AGREES, Stated.CONVERTED, Stated.RAW)


def _suspects(judgement: Judgement) -> Iterable[str]:
    """The variables that the document shows decoded twice, else all that a second decode would change."""
    twice = [name for name, how in _stated(judgement).items() if how is Stated.TWICE]
    bindings = (each for reading in judgement.readings[:1] for each in reading.bindings)
    return twice or [each.name for each in bindings if has_double(each.raw)]


def _stated(judgement: Judgement) -> Mapping[str, Stated]:
    if len(judgement.readings) != 1:
        return {}
    (reading,) = judgement.readings
    bindings = {each.name: each for each in reading.bindings}
    found = statements(bindings, reading.template, document_fields(judgement.read))
    return {each.variable: each.stated for each in found}


_UNREACHED = {
    Unreached.NOT_AUTHENTICATED: (
        "The server did not know who asked: a token or a login was missing or had expired. The check of the tenant was "
        "never reached, so this says nothing of it."
    ),
    Unreached.ANOTHER_CAUSE: (
        "A file system, a database or a rate limit refused here, whoever had asked. The check of the tenant was never "
        "reached, so this says nothing of it."
    ),
}


def _of_caller(judgement: Judgement, answer: Answer, before: tuple[Judgement, ...]) -> Doubt:
    """`allowed` clears only by what BEFORE knew the caller may see, and of a document that names its tenant.

    `refused` clears only where the server may have looked at the tenant.
    """
    if answer.verdict is Verdict.REFUSED:
        values = (decode(each.raw) for reading in judgement.readings for each in reading.bindings)
        why = unreached(judgement.read, values)
        return None if why is None else (why.value, _UNREACHED[why])
    if answer.verdict is not Verdict.ALLOWED:
        return None
    if not judgement.tenants:
        return "no-tenant", "Whose document it was is not known."
    got = judgement.tenants[-1]
    callers = [each.caller for each in before if each.caller is not None]
    if not all(caller.may_see(got) for caller in callers):
        because = f"AFTER says that the caller may see {quoted(got)}, and BEFORE said that it may not."
        return "other-allowed-set", because
    if any(len(each.tenants) > 1 for each in before) and got not in _names_in(judgement):
        because = "The document of BEFORE named another tenant than the URI; this one does not say whose it is."
        return "tenant-not-stated", because
    return None


def _names_in(judgement: Judgement) -> set[str]:
    values = document_fields(judgement.read).values()
    return {str(one) for each in values for one in (each if isinstance(each, tuple) else (each,))}

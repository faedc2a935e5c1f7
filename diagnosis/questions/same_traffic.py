"""Two captures of the same traffic, for example on both sides of a gateway: one read, seen by two witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from diagnosis.questions.findings import Answer, Certainty, Evidence, Finding, Question, Remark, Severity, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.questions.remark_parts import remark_rule
from diagnosis.reads.read import Read
from diagnosis.reads.sidecars import Groups
from diagnosis.wording import quoted

CHANGED = remark_rule(
    "changed-on-the-way",
    title="Two captures of one read hold different URIs",
    severity=Severity.SEVERE,
    why=(
        "The same request was captured at two places, and between them something changed its URI. What was asked for "
        "is not what arrived, so that a check in front of the change and the storage behind it can see different names."
    ),
    fix=(
        "Find the hop between the two captures: a gateway or proxy that rewrites, decodes or normalises URIs. "
        "Let it hand `params.uri` on byte for byte; a URI is an opaque name to everything but its server."
    ),
    not_this="A gateway that adds or removes a prefix of its own on purpose changes the URI too, and harms nobody.",
)


RULES = (CHANGED,)


def joined(judgements: Sequence[Judgement], groups: Groups) -> list[Judgement]:
    """Counts the reads of several witnesses once; `groups` are their numbers, the one that counts first.

    Of each question the answer that accuses most counts, then the one that decides: a witness that saw nothing clears
    nobody. Evidence of all witnesses is kept, and a URI that differs between them is remarked.
    """
    merged = (_by_caller([judgements[number] for number in group]) for group in groups)
    found = (_as_one(group) for parts in merged for group in parts)
    return [replace(each, read=replace(each.read, number=number)) for number, each in enumerate(found)]


def _by_caller(group: list[Judgement]) -> list[list[Judgement]]:
    """The group, apart where two callers got what they may not see: none of them is cleared by the other."""
    accused = {each.caller.id for each in group if each.caller and each.principal.verdict is Verdict.NOT_CHECKED}
    if len(accused) < 2:
        return [group]
    apart = [[each for each in group if each.caller and each.caller.id == who] for who in sorted(accused)]
    apart[0] += [each for each in group if each.caller is None or each.caller.id not in accused]
    return apart


def _as_one(group: Sequence[Judgement]) -> Judgement:
    if len(group) == 1:
        return group[0]
    segments, document, principal = (
        _together([each.answers[question] for each in group]) for question in range(len(Question))
    )
    by_segments, by_principal = _of(group, 0), _of(group, 2)
    read = by_segments.read  # its URI is the one that `readings` and `expected` belong to
    if all(each.read.uri in (None, read.uri) for each in group):
        read = next((each.read for each in group if each.read.response is not None), group[0].read)
    return replace(
        by_segments,
        read=read,
        segments=segments,
        document=document,
        principal=principal,
        remarks=_remarks(group),
        caller=by_principal.caller,
        tenant_variable=by_principal.tenant_variable,
        tenants=by_principal.tenants,
        witnesses=tuple(each.read for each in group if each.read is not read),
    )


def _of(group: Sequence[Judgement], question: int) -> Judgement:
    """The witness whose answer counts."""
    return group[_chosen([each.answers[question] for each in group])]


def _chosen(answers: Sequence[Answer]) -> int:
    every = range(len(answers))
    best = min(every, key=lambda index: _rank(answers[index]))
    if answers[best].reason != "administrator":
        return best
    # Each hop has a caller of its own: an administrator on one excuses nobody on another.
    return next(
        (index for index in every if answers[index].verdict is Verdict.CANNOT_TELL and _is_open(answers[index])), best
    )


def _is_open(answer: Answer) -> bool:
    """Whether a document was served and it is not known whether the caller may see it."""
    return answer.reason not in ("no-answer", "not-found", "no-document")


_UNDECIDED, _GOOD = 9, 8
_BAD = (Verdict.ESCAPED, Verdict.MISMATCH, Verdict.NOT_CHECKED)


def _rank(answer: Answer) -> int:
    """What accuses most comes first, then what is wrong for another cause, then what decides."""
    if answer.findings:
        return min(tuple(Certainty).index(each.certainty) for each in answer.findings)
    if answer.verdict is Verdict.CANNOT_TELL:
        return _UNDECIDED
    return len(Certainty) if answer.verdict in _BAD else _GOOD


def _together(answers: Sequence[Answer]) -> Answer:
    """The answer that counts, with the findings and the evidence of all witnesses."""
    chosen = answers[_chosen(answers)]
    findings: dict[str, Finding] = {each.rule.id: each for each in chosen.findings}
    remarks = list(chosen.remarks)
    for answer in answers:
        if answer is chosen:
            continue
        for finding in answer.findings:
            known = findings.get(finding.rule.id)
            more = finding.evidence if known is not None else ()
            findings[finding.rule.id] = replace(known, evidence=known.evidence + more) if known else finding
        rules = {each.rule.id for each in remarks}
        remarks += (each for each in answer.remarks if each.rule.id not in rules)
    return replace(chosen, findings=tuple(findings.values()), remarks=tuple(remarks))


def _remarks(group: Sequence[Judgement]) -> tuple[Remark, ...]:
    found: dict[str, Remark] = {}
    for each in group:
        for remark in each.remarks:
            found.setdefault(remark.rule.id, remark)
    changed = _changed([each.read for each in group])
    return (*found.values(), *((changed,) if changed is not None else ()))


def _changed(reads: Sequence[Read]) -> Remark | None:
    named = [read for read in reads if read.uri is not None]
    differs = next(((one, other) for one, other in pairwise(named) if one.uri != other.uri), None)
    if differs is None:
        return None
    one, other = differs
    summary = (
        f"One capture holds {quoted(one.uri or '')}, another one {quoted(other.uri or '')}: "
        "something between them changed the URI."
    )
    evidence = tuple(Evidence(each.request, "the request as this capture saw it") for each in (one, other))
    traced = one.traceparent is not None and other.traceparent is not None
    certainty = Certainty.CERTAIN if traced else Certainty.LIKELY  # else id, name and time say that it is one read
    return Remark(CHANGED, certainty, summary, evidence, CHANGED.severity)

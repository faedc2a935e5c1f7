"""Puts what repeats together: findings, undecided answers and remarks of the same kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from diagnosis.captures.message import Loss
from diagnosis.questions.findings import Answer, Finding, Question, Remark, Severity, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.tally import remarks_of


@dataclass(slots=True)
class FindingGroup:
    """Findings with one rule, template and caller, in capture order; never empty."""

    found: list[tuple[Judgement, Finding]] = field(default_factory=list)


@dataclass(slots=True)
class UndecidedGroup:
    """Answers to one question that stay undecided for one reason; `answer` is the first of them."""

    answer: Answer
    reads: list[Judgement] = field(default_factory=list)


@dataclass(slots=True)
class RemarkGroup:
    """Remarks of one rule with the reads they belong to; `remark` is the first of them."""

    remark: Remark
    reads: list[Judgement] = field(default_factory=list)


def caller_of(judgement: Judgement) -> tuple[str | None, bool]:
    """Who asked, as far as is known: the principal's id, else the session; and whether it is a session."""
    if judgement.caller is not None:
        return judgement.caller.id, False
    return judgement.read.session, judgement.read.session is not None


def finding_groups(judgements: Iterable[Judgement]) -> list[FindingGroup]:
    """Groups findings by rule, template and caller: severe ones first, else in the order of the capture.

    Where there is a baseline, what is new comes before all that it holds.
    """
    groups: dict[tuple[object, ...], FindingGroup] = {}
    for judgement in judgements:
        for finding in judgement.findings:
            key = (finding.rule.id, judgement.template, *caller_of(judgement))
            groups.setdefault(key, FindingGroup()).found.append((judgement, finding))
    for group in groups.values():
        group.found.sort(key=lambda pair: pair[1].new is False)
    return sorted(
        groups.values(),
        key=lambda group: (group.found[0][1].new is False, group.found[0][1].rule.severity is not Severity.SEVERE),
    )


def undecided_groups(judgements: Iterable[Judgement]) -> list[UndecidedGroup]:
    """Groups undecided answers by question and reason: question by question, the most frequent first."""
    groups: dict[tuple[Question, str], UndecidedGroup] = {}
    for judgement in judgements:
        for answer in judgement.answers:
            if answer.verdict is Verdict.CANNOT_TELL:
                group = groups.setdefault((answer.question, answer.reason), UndecidedGroup(answer))
                group.reads.append(judgement)
    order = list(Question)
    return sorted(groups.values(), key=lambda group: (order.index(group.answer.question), -len(group.reads)))


def remark_groups(judgements: Iterable[Judgement]) -> list[RemarkGroup]:
    """Groups remarks by rule: severe ones first, then by name."""
    groups: dict[str, RemarkGroup] = {}
    for judgement in judgements:
        for remark in remarks_of(judgement):
            groups.setdefault(remark.rule.id, RemarkGroup(remark)).reads.append(judgement)
    return sorted(
        groups.values(),
        key=lambda group: (group.remark.rule.severity is not Severity.SEVERE, group.remark.rule.id),
    )


def losses_of(judgements: Iterable[Judgement]) -> Mapping[str, list[str]]:
    """The facts that each capture does not hold as they were sent, where that shows in one of its reads."""
    found: dict[str, set[Loss]] = {}
    for judgement in judgements:
        read = judgement.read
        lost = found.setdefault(read.capture, set())
        lost.update(read.losses)
        if read.response is not None:
            lost.update(read.response.losses)
    return {capture: [loss.value for loss in Loss if loss in lost] for capture, lost in found.items()}

"""Judges two captures so that they can be compared: the templates of both count for both, and clear nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.judgement import Judgement


@dataclass(frozen=True, slots=True)
class Together:
    """The judgements of two captures, and the templates that only one of them lists."""

    before: tuple[Judgement, ...]
    after: tuple[Judgement, ...]
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()


def judged_together(before: Diagnosis, after: Diagnosis) -> Together:
    """Judges the reads of two captures that were read to the end, with the templates that either of them lists.

    Templates of both count for a read that those known before it do not explain.
    """
    known = (before.listed_templates, after.listed_templates)
    given = before.statements.templates
    both = tuple(dict.fromkeys((*given, *known[0], *known[1])))
    return Together(
        before=_judged(before, both),
        after=_judged(after, both),
        only_before=tuple(each for each in known[0] if each not in (*known[1], *given)),
        only_after=tuple(each for each in known[1] if each not in (*known[0], *given)),
    )


def _judged(diagnosis: Diagnosis, templates: tuple[str, ...]) -> tuple[Judgement, ...]:
    own = tuple(diagnosis.judgements)
    if all(each.readings for each in own) or set(templates) <= set(diagnosis.statements.templates):
        return own
    return tuple(_pairs(own, diagnosis.judged_with(replace(diagnosis.statements, templates=templates))))


def _pairs(own: Sequence[Judgement], joint: Sequence[Judgement]) -> Iterator[Judgement]:
    for one, other in zip(own, joint, strict=True):
        yield other if not one.readings and _classes(one) <= _classes(other) else one


def _classes(judgement: Judgement) -> set[object]:
    return {each.rule.finding_class for each in judgement.findings}

"""Which reads the list shows, and in what words: the one thing that every key which narrows the list sets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.loading import Overview
from diagnosis.questions.findings import Finding, FindingClass
from diagnosis.questions.judgement import Judgement

# From all that is known of the reads to the indices of those that are shown, ascending.
Select = Callable[[Overview], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of the reads. `key` tells two parts apart: the same key again shows all.

    `words` is what the shown reads have in common; `timed` says that their first and last time is of interest.
    `select` is asked again whenever reads arrive or are judged anew, and never for a step of the cursor.
    """

    key: tuple[object, ...]
    words: str
    select: Select = field(compare=False)
    timed: bool = field(default=False, compare=False)


def only_faults(question: int) -> Shown:
    """The faults and suspicions of question 0, 1 or 2."""
    return Shown(
        ("question", question), f"only faults of question {question + 1}", lambda overview: overview.faulty(question)
    )


def matrix_cell(caller: str, basis: str, tenant: str) -> Shown:
    """The reads that one cell of the matrix counts."""

    def select(overview: Overview) -> Sequence[int]:
        return overview.across.radii.in_cell(caller, basis, tenant) if overview.across else ()

    who = caller if basis == "principal" else f"{basis} {caller}"
    return Shown(("cell", caller, basis, tenant), f"{who} was served {tenant}", select, timed=True)


def like(judgement: Judgement, finding: Finding) -> Shown:
    """Who else: a read with a finding, and every other read like it.

    These are the reads of the same template with the same defect; for a missing authorization also those in the
    same matrix cell, since there the caller and the tenant are the defect.
    """
    rule = finding.rule
    number = judgement.read.number

    def select(overview: Overview) -> Sequence[int]:
        if overview.across is None:
            return (number,)
        radius = overview.across.radii.of(judgement, rule.id)
        cell = radius.same_cell if rule.finding_class is FindingClass.MISSING_AUTHORIZATION else ()
        return sorted({number, *radius.same_defect, *cell})

    return Shown(("like", number, rule.id), f"{rule.id} as in read {number + 1}", select, timed=True)


def next_like(judgement: Judgement, before: Shown | None) -> Shown | None:
    """Who else has the first finding of a read, or the next one where that is shown already; None without findings.

    A rule may raise several findings on one read: they are one defect.
    """
    found = list({finding.rule.id: finding for finding in judgement.findings}.values())
    if not found:
        return None
    every = [like(judgement, finding) for finding in found]
    return every[(every.index(before) + 1) % len(every)] if before in every else every[0]


def row_of(reads: Sequence[int], read: int) -> int:
    """The row of a read, or of the next one that is shown; the last row where none follows."""
    return min(bisect_left(reads, read), max(0, len(reads) - 1))

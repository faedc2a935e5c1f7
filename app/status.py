"""The exit status of a report, and the sentences that go to standard error with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import IntEnum

from app.unmatched import unmatched
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import FindingClass, Question
from diagnosis.reports.asked import about_sets, about_shown
from diagnosis.reports.tally import Tally, counted_as, is_all_read, is_partial

_LOOKED_FOR = (
    'JSON objects with "jsonrpc" were looked for, one per line, in an array, in a HAR file, '
    "or in a log of a known client"
)


class Status(IntEnum):
    """What a shell script can rely on."""

    CLEAR = 0
    FINDINGS = 1
    USAGE = 2
    NOT_ALL_READ = 3
    INTERRUPTED = 130
    TERMINATED = 143


def status_of(
    diagnosis: Diagnosis, counted: Tally, *, strict: bool, fail_on: Collection[FindingClass] = tuple(FindingClass)
) -> Status:
    """Returns 1 for any finding, 3 where something or everything was not read, 0 otherwise.

    Findings that a baseline holds do not count, nor do those of a class beside `fail_on`. With `strict` an undecided
    answer counts as a finding.
    """
    if any(counted.counting[kind] for kind in fail_on) or (strict and counted.all_cannot_tell):
        return Status.FINDINGS
    return Status.CLEAR if is_all_read(diagnosis) else Status.NOT_ALL_READ


def sentences(diagnosis: Diagnosis, counted: Tally) -> Iterator[str]:
    """Yields what a person at a terminal must know beside the report; the text may hold anything."""
    if any(facts.changed for facts in diagnosis.captures):
        yield "A capture changed while it was read; the report holds for what was read."
    if not diagnosis.captures:
        yield "Nothing was read."
        return
    if not _messages(diagnosis):
        yield f"No JSON-RPC message was found in {_names(diagnosis)}; {_LOOKED_FOR}."
    elif not diagnosis.judgements:
        messages = counted_as(_messages(diagnosis), "message")
        yield f"{messages} read, and none of them is a resources/read request."
    unreadable = sum(facts.unreadable for facts in diagnosis.captures)
    if unreadable:
        yield f"{counted_as(unreadable, 'line')} could not be read; the report lists them."
    if is_partial(diagnosis):
        yield "Reading was stopped before the end; the report is partial."
    yield from diagnosis.limits
    yield from about_sets(diagnosis)
    yield from about_shown(diagnosis)
    yield from unmatched(diagnosis.statements, diagnosis.judgements)
    undecided = ", ".join(f"{question.value} {counted.cannot_tell[question]}" for question in Question)
    if counted.all_cannot_tell:
        yield f"{counted_as(counted.all_cannot_tell, 'answer')} cannot_tell ({undecided})."


def uncounted(counted: Tally, fail_on: Collection[FindingClass]) -> Iterator[str]:
    """Says how many findings do not count for the exit status, so that 0 is not taken for "no finding"."""
    known = counted.all_findings - counted.counting.total()
    if known:
        yield f"In the baseline, and not counted: {counted_as(known, 'finding')} of {counted.all_findings}."
    beside = sum(count for kind, count in counted.counting.items() if kind not in fail_on)
    if beside:
        yield f"Of a class that --fail-on does not name, and not counted: {counted_as(beside, 'finding')}."


def refusals(diagnosis: Diagnosis) -> Iterator[str]:
    """Yields a sentence for each file that was not read, and what was looked for in it."""
    for refusal in diagnosis.refusals:
        yield f"{refusal.path}: {refusal.sentence}"
        if refusal.kind == "not-a-capture" and refusal.reasons:
            names = ", ".join(name for name, _ in refusal.reasons)
            yield f"  Looked for: {names}; --capture-format NAME says which one it is."


def _messages(diagnosis: Diagnosis) -> int:
    return sum(facts.messages for facts in diagnosis.captures)


def _names(diagnosis: Diagnosis) -> str:
    return ", ".join(facts.path for facts in diagnosis.captures[:3]) or "the captures"

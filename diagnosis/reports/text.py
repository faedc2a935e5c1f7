"""A few plain lines: how much was read and as what, what was found, what the log cannot tell."""

from __future__ import annotations

from datetime import datetime

from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import FindingClass, Question
from diagnosis.reports.tally import counted_as, is_partial, tally
from diagnosis.reports.version import version
from diagnosis.visible import visible

_NAMED = 3


def render(diagnosis: Diagnosis, now: datetime | None = None) -> str:
    """Returns five lines of printable ASCII, file names aside, one per format behind the first, and one on a baseline.

    `now` is not used.
    """
    counted = tally(diagnosis.shown())
    found = ", ".join(f"{kind.value} {counted.findings[kind]}" for kind in FindingClass)
    undecided = ", ".join(f"{question.value} {counted.cannot_tell[question]}" for question in Question)
    read = "partial" if is_partial(diagnosis) else "read to the end"
    clean = counted_as(counted.clean, "read")
    lines = counted_as(sum(facts.unreadable for facts in diagnosis.captures), "line")
    files = counted_as(len(diagnosis.refusals), "file")
    return "\n".join(
        [
            f"misread {version()}: {counted_as(counted.reads, 'read')} in {_names(diagnosis)}",
            *_formats(diagnosis),
            f"findings: {found}",
            f"cannot tell: {undecided}",
            f"clean: {clean} (allowed proves no check); remarks: {counted.remarks}",
            f"unreadable: {lines}, {files}; {read}",
            *_since_baseline(diagnosis),
            "",
        ]
    )


def _since_baseline(diagnosis: Diagnosis) -> list[str]:
    """One line more where a baseline was given."""
    marks = [finding.new for each in diagnosis.judgements for finding in each.findings]
    if diagnosis.options.baseline is None:
        return []
    return [f"new since the baseline: {counted_as(sum(map(bool, marks)), 'finding')} of {len(marks)}"]


def _formats(diagnosis: Diagnosis) -> list[str]:
    """The formats that were read, each with the reason given for the first capture of it."""
    whys: dict[str, str] = {}
    for facts in diagnosis.captures:
        whys.setdefault(facts.format, facts.why)
    return [f"read as {visible(name)}: {visible(why)}" for name, why in whys.items()]


def _names(diagnosis: Diagnosis) -> str:
    paths = [visible(facts.path) for facts in diagnosis.captures]
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return (", ".join(paths[:_NAMED]) or "no capture") + more

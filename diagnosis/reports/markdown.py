"""The incident report: what happened, whose fault it is, what to do, and what the log cannot tell.

Log text stands in adaptive code only, so that the report is inert: no link, image or HTML comes out of it in
any renderer. Secrets, e-mail addresses and session ids are labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from diagnosis.comparison import Radii
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import Question
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.across import check_section, exposure_section, matrix_section
from diagnosis.reports.choices import DEFAULT, LOUD, Choices, Reviews
from diagnosis.reports.custody import custody_section
from diagnosis.reports.front import capture_section, header, summary
from diagnosis.reports.grouping import (
    FindingGroup,
    caller_of,
    finding_groups,
    remark_groups,
    undecided_groups,
)
from diagnosis.reports.limits import ROWS, rest
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, prose, table
from diagnosis.reports.section import QUESTIONS, finding_section, place
from diagnosis.reports.tally import Tally, tally
from diagnosis.reports.when import timeline_section

_SECTIONS = 100
_EXAMPLES = 3


def render(diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT) -> str:
    """Returns the incident report as Markdown; only its `Date:` line depends on `now`."""
    judgements = diagnosis.shown()
    masking = Masking(judgements, choices.redaction)
    counted = tally(judgements)
    parts = [
        *header(diagnosis, masking, now or datetime.now(UTC)),
        *exposure_section(judgements, masking),
        *capture_section(diagnosis, judgements, masking),
        *summary(judgements, counted, masking),
        *matrix_section(judgements, masking),
        *check_section(judgements, masking),
        *timeline_section(judgements, masking),
        *_findings(judgements, masking, choices.reviews),
        *_undecided(judgements, masking),
        *_reads(judgements, masking),
        *_remarks(judgements, masking),
        *_clean(counted),
        *_problems(diagnosis, masking),
        *custody_section(diagnosis, masking, choices),
        *_redaction(masking),
    ]
    return "\n\n".join(parts) + "\n"


def read_sections(judgement: Judgement, shown: Sequence[Judgement], choices: Choices = DEFAULT) -> list[str]:
    """The sections of one read's findings, one for each; labels and counts are those of all `shown` reads."""
    masking, radii = Masking(shown, choices.redaction), Radii(shown)
    return [
        finding_section(number, FindingGroup([(judgement, finding)]), masking, radii, choices.reviews)
        for number, finding in enumerate(judgement.findings, 1)
    ]


def _findings(judgements: Sequence[Judgement], masking: Masking, reviews: Reviews) -> Iterator[str]:
    groups = finding_groups(judgements)
    yield "## Findings"
    if not groups:
        yield "None. That says nothing about the answers below that the log does not decide."
    radii = Radii(judgements)
    for number, group in enumerate(groups[:_SECTIONS], 1):
        yield finding_section(number, group, masking, radii, reviews)
    if len(groups) > _SECTIONS:
        yield f"### {len(groups) - _SECTIONS} further groups of findings"
        yield _short_groups(groups[_SECTIONS:], masking)
        yield from rest(len(groups) - _SECTIONS, "groups")


def _short_groups(groups: Sequence[FindingGroup], masking: Masking) -> str:
    return table(
        ("Rule", "Template", "Caller", "Reads", "First"),
        (
            (
                code(finding.rule.id),
                code(masking.uri(judgement.template)) if judgement.template else "none",
                code(masking.caller(caller, is_session=is_session)),
                str(len(group.found)),
                place(judgement),
            )
            for group in groups[:ROWS]
            for judgement, finding in group.found[:1]
            for caller, is_session in (caller_of(judgement),)
        ),
    )


def _undecided(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    groups = undecided_groups(judgements)
    if not groups:
        return
    titles = dict(zip(Question, QUESTIONS, strict=True))
    yield "## What could not be told"
    yield "Each line says why, and which one fact would decide these answers, as the first of its reads puts it."
    yield table(
        ("Question", "Reason", "Reads", "Why", "Missing fact", "First examples"),
        (
            (
                titles[group.answer.question],
                code(group.answer.reason),
                str(len(group.reads)),
                prose(masking.of(group.reads[0])(group.answer.because)),
                prose(masking.of(group.reads[0])(group.answer.missing)) if group.answer.missing else "",
                _examples(group.reads),
            )
            for group in groups
        ),
    )


def _reads(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """The three answers to every read, in log order."""
    if not judgements:
        return
    yield "## Every read"
    yield table(
        ("Read", "URI", "1", "2", "3"),
        (
            (
                place(each),
                code(masking.uri(each.read.uri, each)) if each.read.uri is not None else "none",
                *(f"{code(answer.verdict.value)} {code(answer.reason)}" for answer in each.answers),
            )
            for each in judgements[:ROWS]
        ),
    )
    yield from rest(len(judgements), "reads")


def _remarks(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    groups = remark_groups(judgements)
    if not groups:
        return
    yield "## Remarks"
    yield "Real and worth showing, and none of the three classes."
    yield table(
        ("Rule", "Severity", "Certainty", "Reads", "The first one", "First examples"),
        (
            (
                code(group.remark.rule.id),
                group.remark.severity.value,
                group.remark.certainty.value,
                str(len(group.reads)),
                prose(masking.of(group.reads[0])(group.remark.summary)),
                _examples(group.reads),
            )
            for group in groups
        ),
    )


def _clean(counted: Tally) -> Iterator[str]:
    yield "## Clean reads"
    yield (
        f"{counted.clean} of {counted.reads} reads are clean: `intact` on the wire, `match`, and `allowed`. "
        "`allowed` proves no check in the server."
    )


def _problems(diagnosis: Diagnosis, masking: Masking) -> Iterator[str]:
    yield "## Problems in the input"
    unreadable = max(sum(facts.unreadable for facts in diagnosis.captures), len(diagnosis.problems))
    if not unreadable and not diagnosis.refusals:
        yield "None: every capture was opened, and no line was unreadable."
        return
    files = [(code(one.path), "whole file", "", prose(masking.text(one.sentence))) for one in diagnosis.refusals]
    lines = [
        (code(one.span.capture), str(one.span.line), str(one.span.offset), prose(masking.text(one.why)))
        for one in diagnosis.problems[:ROWS]
    ]
    yield table(("File", "Line", "Byte", "Reason"), (files + lines)[:ROWS])
    yield from rest(unreadable + len(files), "problems")


def _redaction(masking: Masking) -> Iterator[str]:
    yield "## About this report"
    if masking.redaction.off:
        yield f"**{LOUD}**"
    else:
        yield f"Redacted: {masking.summary()}; equal values have equal labels."
    yield (
        "Documents are left out. Text of the log stands in code only, and what cannot be printed stands there as "
        "`\\u{...}`."
    )


def _examples(reads: Sequence[Judgement]) -> str:
    return ", ".join(place(judgement) for judgement in reads[:_EXAMPLES])

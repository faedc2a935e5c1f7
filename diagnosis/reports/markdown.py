"""The incident report: what happened, whose fault it is, what to do, and what the log cannot tell.

Log text stands in adaptive code only, so that the report is inert: no link, image or HTML comes out of it in
any renderer. Secrets, e-mail addresses and session ids are labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from diagnosis.comparison import Exposure, exposures
from diagnosis.diagnosis import CaptureFacts, Diagnosis
from diagnosis.questions.findings import FindingClass, Owner, Question, Severity, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.grouping import (
    FindingGroup,
    caller_of,
    finding_groups,
    remark_groups,
    undecided_groups,
)
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, prose, table
from diagnosis.reports.section import OWNERS, QUESTIONS, finding_section, place
from diagnosis.reports.tally import Tally, counted_as, is_partial, tally
from diagnosis.reports.version import version

_SECTIONS = 100
_ROWS = 200
_EXAMPLES = 3
_CLASS_OWNERS = {
    FindingClass.UNDER_ENCODING: Owner.CLIENT,
    FindingClass.DOUBLE_DECODE: Owner.BETWEEN,
    FindingClass.MISSING_AUTHORIZATION: Owner.READ_HANDLER,
}


def render(diagnosis: Diagnosis, now: datetime | None = None) -> str:
    """Returns the incident report as Markdown; only its `Date:` line depends on `now`."""
    judgements = diagnosis.judgements
    masking = Masking(judgements)
    counted = tally(judgements)
    parts = [
        *_header(diagnosis, masking, now or datetime.now(UTC)),
        *_exposures(judgements, masking),
        *_summary(judgements, counted),
        *_findings(judgements, masking),
        *_undecided(judgements, masking),
        *_remarks(judgements, masking),
        *_clean(counted),
        *_problems(diagnosis),
        *_redaction(masking),
    ]
    return "\n\n".join(parts) + "\n"


def _header(diagnosis: Diagnosis, masking: Masking, now: datetime) -> Iterator[str]:
    yield "# Misread incident report"
    yield f"Date: {now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    yield f"Tool: misread {code(version())}"
    if is_partial(diagnosis):
        yield "Partial: reading was stopped before the end. What follows holds for the part that was read."
    else:
        yield "Every capture that could be opened was read to its end."
    if any(facts.changed for facts in diagnosis.captures):
        yield "A capture changed while it was read; its hash and this report belong to what was read."
    yield "## Captures"
    yield _captures(diagnosis.captures)
    blind = dict.fromkeys(facts.cannot_show for facts in diagnosis.captures if facts.cannot_show)
    if blind:
        yield "\n".join(f"- Captures of this kind never show: {prose(text)}" for text in blind)
    yield "\n".join(_given(diagnosis, masking))


def _captures(captures: Sequence[CaptureFacts]) -> str:
    head = (
        *("Capture", "SHA-256", "Format", "Why", "Lines", "Blank", "Messages"),
        *("Other", "Unreadable", "Reads", "Read to the end"),
    )
    return table(
        head,
        (
            (
                *(
                    code(facts.path),
                    code(facts.sha256) if facts.sha256 else "not known",
                    code(facts.format),
                    prose(facts.why),
                ),
                *(str(facts.lines), str(facts.blank), str(facts.messages), str(facts.other)),
                *(str(facts.unreadable), str(facts.reads), "no" if facts.partial else "yes"),
            )
            for facts in captures
        ),
    )


def _given(diagnosis: Diagnosis, masking: Masking) -> Iterator[str]:
    statements = diagnosis.statements
    yield f"- Policy: {code(statements.policy_path) if statements.policy_path else 'none given'}"
    listed = "only those in the captures"
    yield f"- Templates: {code(statements.templates_path) if statements.templates_path else listed}"
    for word in statements.stated:
        yield f"- Stated by the person: {code(masking.stated(word))}"


def _exposures(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """Whose documents went to whom, where a finding or a known caller makes that a question at all."""
    outside = {
        (tenant, caller_of(judgement)[0], judgement.template)
        for judgement in judgements
        if judgement.principal.verdict is Verdict.NOT_CHECKED
        for tenant in judgement.tenants[-1:]
    }
    principals = {judgement.caller.id for judgement in judgements if judgement.caller is not None}
    found = list(exposures(judgements))
    if not found or not (outside or principals):
        return
    found.sort(key=lambda one: (one.tenant, one.caller, one.template) not in outside)
    yield "## Whose documents went to whom"
    yield "Successful reads by tenant received, caller and template. An `allowed` read proves no check."
    yield table(
        (
            "Tenant received",
            "Caller",
            "Template",
            "Reads",
            "First",
            "Last",
            "Outside what the caller may see",
        ),
        (
            _exposure(one, masking, principals, (one.tenant, one.caller, one.template) in outside)
            for one in found[:_ROWS]
        ),
    )
    yield from _rest(len(found), "exposures")


def _exposure(one: Exposure, masking: Masking, principals: set[str], outside: bool) -> tuple[str, ...]:
    caller = masking.caller(one.caller, is_session=one.caller not in principals)
    mask = masking.of(None)
    return (
        *(
            code(mask(one.tenant)),
            code(caller),
            code(one.template) if one.template else "none",
            str(one.reads),
        ),
        *(code(one.first) if one.first else "no time", code(one.last) if one.last else "no time"),
        "**yes**" if outside else "not found to be",
    )


def _summary(judgements: Sequence[Judgement], counted: Tally) -> Iterator[str]:
    severe: Counter[FindingClass | None] = Counter()
    for judgement in judgements:
        severe.update(
            finding.rule.finding_class for finding in judgement.findings if finding.rule.severity is Severity.SEVERE
        )
    yield "## Summary"
    found, undecided = (
        counted_as(counted.all_findings, "finding"),
        counted_as(counted.all_cannot_tell, "answer"),
    )
    yield f"{counted_as(counted.reads, 'read')}, {found}, {undecided} undecided."
    yield table(
        ("Class", "Owner", "Findings", "Severe"),
        (
            (kind.value, OWNERS[owner], str(counted.findings[kind]), str(severe[kind]))
            for kind, owner in _CLASS_OWNERS.items()
        ),
    )
    yield table(
        ("Question", "Undecided"),
        (
            (title, f"{counted.cannot_tell[question]} of {counted.reads}")
            for title, question in zip(QUESTIONS, Question, strict=True)
        ),
    )


def _findings(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    groups = finding_groups(judgements)
    yield "## Findings"
    if not groups:
        yield "None. That says nothing about the answers below that the log does not decide."
    for number, group in enumerate(groups[:_SECTIONS], 1):
        yield finding_section(number, group, masking)
    if len(groups) > _SECTIONS:
        yield f"### {len(groups) - _SECTIONS} further groups of findings"
        yield _short_groups(groups[_SECTIONS:], masking)
        yield from _rest(len(groups) - _SECTIONS, "groups")


def _short_groups(groups: Sequence[FindingGroup], masking: Masking) -> str:
    return table(
        ("Rule", "Template", "Caller", "Reads", "First"),
        (
            (
                code(finding.rule.id),
                code(judgement.template) if judgement.template else "none",
                code(masking.caller(caller, is_session=is_session)),
                str(len(group.found)),
                place(judgement),
            )
            for group in groups[:_ROWS]
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
    yield "Each line names the one fact that would decide these answers, as the first of its reads puts it."
    yield table(
        ("Question", "Reason", "Reads", "Missing fact", "First examples"),
        (
            (
                titles[group.answer.question],
                code(group.answer.reason),
                str(len(group.reads)),
                prose(masking.of(group.reads[0])(group.answer.missing or group.answer.because)),
                _examples(group.reads),
            )
            for group in groups
        ),
    )


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


def _problems(diagnosis: Diagnosis) -> Iterator[str]:
    yield "## Problems in the input"
    unreadable = max(sum(facts.unreadable for facts in diagnosis.captures), len(diagnosis.problems))
    if not unreadable and not diagnosis.refusals:
        yield "None: every capture was opened, and no line was unreadable."
        return
    files = [(code(one.path), "whole file", "", prose(one.sentence)) for one in diagnosis.refusals]
    lines = [
        (code(one.span.capture), str(one.span.line), str(one.span.offset), prose(one.why))
        for one in diagnosis.problems[:_ROWS]
    ]
    yield table(("File", "Line", "Byte", "Reason"), (files + lines)[:_ROWS])
    yield from _rest(unreadable + len(files), "problems")


def _redaction(masking: Masking) -> Iterator[str]:
    names = {"secret": "secrets", "email": "e-mail addresses", "session": "session ids"}
    counts = masking.labels.counts()
    hidden = ", ".join(f"{name} ({counts[kind]})" for kind, name in names.items() if kind in counts)
    yield "## About this report"
    yield (
        f"Replaced by labels: {hidden or 'nothing'}; equal values have equal labels. Documents are left out. "
        "Text of the log stands in code only, and what cannot be printed stands there as `\\u{...}`."
    )


def _examples(reads: Sequence[Judgement]) -> str:
    return ", ".join(place(judgement) for judgement in reads[:_EXAMPLES])


def _rest(count: int, what: str) -> Iterable[str]:
    return [f"{count - _ROWS} further {what} are not listed here; the JSON report has all."] if count > _ROWS else []

"""The incident report as plain text, for trackers with a markup of their own: printable ASCII in 80 columns.

It says what the Markdown report says, shorter: findings with answers, evidence and fix; the tables are lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from diagnosis.comparison import Exposure, exposures
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import FindingClass, Question
from diagnosis.questions.judgement import Judgement
from diagnosis.reports import asked
from diagnosis.reports.across import outside_cells
from diagnosis.reports.ascii import fields, plain, wrapped
from diagnosis.reports.choices import DEFAULT, LOUD, Choices
from diagnosis.reports.grouping import finding_groups, remark_groups, undecided_groups
from diagnosis.reports.limits import ROWS, rest
from diagnosis.reports.masking import Masking
from diagnosis.reports.tally import Tally, counted_as, is_partial, tally
from diagnosis.reports.text_finding import finding_lines, place
from diagnosis.reports.version import version

_SECTIONS = 100


def render(diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT) -> str:
    """Returns the report as lines of ASCII, the same for the same diagnosis; `now` is not used."""
    judgements = diagnosis.shown()
    masking = Masking(judgements, choices.redaction)
    counted = tally(judgements)
    lines = [
        *_head(diagnosis, masking),
        *_exposures(judgements, masking),
        *_captures(diagnosis),
        *_summary(diagnosis, judgements, counted),
        *_findings(judgements, masking, choices),
        *_undecided(judgements, masking),
        *_remarks(judgements, masking),
        *_problems(diagnosis, masking),
        *_given(diagnosis, masking, choices),
    ]
    return "\n".join(line.rstrip() for line in (*lines, *_end(masking))) + "\n"


def _head(diagnosis: Diagnosis, masking: Masking) -> Iterator[str]:
    yield f"misread {version()}: incident report"
    if masking.redaction.off:
        yield wrapped(LOUD)
    end = (
        "PARTIAL: reading was stopped before the end."
        if is_partial(diagnosis)
        else "Every capture was read to its end."
    )
    if not is_partial(diagnosis) and diagnosis.refusals:
        end = "Every capture that could be opened was read to its end."
    yield end
    unreadable = sum(facts.unreadable for facts in diagnosis.captures)
    if unreadable:
        yield f"{counted_as(unreadable, 'line')} could not be read; they are listed below."
    if any(facts.changed for facts in diagnosis.captures):
        yield "A capture changed while it was read; this holds for what was read."
    yield from (wrapped(sentence) for sentence in (*diagnosis.limits, *asked.about_shown(diagnosis)))


def _exposures(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """Outside ones first; the others are of use only where somebody knows who asked."""
    cells = outside_cells(judgements)
    principals = {judgement.caller.id for judgement in judgements if judgement.caller is not None}
    found = sorted(exposures(judgements), key=lambda one: (one.tenant, one.caller, one.template) not in cells)
    if not found or not (cells or principals):
        return
    yield from ("", "WHOSE DOCUMENTS WENT TO WHOM")
    for one in found[:ROWS]:
        outside = (one.tenant, one.caller, one.template) in cells
        yield wrapped(_exposure(one, masking, one.caller not in principals, outside), 2)
    yield from rest(len(found), "exposures")


def _exposure(one: Exposure, masking: Masking, is_session: bool, outside: bool) -> str:
    caller = masking.caller(one.caller, is_session=is_session)
    template = f" through {masking.uri(one.template)}" if one.template else ""
    when = f", {masking.text(one.first)} to {masking.text(one.last or one.first)}" if one.first else ""
    mark = "OUTSIDE what the caller may see" if outside else "not found to be outside"
    return f"{masking.tenant(one.tenant)} to {caller}: {counted_as(one.reads, 'read')}{template}{when}; {mark}"


def _captures(diagnosis: Diagnosis) -> Iterator[str]:
    yield from ("", "CAPTURES")
    for facts in diagnosis.captures[:ROWS]:
        yield f"  {plain(facts.path)}"
        state = "partial" if facts.partial else "read to the end"
        lines = f"{facts.lines} lines ({facts.blank} blank, {facts.other} other, {facts.unreadable} unreadable)"
        counts = f"{lines}, {facts.messages} messages, {facts.reads} reads"
        yield from fields(
            [
                ("SHA-256", facts.sha256 or "not known"),
                ("format", f"{facts.format}: {facts.why}"),
                ("counts", f"{counts}; {state}"),
            ],
            4,
        )
    yield from rest(len(diagnosis.captures), "captures")
    yield from (wrapped(sentence, 2) for sentence in asked.about_sets(diagnosis))


def _summary(diagnosis: Diagnosis, judgements: Sequence[Judgement], counted: Tally) -> Iterator[str]:
    yield from ("", "SUMMARY")
    found = ", ".join(f"{kind.value} {counted.findings[kind]}" for kind in FindingClass)
    undecided = ", ".join(f"{question.value} {counted.cannot_tell[question]}" for question in Question)
    yield from fields(
        [
            ("reads", str(counted.reads)),
            ("findings", found),
            ("cannot tell", undecided),
            ("clean", f"{counted.clean} (allowed proves no check in the server)"),
            *_since_baseline(diagnosis, judgements),
        ]
    )


def _since_baseline(diagnosis: Diagnosis, judgements: Sequence[Judgement]) -> Iterator[tuple[str, str]]:
    """How many findings are new, where a baseline was given."""
    marks = [finding.new for each in judgements for finding in each.findings]
    if diagnosis.options.baseline is not None:
        yield "new since the baseline", f"{counted_as(sum(map(bool, marks)), 'finding')} of {len(marks)}"


def _findings(judgements: Sequence[Judgement], masking: Masking, choices: Choices) -> Iterator[str]:
    groups = finding_groups(judgements)
    yield from ("", "FINDINGS")
    if not groups:
        yield wrapped("None. That says nothing about the answers below that the log does not decide.", 2)
    for number, group in enumerate(groups[:_SECTIONS], 1):
        yield from finding_lines(number, group, masking, choices.reviews)
    if len(groups) > _SECTIONS:
        yield f"  {len(groups) - _SECTIONS} further groups of findings; the JSON report has all."


def _undecided(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    groups = undecided_groups(judgements)
    if not groups:
        return
    yield from ("", "WHAT COULD NOT BE TOLD")
    for group in groups:
        answer, mask = group.answer, masking.of(group.reads[0])
        told = [("why", mask(answer.because)), ("missing", mask(answer.missing) or "-")]
        yield wrapped(f"{answer.question.value}, {answer.reason}: {counted_as(len(group.reads), 'read')}", 2)
        yield from fields([*told, ("first", place(group.reads[0]))], 4)


def _remarks(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    groups = remark_groups(judgements)
    if not groups:
        return
    yield from ("", "REMARKS (none of the three classes)")
    for group in groups:
        remark = group.remark
        reads = counted_as(len(group.reads), "read")
        yield wrapped(f"{remark.rule.id}, {remark.severity.value}: {reads}, first {place(group.reads[0])}", 2)
        yield wrapped(masking.of(group.reads[0])(remark.summary), 4)


def _problems(diagnosis: Diagnosis, masking: Masking) -> Iterator[str]:
    unreadable = max(sum(facts.unreadable for facts in diagnosis.captures), len(diagnosis.problems))
    yield from ("", "PROBLEMS IN THE INPUT")
    if not unreadable and not diagnosis.refusals:
        yield "  None: every capture was opened, and no line was unreadable."
        return
    told = [f"{one.path}: {masking.text(one.sentence)}" for one in diagnosis.refusals]
    for one in diagnosis.problems[:ROWS]:
        told.append(f"{one.span.capture}:{one.span.line}, byte {one.span.offset}: {masking.text(one.why)}")
    yield from (wrapped(each, 2) for each in told[:ROWS])
    yield from rest(unreadable + len(diagnosis.refusals), "problems")


def _given(diagnosis: Diagnosis, masking: Masking, choices: Choices) -> Iterator[str]:
    statements = diagnosis.statements
    yield from ("", "INPUTS")
    given = [
        ("policy", _file(statements.policy_path, statements.policy_sha256)),
        ("templates", _file(statements.templates_path, statements.templates_sha256)),
        *(("case file", _file(path, digest)) for path, digest in choices.case_files),
        *(("stated by the person", masking.stated(word)) for word in statements.stated),
        *(("reviewers disagree", masking.stated(word)) for word in choices.contradictions),
        *(("option", f"{name} {value}".strip()) for name, value in asked.words(diagnosis, masking)),
    ]
    yield from fields(given)


def _file(path: str | None, sha256: str) -> str:
    return "none given" if path is None else f"{path} (SHA-256 {sha256 or 'not known'})"


def _end(masking: Masking) -> Iterator[str]:
    """Last, because only now everything has its label."""
    hidden = LOUD if masking.redaction.off else f"Redacted: {masking.summary()}; equal values have equal labels."
    yield from ("", wrapped(f"{hidden} Documents are left out."))

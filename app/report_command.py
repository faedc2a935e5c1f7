"""`misread report`: an export of everything that was concluded, without a screen."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import click

from app.careful import CarefulCommand
from app.console import deliver, leave_unsaid, say
from app.inputs import check_output, known_findings, named_inputs
from app.options import (
    chosen_classes,
    quiet_option,
    redaction_options,
    shared_options,
    where_option,
    written_options,
)
from app.reviewing import (
    EVERYTHING,
    about_nothing_shown,
    check_case,
    check_filter,
    check_sessions,
    choices_of,
    chosen_scope,
    reviewed,
    show_only,
)
from app.running import end_on_sigterm, read_captures
from app.status import refusals, sentences, status_of, uncounted, unmatched
from diagnosis.questions.findings import FindingClass
from diagnosis.reports import REPORTS
from diagnosis.reports.baseline import marked_new
from diagnosis.reports.choices import LOUD
from diagnosis.reports.tally import tally


@click.command("report", cls=CarefulCommand)
@shared_options
@click.option("--format", "report_format", type=click.Choice([one.name for one in REPORTS]), default="markdown")
@written_options
@redaction_options
@where_option
@click.option(
    "--scope",
    callback=chosen_scope,
    default=EVERYTHING,
    metavar="all|confirmed|FINGERPRINT",
    help="Show all reads, those with a confirmed finding, or those with one finding.",
)
@click.option("--baseline", metavar="FILE", help="A JSON report; only findings that it lacks count.")
@click.option(
    "--fail-on",
    multiple=True,
    callback=chosen_classes,
    metavar="CLASS[,CLASS]",
    help=f"Only these classes give status 1: {', '.join(FindingClass)}.",
)
@click.option("--strict", is_flag=True, help="An answer that cannot be told counts as a finding.")
@quiet_option
def report(
    captures: tuple[str, ...],
    case_files: tuple[str, ...],
    report_format: str,
    where: str | None,
    scope: str,
    output: str | None,
    force: bool,
    no_redact: bool,
    aliases: bool,
    baseline: str | None,
    fail_on: tuple[FindingClass, ...],
    strict: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Write a report; needs no terminal.

    Exit status: 1 with a finding that counts, 3 where nothing or not everything was read, 2 for wrong usage,
    0 otherwise.
    """
    tell = leave_unsaid if quiet else say
    inputs = named_inputs(captures, say=tell, **given)
    if not inputs.paths and not captures:
        raise click.UsageError("Name at least one capture, or - for standard input.")
    if output not in (None, "-"):
        check_output(str(output), (*inputs.paths, *case_files, given["policy"], given["templates"], baseline), force)
    known = known_findings(baseline)
    check_filter(where)
    check_case(case_files, to_read=True)
    end_on_sigterm()
    counting = tuple(each.value for each in fail_on) if len(fail_on) < len(FindingClass) else ()
    options = replace(inputs.options, where=where, scope=scope, baseline=baseline, fail_on=counting)
    diagnosis = read_captures(inputs.paths, inputs.statements, options)
    check_sessions(diagnosis)
    case = reviewed(diagnosis, case_files)
    if known is not None:
        diagnosis.judgements[:] = marked_new(diagnosis.judgements, known)
    show_only(diagnosis, where, scope, case, strict=strict)
    choices = choices_of(case, no_redact=no_redact, aliases=aliases)
    chosen = next(one for one in REPORTS if one.name == report_format)
    now = datetime.now(UTC)
    pieces = chosen.pieces(diagnosis, now, choices) if chosen.pieces else (chosen.render(diagnosis, now, choices),)
    deliver(pieces, output, force=force)
    if choices.redaction.off:
        say(LOUD)
    if output not in (None, "-"):
        tell(f"Wrote {output}.")
    counted = tally(diagnosis.shown())
    for sentence in refusals(diagnosis):
        say(sentence)
    for word in choices.contradictions:
        tell(f"Reviewers disagree: {word}.")
    warnings = {*unmatched(diagnosis.statements, diagnosis.judgements), *about_nothing_shown(diagnosis)}
    for sentence in (*sentences(diagnosis, counted), *uncounted(counted, fail_on)):
        (say if sentence in warnings else tell)(sentence)
    return status_of(diagnosis, counted, strict=strict, fail_on=fail_on)

"""`misread compare BEFORE AFTER`: what a fix changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from app.careful import CarefulCommand
from app.console import deliver, leave_unsaid, say
from app.inputs import check_output, named_inputs
from app.options import capture_format_option, joining_options, quiet_option, stated_options, written_options
from app.running import end_on_sigterm, read_captures
from app.status import Status, refusals
from app.unmatched import unmatched
from diagnosis.after_fix.before_after import Status as Became
from diagnosis.after_fix.comparison import Comparison, compared
from diagnosis.callers.credentials import TokenLabels
from diagnosis.reports.comparisons import COMPARISONS
from diagnosis.reports.tally import is_all_read


@click.command("compare", cls=CarefulCommand)
@click.argument("before")
@click.argument("after")
@stated_options
@capture_format_option
@joining_options
@click.option("--format", "form", type=click.Choice([one.name for one in COMPARISONS]), default="markdown")
@written_options
@quiet_option
def compare(
    before: str,
    after: str,
    form: str,
    output: str | None,
    force: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Say what became of each fault of BEFORE in AFTER.

    BEFORE and AFTER are each a capture, or a folder of captures. Exit status: 1 where a fault is still there
    or new, 3 where one was not exercised again or stays undecided, or not everything was read, 2 for wrong usage,
    0 otherwise.
    """
    if before == after == "-":
        raise click.UsageError("Only one of BEFORE and AFTER can be standard input.")
    tell = leave_unsaid if quiet else say
    old = named_inputs((before,), say=tell, **given)
    new = named_inputs((after,), say=tell, **given)
    if output not in (None, "-"):
        check_output(str(output), (*old.paths, *new.paths, given["policy"], given["templates"]), force)
    end_on_sigterm()
    labels = TokenLabels()  # equal tokens have equal names on both sides
    comparison = compared(
        read_captures(old.paths, old.statements, old.options, labels),
        read_captures(new.paths, new.statements, new.options, labels),
    )
    chosen = next(one for one in COMPARISONS if one.name == form)
    deliver((chosen.render(comparison, datetime.now(UTC)),), output, force=force)
    for diagnosis in (comparison.before, comparison.after):
        for sentence in refusals(diagnosis):
            say(sentence)
    for sentence in unmatched(old.statements, (*comparison.together.before, *comparison.together.after)):
        say(sentence)  # also with --quiet: a slip of the pen, and no progress
    if output not in (None, "-"):
        tell(f"Wrote {output}.")
        tell(comparison.opening)
    return status_of(comparison)


def status_of(comparison: Comparison) -> Status:
    """Returns 1 for a fault that is still there or new, 3 where anything is open, 0 where all are gone."""
    if comparison.count(Became.STILL, Became.NEW):
        return Status.FINDINGS
    sides = (comparison.before, comparison.after)
    whole = all(is_all_read(each) and each.judgements for each in sides)
    return (
        Status.CLEAR
        if whole and not comparison.count(Became.UNDECIDED, Became.NOT_EXERCISED)
        else (Status.NOT_ALL_READ)
    )

"""`misread policy`: a policy file to fill in."""

from __future__ import annotations

import click

from app.careful import CarefulCommand
from app.console import deliver, leave_unsaid, say
from app.inputs import check_output, named_inputs
from app.options import capture_format_option, quiet_option, template_options, written_options
from app.running import end_on_sigterm, read_captures
from app.status import Status, refusals
from diagnosis.reports.skeleton import skeleton
from diagnosis.reports.tally import is_all_read
from diagnosis.wording import quoted


@click.command("policy", cls=CarefulCommand)
@click.argument("captures", nargs=-1, required=True, metavar="CAPTURE...")
@template_options
@capture_format_option
@written_options
@quiet_option
def policy(
    captures: tuple[str, ...],
    capture_format: str | None,
    output: str | None,
    force: bool,
    quiet: bool,
    templates: str | None,
    template: tuple[str, ...],
) -> int:
    """Print a policy file to fill in, with the callers of the captures.

    Exit status: 3 where nothing or not everything was read, 2 for wrong usage, 0 otherwise.
    """
    tell = leave_unsaid if quiet else say
    inputs = named_inputs(
        captures,
        policy=None,
        templates=templates,
        allow=(),
        template=template,
        say=tell,
        capture_format=capture_format,
    )
    if output not in (None, "-"):
        check_output(str(output), (*inputs.paths, templates), force)
    end_on_sigterm()
    diagnosis = read_captures(inputs.paths, inputs.statements, inputs.options)
    made = skeleton(diagnosis.judgements)
    deliver((made.text,), output, force=force)
    for sentence in refusals(diagnosis):
        say(sentence)
    if not diagnosis.judgements:
        tell("No resources/read request was found, so nobody is named.")
    for name in made.left_out:
        tell(f"No policy can name the caller {quoted(name)}: it is left out.")
    tell("Fill in allowed_tenants; null means unknown. tenants_seen is for your eyes and counts for nothing.")
    return Status.CLEAR if is_all_read(diagnosis) else Status.NOT_ALL_READ

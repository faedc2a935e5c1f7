"""The command line: `misread CAPTURE...` opens the screen, `misread report` writes without one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NoReturn

import click

from app.compare_command import compare
from app.console import deliver, leave_unsaid, put, say, silence_stdout
from app.explain_command import explain
from app.inputs import check_output, known_findings, named_inputs
from app.options import chosen_classes, quiet_option, shared_options, where_option, written_options
from app.policy_command import policy
from app.reviewing import check_filter, reviewed, show_only
from app.running import Terminated, end_on_sigterm, read_captures
from app.status import Status, refusals, sentences, status_of, uncounted
from app.terminal import need_terminal
from diagnosis.questions.findings import FindingClass
from diagnosis.reports import REPORTS
from diagnosis.reports.baseline import marked_new
from diagnosis.reports.tally import tally
from diagnosis.reports.version import version


class OpensByDefault(click.Group):
    """A group whose arguments mean `open` where they begin with no command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts `open` in front of captures and of options that are not the group's own."""
        if not args or (args[0] not in self.commands and args[0] not in ("--help", "-h", "--version")):
            args = ["open", *args]
        return super().parse_args(ctx, args)


@click.group(cls=OpensByDefault, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), message="misread %(version)s")
def cli() -> None:
    """Says why an MCP resources/read returned the wrong thing: encoding, decoding or authorization.

    `misread CAPTURE...` is short for `misread open CAPTURE...`; `-` is standard input.
    """


@cli.command("open")
@shared_options
def open_command(captures: tuple[str, ...], case_files: tuple[str, ...], **given: Any) -> int:
    """Open captures on the screen."""
    inputs = named_inputs(captures, say=say, **given)
    need_terminal("-" in inputs.paths)
    from app.tui import TriageApp  # Textual takes a while to load, and no other command needs it

    app = TriageApp(inputs.paths, inputs.statements, inputs.options)
    app.run()
    return app.return_code or Status.CLEAR  # 1 after a crash, 128 + the signal's number after a signal


@cli.command()
@shared_options
@click.option("--format", "report_format", type=click.Choice([one.name for one in REPORTS]), default="markdown")
@written_options
@where_option
@click.option("--baseline", metavar="FILE", help="A JSON report; only findings that it lacks count.")
@click.option(
    "--fail-on",
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
    output: str | None,
    force: bool,
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
    inputs = named_inputs(captures, say=leave_unsaid if quiet else say, **given)
    if not inputs.paths and not captures:
        raise click.UsageError("Name at least one capture, or - for standard input.")
    if output not in (None, "-"):
        check_output(str(output), (*inputs.paths, given["policy"], given["templates"], baseline), force)
    known = known_findings(baseline)
    check_filter(where)
    end_on_sigterm()
    counts = fail_on if len(fail_on) < len(FindingClass) else ()
    options = replace(inputs.options, where=where, baseline=baseline, fail_on=tuple(each.value for each in counts))
    diagnosis = read_captures(inputs.paths, inputs.statements, options)
    case = reviewed(diagnosis, case_files)
    if known is not None:
        diagnosis.judgements[:] = marked_new(diagnosis.judgements, known)
    show_only(diagnosis, where, case)
    chosen = next(one for one in REPORTS if one.name == report_format)
    deliver(chosen.render(diagnosis, datetime.now(UTC)), output, force=force)
    if output not in (None, "-") and not quiet:
        say(f"Wrote {output}.")
    counted = tally(diagnosis.shown())
    for sentence in refusals(diagnosis):
        say(sentence)
    if not quiet:
        for sentence in sentences(diagnosis, counted):
            say(sentence)
        for sentence in uncounted(counted, fail_on):
            say(sentence)
    return status_of(diagnosis, counted, strict=strict, fail_on=fail_on)


@cli.command("formats")
@click.argument("captures", nargs=-1, metavar="[CAPTURE...]")
def formats(captures: tuple[str, ...]) -> int:
    """List the formats that are read, or say what kind of file each capture is."""
    from app.formats_command import all_formats, formats_of

    text, status = formats_of(captures) if captures else (all_formats(), Status.CLEAR)
    put(text)
    return status


# Each of these has a file of its own.
cli.add_command(compare)
cli.add_command(explain)
cli.add_command(policy)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Runs the program and exits with its status."""
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Runs the program and returns its exit status; an error is one printable sentence, never a traceback."""
    try:
        result = cli.main(args=None if args is None else list(args), prog_name="misread", standalone_mode=False)
    except click.exceptions.Abort:
        return Status.INTERRUPTED
    except KeyboardInterrupt:
        return Status.INTERRUPTED
    except Terminated:
        return Status.TERMINATED
    except click.UsageError as error:
        if error.ctx is not None:
            say(error.ctx.get_usage())
        say(f"Error: {error.format_message()}")
        return Status.USAGE
    except click.ClickException as error:
        say(f"Error: {error.format_message()}")
        return Status.USAGE
    except BrokenPipeError:
        silence_stdout()
        return Status.CLEAR
    return int(result) if isinstance(result, int) else Status.CLEAR

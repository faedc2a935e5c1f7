"""The command line: `misread CAPTURE...` opens the screen, `misread report` writes without one."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from types import FrameType
from typing import Any, NoReturn

import click

from app.inputs import check_output, named_inputs
from app.samples import DEFAULT
from app.status import Status, refusals, sentences, status_of
from app.terminal import need_terminal
from app.writing import WritingError, write_report
from diagnosis.captures import CAPTURE_FORMATS, SourceError
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import Rule
from diagnosis.reports import REPORTS, Report
from diagnosis.reports.tally import tally
from diagnosis.reports.version import version
from diagnosis.statements import StatementError, Statements
from diagnosis.visible import visible

Command = Callable[..., Any]


class Terminated(BaseException):
    """SIGTERM arrived; not an Exception, so that nothing on the way mistakes it for a fault."""


class OpensByDefault(click.Group):
    """A group whose arguments mean `open` where they begin with no command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts `open` in front of captures and of options that are not the group's own."""
        if not args or (args[0] not in self.commands and args[0] not in ("--help", "-h", "--version")):
            args = ["open", *args]
        return super().parse_args(ctx, args)


def _statement_options(command: Command) -> Command:
    """The options that `open` and `report` share."""
    options = [
        click.argument("captures", nargs=-1, metavar="CAPTURE..."),
        click.option("--policy", metavar="FILE", help="Who may see what (JSON)."),
        click.option("--templates", metavar="FILE", help="The server's URI templates (JSON)."),
        click.option("--allow", multiple=True, metavar="[WHO=]TENANT[,TENANT]", help="What a caller may see."),
        click.option("--template", multiple=True, metavar="TEMPLATE", help="One more URI template."),
        click.option(
            "--capture-format",
            type=click.Choice([one.name for one in CAPTURE_FORMATS]),
            metavar="NAME",
            help="Do not guess what kind of capture this is.",
        ),
        click.option(
            "--sample",
            is_flag=False,
            flag_value=DEFAULT,
            metavar="[NAME]",
            help=f"Open a sample that comes with the program ({DEFAULT} without a name).",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.group(cls=OpensByDefault, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), message="misread %(version)s")
def cli() -> None:
    """Says why an MCP resources/read returned the wrong thing: encoding, decoding or authorization.

    `misread CAPTURE...` is short for `misread open CAPTURE...`; `-` is standard input.
    """


@cli.command("open")
@_statement_options
def open_command(captures: tuple[str, ...], capture_format: str | None, **given: Any) -> int:
    """Open captures on the screen."""
    paths, statements = named_inputs(captures, say=_say, **given)
    need_terminal("-" in paths)
    from app.tui import TriageApp  # Textual takes a while to load, and no other command needs it

    app = TriageApp(paths, statements, capture_format)
    app.run()
    return app.return_code or Status.CLEAR  # 1 after a crash, 128 + the signal's number after a signal


@cli.command()
@_statement_options
@click.option("--format", "report_format", type=click.Choice([one.name for one in REPORTS]), default="markdown")
@click.option("-o", "--output", metavar="FILE", help="Write a new file, mode 0600, instead of standard output.")
@click.option("--force", is_flag=True, help="Replace the output file where it exists.")
@click.option("--strict", is_flag=True, help="An answer that cannot be told counts as a finding.")
@click.option("--quiet", is_flag=True, help="Say nothing on standard error but errors.")
def report(
    captures: tuple[str, ...],
    capture_format: str | None,
    report_format: str,
    output: str | None,
    force: bool,
    strict: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Write a report; needs no terminal.

    Exit status: 1 with a finding, 3 where nothing or not everything was read, 2 for wrong usage,
    0 otherwise.
    """
    paths, statements = named_inputs(captures, say=_unsaid if quiet else _say, **given)
    if not paths and not captures:
        raise click.UsageError("Name at least one capture, or - for standard input.")
    if output not in (None, "-"):
        check_output(str(output), (*paths, given["policy"], given["templates"]), force)
    signal.signal(signal.SIGTERM, _terminate)
    diagnosis = _read(paths, statements, capture_format)
    chosen = next(one for one in REPORTS if one.name == report_format)
    _deliver(chosen, diagnosis, output, force)
    if output not in (None, "-") and not quiet:
        _say(f"Wrote {output}.")
    counted = tally(diagnosis.judgements)
    for sentence in refusals(diagnosis):
        _say(sentence)
    if not quiet:
        for sentence in sentences(diagnosis, counted):
            _say(sentence)
    return status_of(diagnosis, counted, strict=strict)


@cli.command("formats")
@click.argument("captures", nargs=-1, metavar="[CAPTURE...]")
def formats(captures: tuple[str, ...]) -> int:
    """List the formats that are read, or say what kind of file each capture is."""
    from app.formats_command import all_formats, formats_of

    text, status = formats_of(captures) if captures else (all_formats(), Status.CLEAR)
    _print(text)
    return status


@cli.command()
@click.argument("rule", required=False)
def explain(rule: str | None) -> int:
    """Print a rule's page, or all rules."""
    from diagnosis.questions.rules import RULES

    if rule is None:
        width = max(len(one.id) for one in RULES)
        _print("\n".join(f"{one.id:{width}}  {one.title}" for one in RULES) + "\n")
        return Status.CLEAR
    found = next((one for one in RULES if one.id == rule), None)
    if found is None:
        near = get_close_matches(rule, [one.id for one in RULES], 1, 0.4)
        raise click.UsageError(f"There is no rule {rule}." + (f" Did you mean {near[0]}?" if near else ""))
    _print(_page(found))
    return Status.CLEAR


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
            _say(error.ctx.get_usage())
        _say(f"Error: {error.format_message()}")
        return Status.USAGE
    except click.ClickException as error:
        _say(f"Error: {error.format_message()}")
        return Status.USAGE
    except BrokenPipeError:
        _silence_stdout()
        return Status.CLEAR
    return int(result) if isinstance(result, int) else Status.CLEAR


def _read(paths: Sequence[str], statements: Statements, capture_format: str | None) -> Diagnosis:
    try:
        diagnosis = Diagnosis(paths, statements, capture_format)
        for _ in diagnosis.read():
            pass
    except (SourceError, StatementError) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        what = f"{error.filename}: " if error.filename else "Reading failed: "
        raise click.ClickException(f"{what}{(error.strerror or 'unknown error').lower()}.") from None
    return diagnosis


def _deliver(chosen: Report, diagnosis: Diagnosis, output: str | None, force: bool) -> None:
    text = chosen.render(diagnosis, datetime.now(UTC))
    if output in (None, "-"):
        _print(text)
        return
    try:
        write_report(str(output), text.encode("utf-8", "backslashreplace"), force=force)
    except WritingError as error:
        raise click.ClickException(str(error)) from None


def _page(rule: Rule) -> str:
    kind = rule.finding_class.value if rule.finding_class else "a remark, none of the three classes"
    owner = f"\nOwner: {rule.owner.words}" if rule.owner else ""
    parts = [
        f"{rule.id}\n{rule.title}",
        f"Class: {kind}{owner}\nSeverity: {rule.severity.value}",
        rule.why,
        f"Fix: {rule.fix}" if rule.fix else "",
        f"What it is not: {rule.not_this}" if rule.not_this else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _print(text: str) -> None:
    """Writes UTF-8 to standard output, whatever the locale is; a reader that went away is no error."""
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _silence_stdout()


def _unsaid(sentence: str) -> None:
    """Takes a sentence that `--quiet` leaves out."""


def _say(sentence: str) -> None:
    for line in sentence.split("\n"):
        click.echo(visible(line), err=True)


def _silence_stdout() -> None:
    """Keeps the interpreter from complaining at its end that it cannot flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated

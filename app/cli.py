"""The command line: `misread CAPTURE...` opens the screen, `misread report` writes without one."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from app.careful import CarefulCommand
from app.compare_command import compare
from app.console import put, say, silence_stdout
from app.explain_command import explain
from app.inputs import named_inputs
from app.options import shared_options
from app.policy_command import policy
from app.report_command import report
from app.reviewing import check_case
from app.running import Terminated
from app.status import Status
from app.terminal import need_terminal
from diagnosis.reports.version import version


class OpensByDefault(click.Group):
    """A group whose arguments mean `open` where they begin with no command."""

    command_class = CarefulCommand

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts `open` in front of captures and of options that are not the group's own."""
        if ctx.resilient_parsing and not args:  # a shell asks what may stand here: a command may
            return super().parse_args(ctx, args)
        if not args or (args[0] not in self.commands and args[0] not in ("--help", "-h", "--version", "--limits")):
            args = ["open", *args]
        return super().parse_args(ctx, args)


def _print_limits(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from app.limits import all_limits  # it looks at every module, those of the screen too

        put(all_limits())
        ctx.exit()


@click.group(cls=OpensByDefault, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), message="misread %(version)s")
@click.option(
    "--limits", is_flag=True, is_eager=True, expose_value=False, callback=_print_limits, help="List all limits."
)
def cli() -> None:
    """Says why an MCP resources/read returned the wrong thing: encoding, decoding or authorization.

    `misread CAPTURE...` is short for `misread open CAPTURE...`; `-` is standard input.
    """


@cli.command("open")
@shared_options
@click.option("--follow", is_flag=True, help="Go on reading a capture that is still written (F on the screen).")
def open_command(captures: tuple[str, ...], case_files: tuple[str, ...], follow: bool, **given: Any) -> int:
    """Open captures on the screen."""
    inputs = named_inputs(captures, say=say, **given)
    check_case(case_files)
    need_terminal("-" in inputs.paths)
    from app.tui import TriageApp  # Textual takes a while to load, and no other command needs it

    app = TriageApp(inputs.paths, inputs.statements, inputs.options, case_files, follow=follow)
    app.run()
    return app.return_code or Status.CLEAR  # 1 after a crash, 128 + the signal's number after a signal


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
cli.add_command(report)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Runs the program and exits with its status."""
    # What was loaded so far lives to the end, and what is read makes no cycles: with Python's own thresholds the
    # collector finds nothing in its passes, and takes a twentieth of the time of a large log for them.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
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

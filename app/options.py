"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from app.samples import DEFAULT
from diagnosis.captures import CAPTURE_FORMATS
from diagnosis.options import Join
from diagnosis.questions.findings import FindingClass

Command = Callable[..., Any]

# What a person says beside the captures.
_POLICY = click.option("--policy", metavar="FILE", help="Who may see what (JSON).")
_TEMPLATES = click.option("--templates", metavar="FILE", help="The server's URI templates (JSON).")
_ALLOW = click.option("--allow", multiple=True, metavar="[WHO=]TENANT[,TENANT]", help="What a caller may see.")
_TEMPLATE = click.option("--template", multiple=True, metavar="TEMPLATE", help="One more URI template.")
_STATED = (_POLICY, _TEMPLATES, _ALLOW, _TEMPLATE)
_CAPTURE_FORMAT = (
    click.option(
        "--capture-format",
        type=click.Choice([one.name for one in CAPTURE_FORMATS]),
        metavar="NAME",
        help="Do not guess what kind of capture this is.",
    ),
)
_SAMPLE = (
    click.option(
        "--sample",
        is_flag=False,
        flag_value=DEFAULT,
        metavar="[NAME]",
        help=f"Open a sample that comes with the program ({DEFAULT} without a name).",
    ),
)
# How several captures belong together, and in which zone their times are.
_JOINING = (
    click.option(
        "--join",
        type=click.Choice([each.value for each in Join]),
        default=Join.AUTO.value,
        help="Which captures are one stream: parts of a rotated log and pairs of pipes (auto), all of them, or none.",
    ),
    click.option("--same-traffic", is_flag=True, help="The captures saw the same traffic: count each read once."),
    click.option("--zone", metavar="NAME", help="The time zone of times without one, as Europe/Berlin."),
)
# When things happened, and which reads are shown.
_SHOWN = (
    click.option("--shift", multiple=True, metavar="CAPTURE=+40s", help="Put a capture's clock right."),
    click.option("--since", metavar="TIME", help="Show reads from this time on, in --zone; all still count."),
    click.option("--until", metavar="TIME", help="Show reads before this time, in --zone; all still count."),
    click.option("--session", multiple=True, metavar="ID", help="Show this session's reads only; all still count."),
)
_CASE_HELP = "What reviewers decided and stated; the first is written to."
_CASE = (click.option("--case", "case_files", multiple=True, metavar="FILE", help=_CASE_HELP),)
_WHERE = (click.option("--where", metavar="FILTER", help="Show the reads that a filter matches; all still count."),)
_REDACTION = (
    click.option("--no-redact", is_flag=True, help="Leave credentials, e-mail addresses and session ids as they are."),
    click.option("--aliases", is_flag=True, help="Call tenants and callers tenant-1 and caller-1."),
)
_WRITTEN = (
    click.option("-o", "--output", metavar="FILE", help="Write a new file, mode 0600, instead of standard output."),
    click.option("--force", is_flag=True, help="Replace the output file where it exists."),
)
_QUIET = (click.option("--quiet", is_flag=True, help="Say nothing on standard error but errors and warnings."),)


def chosen_classes(context: click.Context, option: click.Parameter, words: Sequence[str]) -> tuple[FindingClass, ...]:
    """The classes that `--fail-on` names, of all its words together; all classes without it."""
    if not words:
        return tuple(FindingClass)
    names = [name.strip() for word in words for name in word.split(",")]
    for name in names:
        if name not in tuple(FindingClass):
            raise click.BadParameter(f"There is no class {name}; there are: {', '.join(FindingClass)}.")
    return tuple(kind for kind in FindingClass if kind in names)


def shared_options(command: Command) -> Command:
    """The captures, and the options that `open` and `report` share."""
    captures = click.argument("captures", nargs=-1, metavar="CAPTURE...")
    return _with(command, (captures, *_STATED, *_CAPTURE_FORMAT, *_SAMPLE, *_JOINING, *_SHOWN, *_CASE))


def stated_options(command: Command) -> Command:
    """What a person says beside the captures: who may see what, and the server's templates."""
    return _with(command, _STATED)


def template_options(command: Command) -> Command:
    """The server's templates alone."""
    return _with(command, (_TEMPLATES, _TEMPLATE))


def capture_format_option(command: Command) -> Command:
    """`--capture-format`."""
    return _with(command, _CAPTURE_FORMAT)


def joining_options(command: Command) -> Command:
    """How several captures belong together: `--join`, `--same-traffic`, `--zone`."""
    return _with(command, _JOINING)


def where_option(command: Command) -> Command:
    """`--where`."""
    return _with(command, _WHERE)


def redaction_options(command: Command) -> Command:
    """What a report hides: `--no-redact`, `--aliases`."""
    return _with(command, _REDACTION)


def written_options(command: Command) -> Command:
    """Where the text of a command goes: `--output`, `--force`."""
    return _with(command, _WRITTEN)


def quiet_option(command: Command) -> Command:
    """`--quiet`."""
    return _with(command, _QUIET)


def _with(command: Command, options: Sequence[Command]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command

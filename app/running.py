"""Reads captures to their end for the commands without a screen."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

from app.progress import watch
from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures import SourceError
from diagnosis.diagnosis import Diagnosis
from diagnosis.options import Options
from diagnosis.statements import StatementError, Statements


class Terminated(BaseException):
    """SIGTERM arrived; not an Exception, so that nothing on the way mistakes it for a fault."""


def end_on_sigterm() -> None:
    """Lets SIGTERM end the program with its own status, and with everything closed."""
    signal.signal(signal.SIGTERM, _terminate)


def read_captures(
    paths: Sequence[str], statements: Statements, options: Options, labels: TokenLabels | None = None
) -> Diagnosis:
    """Reads and judges captures to the end; the same `labels` give equal tokens equal names in several runs.

    Raises `click.UsageError` or `click.ClickException` for what cannot be used or read.
    """
    try:
        diagnosis = Diagnosis(paths, statements, options, labels)
        # Nobody looks on: judging the reads provisionally on the way takes a tenth of the time of a large log.
        watch(diagnosis.read(provisional=False))
    except (SourceError, StatementError) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        what = f"{error.filename}: " if error.filename else "Reading failed: "
        raise click.ClickException(f"{what}{(error.strerror or 'unknown error').lower()}.") from None
    return diagnosis


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated

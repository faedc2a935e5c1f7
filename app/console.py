"""Standard output and standard error: UTF-8 out, and sentences that draw nothing on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress

import click

from app.writing import WritingError, write_report
from diagnosis.visible import visible


def put(text: str) -> None:
    """Writes a text to standard output."""
    put_all((text,))


def put_all(pieces: Iterable[str]) -> None:
    """Writes UTF-8 to standard output, whatever the locale is; a reader that went away is no error.

    Raises `click.ClickException` where it is closed or full: a report that nobody got must not look like one.
    """
    if sys.stdout is None:
        raise click.ClickException("Standard output is closed; -o names a file.")
    try:
        sys.stdout.buffer.writelines(map(_encoded, pieces))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        silence_stdout()
        reason = (error.strerror or "unknown error").lower()
        raise click.ClickException(f"Standard output was not written: {reason}.") from None


def deliver(pieces: Iterable[str], output: str | None, *, force: bool) -> None:
    """Writes a text, given in pieces, to a new file, or to standard output where none or `-` is named.

    Raises `click.ClickException` where the file cannot be written.
    """
    if output is None or output == "-":
        put_all(pieces)
        return
    try:
        write_report(output, map(_encoded, pieces), force=force)
    except WritingError as error:
        raise click.ClickException(str(error)) from None


def say(sentence: str) -> None:
    """Writes a sentence to standard error; the text may hold anything. Where nobody listens the status still speaks."""
    with suppress(OSError):
        for line in sentence.split("\n"):
            click.echo(visible(line), err=True)


def leave_unsaid(sentence: str) -> None:
    """Takes a sentence that `--quiet` leaves out."""


def silence_stdout() -> None:
    """Keeps the interpreter from complaining at its end that it cannot flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")

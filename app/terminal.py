"""Whether there is a terminal for the screen, and where its keyboard is."""

from __future__ import annotations

import os
import sys
from typing import Any

import click


def need_terminal(piped: bool) -> None:
    """Says in one sentence that a screen needs a terminal; with `-` piped in, only a keyboard is needed."""
    if os.environ.get("TERM", "") in ("", "dumb"):
        raise click.UsageError("The screen needs a terminal, and TERM names none; `misread report` needs no screen.")
    if not _is_terminal(sys.stdout) or not (piped or _is_terminal(sys.stdin)):
        raise click.UsageError("The screen needs a terminal; `misread report` works without one.")
    if piped and not _is_terminal(sys.stdin):
        _keyboard_from_terminal()


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream is not None and stream.isatty())
    except ValueError:  # closed
        return False


def _keyboard_from_terminal() -> None:
    """Keeps the pipe as `sys.stdin` for the capture, and gives descriptor 0 to the keyboard."""
    try:
        keyboard = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise click.UsageError("The screen needs a keyboard, and there is no /dev/tty.") from None
    sys.stdin = os.fdopen(os.dup(0), encoding="utf-8", errors="surrogateescape")
    os.dup2(keyboard, 0)
    os.close(keyboard)

"""The terminal is as it was after the end, a crash, a signal; a crash names places and shows nothing of the log."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import termios
from collections.abc import Iterator

import pytest

from tests.app.hostile import FORBIDDEN
from tests.app.pty_terminal import OWN_SEQUENCE, Terminal, assert_restored


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """The hostile diagnosis on the screen."""
    opened = Terminal("-W", "ignore", "-m", "tests.app.hostile")
    try:
        opened.wait_for("Was a principal check done?")
        yield opened
    finally:
        opened.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_the_terminal_as_it_was(terminal: Terminal, number: signal.Signals) -> None:
    os.kill(terminal.child.pid, number)
    assert terminal.finish() == 128 + number
    assert_restored(terminal)


def test_quitting_waits_for_no_load() -> None:
    terminal = Terminal("-W", "ignore", "-m", "tests.app.hostile", "stuck")
    try:
        terminal.wait_for("Esc stops")
        os.write(terminal.master, b"q")
        assert terminal.finish() == 0
        assert_restored(terminal)
    finally:
        terminal.close()


@pytest.mark.parametrize("key", ["q", "\x03"], ids=["q", "ctrl-c"])
def test_leaving(terminal: Terminal, key: str) -> None:
    os.write(terminal.master, key.encode())
    assert terminal.finish() == 0
    assert_restored(terminal)


def test_an_interrupt_from_outside(terminal: Terminal) -> None:
    os.kill(terminal.child.pid, signal.SIGINT)
    assert terminal.finish() in (0, 130)
    assert_restored(terminal)


def test_a_terminal_of_one_cell_and_back(terminal: Terminal) -> None:
    for rows, columns in ((1, 1), (24, 80)):
        fcntl.ioctl(terminal.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(terminal.child.pid, signal.SIGWINCH)
        assert terminal.read(30)  # it draws anew
    terminal.press("?", "The three columns")
    os.write(terminal.master, b"q")
    assert terminal.finish() == 0
    assert_restored(terminal)


def test_a_crash() -> None:
    terminal = Terminal("-W", "ignore", "-m", "tests.app.hostile", "crash")
    try:
        terminal.wait_for("Was a principal check done?")
        terminal.press("m", "misread failed: KeyError")
        assert terminal.finish() == 1
        assert_restored(terminal)
        text = OWN_SEQUENCE.sub("", terminal.output)
        assert "\x1b" not in text and sorted(FORBIDDEN & set(text)) == []
        assert "PWNED" not in text.rpartition("misread failed")[2]
    finally:
        terminal.close()

"""The real program in a real pseudo-terminal: what it writes, and how it leaves."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.hostile import FORBIDDEN

ROOT = Path(__file__).parents[2]
DEADLINE = 30.0
# Textual's own: control sequences, keypad modes, and the shape of the mouse pointer.
_OWN_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[=>78]|\]22;[a-z]*\x07)")


class Terminal:
    """A child in a pseudo-terminal of 80x24."""

    def __init__(self, *command: str) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.output = ""
        self._raw = b""
        environment = os.environ | {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "PYTHONPATH": str(ROOT),
        }
        ends = {"stdin": self.slave, "stdout": self.slave, "stderr": self.slave}
        self.child = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=environment, start_new_session=True, **ends
        )

    def wait_for(self, text: str) -> None:
        """Reads until the text was written since the last wait."""
        start, end = len(self.output), time.monotonic() + DEADLINE
        while text not in _OWN_SEQUENCE.sub("", self.output[start:]):
            left = end - time.monotonic()
            assert left > 0 and self._read(left), f"{text!r} did not appear in {self.output[-500:]!r}"

    def press(self, keys: str, text: str) -> None:
        """Types, and waits for what must appear then."""
        os.write(self.master, keys.encode())
        self.wait_for(text)

    def finish(self) -> int:
        """Reads what is left; the exit status."""
        end = time.monotonic() + DEADLINE
        while self.child.poll() is None and time.monotonic() < end:
            self._read(0.05)
        while self._read(0):
            pass
        return self.child.wait(1)

    def _read(self, timeout: float) -> bool:
        if not select.select([self.master], [], [], timeout)[0]:
            return False
        self._raw += os.read(self.master, 65536)
        self.output = self._raw.decode("utf-8", "replace" if self.child.poll() is None else "strict")
        return True

    def close(self) -> None:
        """Ends the child, whatever it does."""
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """The hostile diagnosis on the screen."""
    opened = Terminal("-W", "ignore", "-m", "tests.app.hostile")
    try:
        opened.wait_for("Was a principal check done?")
        yield opened
    finally:
        opened.close()


def assert_restored(terminal: Terminal) -> None:
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert terminal.output.rindex("\x1b[?1049l") > terminal.output.rindex("\x1b[?1049h")
    assert "\x1b[?1000l" in terminal.output
    assert terminal.output.rindex("\x1b[?25h") > terminal.output.rindex("\x1b[?25l")


def test_no_byte_of_the_log_comes_out_raw(terminal: Terminal) -> None:
    for number in range(2, 19):
        terminal.press("j", f"Read {number} ")
    terminal.press("m", "Messages")
    terminal.press("r", "jsonrpc")
    terminal.press("p", "known from")
    terminal.press("\x1b", "Confirm")
    terminal.press("!", "unreadable")
    terminal.press("\x1b", "Confirm")
    terminal.press("G", "Read 18 ")
    terminal.press("s", "Session")
    terminal.press("\x1b", "Confirm")
    terminal.press("M", "outside what this caller may see")
    terminal.press("\r", "of 18 shown")
    terminal.press("m", "finds text")
    terminal.press("/", "find ")
    terminal.press("a", "1 of ")
    terminal.press("\r", "finds text")
    terminal.press("p", "known from")
    terminal.press("\x1b", "Confirm")
    terminal.press("?", "The three columns")
    terminal.press("\x1b", "Confirm")
    terminal.press("/", " / ")
    terminal.press("uri:\t\t", "shown")  # values of the log, put into the text and offered under it
    os.write(terminal.master, b"\x03")
    assert terminal.finish() == 0
    assert_restored(terminal)
    text = _OWN_SEQUENCE.sub("", terminal.output)
    assert "\x1b[97;5m" not in terminal.output
    assert sorted(FORBIDDEN & set(text)) == []
    assert "\x1b" not in text


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

"""A program in a real pseudo-terminal: what it writes, byte for byte, and what it leaves behind."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEADLINE = 30.0
# Textual's own: control sequences, keypad modes, and the shape of the mouse pointer.
OWN_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[=>78]|\]22;[a-z]*\x07)")


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
        while text not in OWN_SEQUENCE.sub("", self.output[start:]):
            left = end - time.monotonic()
            assert left > 0 and self.read(left), f"{text!r} did not appear in {self.output[-500:]!r}"

    def press(self, keys: str, text: str) -> None:
        """Types, and waits for what must appear then."""
        os.write(self.master, keys.encode())
        self.wait_for(text)

    def finish(self) -> int:
        """Reads what is left; the exit status."""
        end = time.monotonic() + DEADLINE
        while self.child.poll() is None and time.monotonic() < end:
            self.read(0.05)
        while self.read(0):
            pass
        return self.child.wait(1)

    def read(self, timeout: float) -> bool:
        """Reads what comes within so many seconds; whether anything did."""
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


def assert_restored(terminal: Terminal) -> None:
    """The terminal is as it was before: its modes, its screen, its mouse, its cursor."""
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert terminal.output.rindex("\x1b[?1049l") > terminal.output.rindex("\x1b[?1049h")
    assert terminal.output.rindex("\x1b[?1000l") > terminal.output.rindex("\x1b[?1000h")
    assert terminal.output.rindex("\x1b[?25h") > terminal.output.rindex("\x1b[?25l")

"""How long it takes from starting the program until a terminal shows the first read of a log."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from statistics import median

PATIENCE = 60.0  # seconds


def seconds(path: Path, sign: str, runs: int) -> float:
    """The median time until `sign` stands in what the program writes to a terminal of 80x24."""
    return median(_once(path, sign.encode()) for _ in range(runs))


def _once(path: Path, sign: bytes) -> float:
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    begun = time.perf_counter()
    process = subprocess.Popen(
        (sys.executable, "-m", "app", str(path)),
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(terminal)
    try:
        return _until(screen, sign, begun)
    finally:
        process.kill()
        process.wait()
        os.close(screen)


def _until(screen: int, sign: bytes, begun: float) -> float:
    written = b""
    while time.perf_counter() - begun < PATIENCE:
        if select.select((screen,), (), (), 1.0)[0]:
            written = written[-len(sign) :] + os.read(screen, 65_536)
            if sign in written:
                return time.perf_counter() - begun
    raise RuntimeError(f"no first row within {PATIENCE:.0f} s")

"""0 everything read and no finding, 1 findings, 2 usage, 3 not everything read, 130 interrupted, 143 terminated."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.bad_inputs.own import GOOD, answer, ask, lines

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}
FINDING = lines(ask(1, "docs://a b"), answer(1, "docs://a b"))
BAD_LINE = b'{"jsonrpc": "2.0",\n'


def run(*args: str, data: bytes = b"", folder: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    """The program as a script starts it, with a log on its standard input."""
    command = [sys.executable, "-m", "app", *args]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, input=data, capture_output=True, timeout=60)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (GOOD, 0),
        (FINDING, 1),
        (FINDING + BAD_LINE, 1),
        (GOOD + BAD_LINE, 3),
        (b"", 3),
        (b"\n\n", 3),
        (b"not a log\n" * 3, 3),
        (b"\0" * 100, 3),
    ],
    ids=["good", "finding", "finding-and-bad-line", "bad-line", "empty", "blank", "text", "zeros"],
)
def test_a_log(data: bytes, status: int) -> None:
    assert run("report", "-", data=data).returncode == status


@pytest.mark.parametrize(
    "args", [("report",), ("report", "absent"), ("report", "-", "--format", "x"), ("--x",), ("open", "absent"), ("-",)]
)
def test_wrong_usage_and_no_terminal(args: tuple[str, ...]) -> None:
    done = run(*args, data=GOOD)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr and b"\x1b" not in done.stderr


def test_nothing_readable_is_never_a_success(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("nothing of interest\n")
    (tmp_path / "loop").symlink_to("loop")
    for name, status in (("empty", 3), ("notes.txt", 3), ("loop", 2)):
        for command in ("report", "policy", "formats"):
            done = run(command, str(tmp_path / name))
            assert done.returncode in (2, 3), (name, command)
            assert command != "report" or done.returncode == status


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_while_a_log_is_read(number: signal.Signals, status: int) -> None:
    # It reads from a pipe that never ends, and has read what was written: it is in the middle of its work.
    child = subprocess.Popen(
        [sys.executable, "-m", "app", "report", "-"],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell that runs tests in the background lets its children ignore an interrupt.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    timer = threading.Timer(60, child.kill)
    timer.start()
    try:
        fill_pipe(child.stdin.fileno())
        child.send_signal(number)
        out, err = child.stdout.read(), child.stderr.read()
        assert child.wait() == status
    finally:
        timer.cancel()
        child.kill()
        child.stdin.close()
        child.stdout.close()
        child.stderr.close()
    assert b"Traceback" not in err
    assert out == b""


def fill_pipe(descriptor: int) -> None:
    """Writes more than any pipe holds: it comes back once the other end has begun to read."""
    left = memoryview(GOOD * (1 << 15))[: 4 << 20]
    while left:
        left = left[os.write(descriptor, left[:65536]) :]

"""Runs the program once for each of many hostile files, in a process of its own with limits, and quickly.

The interpreter is started and everything is loaded once; each run is a fork of that. A run that takes too long is
ended by the system, and one that asks for more memory than it may have fails as it would on a small machine.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parents[2]
SECONDS = 10.0  # of the processor
MEMORY = 1 << 30  # bytes of address space
NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
EXPORTS = "exports"  # the word for a run that renders every report of one file


@dataclass(frozen=True, slots=True)
class Run:
    """What a run left behind; a negative status is the number of the signal that ended it."""

    status: int
    out: bytes
    err: bytes


class Runs:
    """A program that was loaded once and is run many times."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder / "state")}
        self._program = subprocess.Popen(
            [sys.executable, "-m", "tests.bad_inputs.runs", str(folder)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Runs:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._program.stdin is not None and self._program.stdout is not None
        self._program.stdin.close()
        self._program.stdout.close()
        self._program.wait(SECONDS)

    def run(self, *args: str) -> Run:
        """Runs the program with these arguments; its memory and its time are limited."""
        assert self._program.stdin is not None and self._program.stdout is not None
        self._program.stdin.write(json.dumps(args) + "\n")
        self._program.stdin.flush()
        line = self._program.stdout.readline()
        assert line, "the program that runs the others ended"
        return Run(int(line), *((self.folder / name).read_bytes() for name in ("out", "err")))

    def exports(self, path: str) -> tuple[Run, dict[str, bytes]]:
        """Renders every report of a file in one run; their bytes by their names, fewer where the run failed."""
        for old in (self.folder / EXPORTS).iterdir():
            old.unlink()
        run = self.run(EXPORTS, path)
        return run, {each.name: each.read_bytes() for each in (self.folder / EXPORTS).iterdir()}


def _child(args: Sequence[str], folder: Path) -> None:
    """Never returns."""
    # The interpreter itself takes a share of the address space before the first line of the program.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # Seconds of its own on the processor: how much else the machine has to do says nothing about the program.
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_REAL, 6 * SECONDS)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    status = 70
    try:
        if args[0] == EXPORTS:
            _render(args[1], folder / EXPORTS)
            status = 0
        else:
            from app.cli import main

            main(args)
    except SystemExit as leaving:
        status = int(leaving.code or 0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _render(path: str, folder: Path) -> None:
    from diagnosis import diagnose
    from diagnosis.reports import REPORTS

    diagnosis = diagnose([path])
    for report in REPORTS:
        (folder / report.name).write_bytes(report.render(diagnosis, NOW).encode("utf-8", "backslashreplace"))


def serve(folder: Path) -> None:
    """Takes a list of arguments on each line of standard input, and answers with the status of the run."""
    for module in ("app.cli", "diagnosis.reports"):  # what every run needs
        importlib.import_module(module)

    (folder / EXPORTS).mkdir(exist_ok=True)
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _child(json.loads(line), folder)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(status, flush=True)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))

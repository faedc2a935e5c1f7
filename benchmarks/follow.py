"""Follows a log that is written all the time and rotated each minute, and prints what is lost and what it costs.

python -m benchmarks.follow [--minutes N] [--rate LINES]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Event, Thread

from app.following import LOOK
from benchmarks import table
from benchmarks.table import Row
from diagnosis.diagnosis import Diagnosis
from diagnosis.ledger import Progress

MINUTE = 60.0
KEPT = 5  # rotated files that are kept, as logrotate is told to
EVERY = 20  # one request of so many is a read, about as in ordinary traffic
WARM = 15.0  # seconds before memory is looked at: what is loaded once is no growth


@dataclass(slots=True)
class Writer:
    """Writes lines at a rate and rotates its file by renaming."""

    path: Path
    rate: int
    rotate: float
    lines: int = 0
    reads: int = 0
    rotations: int = 0
    ended: Event = field(default_factory=Event)

    def run(self, seconds: float) -> None:
        """Writes for so long; the last lines are on the disk when `ended` is set."""
        lines = self._lines()
        begun, turned = time.monotonic(), time.monotonic()
        file = self._open()
        while (now := time.monotonic()) - begun < seconds:
            if now - turned >= self.rotate:
                os.close(file)
                self._turn()
                file, turned = self._open(), now
            for _ in range(int((now - begun) * self.rate) - self.lines):
                # A line comes in two halves, as from a writer with a small buffer.
                line = next(lines)
                os.write(file, line[: len(line) // 2])
                os.write(file, line[len(line) // 2 :])
                self.lines += 1
            time.sleep(0.02)
        os.close(file)
        self.ended.set()

    def _open(self) -> int:
        return os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def _turn(self) -> None:
        self.rotations += 1
        for number in range(KEPT - 1, 0, -1):
            older = self.path.with_name(f"{self.path.name}.{number}")
            if older.exists():
                os.replace(older, self.path.with_name(f"{self.path.name}.{number + 1}"))
        os.replace(self.path, self.path.with_name(f"{self.path.name}.1"))

    def _lines(self) -> Iterator[bytes]:
        for number in count():
            reads = number % EVERY == 0
            uri = f"report://acme/2026-11/section/{number}"
            method, params = ("resources/read", {"uri": uri}) if reads else ("tools/call", {"name": "look"})
            yield _record(number, "client->server", {"method": method, "params": params})
            self.reads += reads
            result = {"contents": [{"uri": uri, "text": "x" * 200}]} if reads else {"content": [{"type": "text"}]}
            yield _record(number, "server->client", {"result": result})


def _record(number: int, direction: str, body: dict[str, object]) -> bytes:
    record = {"ts": time.time(), "dir": direction, "session": "s", "message": {"jsonrpc": "2.0", "id": number, **body}}
    return json.dumps(record).encode() + b"\n"


@dataclass(slots=True)
class Watch:
    """Looks at this process while it follows: memory, descriptors, and the time between two looks at the log."""

    clock: Callable[[], float] = time.monotonic
    begun: float = field(default_factory=time.monotonic)
    warm: float = 0.0
    warm_reads: int = 0
    descriptors: set[int] = field(default_factory=set)
    rested: float = 0.0
    longest: float = 0.0

    def look(self, progress: Progress) -> None:
        """Notes how things stand."""
        now = self.clock()
        if self.rested:
            self.longest = max(self.longest, now - self.rested)
        if not self.warm and now - self.begun >= WARM:
            self.warm, self.warm_reads = resident(), progress.reads
        if self.warm:
            self.descriptors.add(len(os.listdir("/proc/self/fd")))


def resident() -> float:
    """The memory of this process in MiB, now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def soak(minutes: float, rate: int) -> Iterator[Row]:
    """Follows for so long."""
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(Path(folder) / "app.log", rate, MINUTE)
        writer.path.touch()
        diagnosis, watch = Diagnosis([str(writer.path)]), Watch()
        last = Event()

        def wait(progress: Progress) -> bool:
            watch.look(progress)
            if last.is_set():  # everything was looked at since the writer ended
                return False
            if writer.ended.is_set():
                last.set()
            time.sleep(LOOK)
            watch.rested = watch.clock()
            return True

        Thread(target=writer.run, args=(minutes * MINUTE,), daemon=True).start()
        before = time.process_time()
        for _ in diagnosis.follow(wait):
            pass
        cpu = time.process_time() - before
        grown = resident() - watch.warm
        lines = sum(each.lines for each in diagnosis.captures)
        unanswered = sum(each.read.response is None for each in diagnosis.judgements)
        unreadable = sum(each.unreadable for each in diagnosis.captures)
        reads = len(diagnosis.judgements)
    yield Row("lines written", f"{writer.lines:,}, {writer.rotations} rotations, {len(diagnosis.captures)} parts")
    yield Row("lines lost", f"{writer.lines - lines:,}", "0")
    yield Row("reads lost, unanswered; unreadable lines", f"{writer.reads - reads}, {unanswered}; {unreadable}", "0")
    each = grown * 2**10 / max(1, reads - watch.warm_reads)
    figure = f"{grown:.1f} MiB on {watch.warm:.0f} MiB ({grown / watch.warm:.1%}), {each:.1f} KiB for each of the reads"
    yield Row(f"memory growth after {WARM:.0f} s", figure, "in proportion to reads")
    yield Row("open descriptors", f"{min(watch.descriptors)} to {max(watch.descriptors)}", "no growth")
    yield Row("longest time between two looks", f"{watch.longest * 1000:.0f} ms")
    yield Row("processor", f"{cpu / (minutes * MINUTE):.1%} of one, the writer's share in it")


def main() -> None:
    """Follows, and prints what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.follow", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0, metavar="N", help="how long (default 30)")
    parser.add_argument("--rate", type=int, default=200, metavar="LINES", help="lines a second (default 200)")
    given = parser.parse_args()
    print(table.rendered(f"Following, {given.minutes:g} minutes", soak(given.minutes, given.rate)))


if __name__ == "__main__":
    sys.exit(main())

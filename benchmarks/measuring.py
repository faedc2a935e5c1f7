"""What a command or a function costs: medians of several runs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from statistics import fmean, median


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds of processor and of wall clock, and the peak of resident memory in MiB."""

    cpu: float
    wall: float
    peak: float


def command(*words: str, runs: int = 3, statuses: Sequence[int] = (0,)) -> Usage:
    """The median usage of a Python command as a process of its own, output thrown away."""
    found = [_once((sys.executable, *words), statuses) for _ in range(runs)]
    return Usage(
        *(median(values) for values in zip(*((each.cpu, each.wall, each.peak) for each in found), strict=True))
    )


def _once(words: Sequence[str], statuses: Sequence[int]) -> Usage:
    """Linux counts the memory of the starting process as the peak of the new one: keep this process small."""
    begun = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begun
    if process.returncode not in statuses:
        raise RuntimeError(f"{' '.join(words)} ended with status {process.returncode}")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / unit)


def cpu_seconds(work: Callable[[], object], runs: int = 3) -> float:
    """The median processor time of a function in this process."""
    found: list[float] = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return median(found)


def slope(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The exponent of growth: the slope of a straight line through the logarithms (1 is linear)."""
    xs, ys = [log(size) for size in sizes], [log(each) for each in seconds]
    x, y = fmean(xs), fmean(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)

"""Measures speed, memory and growth in one run and prints the figures beside the floor of the same run.

python -m benchmarks [--size MB] [--largest N] [--runs N] [--write]
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import table, templates
from benchmarks.logs import KINDS, SHAPES, TENANT, write_log, write_shape
from benchmarks.measuring import command, cpu_seconds, slope
from benchmarks.table import Row

FOUND = (0, 1)  # exit statuses of a report: without and with findings
TARGETS = {"enveloped": (2.2, 1.5), "claude-desktop": (2.2, 1.5), "har": (2.0, 2.0)}


def start_up(runs: int) -> Iterator[Row]:
    """How long it takes until anything happens."""
    empty = command("-c", "pass", runs=runs)
    for what, words in (
        ("`misread --version`", ("-m", "app", "--version")),
        ("`import diagnosis`", ("-c", "import diagnosis")),
    ):
        used = command(*words, runs=runs)
        figure = f"{used.wall * 1000:.0f} ms, {used.cpu * 1000:.0f} ms CPU, {used.peak:.0f} MiB"
        yield Row(what, f"{figure} (Python alone {empty.wall * 1000:.0f} ms)")


def whole_reports(folder: Path, megabytes: int, runs: int) -> Iterator[Row]:
    """The whole `misread report --format json` beside the floor, for each format."""
    for kind in KINDS:
        path = folder / f"{kind}.{'har' if kind == 'har' else 'log'}"
        write_log(path, kind, megabytes * 10**6)
        floor = command("-m", "benchmarks.floor", "document" if kind == "har" else "lines", str(path), runs=runs)
        words = ("-m", "app", "report", str(path), "--format", "json", "--allow", TENANT, "--quiet")
        used = command(*words, runs=runs, statuses=FOUND)
        path.unlink()
        cpu, wall = TARGETS[kind]
        seconds = f"{used.cpu:.2f} s, floor {floor.cpu:.2f} s"
        yield Row(f"{kind}, {megabytes} MB: CPU", f"{used.cpu / floor.cpu:.2f} times ({seconds})", f"{cpu} times")
        seconds = f"{used.wall:.2f} s, floor {floor.wall:.2f} s"
        yield Row(f"{kind}, {megabytes} MB: wall", f"{used.wall / floor.wall:.2f} times ({seconds})", f"{wall} times")
        yield Row(f"{kind}, {megabytes} MB: peak memory", f"{used.peak:.0f} MiB, floor {floor.peak:.0f} MiB", "150 MiB")


def growth(folder: Path, largest: int, runs: int) -> Iterator[Row]:
    """How the time of a diagnosis grows with the number of reads, for ordinary and for hostile orders."""
    from diagnosis import diagnose  # only now: the processes measured before must start out of a small one

    sizes = [largest // 100, largest // 10, largest]
    for shape in SHAPES:
        seconds = []
        for size in sizes:
            path = folder / "shape.jsonl"
            write_shape(path, shape, size)
            # A run of many seconds is its own mean.
            seconds.append(cpu_seconds(lambda path=path: diagnose([str(path)]), 1 if size >= 100_000 else runs))
        times = ", ".join(f"{size:,}: {each:.3f} s" for size, each in zip(sizes, seconds, strict=True))
        yield Row(shape, f"slope {slope(sizes, seconds):.2f} ({times})", "1.1")


def hostile(folder: Path, runs: int) -> Iterator[Row]:
    """What one read costs whose template was made to be slow."""
    for name, each in templates.milliseconds(folder, runs):
        yield Row(name, f"{each:.1f} ms", "100 ms")


def main() -> None:
    """Measures, prints, and writes the page when asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--size", type=int, default=20, metavar="MB", help="size of each log (default 20)")
    parser.add_argument("--largest", type=int, default=100_000, metavar="N", help="reads of the largest shape")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs of which the median counts")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {table.PAGE.name}")
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    parts = [f"Measured on {machine}, median of {given.runs} runs.\n"]
    print(parts[0])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for heading, rows in (
            ("Start-up", start_up(given.runs)),
            ("Whole reports", whole_reports(folder, given.size, given.runs)),
            ("Growth", growth(folder, given.largest, given.runs)),
            ("Hostile templates", hostile(folder, given.runs)),
        ):
            parts.append(table.rendered(heading, rows))
            print(parts[-1], flush=True)
    if given.write:
        table.write("\n".join(parts))


if __name__ == "__main__":
    sys.exit(main())

"""Measures speed, memory and growth in one run and prints the figures beside the floor of the same run.

python -m benchmarks [--all] [--size MB ...] [--largest N] [--reads N] [--minutes N] [--runs N] [--write]
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks import first_row, table, templates
from benchmarks.logs import KINDS, SHAPES, TENANT, write_log, write_shape
from benchmarks.measuring import command, cpu_seconds, slope
from benchmarks.table import Row

FOUND = (0, 1)  # exit statuses of a report: without and with findings
TARGETS = {"enveloped": (2.2, 1.5), "claude-desktop": (2.2, 1.5), "har": (2.0, 2.0)}


def start_up(folder: Path, runs: int) -> Iterator[Row]:
    """How long it takes until anything happens."""
    empty = command("-c", "pass", runs=runs)
    for what, words in (
        ("`misread --version`", ("-m", "app", "--version")),
        ("`import diagnosis`", ("-c", "import diagnosis")),
    ):
        used = command(*words, runs=runs)
        figure = f"{used.wall * 1000:.0f} ms, {used.cpu * 1000:.0f} ms CPU, {used.peak:.0f} MiB"
        yield Row(what, f"{figure} (Python alone {empty.wall * 1000:.0f} ms)")
    path = folder / "first.log"
    write_log(path, "enveloped", 20 * 10**6)
    first = first_row.seconds(path, f"report://{TENANT}", runs)
    yield Row("first row of a 20 MB log on a terminal", f"{first * 1000:.0f} ms", "1 s")
    path.unlink()


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
        yield Row(f"{kind}: CPU", f"{used.cpu / floor.cpu:.2f} times ({seconds})", f"{cpu} times")
        seconds = f"{used.wall:.2f} s, floor {floor.wall:.2f} s"
        yield Row(f"{kind}: wall", f"{used.wall / floor.wall:.2f} times ({seconds})", f"{wall} times")
        yield Row(f"{kind}: peak memory", f"{used.peak:.0f} MiB, floor {floor.peak:.0f} MiB", "150 MiB")


def growth(folder: Path, largest: int, runs: int) -> Iterator[Row]:
    """How the time of a diagnosis grows with the number of messages, for ordinary and for hostile orders."""
    from diagnosis import diagnose  # only now: the processes measured before must start out of a small one

    sizes = [size for size in (10**3, 10**4, 10**5, 10**6) if size <= largest]
    for shape in SHAPES:
        seconds = []
        for size in sizes:
            path = folder / "shape.jsonl"
            write_shape(path, shape, size if shape in ("messages", "no answers") else size // 2)
            # A run of many seconds is its own mean.
            seconds.append(cpu_seconds(lambda path=path: diagnose([str(path)]), 1 if size >= 100_000 else runs))
        times = ", ".join(f"{size:,}: {each:.3f} s" for size, each in zip(sizes, seconds, strict=True))
        yield Row(shape, f"slope {slope(sizes, seconds):.2f} ({times})", "1.1")


def screen(reads: int) -> list[Row]:
    """What keys and filters cost on the screen with so many reads."""
    from benchmarks.screen import measured  # only now, as above

    return measured(reads, 1_000_000)


def following(minutes: float) -> Iterator[Row]:
    """What following costs and loses in so many minutes, at 200 lines a second."""
    from benchmarks.follow import soak  # only now, as above

    return soak(minutes, 200)


def hostile(folder: Path, runs: int) -> Iterator[Row]:
    """What one read costs whose template was made to be slow."""
    for name, each in templates.milliseconds(folder, runs):
        yield Row(name, f"{each:.1f} ms", "100 ms")


def main() -> None:
    """Measures, prints, and writes the page when asked."""
    given = _given()
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    parts = [f"Measured on {machine}, median of {given.runs} runs.\n"]
    print(parts[0])
    with tempfile.TemporaryDirectory() as name:
        for heading, rows in _tables(Path(name), given):
            parts.append(table.rendered(heading, rows))
            print(parts[-1], flush=True)
    if given.write:
        table.write("\n".join(parts))


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--all", action="store_true", help="200 MB and 1 GB, 10^6 messages, 200,000 reads, 10 minutes")
    parser.add_argument("--size", type=int, nargs="+", metavar="MB", help="sizes of the logs (default 20)")
    parser.add_argument("--largest", type=int, metavar="N", help="messages of the largest shape (default 100,000)")
    parser.add_argument("--reads", type=int, metavar="N", help="reads on the screen (default 20,000)")
    parser.add_argument("--minutes", type=float, metavar="N", help="minutes of following (default 1; 0: none)")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs of which the median counts")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {table.PAGE.name}")
    given = parser.parse_args()
    for name, slow, quick in (
        ("size", [200, 1000], [20]),
        ("largest", 10**6, 10**5),
        ("reads", 200_000, 20_000),
        ("minutes", 10.0, 1.0),
    ):
        if getattr(given, name) is None:
            setattr(given, name, slow if given.all else quick)
    return given


def _tables(folder: Path, given: argparse.Namespace) -> Iterator[tuple[str, Iterable[Row]]]:
    yield "Start-up", start_up(folder, given.runs)
    for size in given.size:
        # A log of a gigabyte takes so long that one run is enough.
        yield f"Whole reports, {size:,} MB", whole_reports(folder, size, given.runs if size < 500 else 1)
    yield "Growth", growth(folder, given.largest, given.runs)
    yield "Hostile templates", hostile(folder, given.runs)
    yield f"Screen, {given.reads:,} reads", screen(given.reads)
    if given.minutes:
        yield f"Following, {given.minutes:g} minutes", following(given.minutes)


if __name__ == "__main__":
    sys.exit(main())

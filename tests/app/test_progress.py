"""The line that says how far a load is: only on a terminal, not for a short load, and gone at the end."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from app.progress import watch
from diagnosis.ledger import Progress

MIB = 2**20


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def load(count: int) -> Iterator[Progress]:
    for step in range(count):
        yield Progress(step * 100 * MIB, 1000 * MIB, step * 2500, step * 12)


def ticking(seconds: float) -> Iterator[float]:
    now = 0.0
    while True:
        yield now
        now += seconds


def test_a_terminal_is_told_and_the_line_is_gone_at_the_end() -> None:
    stream, times = Terminal(), ticking(0.5)
    watch(load(4), stream, lambda: next(times))
    lines = stream.getvalue().split("\r\x1b[K")
    assert lines[0] == ""
    assert lines[-1] == ""
    assert "100 of 1,000 MiB, 10 %, 2,500 messages, 12 reads" in lines


def test_a_short_load_says_nothing() -> None:
    stream, times = Terminal(), ticking(0.01)
    watch(load(10), stream, lambda: next(times))
    assert stream.getvalue() == ""


def test_a_file_gets_nothing() -> None:
    stream, times = io.StringIO(), ticking(5)
    watch(load(10), stream, lambda: next(times))
    assert stream.getvalue() == ""


def test_a_fault_leaves_no_line_behind() -> None:
    def failing() -> Iterator[Progress]:
        yield from load(3)
        raise OSError("disk")

    stream, times = Terminal(), ticking(2)
    with pytest.raises(OSError, match="disk"):
        watch(failing(), stream, lambda: next(times))
    assert stream.getvalue().endswith("\r\x1b[K")

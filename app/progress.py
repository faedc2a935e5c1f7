"""How far a load is, on one line of standard error that is gone when the load ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import TextIO

from diagnosis.ledger import Progress

_PAUSE = 0.2  # seconds between two lines: a line over SSH is not flooded
_PATIENCE = 1.0  # seconds before the first one: a short load says nothing
_CLEAR = "\r\x1b[K"


def watch(
    loading: Iterable[Progress], stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
) -> None:
    """Runs a load to its end; where `stream` is a terminal that can clear a line, it says how far the load is."""
    stream = stream if stream is not None else sys.stderr
    if stream is None or not stream.isatty():  # None: standard error is closed
        for _ in loading:
            pass
        return
    due = clock() + _PATIENCE
    shown = False
    try:
        for progress in loading:
            if clock() >= due:
                stream.write(f"{_CLEAR}{_words(progress)}")
                stream.flush()
                due, shown = clock() + _PAUSE, True
    finally:
        if shown:
            stream.write(_CLEAR)
            stream.flush()


def _words(progress: Progress) -> str:
    read, total = (f"{count / 2**20:,.0f}" for count in (progress.bytes_read, progress.bytes_total))
    share = progress.bytes_read * 100 // progress.bytes_total if progress.bytes_total else 0
    return f"{read} of {total} MiB, {min(share, 100)} %, {progress.messages:,} messages, {progress.reads:,} reads"

"""Follows a capture that grows: what the loading thread does between two looks, and where the cursor is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from app.events import LoadEnded, ReadsArrived
from app.loading import Diagnosed, Overview
from diagnosis.ledger import Progress

# Seconds between two looks at the end of a capture: soon enough for a person, and four calls of the system a second.
LOOK = 0.25


def nap() -> None:
    """Waits a moment; the thread that follows is nobody else's."""
    time.sleep(LOOK)


def follow(diagnosis: Diagnosed, post: Callable[[Message], object], rest: Callable[[], None]) -> LoadEnded:
    """Reads to the end and on behind it until `diagnosis.stop()`; `rest` is called between two looks.

    What several reads show together takes a pass over all of them: it is made anew where all were judged anew, and
    stands as it was until then.
    """
    known = _Known(Overview(diagnosis.selection))
    progress: Progress | None = None

    def wait(now: Progress) -> bool:
        known.tell(now, diagnosis, post)
        rest()
        return True

    for progress in diagnosis.follow(wait):
        if not progress.done:
            known.tell(progress, diagnosis, post)
    return LoadEnded(progress, Overview.of(diagnosis.judgements, diagnosis.selection))


@dataclass(slots=True)
class _Known:
    """What the screen was told last; nothing is told twice."""

    overview: Overview
    last: Progress | None = None

    def tell(self, now: Progress, diagnosis: Diagnosed, post: Callable[[Message], object]) -> None:
        if now == self.last:
            return
        if now.settled:
            self.overview = Overview.of(diagnosis.judgements, diagnosis.selection)
        else:
            self.overview.update(diagnosis.judgements)
        self.last = now
        post(ReadsArrived(now, self.overview))


@dataclass(slots=True)
class Pin:
    """Keeps the cursor on the last row while more come; whoever moves up is left alone, and told how many came."""

    pinned: bool = True
    seen: int = 0

    def moved(self, cursor: int, total: int) -> None:
        """The cursor went to a row."""
        pinned = cursor >= total - 1
        if self.pinned or pinned:
            self.seen = total
        self.pinned = pinned

    def came(self, total: int) -> int | None:
        """The row for the cursor now that there are so many; None where it stays."""
        if not self.pinned:
            return None
        self.seen = total
        return total - 1

    def new(self, total: int) -> int:
        """How many came since the cursor left the end."""
        return max(0, total - self.seen)

"""Following on the main screen: `F` begins and ends it, the cursor keeps to the end, what becomes of a file is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial

from app.events import LoadEnded, ReadsArrived
from app.following import Pin, follow, nap
from app.loading import Overview, load_in_thread, read_once
from app.screens.review_page import ReviewPage
from app.screens.unsaved import keeps_unsaved
from app.widgets.counts import followed_line, following_line
from app.widgets.lines import line
from app.widgets.plain import Line
from diagnosis.ledger import Progress


class FollowPage(ReviewPage):
    """A screen whose capture can be followed while a program writes it."""

    progress: Progress | None
    failure: tuple[str, ...]
    now: Callable[[], datetime]

    def __init__(self, case_files: Sequence[str] = (), *, follow: bool = False, rest: Callable[[], None] = nap) -> None:
        super().__init__(case_files)
        self.pin: Pin | None = Pin() if follow else None
        self.followed_until: datetime | None = None
        self._follow = follow
        self._follow_next = False
        self._rest = rest
        self._told = 0

    @property
    def following(self) -> bool:
        """Whether everything was read that is there, and more is awaited."""
        return self.reading and self.progress is not None and self.progress.following

    def begin(self) -> None:
        """Starts to read, and to follow where that was asked for."""
        reading = partial(follow, rest=self._rest) if self._follow else read_once
        self.run_worker(load_in_thread(self.diagnosis, self.post_message, reading))

    def take_following(self, event: ReadsArrived) -> None:
        """Says what became of the file."""
        self._say_notices(event.progress.notices)

    def end_following(self, event: LoadEnded) -> bool:
        """Remembers until when was followed; True where following is to begin now."""
        self._say_notices(event.progress.notices if event.progress else 0)
        self.followed_until = self.now() if self._follow and self.diagnosis.followed else None
        self.pin = None
        if self._follow and not self.diagnosis.followed and self.diagnosis.notices:
            self.toast(self.diagnosis.notices[-1], "warning")
        again, self._follow_next = self._follow_next, False
        return again

    def action_follow(self) -> None:
        """Follows the capture, or ends that; a load that goes on is begun again."""
        if self.reading and self._follow:
            self.diagnosis.stop()
        elif self.reading:
            self._follow_next = True
            self.diagnosis.stop()
        elif self.case is not None and keeps_unsaved(self.case):
            self.toast(f"Not followed: {self.case.trouble}", "warning")
        else:
            self.follow_again()

    def follow_again(self) -> None:
        """Reads everything from the beginning, and on behind the end."""
        self._follow, self.reading, self.failure = True, True, ()
        self.progress, self.overview, self.followed_until = None, Overview(), None
        self.pin, self._told = Pin(), 0
        self.close_case()
        self.draw()
        self.begin()

    def keep_to_end(self) -> None:
        """Puts the cursor on the last row, where it is pinned."""
        row = None if self.pin is None else self.pin.came(self.list.rows.total)
        if row is not None and row >= 0:
            self.list.rows.cursor = row

    def cursor_moved(self) -> None:
        """A cursor that leaves the end is pinned no more; back at the end it is again."""
        if self.pin is not None and self.list.rows.total:
            was = self.pin.pinned
            self.pin.moved(self.list.rows.cursor, self.list.rows.total)
            if was != self.pin.pinned:
                self.draw()

    def follow_lines(self) -> list[Line]:
        """What the second line says of following."""
        if self.following and self.progress is not None:
            new = self.pin.new(self.list.rows.total) if self.pin is not None else 0
            return [following_line(self.progress, new)]
        if self.reading or not self._follow:
            return []
        if self.followed_until is not None:
            messages = sum(capture.messages for capture in self.diagnosis.captures)
            return [followed_line(self.followed_until.astimezone(UTC), messages)]
        return [line(("not followed: ", "undecided"), self.diagnosis.notices[-1])] if self.diagnosis.notices else []

    def _say_notices(self, said: int) -> None:
        new = min(said - self._told, len(self.diagnosis.notices))
        for sentence in self.diagnosis.notices[-new:] if new > 0 else ():
            self.toast(sentence, "warning")
        self._told = max(self._told, said)

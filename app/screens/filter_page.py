"""The filter of the main screen: typed in the bar, looked for in slices, shown as it goes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic

from textual import on

from app.filtering import Filtering
from app.loading import BATCH, Diagnosed, Overview
from app.screens.read_page import ReadPage
from app.shown import Shown
from app.widgets.filter_bar import FilterBar
from app.widgets.read_list import ReadList
from diagnosis.query.completion import Candidate, complete, present_values
from diagnosis.query.errors import QueryError
from diagnosis.query.filters import parse_filter, removed_most
from diagnosis.query.values import Beside

_UNFINISHED = (":", "=", "~", "<", ">")


class FilterPage(ReadPage):
    """A screen with a list of reads that can be narrowed. `shown` is what narrows it, whoever set it."""

    diagnosis: Diagnosed
    overview: Overview
    list: ReadList
    reading: bool

    def __init__(self) -> None:
        super().__init__()
        self.shown: Shown | None = None
        self.filtering: Filtering | None = None
        self.beside = Beside()
        self.filter_bar = FilterBar(self._candidates)

    def draw(self) -> None:
        """Shows everything as it is known now."""
        raise NotImplementedError

    def rows(self) -> Sequence[int] | None:
        """The reads that are shown: of what the command line asks for, those that the list is narrowed to."""
        rows = None if self.shown is None else self.shown.select(self.overview)
        asked_for = self.overview.asked_for
        if asked_for is None:
            return rows
        return [row for row in (range(len(asked_for)) if rows is None else rows) if asked_for[row]]

    def show_only(self, shown: Shown | None) -> None:
        """Narrows the list, or shows all reads again; a filter that stood before is over."""
        self.shown = shown
        if self.filtering is not None and shown != self.filtering.shown():
            self.filtering = None
            self.filter_bar.close()
        self.draw()

    def action_filter(self) -> None:
        """Asks for a filter."""
        self.filter_bar.ask()

    @on(FilterBar.Typed)
    def filter_as_typed(self, event: FilterBar.Typed) -> None:
        """Filters by what is typed; what cannot be a filter leaves the list as it was."""
        text = event.text
        if text.endswith(_UNFINISHED):  # the value is still to come: the terms before it count
            text = text.rpartition(" ")[0]
        if not text.strip():
            self.filtering, self.shown = None, None
            self.filter_bar.say("")
            self.draw()
            return
        try:
            wanted = parse_filter(text, self.beside)
        except QueryError as error:
            self.filter_bar.say(error.sentence, error.column)
            return
        self.filter_bar.say("")
        self.filtering = Filtering(wanted)
        self.shown = self.filtering.shown()
        self.filter_on()

    @on(FilterBar.Left)
    def leave_filter(self, event: FilterBar.Left) -> None:
        """Back to the list."""
        if event.ended:
            self.filter_bar.close()
            self.filtering = None
            self.show_only(None)
        self.filter_bar.remove_class("-open")
        self.list.rows.focus()

    def filter_on(self, *, again: bool = False) -> None:
        """Goes on to look at reads until all that are there were looked at; `again` where they were judged anew."""
        if self.filtering is None:
            return
        if again:
            self.filtering.again()
        self.run_worker(self._filter(self.filtering), group="filter", exclusive=True)

    async def _filter(self, filtering: Filtering) -> None:
        drawn = monotonic()
        while filtering.step(self.overview.judgements):
            await asyncio.sleep(0)
            if monotonic() - drawn > BATCH:
                self.draw()
                drawn = monotonic()
        if not filtering.found and len(filtering.wanted.parts) > 1 and not self.reading:
            most = await asyncio.to_thread(removed_most, filtering.wanted, self.diagnosis.judgements)
            if most is not None:
                filtering.hindrance = f"`{most.part.text}` removes most: {most.without:,} without it."
        self.draw()

    def _candidates(self, text: str, cursor: int) -> Sequence[Candidate]:
        return complete(text, cursor, lambda name: present_values(self.diagnosis.judgements, name, self.beside))

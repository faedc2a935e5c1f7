"""The findings in the order of their times, whatever capture or session they stand in: how an incident went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from app.keys import CLOSING, EVERYWHERE, TIMELINE, bindings
from app.screens.page import Page
from app.widgets.counts import counted
from app.widgets.glyphs import glyph
from app.widgets.lines import Lines
from app.widgets.plain import Line, Piece, cut, plain
from app.widgets.read_list import URI_LIMIT, clock, column
from diagnosis.questions.findings import Finding
from diagnosis.questions.judgement import Judgement

if TYPE_CHECKING:
    from app.screens.triage import TriageScreen

_DATE, _TIME, _NUMBER, _SESSION = 10, 12, 6, 4


@dataclass(frozen=True, slots=True)
class Event:
    """One finding; `when` is in UTC, None where the log has no time that can be put in order."""

    judgement: Judgement
    question: int
    finding: Finding
    when: datetime | None


def events(judgements: Sequence[Judgement], worth: Iterable[int]) -> list[Event]:
    """The findings of these reads by time, those without one last; of one time in the order of the log.

    A rule that speaks several times of one read is one event. A time without a zone is taken as UTC.
    """
    found = [
        Event(judgement, question, finding, _when(judgement))
        for judgement in (judgements[index] for index in worth)
        for question, answer in enumerate(judgement.answers)
        for finding in {each.rule.id: each for each in answer.findings}.values()
    ]
    return sorted(found, key=lambda one: (one.when is None, one.when or datetime.min.replace(tzinfo=UTC)))


def _when(judgement: Judgement) -> datetime | None:
    try:
        when = datetime.fromisoformat(judgement.read.time or "")
        return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


class Timeline(Lines):
    """A row for each finding; the date stands where it is another than in the row above."""

    def __init__(self, found: Sequence[Event], sessions: dict[str, str]) -> None:
        super().__init__()
        self.found = found
        self._sessions = sessions
        self._rule = max((len(one.finding.rule.id) for one in found), default=0)
        self._session = max([_SESSION, *map(len, sessions.values())])

    def on_mount(self) -> None:
        """There is nothing to wait for."""
        self.set_total(len(self.found))

    def head(self, index: int) -> Line:
        """When, which read, which question."""
        event = self.found[index]
        read = event.judgement.read
        day = self._day(index)
        date = "" if index and day == self._day(index - 1) else day
        session = self._sessions.get(read.session or "", "")
        return [
            Piece(f"{column(date, _DATE)} {column(self._clock(index), _TIME)} ", shown=True),
            Piece(f"{read.number + 1:<{_NUMBER}} {column(session, self._session)} ", shown=True),
            glyph(event.question, event.judgement.answers[event.question]),
            Piece(" "),
        ]

    def tail(self, index: int) -> Line:
        """Which rule, who asked, and for what."""
        event = self.found[index]
        judgement = event.judgement
        caller = cut(judgement.caller.id, URI_LIMIT) if judgement.caller else "unknown caller"
        rule = Piece(f"{event.finding.rule.id:<{self._rule}}  ", "strong")
        return [rule, Piece(caller, "dim"), Piece(f"  {cut(judgement.read.uri or '', URI_LIMIT)}")]

    def _clock(self, index: int) -> str:
        """The time of day in UTC, so that the rows are in order to the eye too; else the log's own text."""
        event = self.found[index]
        return clock(event.judgement.read) if event.when is None else event.when.isoformat(" ", "milliseconds")[11:23]

    def _day(self, index: int) -> str:
        when = self.found[index].when
        return "no time" if when is None else f"{when:%Y-%m-%d}"


class TimelineScreen(Page):
    """The rows under a line that says what they span."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(TIMELINE)
    PLACES: ClassVar[tuple[str, ...]] = (TIMELINE, CLOSING, EVERYWHERE)

    def __init__(self, triage: TriageScreen) -> None:
        super().__init__()
        self.triage = triage
        overview = triage.overview
        worth = (index for index in range(len(overview)) if overview.worth[index])
        self.rows = Timeline(events(overview.judgements, worth), overview.sessions)

    def body(self) -> ComposeResult:
        """Title and rows."""
        yield Static(plain(self._title()), classes="title")
        yield self.rows

    def on_mount(self) -> None:
        """The rows have the keys; the cursor is on the read that the list shows."""
        self.rows.set_notice([[Piece("  There is no finding.")]])
        self.rows.focus()
        shown = self.triage.judgement
        at = next((row for row, one in enumerate(self.rows.found) if one.judgement is shown), 0)
        self.rows.cursor = at

    def _title(self) -> str:
        found = self.rows.found
        parts = [f"{counted(len(found), 'finding')} by time (UTC)"]
        if self.triage.provisional:
            parts.append("provisional")
        if found and found[0].when and any(one.when and _has_no_zone(one) for one in found):
            parts.append("assumed where a log names no zone")
        return ", ".join(parts)

    def action_show_read(self) -> None:
        """Back to the list, with the cursor on the read."""
        if self.rows.found:
            self.triage.go_to(self.rows.found[self.rows.cursor].judgement.read.number)
            self.dismiss()


def _has_no_zone(event: Event) -> bool:
    return datetime.fromisoformat(event.judgement.read.time or "").tzinfo is None

"""Request and response as they stand in the log, read again from the capture."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.timer import Timer

from app.keys import FOUND, LINES, MESSAGES, bindings
from app.widgets.finding_text import MOST, Place, marked, places, within
from app.widgets.json_text import coloured
from app.widgets.lines import Lines
from app.widgets.plain import Line, plain
from app.widgets.records import Evidence, Source, messages
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Read
from diagnosis.visible import unvisible, visible

# More bytes than this (8 ms) are laid out only for a read on which the cursor rests so many seconds: passing by large
# documents must cost no more than passing by small ones.
AT_ONCE, REST = 50_000, 0.15
# Lines that stay in sight above a place that was found.
_ABOVE = 3

_LOOKS = {"title": "title", "equal": "strong", "json": "string"}


class MessagesView(Lines):
    """Lines that are too long for the pane go on below, so that a body of one line can be read to its end."""

    HAS_CURSOR: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = bindings(LINES, MESSAGES, FOUND)

    @dataclass
    class FindAsked(Message):
        """The person wants to type what is to be found."""

    @dataclass
    class FindEnded(Message):
        """The search is over."""

    @dataclass
    class Found(Message):
        """Another place is shown, or none: `number` counts from 1, 0 where nothing was found."""

        number: int
        of: int

        @property
        def words(self) -> str:
            """`2 of 37`."""
            return f"{self.number:,} of {self.of:,}{'+' if self.of == MOST else ''}" if self.of else "not found"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.exact = False
        self.wanted = ""
        self._judgement: Judgement | None = None
        self._evidence: Evidence | None = None
        self._stale = False
        self._resting: Timer | None = None
        self._sources: list[Source] = []
        self._rows: list[tuple[int, int, int]] = []
        self._places: list[Place] = []
        self._place = 0
        self._row = lru_cache(256)(self._draw_row)

    def on_mount(self) -> None:
        """Names the pane."""
        self.border_title = plain("Messages")

    def show_judgement(self, judgement: Judgement, evidence: Evidence) -> None:
        """Shows the messages of one read; while the pane is hidden nothing is read."""
        self._judgement, self._evidence = judgement, evidence
        if self._resting is not None:
            self._resting.stop()
        size = _size(judgement.read)
        if size <= AT_ONCE or not self.display:
            self.lay_out()
            return
        self._show([Source(f"{size:,} bytes, shown when the cursor rests", "title")])
        self._resting = self.set_timer(REST, self.lay_out)

    def toggle_exact(self) -> None:
        """Exact bytes, or laid out."""
        self.exact = not self.exact
        self.lay_out()

    def find(self, wanted: str) -> None:
        """Marks every place where the text stands, and shows the first one from the top of the pane on."""
        self.wanted = wanted
        self._places = places((one.text for one in self._sources), _as_in_the_log(wanted))
        top = self._rows[self.scroll_offset.y][:2] if self.scroll_offset.y < len(self._rows) else (0, 0)
        ahead = next((at for at, one in enumerate(self._places) if (one.line, one.end) > top), 0)
        self._show_place(ahead)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without a search `n`, `N` and Esc are the screen's."""
        if action in ("found", "end_find"):
            return bool(self.wanted)
        return super().check_action(action, parameters)

    def action_find(self) -> None:
        """Asks for the text."""
        self.post_message(self.FindAsked())

    def action_found(self, step: int) -> None:
        """The next place, and after the last one the first."""
        if self._places:
            self._show_place((self._place + step) % len(self._places))

    def action_end_find(self) -> None:
        """No place is marked any more."""
        self.wanted, self._places = "", []
        self._redraw()
        self.post_message(self.FindEnded())

    def _show_place(self, at: int) -> None:
        self._place = at
        if self._places:
            place = self._places[at]
            row = (
                bisect_right(self._rows, (place.line, place.start, place.end + len(self._sources[place.line].text))) - 1
            )
            top, height = self.scroll_offset.y, self.size.height
            if not top <= row < top + height:
                self.scroll_to(y=max(0, row - _ABOVE), animate=False, force=True)
        self._redraw()
        self.post_message(self.Found(at + 1 if self._places else 0, len(self._places)))

    def _redraw(self) -> None:
        self._row.cache_clear()
        self.refresh()

    def tail(self, index: int) -> Line:
        """One row of a line."""
        return self._row(index)

    def _draw_row(self, index: int) -> Line:
        number, start, end = self._rows[index]
        source = self._sources[number]
        text = source.text[start:end]
        runs = coloured(text) if source.kind == "json" and start == 0 else [(text, _LOOKS.get(source.kind, ""))]
        spans = [self._span(at, start) for at in within(self._places, number, start, end)]
        return marked(runs, spans)

    def _span(self, at: int, start: int) -> tuple[int, int, str]:
        place = self._places[at]
        return place.start - start, place.end - start, "current" if at == self._place else "found"

    def on_resize(self, event: events.Resize) -> None:
        """Folds again."""
        self._fold()

    def on_show(self) -> None:
        """What was asked for while the pane was hidden is read now."""
        if self._stale:
            self.lay_out()

    def on_focus(self) -> None:
        """Says the one key that works only here."""
        self.border_title = plain("Messages  / finds text")

    def on_blur(self) -> None:
        """The key is not ours any more."""
        self.border_title = plain("Messages")

    def lay_out(self) -> None:
        """Reads the messages and shows them; while the pane is hidden, once it is shown."""
        judgement, evidence = self._judgement, self._evidence
        self._stale = not self.display
        if judgement is None or evidence is None or self._stale:
            return
        self._show(list(messages(judgement, evidence, self.exact)))

    def _show(self, sources: list[Source]) -> None:
        self._sources = sources
        self.scroll_to(y=0, animate=False, force=True)
        self._fold()
        if self.wanted:
            self.find(self.wanted)

    def _fold(self) -> None:
        cells = self.room
        if cells < 2:
            return
        self._rows = [row for number, one in enumerate(self._sources) for row in folded(number, one.text, cells)]
        self._row.cache_clear()
        self.set_total(len(self._rows))


def _size(read: Read) -> int:
    """The bytes of the records that hold the messages of a read."""
    answers = ((read.response,) if read.response else ()) + read.extra
    return read.request.span.length + sum(answer.seen.span.length for answer in answers)


def _as_in_the_log(wanted: str) -> str:
    """A control character is typed as it is shown, `\\u{1b}`, and found as it is."""
    try:
        return unvisible(wanted)
    except ValueError:
        return wanted


def folded(number: int, text: str, cells: int) -> Iterable[tuple[int, int, int]]:
    """The rows of one line, cut by characters.

    What is not printable takes up to ten cells, what is wide takes two; such lines are cut shorter.
    """
    if len(text) <= cells and text.isascii() and text.isprintable():
        yield number, 0, len(text)
        return
    step = cells if text.isascii() and text.isprintable() and "\\u{" not in text else 0
    if step:
        yield from ((number, start, min(start + step, len(text))) for start in range(0, len(text), step))
        return
    start = used = 0
    for position, character in enumerate(text):
        need = _cells(character)
        if used + need > cells and position > start:
            yield number, start, position
            start, used = position, 0
        used += need
    yield number, start, len(text)


@lru_cache(4096)
def _cells(character: str) -> int:
    """Room for one character, whatever stands beside it."""
    if character.isascii() and character.isprintable():
        return 2 if character == "\\" else 1
    return max(2, len(visible(character)))

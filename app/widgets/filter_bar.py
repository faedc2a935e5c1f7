"""Two lines under the counts: the filter as it is typed, and what is wrong with it or could stand there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import HorizontalGroup, VerticalGroup
from textual.message import Message
from textual.widgets import Input, Static

from app.keys import FILTERING, bindings
from app.widgets.find_bar import Typing
from app.widgets.plain import cut, plain
from diagnosis.query.completion import Candidate
from diagnosis.visible import visible

_NAME = " / "
_CHOICES = 12  # candidates that one line may hold
_CHOICE = 40  # characters of one of them


class FilterBar(VerticalGroup):
    """Open while a filter is typed; every letter filters again, and a broken filter changes nothing but the bar."""

    DEFAULT_CSS = """
    FilterBar { display: none; height: 2; }
    FilterBar.-open { display: block; }
    FilterBar > HorizontalGroup { height: 1; }
    FilterBar .name { width: 3; text-style: bold; }
    FilterBar Input { width: 1fr; }
    FilterBar > .said { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(FILTERING)

    @dataclass
    class Typed(Message):
        """The text changed."""

        text: str

    @dataclass
    class Left(Message):
        """The person goes back to the list; `ended` says that all reads are to be shown again."""

        ended: bool

    def __init__(self, candidates: Callable[[str, int], Sequence[Candidate]], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._candidates = candidates
        self._offered: Sequence[Candidate] = ()
        self._chosen = -1
        self._put_in = ""  # the whole text after the last completion, and where what it put in ends
        self._end = 0
        self.input = Typing(select_on_focus=False, compact=True)
        self.input.cursor_blink = False
        self.said = Static(plain(""), classes="said")

    def compose(self) -> ComposeResult:
        """The text, and the line under it."""
        with HorizontalGroup():
            yield Static(plain(_NAME), classes="name")
            yield self.input
        yield self.said

    def ask(self) -> None:
        """Takes the keys; what was typed before may be changed."""
        self.add_class("-open")
        self.input.focus()

    def say(self, words: str, column: int | None = None) -> None:
        """Shows what is wrong, with a caret under the column where there is one."""
        if column is None:
            self.said.update(plain(words))
            return
        at = len(_NAME) + len(visible(self.input.value[:column])) - int(self.input.scroll_offset.x)
        self.said.update(plain(f"{' ' * max(0, at)}^ {words}"))

    def close(self) -> None:
        """All reads are shown again."""
        self.remove_class("-open")
        with self.input.prevent(Input.Changed):
            self.input.value = ""
        self.say("")

    @on(Input.Changed)
    def pass_on(self, event: Input.Changed) -> None:
        """Filters while the person types."""
        event.stop()
        if event.value != self._put_in:
            self._offered, self._chosen, self._put_in = (), -1, ""
        self.post_message(self.Typed(event.value))

    @on(Input.Submitted)
    def action_keep_filter(self, event: Input.Submitted) -> None:
        """Back to the list, with the filter."""
        event.stop()
        self.post_message(self.Left(ended=not self.input.value.strip()))

    def action_end_filter(self) -> None:
        """Back to the list, without."""
        self.post_message(self.Left(ended=True))

    def action_complete(self) -> None:
        """Puts in what could stand here; again for the next one."""
        if self._offered:
            self._chosen = (self._chosen + 1) % len(self._offered)
        else:
            self._offered = self._candidates(self.input.value, self.input.cursor_position)
            self._chosen = 0
        if not self._offered:
            self.say("Nothing is known that could stand here.")
            return
        one = self._offered[self._chosen]
        value = self.input.value
        end = self._end if self._put_in else one.end
        self._put_in = value[: one.start] + one.text + value[end:]
        self._end = one.start + len(one.text)
        self.input.value = self._put_in
        self.input.cursor_position = self._end
        self.call_after_refresh(self._say_choices)

    def _say_choices(self) -> None:
        """The chosen one first, then those that Tab would put in its place."""
        every = [*self._offered[self._chosen :], *self._offered[: self._chosen]][:_CHOICES]
        words = f"  {every[0].words}" if every[0].words else ""
        self.say(f"   {'  '.join(cut(each.text, _CHOICE) for each in every)}{words}")

"""One line under the panes: what is to be found in the messages, and which place of how many is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import HorizontalGroup
from textual.message import Message
from textual.widgets import Input, Static

from app.keys import FINDING, bindings
from app.widgets.plain import plain
from diagnosis.visible import visible


class Typing(Input):
    """A text field that shows nothing raw, whatever is pasted into it."""

    def validate_value(self, value: str) -> str:
        """What was pasted from elsewhere may hold control characters."""
        return value if value.isprintable() else visible(value)


class FindBar(HorizontalGroup):
    """Shown while a search stands; every letter that is typed searches again."""

    DEFAULT_CSS = """
    FindBar { display: none; height: 1; }
    FindBar.-open { display: block; }
    FindBar > .name { width: 7; text-style: bold; }
    FindBar > Input { width: 1fr; }
    FindBar > .said { width: 20; text-align: right; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(FINDING)

    @dataclass
    class Typed(Message):
        """The text changed."""

        wanted: str

    @dataclass
    class Left(Message):
        """The person goes on in the messages; `ended` says that the search is over."""

        ended: bool

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.input = Typing(select_on_focus=False, compact=True)
        self.input.cursor_blink = False
        self.said = Static(plain(""), classes="said")

    def compose(self) -> ComposeResult:
        """Name, text, count."""
        yield Static(plain(" find "), classes="name")
        yield self.input
        yield self.said

    def ask(self) -> None:
        """Takes the keys; what was looked for before may be changed."""
        self.add_class("-open")
        self.input.focus()

    def say(self, words: str) -> None:
        """Shows how far the search is."""
        self.said.update(plain(words))

    def close(self) -> None:
        """The search is over."""
        self.remove_class("-open")
        with self.input.prevent(Input.Changed):
            self.input.value = ""
        self.say("")

    @on(Input.Changed)
    def pass_on(self, event: Input.Changed) -> None:
        """Searches while the person types."""
        event.stop()
        self.post_message(self.Typed(event.value))

    @on(Input.Submitted)
    def action_go_on(self, event: Input.Submitted) -> None:
        """Back to the messages, with the search."""
        event.stop()
        self.post_message(self.Left(ended=not self.input.value))

    def action_end_find(self) -> None:
        """Back to the messages, without."""
        self.post_message(self.Left(ended=True))

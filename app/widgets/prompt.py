"""One line that asks for a text: a reason, a note, a statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import HorizontalGroup, VerticalGroup
from textual.message import Message
from textual.widgets import Input, Static

from app.keys import ASKING, bindings
from app.widgets.find_bar import Typing
from app.widgets.plain import plain
from diagnosis.visible import visible


class Prompt(VerticalGroup):
    """Shown while it asks; `said` under the text is what was wrong with the last answer."""

    DEFAULT_CSS = """
    Prompt { display: none; height: auto; }
    Prompt.-open { display: block; }
    Prompt > .name { height: auto; padding: 0 1; text-style: bold; }
    Prompt > HorizontalGroup { height: 1; padding: 0 1; }
    Prompt > .said { height: auto; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(ASKING)

    @dataclass
    class Answered(Message):
        """What was typed, and what it was asked for."""

        purpose: str
        text: str

    @dataclass
    class Left(Message):
        """Nothing is wanted after all."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.purpose = ""
        self.name_line = Static(plain(""), classes="name")
        self.input = Typing(select_on_focus=False, compact=True)
        self.input.cursor_blink = False
        self.said = Static(plain(""), classes="said")

    def compose(self) -> ComposeResult:
        """The question, the text, and what is wrong with it."""
        yield self.name_line
        with HorizontalGroup():
            yield self.input
        yield self.said

    def ask(self, purpose: str, question: str, text: str = "") -> None:
        """Asks, with a text to begin with."""
        self.purpose = purpose
        self.name_line.update(plain(question))
        self.said.update(plain(""))
        self.add_class("-open")
        self.input.value = visible(text)
        self.input.cursor_position = len(self.input.value)
        self.input.focus()

    def refuse(self, sentence: str) -> None:
        """Says why the answer cannot be taken; the text stays to be changed."""
        self.said.update(plain(sentence))

    def close(self) -> None:
        """Takes no more keys."""
        self.remove_class("-open")

    @on(Input.Changed)
    def keep(self, event: Input.Changed) -> None:
        """The text is nobody else's business until it is sent."""
        event.stop()

    @on(Input.Submitted)
    def action_send(self, event: Input.Submitted) -> None:
        """Passes the text on."""
        event.stop()
        self.post_message(self.Answered(self.purpose, self.input.value.strip()))

    def action_leave(self) -> None:
        """Back, without an answer."""
        self.post_message(self.Left())

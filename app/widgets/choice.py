"""One row with a few words, of which one is chosen; in brackets, so that it shows without colour too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from app.keys import CHOOSING, bindings
from app.widgets.plain import Piece, content

_NAME_CELLS = 11
_LOOKS = {"strong": "bold reverse", "dim": "dim"}


class Choice(Static, can_focus=True):
    """The arrow keys choose; the last word is followed by the first."""

    DEFAULT_CSS = """
    Choice { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    Choice:focus { background: $panel; }
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(CHOOSING)

    @dataclass
    class Changed(Message):
        """Another word is chosen."""

    def __init__(self, name: str, words: Sequence[str]) -> None:
        super().__init__(markup=False)
        self.words = tuple(words)
        self._label = name
        self._at = 0

    @property
    def chosen(self) -> str:
        """The word that is chosen."""
        return self.words[self._at]

    @property
    def at(self) -> int:
        """Its place."""
        return self._at

    def on_mount(self) -> None:
        """Shows the row."""
        self.draw(focused=False)

    def on_focus(self) -> None:
        """Shows where the keys are."""
        self.draw(focused=True)

    def on_blur(self) -> None:
        """They are elsewhere."""
        self.draw(focused=False)

    def draw(self, *, focused: bool) -> None:
        """Name and words."""
        row = [Piece(f"{'>' if focused else ' '}{self._label:<{_NAME_CELLS}}", "" if focused else "dim")]
        for place, word in enumerate(self.words):
            row.append(Piece(f"[{word}]", "strong") if place == self._at else Piece(f" {word} "))
        self.update(content(row, _LOOKS))

    def action_choose(self, step: int) -> None:
        """The next word, or the one before."""
        self._at = (self._at + step) % len(self.words)
        self.draw(focused=self.has_focus)
        self.post_message(self.Changed())

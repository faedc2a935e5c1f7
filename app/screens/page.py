"""What every screen has: hints at the bottom, a way back, and a notice for a window that is too small."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from app.keys import CLOSING, EVERYWHERE, bindings, hints
from app.widgets.hints import Hints
from app.widgets.plain import plain
from diagnosis.visible import visible

TOO_SMALL = "This window is too small: misread needs 60 columns and 16 lines."


class Page(Screen[None]):
    """A screen of this program. `PLACES` are the places of the key table that count on it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(CLOSING)
    PLACES: ClassVar[tuple[str, ...]] = (CLOSING, EVERYWHERE)

    def body(self) -> ComposeResult:
        """The widgets of the screen, without what all screens have."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The body over the hints; the notice stands in their place in a small window."""
        with Vertical(classes="body"):
            yield from self.body()
        self.hints = Hints(hints(*self.PLACES))
        yield self.hints
        yield Static(plain(TOO_SMALL), classes="too-small")

    def toast(self, text: str, severity: str = "information") -> None:
        """Says something for a moment."""
        self.notify(visible(text), severity="warning" if severity == "warning" else "information", markup=False)

    def read_changed(self) -> None:
        """What was said about the reads may have changed: the load went on or ended."""

    def declines(self) -> bool:
        """Answers "no" to a question that stands open; False where there is none."""
        return False

    def action_close(self) -> None:
        """Back to the screen before."""
        self.dismiss()

"""A pane of wrapped text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events

from app.widgets.lines import Lines, line
from app.widgets.plain import Line, wrap


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of text before wrapping; `indent` is where its further lines begin."""

    line: Line
    indent: int = 0


def paragraph(*parts: str | tuple[str, str], indent: int = 0) -> Paragraph:
    """A paragraph from text and pairs of text and look."""
    return Paragraph(line(*parts), indent)


class TextLines(Lines):
    """Shows paragraphs, wrapped to the width of the pane."""

    HAS_CURSOR: ClassVar[bool] = False

    def __init__(self, paragraphs: Sequence[Paragraph] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._paragraphs = paragraphs
        self._lines: list[Line] = []

    def show(self, paragraphs: Sequence[Paragraph]) -> None:
        """Shows other paragraphs, from their beginning."""
        self._paragraphs = paragraphs
        self.scroll_to(y=0, animate=False, force=True)
        self._lay_out()

    def tail(self, index: int) -> Line:
        """One wrapped line."""
        return self._lines[index]

    def on_resize(self, event: events.Resize) -> None:
        """Wraps again."""
        self._lay_out()

    def _lay_out(self) -> None:
        cells = self.room
        if not cells:
            return
        self._lines = [row for one in self._paragraphs for row in wrap(one.line, cells, one.indent)]
        self.set_total(len(self._lines))

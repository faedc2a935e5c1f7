"""Who was served whose documents: callers down, tenants across, successful reads in the cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from app.keys import CLOSING, EVERYWHERE, MATRIX, bindings
from app.screens.page import Page
from app.shown import matrix_cell
from app.widgets.counts import counted
from app.widgets.lines import Lines
from app.widgets.matrix_grid import MatrixGrid
from app.widgets.plain import plain
from diagnosis.comparison import Row

if TYPE_CHECKING:
    from app.screens.triage import TriageScreen


class MatrixScreen(Page):
    """The grid under its counts and its heading, over the words for the cell under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(MATRIX)
    PLACES: ClassVar[tuple[str, ...]] = (MATRIX, CLOSING, EVERYWHERE)

    def __init__(self, triage: TriageScreen, rows: Sequence[Row]) -> None:
        super().__init__()
        self.triage = triage
        self.grid = MatrixGrid(rows, triage.overview)
        self.heading = Static(plain(""), id="heading")
        self.cell = Static(plain(""), id="cell")

    def body(self) -> ComposeResult:
        """Title, heading, grid, and what the cell says in words."""
        yield Static(plain(self._title()), classes="title")
        yield self.heading
        yield self.grid
        yield self.cell

    def on_mount(self) -> None:
        """The grid has the keys."""
        self.grid.focus()

    def _title(self) -> str:
        grid = self.grid
        callers, tenants = counted(len(grid.rows), "caller"), counted(len(grid.tenants), "tenant")
        provisional = ", provisional" if self.triage.provisional else ""
        return f"{callers} and {tenants}; {_foreign(*grid.foreign)}{provisional}"

    @on(Lines.Moved)
    @on(MatrixGrid.Changed)
    def say_cell(self) -> None:
        """Heads the columns in sight, and says the cell under the cursor in words: names are cut in the grid."""
        self.heading.update(plain(self.grid.heading()))
        self.cell.update(plain(self.grid.words()))

    def action_show_cell(self) -> None:
        """The reads of the cell, in the list."""
        chosen = self.grid.chosen()
        if chosen is None:
            self.toast("There is no read in this cell.")
            return
        row, tenant = chosen
        self.triage.show_only(matrix_cell(row.caller, row.basis, tenant))
        self.dismiss()


def _foreign(proved: int, signs: int) -> str:
    """How many cells want to be looked at, with the letters that they have in the grid."""
    if not proved and not signs:
        return "no cell is known to be foreign"
    letters = [f"{letter} {count:,}" for letter, count in (("A", proved), ("a", signs)) if count]
    return f"cells outside what the caller may see: {', '.join(letters)}"

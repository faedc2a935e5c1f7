"""The grid of callers and tenants. Only the cells in sight are drawn, of however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.reactive import reactive

from app.loading import Overview
from app.widgets.counts import counted
from app.widgets.glyphs import State, state_glyph
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, Piece, cut
from app.widgets.read_list import column
from diagnosis.comparison import Row
from diagnosis.visible import shorten, visible

_CALLER, _NARROWEST, _WIDEST = 20, 6, 14
_NAME = 200  # of a longer name no more is said in words
_FOREIGN = "; outside what this caller may see"
_PRINCIPAL = 2  # question 3 is about the principal


class MatrixGrid(Lines):
    """A cursor on one cell; `h` and `l` move it, and the columns with it.

    A cell that holds a read outside what its caller may see has the letter of question 3 before its count: `A` in
    reverse video where the log proves it, `a` where it is a sign. Tenants with such cells are the first columns.
    """

    @dataclass
    class Changed(Message):
        """Another column, or other columns in sight."""

    tenant: reactive[int] = reactive(0)

    def __init__(self, rows: Sequence[Row], overview: Overview) -> None:
        super().__init__()
        self.rows = rows
        self._reads = [dict(row.reads) for row in rows]
        self._states = {
            (number, tenant): _worst(row, tenant, overview) for number, row in enumerate(rows) for tenant in row.foreign
        }
        foreign = {tenant for _, tenant in self._states}
        self.tenants = sorted(
            {tenant for row in rows for tenant, _ in row.reads}, key=lambda one: (one not in foreign, one)
        )
        most: dict[str, int] = {}
        for row in rows:
            for tenant, count in row.reads:
                most[tenant] = max(count, most.get(tenant, 0))
        self._widths = [_width(tenant, most[tenant]) for tenant in self.tenants]
        self._first = 0

    def on_mount(self) -> None:
        """There is nothing to wait for."""
        self.set_notice([line("  No read is known to have served a tenant's document.")])
        self.set_total(len(self.rows))
        self.post_message(self.Changed())

    @property
    def foreign(self) -> tuple[int, int]:
        """How many cells hold a read outside what its caller may see: by proof, and by a sign."""
        proved = sum(one is State.FAULT for one in self._states.values())
        return proved, len(self._states) - proved

    def validate_tenant(self, tenant: int) -> int:
        """Keeps the cursor on a cell."""
        return max(0, min(tenant, len(self.tenants) - 1))

    def watch_tenant(self) -> None:
        """Moves the columns no further than they must."""
        self._keep_column_in_sight()

    def on_resize(self, event: events.Resize) -> None:
        """There is room for other columns now."""
        self._keep_column_in_sight()

    def _keep_column_in_sight(self) -> None:
        first = min(self._first, self.tenant)
        while first < self.tenant and sum(self._widths[first : self.tenant + 1]) > self._columns_room:
            first += 1
        self._first = first
        self.refresh()
        self.post_message(self.Changed())

    @property
    def _columns_room(self) -> int:
        return max(0, self.room - _CALLER - 2)

    def in_sight(self) -> Iterable[int]:
        """The columns that have room, the first one always."""
        used = 0
        for number in range(self._first, len(self.tenants)):
            used += self._widths[number]
            if used > self._columns_room and number > self._first:
                return
            yield number

    def heading(self) -> str:
        """The names of the tenants in sight, and how many there are on either side."""
        numbers = list(self.in_sight())
        names = "".join(_right(self.tenants[number], self._widths[number]) for number in numbers)
        left, right = self._first, len(self.tenants) - (numbers[-1] + 1 if numbers else 0)
        beside = (f"< {left} " if left else "") + (f"> {right}" if right else "")
        return f"  {beside:<{_CALLER}}{names}"

    def head(self, index: int) -> Line:
        """The caller, or what stands for it."""
        row = self.rows[index]
        name = row.caller if row.basis == "principal" else f"{row.basis} {row.caller}"
        return [Piece(f"{column(cut(name, _NAME), _CALLER)} ", "" if row.basis == "principal" else "dim", shown=True)]

    def tail(self, index: int) -> Line:
        """The cells in sight."""
        pieces: list[Piece] = []
        for number in self.in_sight():
            pieces += self._cell(index, number)
        return pieces

    def _cell(self, index: int, number: int) -> Line:
        tenant = self.tenants[number]
        count = self._reads[index].get(tenant, 0)
        text = f"{count:,}" if count else "."
        found = self._states.get((index, tenant))
        letter = [] if found is None else [state_glyph(_PRINCIPAL, found), Piece(" ")]
        here = index == self.cursor and number == self.tenant
        gap = self._widths[number] - len(text) - 2 * bool(letter) - 2
        before, behind = ("[", "]") if here else (" ", " ")
        look = "strong" if here else "" if count else "dim"
        return [Piece(" " * gap), Piece(before, "strong"), *letter, Piece(text, look), Piece(behind, "strong")]

    def words(self) -> str:
        """The cell under the cursor, with the names in full."""
        if not self.rows:
            return ""
        row, tenant = self.rows[self.cursor], self.tenants[self.tenant]
        found = self._states.get((self.cursor, tenant))
        said = "" if found is None else _FOREIGN if found is State.FAULT else f"{_FOREIGN}: a sign, not proof"
        reads = counted(self._reads[self.cursor].get(tenant, 0), "read")
        return f"{row.basis} {cut(row.caller, _NAME)}, {cut(tenant, _NAME)}: {reads}{said}"

    def chosen(self) -> tuple[Row, str] | None:
        """The row and the tenant of the cell under the cursor; None where nothing was read."""
        if not self.rows:
            return None
        row, tenant = self.rows[self.cursor], self.tenants[self.tenant]
        return (row, tenant) if tenant in self._reads[self.cursor] else None

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the cell that was clicked."""
        super().on_click(event)
        offset = event.get_content_offset(self)
        end = _CALLER + 2
        for number in self.in_sight() if offset is not None else ():
            end += self._widths[number]
            if offset is not None and offset.x < end:
                self.tenant = number
                return

    def action_sideways(self, steps: int) -> None:
        """The cell beside."""
        self.tenant += steps


def _width(tenant: str, most: int) -> int:
    """Room for the name, cut where it is long, and for the largest count; brackets stand on both sides."""
    name = min(_WIDEST, cell_len(visible(cut(tenant, _WIDEST))))
    return max(_NARROWEST, name, len(f"A {most:,}")) + 2


def _right(name: str, cells: int) -> str:
    """A name over its column, with its end over the ends of the numbers."""
    short = shorten(visible(cut(name, _NAME)), cells - 2)
    return " " * (cells - 1 - cell_len(short)) + short + " "


def _worst(row: Row, tenant: str, overview: Overview) -> State:
    """Proof before a sign, of the reads of one cell that are outside what the caller may see."""
    reads = overview.across.radii.in_cell(row.caller, row.basis, tenant) if overview.across else ()
    return State(min((overview.states[_PRINCIPAL][read] for read in reads), default=State.SUSPECT))

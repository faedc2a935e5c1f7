"""The URI laid over its template: each value under its variable, with what does not belong there marked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events

from app.widgets.lines import Lines, line
from app.widgets.plain import Line, Piece, cut, joined, plain, width
from app.widgets.read_list import clock
from diagnosis.questions.judgement import Judgement
from diagnosis.uris.lane import Cell, lane
from diagnosis.uris.reading import Fit
from diagnosis.visible import shorten

# A longer URI is cut: nobody reads it aligned under a template any more. The messages have it whole.
LONGEST = 16_384

# What stays in sight to the left of the first mark of a long URI.
_BEFORE_MARK = 20

# What a mark says.
_OFFENDING, _TOLERATED = "not put there by the template", "left raw by encodeURIComponent"

_SESSION, _CALLER, _TENANTS = 24, 24, 120

Row = tuple[str, Line]


class UriLane(Lines):
    """Rows that move sideways together while their labels stay."""

    HAS_CURSOR: ClassVar[bool] = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._judgement: Judgement | None = None
        self._reading = 0
        self._rows: list[Row] = []
        self._mark: int | None = None

    def show_judgement(self, judgement: Judgement) -> None:
        """Shows the first reading of a read's URI."""
        self._judgement, self._reading = judgement, 0
        self._lay_out(judgement)

    def next_reading(self) -> bool:
        """Shows the next reading; False where there is only one."""
        judgement = self._judgement
        if judgement is None or len(judgement.readings) < 2:
            return False
        self._reading = (self._reading + 1) % len(judgement.readings)
        self._lay_out(judgement)
        return True

    def head(self, index: int) -> Line:
        """The label."""
        return line((f" {self._rows[index][0]:<9} ", "dim"))

    def tail(self, index: int) -> Line:
        """The row itself."""
        return self._rows[index][1]

    def on_resize(self, event: events.Resize) -> None:
        """The mark may be out of sight now."""
        self._show_mark()

    def _lay_out(self, judgement: Judgement) -> None:
        self._rows = rows(judgement, self._reading)
        marks = next((one for label, one in self._rows if not label), ())
        self._mark = width(list(_until_mark(marks))) if marks else None
        many = len(judgement.readings)
        readings = f"  reading {self._reading + 1} of {many}, v shows the next" if many > 1 else ""
        self.border_title = plain(title(judgement) + readings)
        self.set_total(len(self._rows))
        self.scroll_to(y=0, animate=False, force=True)
        self._show_mark()

    def _show_mark(self) -> None:
        """Moves a long URI so that its first mark is in sight."""
        room = self.room - width(self.head(0)) if self._rows else 0
        hidden = self._mark is not None and self._mark >= room
        self.left = max(0, (self._mark or 0) - _BEFORE_MARK) if hidden else 0


def title(judgement: Judgement) -> str:
    """`Read 40  session s2  principal unknown  09:14:07.930`, of pieces that are short and visible."""
    read = judgement.read
    parts = [f"Read {read.number + 1}"]
    if read.session is not None:
        parts.append(f"session {_short(read.session, _SESSION)}")
    parts.append(f"principal {_short(judgement.caller.id, _CALLER) if judgement.caller else 'unknown'}")
    return "  ".join([*parts, clock(read)[:_SESSION]]).rstrip()


def _short(text: str, cells: int) -> str:
    return shorten(cut(text, cells), cells)


def rows(judgement: Judgement, reading: int) -> list[Row]:
    """The rows of one reading."""
    uri = judgement.read.uri
    if uri is None:
        return [("request", line(("the request has no URI", "dim")))]
    laid = [("template", line((_unaligned(judgement, uri), "dim"))), ("request", [Piece(cut(uri, LONGEST))])]
    if judgement.readings and len(uri) <= LONGEST:
        alignment = judgement.readings[reading]
        laid = aligned(lane(uri, alignment).cells, alignment.fit)
    return [*laid, *_echo(judgement, uri), *_tenant(judgement)]


def _unaligned(judgement: Judgement, uri: str) -> str:
    """Why there is no template over the URI."""
    if judgement.readings:
        return f"the URI has more than {LONGEST:,} characters and is not laid under its template"
    template = judgement.template
    return f"{template} does not explain this URI" if template else "no template explains this URI"


def aligned(cells: Iterable[Cell], fit: Fit) -> list[Row]:
    """Template, request, marks and what was expected; the last two only where something is wrong."""
    laid: dict[str, list[Piece]] = {"template": [], "request": [], "": [], "expected": []}
    wrong = differs = False
    for cell in cells:
        request, marks = _request(cell)
        template = [Piece(cell.template, "key" if cell.variable else "")]
        columns: tuple[Line, ...] = (template, request, marks, [Piece(cell.expected)])
        room = max(width(column) for column in columns)
        for row, column in zip(laid.values(), columns, strict=True):
            row += [*column, Piece(" " * (room - width(column)))]
        wrong = wrong or bool(cell.offences)
        differs = differs or cell.request != cell.expected
    if wrong:
        laid[""].append(Piece(f"  ^ {_TOLERATED if fit is Fit.TOLERATED else _OFFENDING}", "dim"))
    left_out = {"": not wrong, "expected": not differs}
    return [(label, row) for label, row in laid.items() if not left_out.get(label)]


def _request(cell: Cell) -> tuple[Line, Line]:
    """The URI's part of a column, and the marks under it."""
    look = "variable" if cell.variable else ""
    whole = Piece(cell.request, look)
    if not cell.offences:
        return [whole], []
    wrong = set(cell.offences)
    pieces = [Piece(one, "offence" if at in wrong else look) for at, one in enumerate(cell.request)]
    if "".join(piece.text for piece in pieces) != whole.text:
        # Shown as a whole it is another text (stacked marks, backslashes): single marks would lie.
        return [whole], [Piece("-" * whole.cells, "mark")]
    marks = [Piece(("^" if at in wrong else "-") * one.cells, "mark") for at, one in enumerate(pieces)]
    return joined(pieces), marks


def _until_mark(marks: Line) -> Iterable[Piece]:
    """The pieces before the first `^`."""
    for piece in marks:
        if piece.text.startswith("^"):
            return
        yield piece


def _echo(judgement: Judgement, uri: str) -> Iterable[Row]:
    """What the answer echoes, where that is another URI."""
    contents = judgement.read.response.contents if judgement.read.response else ()
    echo = next((content.uri for content in contents if content.uri is not None), None)
    if echo is not None and echo != uri:
        yield "echo", [Piece(cut(echo, LONGEST))]


def _tenant(judgement: Judgement) -> Iterable[Row]:
    """Whose document it is beside what the caller may see."""
    caller = judgement.caller
    if judgement.tenants and caller is not None and caller.allowed_tenants is not None:
        may_see = cut(", ".join((*caller.allowed_tenants, *caller.shared_tenants)) or "nothing", _TENANTS)
        asked = cut(", ".join(judgement.tenants), _TENANTS)
        yield "tenant", line((asked, "strong"), f"; {caller.id} may see {may_see}")

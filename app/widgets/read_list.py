"""The list of reads: one row each, with the three answers in three columns that never move."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from app.loading import Overview
from app.widgets.glyphs import glyph
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, Piece, cut, plain
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Outcome, Read
from diagnosis.visible import shorten, visible

# Longer URIs are cut in the list; the lane above the answers shows all of them.
URI_LIMIT = 4096

_NUMBER, _TIME, _SESSION, _STATUS = 6, 12, 4, 7
COLUMNS = f"  {'#':<{_NUMBER}} {'time':<{_TIME}} {'ses':<{_SESSION}} 1 2 3  {'status':<{_STATUS}} read"


class ReadRows(Lines):
    """The rows. `rows` are the reads that are shown, None meaning all of them."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.judgements: Sequence[Judgement] = ()
        self.overview = Overview()
        self.rows: list[int] | None = None
        self.provisional = False

    def show(self, judgements: Sequence[Judgement], overview: Overview, rows: list[int] | None) -> None:
        """Shows other reads; the cursor stays on its read where that is still shown."""
        before = self.read_index
        self.judgements, self.overview, self.rows = judgements, overview, rows
        self.set_total(len(overview) if rows is None else len(rows))
        if before is not None:
            self.go_to(before)

    @property
    def read_index(self) -> int | None:
        """The read under the cursor, by its index among all reads."""
        if not self.total:
            return None
        return self.cursor if self.rows is None else self.rows[self.cursor]

    def go_to(self, index: int) -> None:
        """Puts the cursor on a read, or on the next one that is shown."""
        if self.rows is None:
            self.cursor = index
        else:
            self.cursor = next((row for row, read in enumerate(self.rows) if read >= index), self.total - 1)

    def faded(self, index: int) -> bool:
        """Answers are not final while the captures are being read."""
        return self.provisional

    def head(self, index: int) -> Line:
        """Everything but the URI."""
        judgement = self._judgement(index)
        read = judgement.read
        session = self.overview.sessions.get(read.session or "", "")
        cells: list[Piece] = [
            Piece(f" {read.number + 1:<{_NUMBER}} "),
            Piece(f"{_column(clock(read), _TIME)} {_column(session, _SESSION)} ", shown=True),
        ]
        for question, answer in enumerate(judgement.answers):
            cells += [glyph(question, answer), Piece(" ")]
        return [*cells, Piece(f" {_column(status(read), _STATUS)} ", shown=True)]

    def tail(self, index: int) -> Line:
        """The URI, and why there is no answer."""
        read = self._judgement(index).read
        if read.uri is None:
            return line(("the request has no URI", "dim"))
        pieces = [Piece(cut(read.uri, URI_LIMIT))]
        if read.response is None and read.no_answer is not None:
            pieces.append(Piece(f"   ({read.no_answer})", "dim"))
        return pieces

    def _judgement(self, index: int) -> Judgement:
        return self.judgements[index if self.rows is None else self.rows[index]]


class ReadList(Vertical):
    """The rows under their heading."""

    DEFAULT_CSS = """
    ReadList > Static { height: 1; color: $text-muted; }
    ReadList > ReadRows { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows = ReadRows()

    def compose(self) -> ComposeResult:
        """The heading and the rows."""
        yield Static(plain(COLUMNS))
        yield self.rows


def clock(read: Read) -> str:
    """The time of day, where the log has one; otherwise the log's own text."""
    if read.time is None:
        return ""
    day, t, rest = read.time.partition("T")
    return rest[:_TIME].rstrip("Z") if t and len(day) == len("2025-10-01") else read.time


def status(read: Read) -> str:
    """`ok`, `open`, or the error's code."""
    if read.outcome is Outcome.NONE:
        return "open"
    if read.outcome is Outcome.RESULT:
        return "ok"
    code = read.response.failure.code if read.response and read.response.failure else None
    return "error" if code is None else str(code)


def _column(text: str, cells: int) -> str:
    """The text in a column of this width."""
    short = shorten(visible(text), cells)
    return short + " " * (cells - cell_len(short))

"""The list of reads: one row each, with the three answers in three columns that never move."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from app.loading import Overview
from app.shown import row_of
from app.widgets.glyphs import SEVERE_REMARK, glyph
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, Piece, cut, plain
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Outcome, Read
from diagnosis.visible import shorten, visible

# Longer URIs are cut in the list; the lane above the answers shows all of them.
URI_LIMIT = 4096

_NUMBER, _TIME, _SESSION, _STATUS = 6, 12, 4, 7
_DATED = 19  # a date and a time of day to the second
# The time of day, wherever in the text a log writes it.
_CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d\d:\d\d(?:[.,]\d+)?")

_FRACTION = re.compile(r"(?<=:\d\d)[.,]\d+")


def columns(session: int = _SESSION) -> str:
    """The heading, with this room for the sessions."""
    return f"  {'#':<{_NUMBER}} {'time':<{_TIME}} {'ses':<{session}} 1 2 3  {'status':<{_STATUS}} read"


class ReadRows(Lines):
    """The rows. `rows` are the reads that are shown, None meaning all of them; `mark` says what is left of a number."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.judgements: Sequence[Judgement] = ()
        self.overview = Overview()
        self.rows: Sequence[int] | None = None
        self.provisional = False
        self.mark: Callable[[int], str] = lambda index: ""

    def show(self, judgements: Sequence[Judgement], overview: Overview, rows: Sequence[int] | None) -> None:
        """Shows other reads; the cursor stays on its read where that is still shown."""
        before = self.read_index
        self.judgements, self.overview, self.rows = judgements, overview, rows
        self.set_total(len(overview) if rows is None else len(rows))
        if before is not None:
            self.go_to(before)

    @property
    def session_cells(self) -> int:
        """The width of the column of sessions: no two of them may look the same."""
        return max(_SESSION, self.overview.widest_name)

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
            self.cursor = row_of(self.rows, index)

    def shows(self, index: int) -> bool:
        """Whether a read is among those that are shown."""
        if self.rows is None or not self.rows:
            return self.rows is None
        return self.rows[row_of(self.rows, index)] == index

    def faded(self, index: int) -> bool:
        """Answers are not final while the captures are being read."""
        return self.provisional

    def head(self, index: int) -> Line:
        """Everything but the URI."""
        judgement = self._judgement(index)
        read = judgement.read
        session = self.overview.sessions.get(read.session or "", "")
        cells: list[Piece] = [
            self._mark(self._index(index)),
            Piece(f"{read.number + 1:<{_NUMBER}} "),
            Piece(f"{column(clock(read), _TIME)} {column(session, self.session_cells)} ", shown=True),
        ]
        for question, answer in enumerate(judgement.answers):
            cells += [glyph(question, answer), Piece(" ")]
        return [*cells, Piece(f" {column(status(read), _STATUS)} ", shown=True)]

    def _mark(self, read: int) -> Piece:
        """What a reviewer said of the read, or that a remark on it is severe."""
        mark = self.mark(read)
        if mark:
            return Piece(mark, "strong")
        return Piece(SEVERE_REMARK if self.overview.severe[read] else " ", "undecided")

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
        return self.judgements[self._index(index)]

    def _index(self, row: int) -> int:
        return row if self.rows is None else self.rows[row]


# A list of fewer reads than this keeps their room, so that the panes stand still while the first ones arrive.
_FEWEST = 3


class ReadList(Vertical):
    """The rows under their heading."""

    DEFAULT_CSS = """
    ReadList > Static { height: 1; color: $text-muted; }
    ReadList > ReadRows { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.heading = Static(plain(columns()))
        self.rows = ReadRows()

    def compose(self) -> ComposeResult:
        """The heading and the rows."""
        yield self.heading
        yield self.rows

    def show(self, judgements: Sequence[Judgement], overview: Overview, rows: Sequence[int] | None) -> None:
        """Shows other reads, and takes no more lines than they need."""
        self.rows.show(judgements, overview, rows)
        self.heading.update(plain(columns(self.rows.session_cells)))
        self.styles.max_height = 1 + max(self.rows.total or len(self.rows.notice), _FEWEST)


def clock(read: Read) -> str:
    """The time of day, where the log has one; otherwise the log's own text."""
    if read.time is None:
        return ""
    found = _CLOCK.search(read.time)
    return found[0][:_TIME] if found else read.time


def span_of(first: Read, last: Read) -> str:
    """`, 09:14:02 to 09:20:11`: from one read to a later one, with the dates where they differ."""
    if not first.time or not last.time:
        return ""
    times = (clock(first), clock(last))
    dates = {read.time.partition(of_day)[0] for read, of_day in zip((first, last), times, strict=True) if read.time}
    if len(dates) > 1:
        times = (first.time[:_DATED], last.time[:_DATED])
    one, other = (_FRACTION.sub("", text) for text in times)
    return f", {one} to {other}"


def status(read: Read) -> str:
    """`ok`, `open`, or the error's code."""
    if read.outcome is Outcome.NONE:
        return "open"
    if read.outcome is Outcome.RESULT:
        return "ok"
    code = read.response.failure.code if read.response and read.response.failure else None
    return "error" if code is None else str(code)


def column(text: str, cells: int) -> str:
    """The text in a column of this width."""
    short = shorten(visible(text), cells)
    return short + " " * (cells - cell_len(short))

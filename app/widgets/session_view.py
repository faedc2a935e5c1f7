"""The reads of one session, a row each, with the read that is shown marked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from app.loading import Overview
from app.widgets.counts import counted
from app.widgets.glyphs import glyph
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, Piece, cut, plain
from app.widgets.read_list import URI_LIMIT, clock, column, status
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Read

_NUMBER, _TIME, _ID, _LATENCY, _STATUS = 5, 12, 7, 8, 6


class SessionView(Lines):
    """Rows in the order of the log; the marker follows the list's cursor."""

    HAS_CURSOR: ClassVar[bool] = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.provisional = False
        self._judgements: Sequence[Judgement] = ()
        self._reads: Sequence[int] = ()
        self._shown = -1

    def show_judgement(self, judgement: Judgement, judgements: Sequence[Judgement], overview: Overview) -> None:
        """Shows the session of a read, scrolled no further than it must be."""
        self._judgements, self._reads = judgements, overview.session_of(judgement.read)
        self._shown = judgement.read.number
        at = bisect_left(self._reads, self._shown)
        self.border_title = plain(f"Session  {at + 1:,} of {counted(len(self._reads), 'read')}")
        self.set_total(len(self._reads))
        self.call_after_refresh(self.keep_in_view, at)

    def faded(self, index: int) -> bool:
        """Answers are not final while the captures are being read."""
        return self.provisional

    def head(self, index: int) -> Line:
        """Number, time, id, how long the answer took, status, answers, and what is odd about the pairing."""
        judgement = self._judgements[self._reads[index]]
        read = judgement.read
        here = read.number == self._shown
        cells = [
            Piece("▌" if here else " ", "strong"),
            Piece(f"{read.number + 1:<{_NUMBER}} ", "strong" if here else ""),
            Piece(f"{column(clock(read), _TIME)} {column(_id(read), _ID)} ", shown=True),
            Piece(f"{latency(read):>{_LATENCY}} {column(status(read), _STATUS)} ", shown=True),
        ]
        for question, answer in enumerate(judgement.answers):
            cells += [glyph(question, answer), Piece(" ")]
        return cells

    def tail(self, index: int) -> Line:
        """What makes the pairing uncertain, and the URI."""
        read = self._judgements[self._reads[index]].read
        parts: list[str | tuple[str, str]] = [(f" {words}", "undecided") for words in oddities(read)]
        return line(*parts, f" {cut(read.uri, URI_LIMIT)}" if read.uri is not None else (" no URI", "dim"))


def oddities(read: Read) -> tuple[str, ...]:
    """What a reader of the session must know of a row: reused ids, orphans, answers of others."""
    no_answer = (f"no answer: {read.no_answer}",) if read.no_answer and read.response is None else ()
    further = (f"{counted(len(read.extra), 'further answer')}",) if read.extra else ()
    return (*read.doubts, *no_answer, *further)


def latency(read: Read) -> str:
    """From request to answer, `12 ms` or `1.2 s`; "" where the log has no two comparable times."""
    if read.response is None or not read.time or not read.response.time:
        return ""
    try:
        asked, answered = (datetime.fromisoformat(text) for text in (read.time, read.response.time))
        seconds = (answered - asked).total_seconds()
    except (ValueError, TypeError):
        return ""
    if abs(seconds) < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if abs(seconds) < 1000 else f"{seconds:,.0f} s"


def _id(read: Read) -> str:
    """A string id in quotes, so that `"7"` is not 7."""
    return f'"{cut(read.request_id, _ID)}"' if isinstance(read.request_id, str) else str(read.request_id)

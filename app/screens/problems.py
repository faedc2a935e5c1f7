"""What of the captures was not read or is not known, and why."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from app.loading import Diagnosed
from app.screens.page import Page
from app.widgets.counts import counted
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, plain
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.ledger import Refusal

# Enough of a broken line to recognise it.
EXCERPT = 200
# Of a path in front of what is wrong: at 80 columns a line's number and half of its reason stand behind it.
PATH = 36


def unreadable_lines(diagnosis: Diagnosed) -> int:
    """How many there are; a capture is counted when it is read, and the list of them has a limit."""
    return max(sum(capture.unreadable for capture in diagnosis.captures), len(diagnosis.problems))


class Problems(Lines):
    """First the files that were not opened, then what is noted of what is known, then one row for each unreadable line.

    Such a row says where, why, and how the line begins.
    """

    def __init__(self, refusals: Sequence[Refusal], limits: Sequence[str], problems: Sequence[Skipped]) -> None:
        super().__init__()
        self._refusals = refusals
        self._limits = limits
        self._problems = problems

    def on_mount(self) -> None:
        """There is nothing to wait for."""
        self.set_notice([line("  Every line of the captures was understood.")])
        self.set_total(len(self._refusals) + len(self._limits) + len(self._problems))

    def tail(self, index: int) -> Line:
        """One file, one sentence or one line."""
        if index < len(self._refusals):
            refusal = self._refusals[index]
            path, whole = _shortened(refusal.path)
            reasons = "; ".join(f"{name}: {why}" for name, why in refusal.reasons)
            return line(
                (f"{'not opened':<10}", "fault"),
                (f" {path}", "strong"),
                f"  {refusal.sentence}  ",
                (f"{reasons}{whole}", "dim"),
            )
        index -= len(self._refusals)
        if index < len(self._limits):
            return line((f"{'noted':<10}", "undecided"), f" {self._limits[index]}")
        skipped = self._problems[index - len(self._limits)]
        span = skipped.span
        excerpt = skipped.excerpt[:EXCERPT].decode("utf-8", "surrogateescape")
        look = "fault" if skipped.kind is Kind.UNREADABLE else "dim"
        path, whole = _shortened(span.capture)
        return line(
            (f"{skipped.kind:<10}", look),
            (f" {path}:{span.line}", "strong"),
            f"  byte {span.offset:,}  {skipped.why}  ",
            (f"{excerpt}{whole}", "dim"),
        )


def _shortened(path: str) -> tuple[str, str]:
    """The end of a path, and the whole of it for the end of the row where that is not all."""
    return (path, "") if len(path) <= PATH else (f"…{path[1 - PATH :]}", f"  {path}")


class ProblemsScreen(Page):
    """The list under its title."""

    def __init__(self, diagnosis: Diagnosed) -> None:
        super().__init__()
        self._diagnosis = diagnosis

    def body(self) -> ComposeResult:
        """Title and list."""
        yield Static(plain(problems_title(self._diagnosis)), classes="title")
        yield Problems(self._diagnosis.refusals, self._diagnosis.limits, self._diagnosis.problems)


def problems_title(diagnosis: Diagnosed) -> str:
    """What became of every line that no message came from."""
    parts = [counted(unreadable_lines(diagnosis), "unreadable line")]
    if unreadable_lines(diagnosis) > len(diagnosis.problems):
        parts.append(f"the first {len(diagnosis.problems):,} are listed")
    if other := sum(capture.other for capture in diagnosis.captures):
        parts.append(f"{counted(other, 'line')} of the log itself carry no message")
    return ", ".join(parts)

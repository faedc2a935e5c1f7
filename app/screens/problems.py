"""The lines of the captures that no message came from, and why."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from app.screens.page import Page
from app.widgets.counts import counted
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, plain
from diagnosis.captures.contract import Kind, Skipped

# Enough of a broken line to recognise it.
EXCERPT = 200


class Problems(Lines):
    """One row for each skipped line: what it was, where it stands, why, and how it begins."""

    def __init__(self, problems: Sequence[Skipped]) -> None:
        super().__init__()
        self._problems = problems

    def on_mount(self) -> None:
        """There is nothing to wait for."""
        self.set_notice([line("  Every line of the captures was understood.")])
        self.set_total(len(self._problems))

    def tail(self, index: int) -> Line:
        """One skipped line."""
        skipped = self._problems[index]
        span = skipped.span
        excerpt = skipped.excerpt[:EXCERPT].decode("utf-8", "surrogateescape")
        look = "fault" if skipped.kind is Kind.UNREADABLE else "dim"
        return line(
            (f"{skipped.kind:<10}", look),
            (f" {span.capture}:{span.line}", "strong"),
            f"  byte {span.offset:,}  {skipped.why}  ",
            (excerpt, "dim"),
        )


class ProblemsScreen(Page):
    """The list under its title."""

    def __init__(self, problems: Sequence[Skipped]) -> None:
        super().__init__()
        self._problems = problems

    def body(self) -> ComposeResult:
        """Title and list."""
        unreadable = sum(one.kind is Kind.UNREADABLE for one in self._problems)
        title = f"{counted(len(self._problems), 'line')} without a message, {unreadable:,} unreadable"
        yield Static(plain(title), classes="title")
        yield Problems(self._problems)

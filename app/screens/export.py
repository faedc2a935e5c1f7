"""Writes the incident report: a path, the first lines of it, and never over a file without a second word."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input, Static

from app.keys import CLOSING, CONFIRMING, EXPORTING, bindings, hints
from app.loading import Diagnosed
from app.reviewing import choices_of
from app.screens.page import Page
from app.widgets.counts import counted
from app.widgets.plain import cut, plain
from app.widgets.text_lines import TextLines, paragraph
from app.writing import WritingError, write_report
from diagnosis.case import Case

DEFAULT_PATH = "misread-report.md"

# The preview is a check that this is the right report; reading it whole is what the file is for.
PREVIEW_LINES, PREVIEW_CHARACTERS = 200, 500


def rendered(diagnosis: Diagnosed, now: datetime, case: Case | None = None) -> str:
    """The report's text. Imported here: reports load pydantic, and the first screen need not wait."""
    from diagnosis.reports import markdown
    from diagnosis.reports.choices import DEFAULT

    choices = DEFAULT if case is None else choices_of(case, no_redact=False, aliases=False)
    return markdown.render(diagnosis, now, choices)  # type: ignore[arg-type]


class Confirm(Static, can_focus=True):
    """Asks before a file is replaced; only `y` does it."""

    DEFAULT_CSS = """
    Confirm { display: none; height: auto; padding: 0 1; text-style: bold reverse; }
    Confirm.-asking { display: block; }
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(CONFIRMING)

    @dataclass
    class Answered(Message):
        """The person said whether to replace the file."""

        replace: bool

    @property
    def asking(self) -> bool:
        """Whether the question stands open."""
        return self.has_class("-asking")

    def ask(self, path: str) -> None:
        """Shows the question and takes the keys."""
        self.update(plain(f"{path} exists. y replaces it, n keeps it."))
        self.add_class("-asking")
        self.focus()

    def action_answer(self, replace: bool) -> None:
        """Passes the answer on."""
        self.remove_class("-asking")
        self.post_message(self.Answered(replace))


class ExportScreen(Page):
    """The report is made in a thread, shown, and written on Enter."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(EXPORTING)
    # Letters are typed into the path here, so the keys that work everywhere do not.
    PLACES: ClassVar[tuple[str, ...]] = (EXPORTING, CLOSING)

    @dataclass
    class Rendered(Message):
        """The report is made."""

        report: str

    @dataclass
    class Failed(Message):
        """The report could not be made."""

        error: str

    def __init__(self, diagnosis: Diagnosed, now: Callable[[], datetime], case: Case | None = None) -> None:
        super().__init__()
        self.diagnosis = diagnosis
        self.case = case
        self.now = now
        self.report: str | None = None
        self.path = Input(DEFAULT_PATH, id="path", select_on_focus=False)
        self.confirm = Confirm()
        self.said = Static(plain(""), id="said")
        self.preview = TextLines(id="preview")

    def body(self) -> ComposeResult:
        """Path, what happened, preview."""
        yield Static(plain("Write the incident report (Markdown) to this file; Enter writes it."), classes="title")
        yield self.path
        yield self.confirm
        yield self.said
        yield self.preview

    def on_mount(self) -> None:
        """Makes the report."""
        self.path.cursor_blink = False
        self.path.focus()
        self.preview.border_title = plain("Preview")
        self.preview.show([paragraph(("the report is being made ...", "dim"))])
        self.run_worker(self._make_report, thread=True)

    def _make_report(self) -> None:
        try:
            report = rendered(self.diagnosis, self.now(), self.case)
        except Exception as error:  # the reads stay on the screen whatever the report does
            self.post_message(self.Failed(type(error).__name__))
        else:
            self.post_message(self.Rendered(report))

    @on(Rendered)
    def show_preview(self, event: Rendered) -> None:
        """Shows how the report begins."""
        self.report = event.report
        lines = event.report.splitlines()
        rows = [paragraph(cut(one, PREVIEW_CHARACTERS)) for one in lines[:PREVIEW_LINES]]
        if len(lines) > PREVIEW_LINES:
            rows.append(paragraph((f"{counted(len(lines) - PREVIEW_LINES, 'more line')} in the file", "dim")))
        self.preview.show(rows)

    @on(Failed)
    def show_failure(self, event: Failed) -> None:
        """Names the fault, without its values."""
        self.preview.show([paragraph(f"The report could not be made, a fault of misread itself: {event.error}.")])

    @on(Input.Submitted)
    def action_write(self) -> None:
        """Writes, or asks first where the name is taken."""
        path = self._expanded()
        if self.report is None:
            self.said.update(plain("The report is not ready yet."))
        elif not path:
            self.said.update(plain("A file name is needed."))
        elif os.path.lexists(path):
            self.hints.show(hints(CONFIRMING))
            self.confirm.ask(path)
        else:
            self._write(force=False)

    @on(Input.Changed)
    def withdraw(self) -> None:
        """Another path is another question."""
        self.declines()

    @on(Confirm.Answered)
    def settle(self, event: Confirm.Answered) -> None:
        """Replaces the file, or lets the person choose another name."""
        self.hints.show(hints(*self.PLACES))
        if event.replace:
            self._write(force=True)
        else:
            self.said.update(plain("Nothing was written."))
            self.path.focus()

    def declines(self) -> bool:
        """Whoever would quit while the question stands open keeps the file."""
        asking = self.confirm.asking
        if asking:
            self.confirm.action_answer(False)
        return asking

    def _write(self, force: bool) -> None:
        path = self._expanded()
        try:
            write_report(path, (self.report or "").encode(), force=force)
        except WritingError as error:
            self.said.update(plain(str(error)))
            self.path.focus()
        else:
            self.toast(f"The report was written to {path}.")
            self.dismiss()

    def _expanded(self) -> str:
        return os.path.expanduser(self.path.value.strip())

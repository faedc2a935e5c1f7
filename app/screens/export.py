"""Writes the incident report: a path, what is in it and hidden, how it begins; never over a file unasked."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import ClassVar

import click
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input, Static

from app.clipboard import CLIPBOARD_LIMIT, is_too_long
from app.exporting import ALL, FORMATS, REDACTIONS, Part, Wanted, rendered, suffix
from app.inputs import check_output
from app.keys import CLOSING, CONFIRMING, EXPORTING, bindings, hints
from app.loading import Diagnosed
from app.screens.page import Page
from app.widgets.choice import Choice
from app.widgets.counts import counted
from app.widgets.find_bar import Typing
from app.widgets.plain import cut, plain
from app.widgets.text_lines import TextLines, paragraph
from app.writing import WritingError, write_report
from diagnosis.case import Case
from diagnosis.reports.choices import LOUD

DEFAULT_STEM = "misread-report"

# The preview is a check that this is the right report; reading it whole is what the file is for.
PREVIEW_LINES, PREVIEW_CHARACTERS = 200, 500


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
    """The report is made in a thread, again for every choice, shown, and written on Enter or copied."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(EXPORTING)
    # Letters are typed into the path here, so the keys that work everywhere do not.
    PLACES: ClassVar[tuple[str, ...]] = (EXPORTING, CLOSING)

    @dataclass
    class Rendered(Message):
        """The report is made."""

        wanted: Wanted
        report: str

    @dataclass
    class Failed(Message):
        """The report could not be made."""

        wanted: Wanted
        error: str

    def __init__(
        self,
        diagnosis: Diagnosed,
        now: Callable[[], datetime],
        case: Case | None = None,
        parts: Sequence[Part] = (ALL,),
        inputs: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.diagnosis = diagnosis
        self.case = case
        self.now = now
        self.report: str | None = None
        self._parts = parts
        self._inputs = inputs
        self._making = False
        self._named = ""
        self.path = Typing(select_on_focus=False, id="path")
        self.scope = Choice("scope", [part.word for part in parts])
        self.redaction = Choice("redaction", REDACTIONS)
        self.format = Choice("format", FORMATS)
        self.loud = Static(plain(LOUD), id="loud")
        self.confirm = Confirm()
        self.said = Static(plain(""), id="said")
        self.preview = TextLines(id="preview")

    @property
    def wanted(self) -> Wanted:
        """What is chosen now."""
        return Wanted(self._parts[self.scope.at], self.redaction.chosen, self.format.chosen)

    def body(self) -> ComposeResult:
        """Path, choices, what happened, preview."""
        yield Static(
            plain("Enter writes the report to this file; Tab leads to choices, where y copies."), classes="title"
        )
        yield self.path
        yield self.confirm
        yield self.scope
        yield self.redaction
        yield self.format
        yield self.loud
        yield self.said
        yield self.preview

    def on_mount(self) -> None:
        """Makes the report."""
        self.path.cursor_blink = False
        self.path.focus()
        self.preview.border_title = plain("Preview")
        self._begin()

    @on(Choice.Changed)
    def choose(self) -> None:
        """Another choice is another report; a name that nobody typed takes its suffix."""
        self.declines()
        self.said.update(plain(""))
        self._begin()

    def _begin(self) -> None:
        wanted = self.wanted
        self.report = None
        self.loud.set_class(wanted.redaction == "off", "-shown")
        if self.path.value == self._named:
            self._named = f"{DEFAULT_STEM}{suffix(wanted.format)}"
            self.path.value = self._named
            self.path.cursor_position = len(self._named)
        self.preview.show([paragraph(("the report is being made ...", "dim"))])
        if not self._making:  # whoever goes past a choice does not wait for its report
            self._making = True
            self.run_worker(partial(self._make_report, wanted), thread=True)

    def _make_report(self, wanted: Wanted) -> None:
        try:
            report = rendered(self.diagnosis, self.now(), self.case, wanted)
        except Exception as error:  # the reads stay on the screen whatever the report does
            self.post_message(self.Failed(wanted, type(error).__name__))
        else:
            self.post_message(self.Rendered(wanted, report))

    def _is_wanted(self, made: Wanted) -> bool:
        """Whether a report is still the one that is chosen; another one is made where it is not."""
        self._making = False
        if made != self.wanted:
            self._begin()
        return made == self.wanted

    @on(Rendered)
    def show_preview(self, event: Rendered) -> None:
        """Shows how the report begins."""
        if not self._is_wanted(event.wanted):
            return
        self.report = event.report
        lines = event.report.splitlines()
        rows = [paragraph(cut(one, PREVIEW_CHARACTERS)) for one in lines[:PREVIEW_LINES]]
        if len(lines) > PREVIEW_LINES:
            rows.append(paragraph((f"{counted(len(lines) - PREVIEW_LINES, 'more line')} in the file", "dim")))
        self.preview.show(rows)

    @on(Failed)
    def show_failure(self, event: Failed) -> None:
        """Names the fault, without its values."""
        if self._is_wanted(event.wanted):
            self.preview.show([paragraph(f"The report could not be made, a fault of misread itself: {event.error}.")])

    def action_copy_report(self) -> None:
        """Sends the report to the terminal's clipboard, whole or not at all."""
        if self.report is None:
            self.said.update(plain("The report is not ready yet."))
        elif is_too_long(self.report):
            words = f"Not copied: the report has more than {CLIPBOARD_LIMIT:,} bytes. Enter writes it to the file."
            self.said.update(plain(words))
        else:
            self.app.copy_to_clipboard(self.report)
            loud = " It is NOT REDACTED." if self.wanted.redaction == "off" else ""
            self.said.update(plain(f"The report was sent to the terminal's clipboard.{loud}"))

    @on(Input.Submitted)
    def action_write(self) -> None:
        """Writes, or asks first where the name is taken."""
        path = self._expanded()
        if self.report is None:
            self.said.update(plain("The report is not ready yet."))
        elif not path:
            self.said.update(plain("A file name is needed."))
        elif sentence := self._refusal(path):
            self.said.update(plain(sentence))
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

    def _refusal(self, path: str) -> str:
        """Why nothing is ever written there: evidence and case files are no place for a report."""
        try:
            check_output(path, [each for each in self._inputs if os.path.exists(each)], force=True)
        except (click.UsageError, OSError, ValueError) as error:
            return error.format_message() if isinstance(error, click.UsageError) else "This name cannot be used."
        return ""

    def _write(self, force: bool) -> None:
        path = self._expanded()
        try:
            write_report(path, (self.report or "").encode(), force=force)
        except WritingError as error:
            self.said.update(plain(str(error)))
            self.path.focus()
        else:
            loud = " It is NOT REDACTED." if self.wanted.redaction == "off" else ""
            self.toast(f"The report was written to {path}.{loud}", "warning" if loud else "information")
            self.dismiss()

    def _expanded(self) -> str:
        return os.path.expanduser(self.path.value.strip())

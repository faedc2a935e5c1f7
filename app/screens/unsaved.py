"""Asks before what was decided is lost: entries that could not be saved live only as long as the program."""

from __future__ import annotations

import os
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from app.keys import CLOSING, UNSAVED, bindings
from app.screens.page import Page
from app.widgets.plain import plain
from app.widgets.prompt import Prompt
from diagnosis.case import Case


def keeps_unsaved(case: Case | None) -> bool:
    """Whether entries would be lost now; one more try to save them comes first."""
    return case is not None and case.unsaved > 0 and not case.save()


class UnsavedScreen(Page):
    """Save elsewhere, leave without the entries, or stay. `leaves` is the answer when the screen is closed."""

    AUTO_FOCUS: ClassVar[str | None] = ""  # the hidden text field would take the letters
    BINDINGS: ClassVar[list[BindingType]] = bindings(UNSAVED)
    PLACES: ClassVar[tuple[str, ...]] = (UNSAVED, CLOSING)

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.case = case
        self.leaves = False
        self.prompt = Prompt()

    def body(self) -> ComposeResult:
        """What would be lost, what can be done, and the path that is asked for."""
        yield Static(plain(self.case.trouble), classes="title")
        yield Static(plain("s saves them in another file, Q leaves without them, Esc stays here."), classes="title")
        yield self.prompt

    def declines(self) -> bool:
        """Whoever quits again by habit stays."""
        self.dismiss()
        return True

    def action_save_elsewhere(self) -> None:
        """Asks where to."""
        self.prompt.ask("path", "In which case file? One that exists takes the entries in.", "misread-case.json")

    def action_leave_unsaved(self) -> None:
        """The entries are given up."""
        self.leaves = True
        self.dismiss()

    @on(Prompt.Left)
    def leave_prompt(self) -> None:
        """Back to the question."""
        self.prompt.close()
        self.set_focus(None)

    @on(Prompt.Answered)
    def save(self, event: Prompt.Answered) -> None:
        """Saves there, or says why that failed too."""
        if not event.text:
            self.prompt.refuse("A file name is needed.")
        elif self.case.save_as(os.path.expanduser(event.text)):
            self.toast(f"Saved in {self.case.path}. Name it with --case the next time.")
            self.leaves = True
            self.dismiss()
        else:
            self.prompt.refuse(self.case.trouble)

"""The screen program. It wires screens and signals; it neither parses nor judges."""

from __future__ import annotations

import asyncio
import signal
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from sys import exc_info
from typing import ClassVar

from textual import on
from textual.app import App
from textual.binding import BindingType
from textual.command import CommandPalette
from textual.screen import Screen

from app.commands import KeyCommands
from app.following import nap
from app.keys import EVERYWHERE, bindings
from app.loading import Diagnosed
from app.screens.help import HelpScreen
from app.screens.page import Page
from app.screens.start import StartScreen
from app.screens.triage import TriageScreen, name_of
from app.screens.unsaved import UnsavedScreen, keeps_unsaved
from app.widgets.plain import plain
from diagnosis.diagnosis import Diagnosis
from diagnosis.options import Options
from diagnosis.reports.asked import NAMED
from diagnosis.statements import StatementError, Statements, load_statements
from diagnosis.visible import visible
from diagnosis.wording import listing

Opener = Callable[[Sequence[str], Statements, Options], Diagnosed]

# Textual dies of these with the terminal left in the alternate screen, without echo.
_SIGNALS = (signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else (signal.SIGTERM,)


class TriageApp(App[int]):
    """Opens captures on the main screen, or the start screen where none is named."""

    TITLE = "misread"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(EVERYWHERE)
    # Textual's palette can write a picture of the screen, thus of the log, into a file; ours is `app/commands.py`.
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]] | None] = [
        (0, "-tiny"),
        (60, "-narrow"),
        (100, "-wide"),
    ]
    VERTICAL_BREAKPOINTS: ClassVar[list[tuple[int, str]] | None] = [(0, "-low"), (16, "-high"), (30, "-tall")]

    def __init__(
        self,
        paths: Sequence[str] = (),
        statements: Statements | None = None,
        options: Options | None = None,
        case_files: Sequence[str] = (),
        *,
        opener: Opener = Diagnosis,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        follow: bool = False,
        rest: Callable[[], None] = nap,
    ) -> None:
        super().__init__()
        self._paths = list(paths)
        self._statements = statements or Statements()
        self._options = options or Options()
        self._case_files = tuple(case_files)
        self._opener = opener
        self._now = now
        self._follow = follow
        self._rest = rest

    def get_default_screen(self) -> Screen[None]:
        """The first screen."""
        if not self._paths:
            return StartScreen()
        return self._triage(self._paths, self._statements, self._options, follow=self._follow)

    @on(StartScreen.Chosen)
    def open_sample(self, event: StartScreen.Chosen) -> None:
        """Opens a sample with the policy and the templates that lie beside it."""
        sample = event.sample
        try:
            statements = load_statements(sample.policy, sample.templates)
        except StatementError as error:
            self.notify(visible(str(error)), severity="warning", markup=False)
        else:
            self.push_screen(self._triage(list(sample.captures), statements, Options(same_traffic=sample.same_traffic)))

    @on(StartScreen.Named)
    def open_named(self, event: StartScreen.Named) -> None:
        """Opens captures as the command line does, with what it stated beside none."""
        if event.left_out:
            named = listing(list(event.left_out), NAMED)
            self.notify(visible(f"No capture, left out: {named}."), severity="warning", markup=False)
        options = replace(self._options, left_out=event.left_out)
        self.push_screen(self._triage(list(event.captures), self._statements, options))

    def _triage(
        self, paths: list[str], statements: Statements, options: Options, *, follow: bool = False
    ) -> TriageScreen:
        diagnosis, name = self._opener(paths, statements, options), name_of(paths)
        return TriageScreen(diagnosis, name, self._now, self._case_files, follow=follow, rest=self._rest)

    def on_mount(self) -> None:
        """Ends cleanly on the signals of a closing terminal or a stopping system."""
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            try:
                loop.add_signal_handler(number, self._leave, number)
            except (NotImplementedError, RuntimeError, ValueError):
                return  # no signals on this system, or not in the main thread

    def on_unmount(self) -> None:
        """Gives the signals back."""
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            try:
                loop.remove_signal_handler(number)
            except (NotImplementedError, RuntimeError, ValueError):
                return

    def _leave(self, number: int) -> None:
        self.exit(128 + number, return_code=128 + number)

    def action_palette(self) -> None:
        """What can be done here, by name."""
        if not CommandPalette.is_open(self):
            self.push_screen(CommandPalette(providers=[KeyCommands], placeholder="what to do"))

    def action_help(self) -> None:
        """Keys and glyphs."""
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen())

    async def action_quit(self) -> None:
        """Ends the program, unless a question stands open: then it is the answer "no"."""
        if isinstance(self.screen, Page) and self.screen.declines():
            return
        cases = [each.case for each in self.screen_stack if isinstance(each, TriageScreen)]
        case = next(filter(keeps_unsaved, cases), None)
        if case is not None:
            asking = UnsavedScreen(case)
            self.push_screen(asking, lambda _: self.exit() if asking.leaves else None)
            return
        await super().action_quit()

    def _fatal_error(self) -> None:
        """Textual's own report prints local variables, thus text of the log; this one names places only."""
        kind, _, trace = exc_info()
        places = [f"  {Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
        name = kind.__name__ if kind else "unknown error"
        self.panic(plain("\n").join([plain(one) for one in (f"misread failed: {name}", *places[-8:])]))

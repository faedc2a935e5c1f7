"""What is shown when no capture was named: the samples that come with the program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

import sample_traces
from app.keys import EVERYWHERE, STARTING, bindings
from app.screens.page import Page
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, plain
from diagnosis.statements import StatementError, Statements, load_statements

if TYPE_CHECKING:
    from app.tui import TriageApp

_SUFFIXES = frozenset({".jsonl", ".log", ".har", ".json"})
_BESIDE = (".policy.json", ".templates.json")


class Samples(Lines):
    """The sample captures by name."""

    def __init__(self, samples: Sequence[Path]) -> None:
        super().__init__()
        self.samples = samples

    def on_mount(self) -> None:
        """All samples are there at once."""
        self.set_notice([line("  No samples are installed.")])
        self.set_total(len(self.samples))

    def tail(self, index: int) -> Line:
        """One sample, and what lies beside it."""
        sample = self.samples[index]
        beside = [suffix.split(".")[1] for suffix in _BESIDE if beside_of(sample, suffix)]
        return line(" " + sample.name, ("   with " + ", ".join(beside) if beside else "", "dim"))


class StartScreen(Page):
    """Samples to try, and how to open one's own capture."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(STARTING)
    PLACES: ClassVar[tuple[str, ...]] = (STARTING, EVERYWHERE)

    def __init__(self) -> None:
        super().__init__()
        self.samples = Samples(sample_files())

    def body(self) -> ComposeResult:
        """Two lines and the samples."""
        yield Static(
            plain("misread says why an MCP resources/read returned the wrong thing."), classes="title"
        )
        yield Static(
            plain("Open your own capture with: misread CAPTURE...   Or try a sample:"), classes="title"
        )
        yield self.samples

    def on_mount(self) -> None:
        """The list has the keys."""
        self.samples.focus()

    def action_choose(self) -> None:
        """Opens the sample under the cursor with the policy and the templates beside it."""
        if not self.samples.total:
            return
        sample = self.samples.samples[self.samples.cursor]
        try:
            statements = statements_beside(sample)
        except StatementError as error:
            self.toast(str(error), "warning")
            return
        app: TriageApp = self.app  # type: ignore[assignment]
        app.open([str(sample)], statements)


def sample_files() -> list[Path]:
    """The captures of the sample package, without the files that lie beside them."""
    folders = [Path(folder) for folder in sample_traces.__path__]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in _SUFFIXES]
    return sorted(file for file in files if not file.name.endswith(_BESIDE))


def beside_of(sample: Path, suffix: str) -> str | None:
    """The file with the sample's stem and this suffix, if it exists."""
    file = sample.with_name(sample.stem + suffix)
    return str(file) if file.is_file() else None


def statements_beside(sample: Path) -> Statements:
    """What the files beside a sample state."""
    return load_statements(*(beside_of(sample, suffix) for suffix in _BESIDE))

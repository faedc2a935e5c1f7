"""What is shown when no capture was named: the samples that come with the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from app.keys import EVERYWHERE, STARTING, bindings
from app.samples import Sample, find_sample, sample_names, shows, start_order
from app.screens.page import Page
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, plain


class Samples(Lines):
    """The samples: name, what it shows, and what lies beside it."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        super().__init__()
        self.samples = samples
        self._widest = max((len(sample.name) for sample in samples), default=0)

    def on_mount(self) -> None:
        """All samples are there at once."""
        self.set_notice([line("  No samples are installed.")])
        self.set_total(len(self.samples))

    def tail(self, index: int) -> Line:
        """One sample."""
        sample = self.samples[index]
        beside = [name for name, path in (("policy", sample.policy), ("templates", sample.templates)) if path]
        words = f"  {shows(sample.name)}"
        return line(
            f" {sample.name:<{self._widest}}", words, (f"  with {' and '.join(beside)}" if beside else "", "dim")
        )


class StartScreen(Page):
    """Samples to try, and how to open one's own capture."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(STARTING)
    PLACES: ClassVar[tuple[str, ...]] = (STARTING, EVERYWHERE)

    @dataclass
    class Chosen(Message):
        """A sample is to be opened."""

        sample: Sample

    def __init__(self) -> None:
        super().__init__()
        self.samples = Samples([find_sample(name) for name in start_order(sample_names())])

    def body(self) -> ComposeResult:
        """Two lines and the samples."""
        yield Static(plain("misread says why an MCP resources/read returned the wrong thing."), classes="title")
        yield Static(plain("Open your own log with: misread CAPTURE...   Or try a sample:"), classes="title")
        yield self.samples

    def on_mount(self) -> None:
        """The list has the keys."""
        self.samples.focus()

    def action_choose(self) -> None:
        """Opens the sample under the cursor."""
        if self.samples.total:
            self.post_message(self.Chosen(self.samples.samples[self.samples.cursor]))

    def action_close(self) -> None:
        """There is no screen before this one."""

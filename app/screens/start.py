"""What is shown when no capture was named: the samples that come with the program."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import click
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from app.inputs import found_captures, typed_paths
from app.keys import EVERYWHERE, STARTING, bindings
from app.samples import Sample, find_sample, sample_names, shows, start_order
from app.screens.page import Page
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, plain
from app.widgets.prompt import Prompt


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

    @dataclass
    class Named(Message):
        """Captures are to be opened; each was there a moment ago."""

        captures: tuple[str, ...]
        left_out: tuple[str, ...]

    def __init__(self) -> None:
        super().__init__()
        self.prompt = Prompt()
        self.samples = Samples([find_sample(name) for name in start_order(sample_names())])

    def body(self) -> ComposeResult:
        """Two lines, what is asked, and the samples."""
        yield Static(plain("misread says why an MCP resources/read returned the wrong thing."), classes="title")
        yield Static(plain("Open your own log with o, or with: misread CAPTURE...   Or try a sample:"), classes="title")
        yield self.prompt
        yield self.samples

    def on_mount(self) -> None:
        """The list has the keys."""
        self.samples.focus()

    def action_choose(self) -> None:
        """Opens the sample under the cursor."""
        if self.samples.total:
            self.post_message(self.Chosen(self.samples.samples[self.samples.cursor]))

    def action_open_path(self) -> None:
        """Asks for paths."""
        self.prompt.ask("path", "Which captures, or which folder? Several paths stand apart; ~ is your home folder.")

    @on(Prompt.Left)
    def leave_prompt(self) -> None:
        """Back to the samples."""
        self.prompt.close()
        self.samples.focus()

    @on(Prompt.Answered)
    async def look_for(self, event: Prompt.Answered) -> None:
        """Opens what is there, or says what is not; the text stays to be changed."""
        left_out: list[str] = []
        try:
            paths = typed_paths(event.text)
            captures = await asyncio.to_thread(found_captures, paths, left_out)
        except (click.UsageError, OSError, ValueError) as error:
            words = error.format_message() if isinstance(error, click.UsageError) else "This is no file name."
            self.prompt.refuse(words)
            return
        if not captures:
            self.prompt.refuse("No capture was found there.")
            return
        self.leave_prompt()
        self.post_message(self.Named(captures, tuple(left_out)))

    def action_close(self) -> None:
        """There is no screen before this one."""

"""The keys of the start screen: a person's own captures, by their paths."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copyfile

import pytest
from textual.pilot import Pilot

from app.samples import find_sample
from app.screens.start import StartScreen
from app.screens.triage import TriageScreen
from app.tui import TriageApp
from diagnosis.statements import load_statements
from tests.app.screen_text import check, screen_text, settle, toasts


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with the sample of another tenant as `log.jsonl`, its clean twin in a name with a blank."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for sample, name in (("another-tenant", "log.jsonl"), ("another-tenant-clean", "my log.jsonl")):
        copyfile(find_sample(sample).captures[0], tmp_path / name)
    return tmp_path


@asynccontextmanager
async def start(size: tuple[int, int] = (120, 36)) -> AsyncIterator[Pilot[int]]:
    """The start screen of a program that was given the policy of the sample."""
    app = TriageApp((), load_statements(find_sample("another-tenant").policy, None))
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        yield pilot


async def answer(pilot: Pilot[int], text: str) -> str:
    """Types a text into the open question, Enter, and what stands on the screen then."""
    screen = pilot.app.screen
    assert isinstance(screen, StartScreen)
    screen.prompt.input.value = text
    await pilot.press("enter")
    await settle(pilot)
    return screen_text(pilot.app)


async def opened(pilot: Pilot[int], text: str) -> tuple[str, ...]:
    """The captures that a text opens."""
    await pilot.press("o")
    await answer(pilot, text)
    screen = pilot.app.screen
    assert isinstance(screen, TriageScreen)
    return tuple(Path(each.path).name for each in screen.diagnosis.captures)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("~/log.jsonl", ("log.jsonl",)),
        ("~/my log.jsonl", ("my log.jsonl",)),
        ("~/log.jsonl '~/my log.jsonl'", None),  # a quoted ~ is still the home folder
        ("~/my\\ log.jsonl ~/log.jsonl", ("my log.jsonl", "log.jsonl")),
    ],
)
async def test_open_path(home: Path, text: str, names: tuple[str, ...] | None) -> None:
    async with start() as pilot:
        assert await opened(pilot, text) == (names or ("log.jsonl", "my log.jsonl"))


async def test_what_the_command_line_stated_counts(home: Path) -> None:
    async with start() as pilot:
        await opened(pilot, "~/log.jsonl")
        assert "A 1" in screen_text(pilot.app)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, StartScreen)


async def test_a_folder_opens_its_captures_and_names_the_rest(home: Path) -> None:
    (home / "notes.txt").write_text("no capture")
    async with start() as pilot:
        assert await opened(pilot, "~") == ("log.jsonl", "my log.jsonl")
        assert any("notes.txt" in each for each in toasts(pilot.app))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A path is needed."),
        ("'~/log.jsonl", "A quote is not closed."),
        ("-", "Standard input can be named on the command line only: misread -"),
        ("/nowhere/log.jsonl", "/nowhere/log.jsonl cannot be opened: no such file or directory."),
        ("~/empty", "No capture was found there."),
        ("/nowhere/\x00", "cannot be opened: no such file or directory."),
    ],
)
async def test_what_cannot_be_opened_is_said(home: Path, text: str, sentence: str) -> None:
    (home / "empty").mkdir()
    async with start() as pilot:
        await pilot.press("o")
        assert sentence in await answer(pilot, text)
        assert isinstance(pilot.app.screen, StartScreen)
        await pilot.press("escape")
        assert sentence not in screen_text(pilot.app)
        assert pilot.app.screen.samples.has_focus


async def test_a_hostile_path_is_shown_and_not_obeyed(home: Path) -> None:
    async with start() as pilot:
        await pilot.press("o")
        text = await answer(pilot, "/nowhere/[bold]\u202ex\u009b31m")
        said = next(line for line in text.splitlines() if "cannot be opened" in line)
        assert "[bold]" in said and "\u202e" not in said and "\u009b" not in said


@pytest.mark.parametrize(("name", "size"), [("wide", (120, 36)), ("80x24", (80, 24))])
async def test_states(name: str, size: tuple[int, int]) -> None:
    async with start(size) as pilot:
        check(pilot.app, f"start-{name}")
        await pilot.press("o")
        await answer(pilot, "/nowhere/log.jsonl")
        check(pilot.app, f"start-path-{name}")

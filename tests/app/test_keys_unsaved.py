"""Quitting while entries are kept in memory only."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from app.screens.start import StartScreen
from app.screens.triage import TriageScreen
from app.screens.unsaved import UnsavedScreen
from app.tui import TriageApp
from diagnosis.case import Case
from tests.app.build import FakeDiagnosis, incident
from tests.app.screen_text import check, screen_text, settle


@pytest.fixture
def app(tmp_path: Path) -> TriageApp:
    """Its case file is in a folder that is not there."""
    return TriageApp(
        ["incident.jsonl"],
        None,
        None,
        [str(tmp_path / "gone" / "case.json")],
        opener=lambda *_: FakeDiagnosis(incident()),
    )


async def press(pilot: Pilot[int], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


@pytest.mark.parametrize("keys", ["escape", "q", "ctrl+c"])
async def test_stay(app: TriageApp, keys: str) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "n", "c", "q")
        assert isinstance(app.screen, UnsavedScreen)
        assert "1 entry is kept only while" in " ".join(screen_text(app).split())
        await press(pilot, keys)
        assert isinstance(app.screen, TriageScreen)
        assert app.is_running and app.screen.case is not None and app.screen.case.unsaved == 1


async def test_leave_unsaved(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "n", "c", "q")
        await pilot.press("Q")
        await pilot.pause()
        assert app._exit


async def test_save_elsewhere(app: TriageApp, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "n", "c", "q", "s")
        screen = app.screen
        assert isinstance(screen, UnsavedScreen) and screen.prompt.input.value == "misread-case.json"
        screen.prompt.input.value = str(tmp_path / "gone" / "too.json")
        await press(pilot, "enter")
        assert app.screen is screen and "was not saved" in " ".join(screen_text(app).split())
        screen.prompt.input.value = str(other)
        await pilot.press("enter")
        await pilot.pause()
        assert app._exit
    assert [each.kind for each in Case.open([str(other)], "ana").entries] == ["decision"]


async def test_nothing_is_asked_once_the_folder_is_there(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "n", "c")
        (tmp_path / "gone").mkdir()
        await pilot.press("q")
        await pilot.pause()
        assert app._exit
    assert len(Case.open([str(tmp_path / "gone" / "case.json")], "ana").entries) == 1


async def test_states() -> None:
    # The sentence names the file, so it stands under a path that is the same everywhere.
    for name, size in (("wide", (120, 36)), ("80x24", (80, 24))):
        app = TriageApp(["i.jsonl"], None, None, ["/nowhere/case.json"], opener=lambda *_: FakeDiagnosis(incident()))
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await press(pilot, "n", "c", "q")
            check(app, f"unsaved-{name}")


async def test_going_back_to_the_samples_and_following_lose_nothing(tmp_path: Path) -> None:
    app = TriageApp((), None, None, [str(tmp_path / "gone" / "case.json")], opener=lambda *_: FakeDiagnosis(incident()))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "n", "c", "F")
        assert isinstance(app.screen, TriageScreen) and app.screen.case is not None and app.screen.case.unsaved == 1
        await press(pilot, "escape")
        assert isinstance(app.screen, UnsavedScreen)
        await press(pilot, "escape")
        assert isinstance(app.screen, TriageScreen)
        await press(pilot, "escape", "Q")
        assert isinstance(app.screen, StartScreen)

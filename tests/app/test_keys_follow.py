"""Following on the screen: the cursor at the end, what came meanwhile, what became of the file, and how it ends."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app import cli
from app.following import Pin
from app.screens.triage import TriageScreen
from app.tui import TriageApp
from diagnosis.diagnosis import Diagnosis
from tests.app.build import CAPTURE, NOW, FakeDiagnosis, incident
from tests.app.screen_text import check, screen_text, settle, toasts

SIZES = {"wide": (120, 36), "80x24": (80, 24)}


class Rest:
    """Lets the thread that follows go on for one look at a time, and waits for it to rest again."""

    def __init__(self) -> None:
        self._resting, self._go = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self) -> None:
        self._resting.release()
        assert self._go.acquire(timeout=20)

    async def reached(self, pilot: Pilot[int]) -> None:
        """Waits until everything was read, and what that told is on the screen."""
        while not self._resting.acquire(blocking=False):
            await pilot.pause()
        await pilot.pause()
        await pilot.pause()

    def look(self) -> None:
        self._go.release()


def app_with(diagnosis: object, rest: Rest, *, follow: bool = True) -> TriageApp:
    return TriageApp([CAPTURE], opener=lambda *_: diagnosis, now=lambda: NOW, follow=follow, rest=rest)  # type: ignore[arg-type, return-value]


def screen_of(app: TriageApp) -> TriageScreen:
    assert isinstance(app.screen, TriageScreen)
    return app.screen


@pytest.mark.parametrize("size", SIZES)
async def test_the_cursor_keeps_to_the_end_until_it_is_moved_up(size: str) -> None:
    rest = Rest()
    app = app_with(FakeDiagnosis(incident()), rest)
    async with app.run_test(size=SIZES[size]) as pilot:
        await rest.reached(pilot)
        rows = screen_of(app).list.rows
        assert (rows.total, rows.cursor) == (4, 3)
        check(app, f"following-{size}")
        rest.look()
        await rest.reached(pilot)
        assert (rows.total, rows.cursor) == (5, 4)
        await pilot.press("k")
        await pilot.pause()
        rest.look()
        await rest.reached(pilot)
        rest.look()
        await rest.reached(pilot)
        assert (rows.total, rows.cursor) == (7, 3)
        assert "+2 new" in screen_text(app)
        check(app, f"following-unpinned-{size}")
        await pilot.press("G")
        await pilot.pause()
        await pilot.pause()
        assert "new" not in screen_text(app).splitlines()[1]
        rest.look()
        await rest.reached(pilot)
        assert (rows.total, rows.cursor) == (8, 7)
        assert not rows.provisional  # all of them are judged by all that is known now
        await pilot.press("escape")
        rest.look()
        await settle(pilot)
        assert "followed until 12:00:00 UTC" in screen_text(app)
        assert "partial" not in screen_text(app)
        check(app, f"followed-{size}")


async def test_what_becomes_of_the_file_is_said_once() -> None:
    rest, diagnosis = Rest(), FakeDiagnosis(incident())
    app = app_with(diagnosis, rest)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await rest.reached(pilot)
        diagnosis.notices.append("The file was rotated: the new one is followed.")
        for _ in range(3):
            rest.look()
            await rest.reached(pilot)
        assert toasts(app) == ["The file was rotated: the new one is followed."]
        diagnosis.stop()
        rest.look()
        await settle(pilot)


def line(number: int, answer: bool = False) -> str:
    """A request or its answer."""
    body: dict[str, object] = {"jsonrpc": "2.0", "id": number}
    if answer:
        body["result"] = {"contents": [{"uri": f"r://acme/{number}", "text": "x"}]}
    else:
        body |= {"method": "resources/read", "params": {"uri": f"r://acme/{number}"}}
    return json.dumps(body) + "\n"


def append(path: Path, text: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


async def test_f_follows_a_capture_that_was_read_and_f_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "app.log"
    append(path, line(1) + line(1, answer=True))
    rest = Rest()
    app = app_with(Diagnosis([str(path)]), rest, follow=False)
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert "2 messages, read to the end" in screen_text(app)
        append(path, line(2))
        await pilot.press("F")
        await rest.reached(pilot)
        assert "following  3 messages" in screen_text(app)
        assert screen_of(app).list.rows.cursor == 1
        assert " open " in screen_text(app)
        append(path, line(2, answer=True) + line(3))
        rest.look()
        await rest.reached(pilot)
        assert "following  5 messages  answers may change" in screen_text(app)
        assert screen_of(app).list.rows.cursor == 2
        await pilot.press("F")
        rest.look()
        await settle(pilot)
        assert "followed until 12:00:00 UTC  5 messages" in screen_text(app)
        assert not screen_of(app).provisional


async def test_the_matrix_is_there_from_the_first_calm_moment(tmp_path: Path) -> None:
    path = tmp_path / "app.log"
    append(path, line(1) + line(1, answer=True))
    rest = Rest()
    app = app_with(Diagnosis([str(path)]), rest)
    async with app.run_test(size=(120, 36)) as pilot:
        await rest.reached(pilot)
        await pilot.press("M")
        await pilot.pause()
        assert not isinstance(app.screen, TriageScreen)
        await pilot.press("escape")
        await pilot.press("escape")
        rest.look()
        await settle(pilot)


async def test_an_empty_log_is_awaited_on_the_screen(tmp_path: Path) -> None:
    path = tmp_path / "app.log"
    path.touch()
    rest = Rest()
    app = app_with(Diagnosis([str(path)]), rest)
    async with app.run_test(size=(80, 24)) as pilot:
        await rest.reached(pilot)
        assert "waiting for the first read" in screen_text(app)
        append(path, line(1))
        rest.look()
        await rest.reached(pilot)
        assert screen_of(app).list.rows.total == 1
        await pilot.press("escape")
        rest.look()
        await settle(pilot)


async def test_what_cannot_be_followed_is_read_and_says_why(tmp_path: Path) -> None:
    paths = [tmp_path / "one.log", tmp_path / "two.log"]
    for path in paths:
        append(path, line(1))
    app = app_with(Diagnosis([str(path) for path in paths]), Rest())
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert "not followed: Only one capture can be followed" in screen_text(app)
        assert screen_of(app).list.rows.total == 2


def test_a_pin_counts_what_came_since_the_cursor_left_the_end() -> None:
    pin = Pin()
    assert (pin.came(5), pin.new(5)) == (4, 0)
    pin.moved(2, 5)
    assert (pin.came(17), pin.new(17)) == (None, 12)
    pin.moved(3, 17)
    assert pin.new(18) == 13
    pin.moved(17, 18)
    assert (pin.new(18), pin.came(20)) == (0, 19)


@pytest.mark.parametrize(("words", "follow"), [(["open", "--follow"], True), (["--follow"], True), (["open"], False)])
def test_the_command_line_asks_for_it(
    words: list[str], follow: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "app.log"
    append(path, line(1))
    asked: list[tuple[object, bool]] = []

    class Opened:
        return_code = 0

        def __init__(self, paths: object, *_: object, follow: bool) -> None:
            asked.append((paths, follow))

        def run(self) -> None:
            """There is no terminal."""

    monkeypatch.setattr("app.cli.need_terminal", lambda _: None)
    monkeypatch.setattr("app.tui.TriageApp", Opened)
    assert cli.run([*words, str(path)]) == 0
    assert asked == [((str(path),), follow)]

"""Keys that find text in the messages, and the palette, which finds keys."""

from __future__ import annotations

import json

import pytest
from textual.command import CommandPalette
from textual.widgets import OptionList

from app.keys import KEYS
from app.screens.help import HelpScreen
from app.screens.matrix import MatrixScreen
from app.screens.read import ReadScreen
from app.screens.triage import TriageScreen
from app.widgets.finding_text import Place, marked, places, within
from tests.app.build import FakeDiagnosis, app_of, incident
from tests.app.screen_text import check, screen_text, settle, strips
from tests.app.test_keys import NARROW, WIDE, opened, press


def found_cells(app: object) -> list[str]:
    """The text on the screen that is drawn in reverse, in the messages."""
    runs = [one for line in strips(app) for one in line]  # type: ignore[arg-type]
    return [one.text for one in runs if one.style and one.style.reverse and one.text.lower() == "uri"]


async def test_find_keep_find_next_found_previous_found_end_find() -> None:
    async with opened(size=NARROW) as (pilot, _):
        await press(pilot, "m", "slash", "u", "r", "i")
        # `"uri"` and `docs://` hold it: one `uri` key in the request, one in the answer.
        assert " find  uri" in screen_text(pilot.app)
        assert "1 of 2\n" in screen_text(pilot.app)
        assert found_cells(pilot.app) == ["uri"]
        await press(pilot, "enter", "n")
        assert "2 of 2\n" in screen_text(pilot.app)
        assert found_cells(pilot.app) in (["uri"], ["uri", "uri"])
        await press(pilot, "n")
        assert "1 of 2\n" in screen_text(pilot.app)
        await press(pilot, "N")
        assert "2 of 2\n" in screen_text(pilot.app)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ReadScreen)
        assert " find " not in screen_text(pilot.app)
        assert found_cells(pilot.app) == []
        await press(pilot, "n")
        assert "Read 2 " in screen_text(pilot.app)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TriageScreen)


async def test_leave_find_and_find_again() -> None:
    async with opened(size=NARROW) as (pilot, _):
        await press(pilot, "m", "slash", *"nowhere")
        assert "not found\n" in screen_text(pilot.app)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ReadScreen)
        assert pilot.app.focused is pilot.app.screen.panes.messages
        await press(pilot, "slash", "q")
        assert " find  q " in screen_text(pilot.app)
        assert pilot.app.return_code is None
        await press(pilot, "backspace", "enter")
        assert " find " not in screen_text(pilot.app)


async def test_find_on_the_main_screen_belongs_to_the_messages_only() -> None:
    async with opened(size=WIDE) as (pilot, screen):
        await press(pilot, "slash")  # in the list it asks for a filter
        assert " find " not in screen_text(pilot.app)
        await press(pilot, "escape")
        assert pilot.app.focused is screen.list.rows
        screen.panes.messages.focus()
        await press(pilot, "slash", *"tenant", "enter", "tab", "tab", "n")
        # Past the text field the list has the keys again, so `n` is its own.
        assert screen.list.rows.cursor == 1
        assert " find  tenant" in screen_text(pilot.app)
        screen.panes.messages.focus()
        await press(pilot, "n")
        assert screen.list.rows.cursor == 1
        await press(pilot, "p")
        assert " find " not in screen_text(pilot.app)


async def test_find_shows_a_place_far_below(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps({"rows": [*range(5000), "needle", *range(5000)]}).encode()
    diagnosis = FakeDiagnosis(incident())
    monkeypatch.setattr(diagnosis, "evidence", lambda _: body)
    async with opened(diagnosis, NARROW) as (pilot, screen):
        await press(pilot, "m", "slash", *"needle")
        assert '    "needle",' in screen_text(pilot.app)
        assert "1 of 2\n" in screen_text(pilot.app)
        assert screen.panes.messages.total == 0  # what is hidden is not read


async def test_what_is_pasted_is_shown_visibly() -> None:
    async with opened(size=NARROW) as (pilot, _):
        await press(pilot, "m", "slash")
        pilot.app.screen.panes.find_bar.input.value = "a\x1b[31m"  # type: ignore[attr-defined]
        await settle(pilot)
        assert r" find  a\u{1b}[31m" in screen_text(pilot.app)
        assert screen_text(pilot.app).replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("ab", [Place(0, 1, 3), Place(0, 4, 6), Place(2, 0, 2)]),
        ("AB", [Place(0, 4, 6)]),
        (".*", []),
        ("", []),
    ],
)
def test_places(wanted: str, found: list[Place]) -> None:
    assert places(["-ab-AB", "a b", "ab"], wanted) == found


def test_places_have_a_limit() -> None:
    assert len(places(["a" * 50, "a" * 50], "a", most=70)) == 70


def test_within_takes_what_reaches_into_a_part() -> None:
    found = [Place(0, 1, 3), Place(1, 2, 6), Place(1, 8, 10), Place(2, 0, 1)]
    assert within(found, 1, 0, 5) == [1]
    assert within(found, 1, 5, 9) == [1, 2]
    assert within(found, 1, 6, 8) == []
    assert within(found, 3, 0, 9) == []


def test_marked_keeps_the_text_and_lays_looks_over_it() -> None:
    line = marked([("abc", "key"), ("def", "")], [(1, 2, "found"), (2, 5, "current")])
    assert [(piece.text, piece.look) for piece in line] == [
        ("a", "key"),
        ("b", "found"),
        ("c", "current"),
        ("de", "current"),
        ("f", ""),
    ]


def test_marked_never_makes_another_text() -> None:
    # Cut between the backslash and `u{`, the log's own text would look like an escape.
    line = marked([("\\u{41}", "")], [(1, 3, "found")])
    assert [(piece.text, piece.look) for piece in line] == [("\\\\u{41}", "found")]


async def test_palette_lists_keys_of_the_table_only_and_runs_them() -> None:
    async with opened() as (pilot, _):
        await press(pilot, "j", "colon")
        palette = pilot.app.screen
        assert isinstance(palette, CommandPalette)
        listed = [str(one.prompt) for one in palette.query_one(OptionList).options]
        words = {f"{key.words}  {key.shown}" for key in KEYS}
        assert listed and set(listed) <= words
        assert "next read of the session  ]" in listed
        assert not any("screenshot" in one.lower() or " down" in f" {one.lower()}" for one in listed)
        await press(pilot, *"matrix")
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, MatrixScreen)


async def test_palette_offers_what_the_focused_pane_can_do() -> None:
    async with opened(size=NARROW) as (pilot, _):
        await press(pilot, "m", "colon", *"find a text")
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, ReadScreen)
        assert pilot.app.screen.panes.find_bar.has_class("-open")


async def test_palette_is_left_with_escape_and_opened_by_no_chord() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, "ctrl+p")
        assert pilot.app.screen is screen
        assert not pilot.app.use_command_palette
        await press(pilot, "colon", "escape")
        assert pilot.app.screen is screen
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "80x24"])
@pytest.mark.parametrize("state", ["find", "palette"])
async def test_states(state: str, size: tuple[int, int]) -> None:
    app = app_of(FakeDiagnosis(incident()))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        if state == "find":
            await press(pilot, "j", "j", "enter", "tab", "slash") if size == WIDE else await press(
                pilot, "j", "j", "m", "slash"
            )
            await press(pilot, *"northwind")
        else:
            await press(pilot, "colon")
        check(app, f"{state}-{'wide' if size == WIDE else '80x24'}")

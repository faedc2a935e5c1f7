"""The filter of the list: as it is typed, kept, completed, and what it says of what cannot be one."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from app.loading import Overview
from app.screens.triage import TriageScreen
from diagnosis.options import Options
from diagnosis.selection import Selection
from tests.app.build import FakeDiagnosis, app_of, incident, judgement, many
from tests.app.screen_text import check, screen_text, settle
from tests.app.test_keys import NARROW, WIDE, opened, press


def shown(screen: TriageScreen) -> list[int]:
    """The reads in the list, counted from 1."""
    rows = screen.list.rows
    return [row + 1 for row in (range(rows.total) if rows.rows is None else rows.rows)]


async def typed(pilot: Pilot[None], text: str) -> None:
    """Types a text, letter by letter."""
    names = {" ": "space", ":": "colon", "/": "slash", "(": "left_parenthesis", ")": "right_parenthesis"}
    await press(pilot, *(names.get(each, each) for each in text))


async def test_filter_keep_filter_end_filter() -> None:
    async with opened() as (pilot, screen):
        every = shown(screen)
        faults = [n for n in every if any(s[n - 1] == 0 for s in screen.overview.states)]
        assert 0 < len(faults) < len(every)
        await press(pilot, "slash")
        await typed(pilot, "any:fault")
        assert shown(screen) == faults
        assert f"/ any:fault: {len(faults)} of {len(every)} shown" in screen_text(pilot.app)
        await press(pilot, "enter")
        assert pilot.app.focused is screen.list.rows
        assert shown(screen) == faults
        await press(pilot, "slash", "backspace")  # what was typed before is still there
        assert screen.filter_bar.input.value == "any:faul"
        await press(pilot, "escape")
        assert (shown(screen), screen.filter_bar.input.value) == (every, "")
        assert pilot.app.focused is screen.list.rows


async def test_a_bare_word_is_part_of_the_uri_and_letters_do_nothing_else() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, "slash")
        await typed(pilot, "quit")
        assert isinstance(pilot.app.screen, TriageScreen)
        assert shown(screen) == []
        assert "0 of " in screen_text(pilot.app)


async def test_what_cannot_be_a_filter_leaves_the_list_as_it_was() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, "slash")
        await typed(pilot, "any:fault")
        before = shown(screen)
        for more in (" q9", ":x"):
            await typed(pilot, more)
        assert shown(screen) == [] or shown(screen) == before
        lines = screen_text(pilot.app).splitlines()
        bar = next(at for at, line in enumerate(lines) if line.startswith(" / any:fault q9:x"))
        assert lines[bar].index("q9") == lines[bar + 1].index("^")


async def test_a_value_that_is_still_to_come_changes_nothing() -> None:
    async with opened() as (pilot, screen):
        every = shown(screen)
        await press(pilot, "slash")
        await typed(pilot, "any:")
        assert shown(screen) == every


async def test_complete_fields_then_values_then_what_the_capture_holds() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, "slash")
        await typed(pilot, "ow")
        await press(pilot, "tab")
        assert screen.filter_bar.input.value == "owner:"
        await press(pilot, "escape", "slash")
        await typed(pilot, "any:")
        values = []
        for _ in range(3):
            await press(pilot, "tab")
            values.append(screen.filter_bar.input.value)
        assert values == ["any:fault", "any:suspect", "any:clear"]
        await press(pilot, "escape", "slash")
        await typed(pilot, "session:")
        await press(pilot, "tab")
        first = screen.diagnosis.judgements[0].read.session
        assert first is not None and screen.filter_bar.input.value == f"session:{first}"


async def test_nothing_found_names_the_term_that_removes_most() -> None:
    async with opened(FakeDiagnosis(many(50)), NARROW) as (pilot, screen):
        await press(pilot, "slash")
        await typed(pilot, "0000007 id:99999")
        assert shown(screen) == []
        assert "`id:99999` removes most: 1 without it." in screen_text(pilot.app)


async def test_another_way_to_narrow_the_list_ends_the_filter() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, "slash")
        await typed(pilot, "any:fault")
        await press(pilot, "enter", "2")
        assert screen.shown is not None and screen.shown.key == ("question", 1)
        assert screen.filter_bar.input.value == ""
        await press(pilot, "0")
        assert screen.shown is None


async def test_more_reads_than_a_slice_are_all_looked_at() -> None:
    async with opened(FakeDiagnosis(many(7001))) as (pilot, screen):
        await press(pilot, "slash")
        await typed(pilot, "acme/0006999")
        while screen.filtering is not None and screen.filtering.upto < 7001:
            await pilot.pause()
        await settle(pilot)
        assert shown(screen) == [7000]


@pytest.mark.parametrize(("name", "size"), [("wide", WIDE), ("80x24", NARROW)])
async def test_states_of_the_filter(name: str, size: tuple[int, int]) -> None:
    async with opened(size=size) as (pilot, _):
        await press(pilot, "slash")
        await typed(pilot, "any:")
        await press(pilot, "tab")
        check(pilot.app, f"filter-completed-{name}")
        await typed(pilot, " owner:serv")
        check(pilot.app, f"filter-error-{name}")


async def test_reads_that_the_command_line_leaves_out_are_counted_and_not_listed() -> None:
    reads = [
        judgement(0, "x://a", session="s1"),
        judgement(1, "x://b", session="s2"),
        judgement(2, "x://c", session="s1"),
    ]
    diagnosis = FakeDiagnosis(reads)
    diagnosis.selection = Selection.of(Options(sessions=("s1",)))
    app = app_of(diagnosis)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        assert shown(screen) == [1, 3]
        assert "3 reads" in screen_text(app)
        assert "1 read outside of what was asked for not shown" in screen_text(app)
        await press(pilot, "slash")
        await typed(pilot, "x")
        assert shown(screen) == [1, 3]


def test_an_overview_knows_what_is_asked_for() -> None:
    overview = Overview.of(incident(), Selection.of(Options(sessions=("nobody",))))
    assert overview.left_out == len(incident())
    assert Overview.of(incident()).asked_for is None

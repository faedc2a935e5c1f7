"""All findings by time, and the way back to the read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.screens.timeline import TimelineScreen, events
from diagnosis.questions.judgement import Judgement
from tests.app.build import FakeDiagnosis, app_of, judgement
from tests.app.screen_text import check, screen_text, settle
from tests.app.test_keys import NARROW, WIDE, opened, press
from tests.app.test_keys_narrowing import cases


def at(one: Judgement, time: str | None) -> Judgement:
    """The read at another time."""
    return replace(one, read=replace(one.read, time=time))


def two_days() -> list[Judgement]:
    """The cases with the times of some findings changed; in order: 5, 7 (two findings), 1, 3, 2, and 6 without one."""
    reads = cases()
    times = {
        5: "2025-09-30T23:59:59+02:00",  # 21:59:59 UTC
        7: "2025-09-30T22:00:00Z",
        1: "2025-10-01T09:14:01.118Z",
        3: "2025-10-01 09:14:01.500",  # no zone
        2: "2025-10-01T09:14:02.118Z",
        6: "+12.5s",
    }
    return [at(one, times.get(number, one.read.time)) for number, one in enumerate(reads)]


def test_events_are_in_the_order_of_their_times() -> None:
    found = events(two_days(), range(10))
    assert [(one.judgement.read.number, one.question) for one in found] == [
        *((5, 2), (7, 0), (7, 2), (1, 2), (3, 2), (2, 1), (6, 1))
    ]
    assert found[-1].when is None


def test_events_of_one_rule_on_one_read_are_one() -> None:
    one = cases()[1]
    twice = replace(one, principal=replace(one.principal, findings=one.principal.findings * 2))
    assert len(events([twice], [0])) == 1


async def test_timeline_show_read() -> None:
    async with opened(FakeDiagnosis(two_days())) as (pilot, screen):
        await press(pilot, "2", "T")
        assert isinstance(pilot.app.screen, TimelineScreen)
        lines = screen_text(pilot.app).splitlines()
        assert lines[0] == " 7 findings by time (UTC), assumed where a log names no zone"
        assert [line[1:11].strip() for line in lines[1:8]] == ["2025-09-30", "", "", "2025-10-01", "", "", "no time"]
        assert lines[2].startswith("            22:00:00.000 8      s1   E segments/extra-separator ")
        assert lines[1].startswith(" 2025-09-30 21:59:59.000 6 ")
        assert "ana  report://northwind/x/y" in lines[2]
        # The cursor is on the read that the list showed, number 3.
        assert lines[6].startswith("▌")
        await press(pilot, "g", "enter")
        assert pilot.app.screen is screen
        assert screen.list.rows.read_index == 5
        assert screen.shown is None


async def test_timeline_keeps_what_the_list_is_narrowed_to_where_the_read_is_in_it() -> None:
    async with opened(FakeDiagnosis(two_days())) as (pilot, screen):
        await press(pilot, "3", "T", "g", "enter")
        assert screen.shown is not None
        assert screen.list.rows.read_index == 5


async def test_timeline_without_findings() -> None:
    async with opened(FakeDiagnosis([judgement(0, "x://a")])) as (pilot, screen):
        await press(pilot, "T")
        assert "0 findings by time (UTC)" in screen_text(pilot.app)
        assert "There is no finding." in screen_text(pilot.app)
        await press(pilot, "enter", "escape")
        assert pilot.app.screen is screen


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "80x24"])
async def test_states(size: tuple[int, int]) -> None:
    app = app_of(FakeDiagnosis(two_days()))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "T")
        check(app, f"timeline-{'wide' if size == WIDE else '80x24'}")

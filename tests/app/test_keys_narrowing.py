"""Keys that narrow the list to reads that belong together: one session, one matrix cell, one defect."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.loading import Overview
from app.screens.matrix import MatrixScreen
from app.screens.read import ReadScreen
from app.screens.triage import TriageScreen
from app.widgets.matrix_grid import MatrixGrid
from app.widgets.plain import width
from diagnosis.callers.principals import Principal, PrincipalSource
from diagnosis.comparison import Row
from diagnosis.ledger import Progress
from diagnosis.questions.findings import Certainty
from diagnosis.questions.judgement import Judgement
from tests.app.build import (
    ALLOWED,
    ANA,
    INTACT,
    MATCH,
    NO_PRINCIPAL,
    POLICY,
    REPORT,
    FakeDiagnosis,
    app_of,
    decoded_twice,
    escaped,
    judgement,
    not_checked,
)
from tests.app.screen_text import check, screen_text, settle, toasts
from tests.app.test_keys import NARROW, WIDE, opened, press

BOB = Principal("bob", PrincipalSource.CLAIMS, "token", ("globex",))
LIKELY = replace(not_checked(), certainty=Certainty.LIKELY)


def served(number: int, tenant: str, caller: Principal | None, foreign: bool = False, **more: object) -> Judgement:
    """A read that served a report of a tenant."""
    answers = (INTACT, MATCH, not_checked() if foreign else ALLOWED)
    if foreign and caller is BOB:
        answers = (INTACT, MATCH, LIKELY)
    return judgement(
        number, f"report://{tenant}/2025-{number:02}", REPORT, answers, caller=caller, tenants=(tenant,), **more
    )


def cases() -> list[Judgement]:
    """Two callers, a session without one, four tenants; two classes of findings, one read with both."""
    both = judgement(
        7,
        "report://northwind/x/y",
        REPORT,
        (escaped(), MATCH, not_checked()),
        caller=ANA,
        tenants=("northwind",),
    )
    twice = [
        judgement(number, f"docs://team/ops/policy/a%252F{number}", POLICY, (INTACT, decoded_twice(), NO_PRINCIPAL))
        for number in (2, 6)
    ]
    return [
        served(0, "acme", ANA),
        served(1, "northwind", ANA, foreign=True),
        twice[0],
        served(3, "acme", BOB, foreign=True, session="s2"),
        served(4, "globex", BOB, session="s2"),
        served(5, "northwind", ANA, foreign=True),
        twice[1],
        both,
        served(8, "initech", None, session="s3"),
        judgement(9, "report://acme/2025-10", REPORT, answered=False, session="s3"),
    ]


def shown_reads(screen: TriageScreen) -> list[int] | None:
    """The reads that the list shows; None for all."""
    rows = screen.list.rows.rows
    return None if rows is None else list(rows)


async def test_alike_of_a_missing_authorization_has_the_defect_and_the_cell() -> None:
    async with opened(FakeDiagnosis(cases())) as (pilot, screen):
        await press(pilot, "j", "b")
        # Read 4 is of another caller and has the same defect in the same template; 6 and 8 are in the same cell too.
        assert shown_reads(screen) == [1, 3, 5, 7]
        second = screen_text(pilot.app).splitlines()[1]
        assert "principal/foreign-tenant as in read 2: 4 of 10 shown, 09:14:01 to 09:14:07" in second
        await press(pilot, "escape")
        assert shown_reads(screen) is None
        assert screen.list.rows.read_index == 1


async def test_alike_of_a_decode_has_the_defect_in_the_same_template() -> None:
    async with opened(FakeDiagnosis(cases())) as (pilot, screen):
        await press(pilot, "j", "j", "b")
        assert shown_reads(screen) == [2, 6]
        assert "document/decoded-twice as in read 3: 2 of 10 shown" in screen_text(pilot.app)


async def test_alike_again_goes_to_the_next_finding_of_the_read() -> None:
    async with opened(FakeDiagnosis(cases())) as (pilot, screen):
        screen.list.rows.cursor = 7
        await press(pilot, "b")
        assert shown_reads(screen) == [7]
        assert "segments/extra-separator as in read 8" in screen_text(pilot.app)
        await press(pilot, "b")
        assert shown_reads(screen) == [1, 3, 5, 7]
        assert screen.list.rows.read_index == 7
        await press(pilot, "b")
        assert shown_reads(screen) == [7]


async def test_alike_without_a_finding_and_from_the_full_screen() -> None:
    async with opened(FakeDiagnosis(cases())) as (pilot, screen):
        await press(pilot, "b")
        assert toasts(pilot.app) == ["This read has no finding to look for in others."]
        assert shown_reads(screen) is None
        await press(pilot, "j", "enter", "b")
        assert isinstance(pilot.app.screen, ReadScreen)
        assert shown_reads(screen) == [1, 3, 5, 7]
        await press(pilot, "n")
        assert "Read 4 " in screen_text(pilot.app)


@pytest.mark.parametrize("key", ["b", "M"])
async def test_alike_and_matrix_wait_for_the_end_of_the_load(key: str) -> None:
    app = app_of(FakeDiagnosis(cases(), gate=threading.Event()))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        while "Esc stops" not in screen_text(app):
            await pilot.pause()
        await pilot.press("j", key)
        await pilot.pause()
        assert toasts(app) == ["The load goes on: wait for its end, or stop it with Esc."]
        await press(pilot, "escape", key)
        assert isinstance(app.screen, MatrixScreen) or shown_reads(app.screen) == [1, 3]  # type: ignore[arg-type]


class BrokenDiagnosis(FakeDiagnosis):
    """Its disk fails after the reads."""

    def read(self, batch: float = 0.1) -> Iterator[Progress]:
        """All reads, then the fault."""
        yield next(super().read(batch))
        raise OSError(5, "Input/output error", "incident.jsonl")


async def test_matrix_after_a_load_that_failed_has_what_was_read() -> None:
    async with opened(BrokenDiagnosis(cases())) as (pilot, screen):
        assert "stopped by an error" in screen_text(pilot.app)
        await press(pilot, "M")
        assert "A 1, a 1, provisional" in screen_text(pilot.app)
        await press(pilot, "enter", "0", "j", "b")
        assert shown_reads(screen) == [1, 3, 5, 7]


async def test_matrix_show_cell() -> None:
    async with opened(FakeDiagnosis(cases())) as (pilot, screen):
        await press(pilot, "M")
        assert isinstance(pilot.app.screen, MatrixScreen)
        lines = screen_text(pilot.app).splitlines()
        assert lines[0] == " 3 callers and 4 tenants; cells outside what the caller may see: A 1, a 1"
        assert lines[1].split() == ["acme", "northwind", "globex", "initech"]
        assert lines[2].split() == ["▌ana", "[1]", "A", "3", ".", "."]
        assert lines[3].split() == ["bob", "a", "1", ".", "1", "."]
        assert lines[4].split() == ["session", "s3", ".", ".", ".", "1"]
        await press(pilot, "l")
        assert "principal ana, northwind: 3 reads; outside what this caller may see\n" in screen_text(pilot.app)
        await press(pilot, "enter")
        assert pilot.app.screen is screen
        assert shown_reads(screen) == [1, 5, 7]
        assert "ana was served northwind: 3 of 10 shown, 09:14:01 to 09:14:07" in screen_text(pilot.app)
        await press(pilot, "escape")
        assert shown_reads(screen) is None


async def test_matrix_says_what_is_a_sign_only_and_what_is_empty() -> None:
    async with opened(FakeDiagnosis(cases())) as (pilot, screen):
        await press(pilot, "M", "j")
        assert "principal bob, acme: 1 read; outside what this caller may see: a sign" in screen_text(pilot.app)
        await press(pilot, "l", "enter")
        assert toasts(pilot.app) == ["There is no read in this cell."]
        assert isinstance(pilot.app.screen, MatrixScreen)
        await press(pilot, "j", "l", "l", "l", "l", "enter")
        assert shown_reads(screen) == [8]
        assert "session s3 was served initech" in screen_text(pilot.app)


async def test_matrix_of_many_tenants_moves_sideways() -> None:
    reads = [served(number, f"tenant-{number:02}", ANA) for number in range(40)]
    async with opened(FakeDiagnosis(reads), NARROW) as (pilot, _):
        await press(pilot, "M")
        heading = screen_text(pilot.app).splitlines()[1]
        # 57 cells for columns of eleven.
        assert "40 tenants; no cell is known to be foreign" in screen_text(pilot.app)
        assert heading.split() == [">", "35", *(f"tenant-{number:02}" for number in range(5))]
        await press(pilot, *["l"] * 6)
        heading, row = screen_text(pilot.app).splitlines()[1:3]
        assert heading.split() == ["<", "2", ">", "33", *(f"tenant-{number:02}" for number in range(2, 7))]
        assert row.split() == ["▌ana", "1", "1", "1", "1", "[1]"]
        await press(pilot, *["l"] * 50)
        assert "principal ana, tenant-39: 1 read" in screen_text(pilot.app)
        await press(pilot, *["h"] * 50)
        assert "principal ana, tenant-00: 1 read" in screen_text(pilot.app)


def test_matrix_gives_a_large_count_its_room() -> None:
    tenants = (("t", 1_234_567), ("u", 1))
    grid = MatrixGrid([Row("ana", "principal", tenants, ("t",)), Row("bob", "principal", tenants[1:])], Overview())
    assert [piece.text for piece in grid.tail(0)] == ["", "[", "a", " ", "1,234,567", "]"]
    assert width(grid.tail(1)) == width(grid.tail(0)) == len(grid.heading()) - 22


async def test_matrix_takes_clicks() -> None:
    async with opened(FakeDiagnosis(cases())) as (pilot, _):
        await press(pilot, "M")
        await pilot.click(offset=(screen_text(pilot.app).splitlines()[1].index("globex") + 5, 3))
        await settle(pilot)
        assert "principal bob, globex: 1 read" in screen_text(pilot.app)


async def test_matrix_without_tenants_says_so() -> None:
    async with opened(FakeDiagnosis([judgement(0, "x://a")])) as (pilot, _):
        await press(pilot, "M")
        assert "No read is known to have served a tenant's document." in screen_text(pilot.app)
        await press(pilot, "l", "enter")
        assert toasts(pilot.app) == ["There is no read in this cell."]


async def test_session() -> None:
    reads = cases()
    reads[4] = replace(reads[4], read=replace(reads[4].read, doubts=("id-reused",)))
    async with opened(FakeDiagnosis(reads)) as (pilot, screen):
        screen.list.rows.cursor = 3
        await press(pilot, "s")
        pane = [line.partition("╮╭")[2] or line.partition("││")[2] for line in screen_text(pilot.app).splitlines()]
        rows = [line for line in pane if "09:14" in line]
        assert "Session  1 of 2 reads" in screen_text(pilot.app)
        assert rows[0].startswith("▌4     09:14:03.118 3          12 ms ok     · · a ")
        assert rows[1].startswith(" 5     09:14:04.118 4          12 ms ok     · · ·  id-")
        await press(pilot, "right_square_bracket")
        assert screen.list.rows.cursor == 4
        assert "Session  2 of 2 reads" in screen_text(pilot.app)
        await press(pilot, "m")
        assert "Session  2 of 2" not in screen_text(pilot.app)


async def test_session_where_there_is_no_room_beside() -> None:
    async with opened(FakeDiagnosis(cases()), NARROW) as (pilot, screen):
        screen.list.rows.cursor = 9
        await press(pilot, "s")
        assert isinstance(pilot.app.screen, ReadScreen)
        last = next(line for line in screen_text(pilot.app).splitlines() if line.startswith("▌10"))
        assert "no answer: the capture ends" in last
        await press(pilot, "left_square_bracket")
        assert any(line.startswith("▌9 ") for line in screen_text(pilot.app).splitlines())
        await press(pilot, "s")
        assert "Did the URI escape its segments?" in screen_text(pilot.app)


async def test_next_in_session_keeps_to_what_is_shown() -> None:
    async with opened(FakeDiagnosis(cases())) as (pilot, screen):
        await press(pilot, "j", "b", "right_square_bracket")
        assert screen.list.rows.read_index == 5  # 3 is of another session, 4 is not shown
        assert toasts(pilot.app) == []


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "80x24"])
@pytest.mark.parametrize("state", ["alike", "matrix", "session"])
async def test_states(state: str, size: tuple[int, int]) -> None:
    keys = {"alike": "j b", "matrix": "M j", "session": "j j j s"}[state]
    app = app_of(FakeDiagnosis(cases()))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, *keys.split())
        check(app, f"{state}-{'wide' if size == WIDE else '80x24'}")

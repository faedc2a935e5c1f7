"""The virtual list, and the list of reads on it."""

from __future__ import annotations

import pytest
from rich.segment import Segment

from app.widgets.plain import Piece, wrap
from app.widgets.read_list import clock, status
from tests.app.build import FakeDiagnosis, app_of, incident, judgement, many
from tests.app.screen_text import screen_text, settle, strips


def _row(lines: list[list[Segment]], uri: str) -> list[Segment]:
    return next(line for line in lines if any(one.text.startswith(uri) for one in line))


def _glyphs(row: list[Segment]) -> list[tuple[str, bool, bool]]:
    """The three cells of a row: letter, bold, reverse."""
    cells = [one for one in row if one.text in ("E", "M", "A", "e", "m", "a", "·", "?", "-")]
    return [(one.text, bool(one.style and one.style.bold), bool(one.style and one.style.reverse)) for one in cells]


async def test_a_fault_is_bold_and_reversed_and_a_suspicion_is_bold() -> None:
    app = app_of(FakeDiagnosis(incident()))
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        lines = strips(app)
        assert _glyphs(_row(lines, "report://northwind/2025-10"))[2] == ("A", True, True)
        assert _glyphs(_row(lines, "docs://team/a/b"))[0] == ("e", True, False)
        assert _glyphs(_row(lines, "report://acme/2025-10"))[0] == ("·", False, False)


async def test_without_colour_a_fault_is_still_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_of(FakeDiagnosis(incident()))
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert app.no_color
        assert _glyphs(_row(strips(app), "report://northwind/2025-10"))[2] == ("A", True, True)


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light", "textual-light"])
async def test_the_row_under_the_cursor_can_be_read(theme: str) -> None:
    app = app_of(FakeDiagnosis(incident()))
    app.theme = theme
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        for focused in (app.screen.list.rows, app.screen.panes.answers):  # type: ignore[attr-defined]
            focused.focus()
            await settle(pilot)
            row = app.screen.list.rows.render_line(0)  # type: ignore[attr-defined]
            styles = [one.style for one in row if one.text.strip() and one.style]
            assert all(style.color != style.bgcolor or style.color.is_default for style in styles if style.color)
            if theme.startswith("ansi"):
                assert all(style.bgcolor is None or style.bgcolor.is_default for style in styles)


async def test_what_does_not_belong_in_a_uri_is_reversed() -> None:
    app = app_of(FakeDiagnosis(incident()))
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        await pilot.press("j")
        await settle(pilot)
        request = next(line for line in strips(app) if any(one.text.startswith(" request ") for one in line))
        reversed_text = [one.text for one in request if one.style and one.style.reverse]
        assert reversed_text == [" & ", "/"]


async def test_answers_that_may_change_are_dim() -> None:
    app = app_of(FakeDiagnosis(incident()))
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        rows = app.screen.list.rows  # type: ignore[attr-defined]
        # Under the tests' filters "dim" becomes a blend, so the widget is asked.
        assert not rows.faded(0)
        assert all(not (one.style and one.style.dim) for one in rows.render_line(2))
        rows.provisional = True
        assert all(one.style and one.style.dim for one in rows.render_line(2) if one.text.strip())


async def test_200_000_rows_cost_what_is_on_the_screen() -> None:
    diagnosis = FakeDiagnosis(many(200_000))
    app = app_of(diagnosis)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rows = app.screen.list.rows  # type: ignore[attr-defined]
        drawn: list[int] = []
        head = rows.head
        rows.head = lambda index: drawn.append(index) or head(index)
        await pilot.press("G")
        await settle(pilot)
        assert "report://acme/0199999" in screen_text(app)
        drawn.clear()
        await pilot.press("k")
        await pilot.pause()
        assert set(drawn) == {199_998, 199_999}


async def test_sessions_with_long_ids_get_short_names_in_order() -> None:
    names = ["0f0e-long-id", "s2", "other-long-id", None, "0f0e-long-id"]
    reads = [judgement(number, f"x://{number}", session=name) for number, name in enumerate(names)]
    app = app_of(FakeDiagnosis(reads))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        overview = app.screen.overview  # type: ignore[attr-defined]
        assert overview.sessions == {"0f0e-long-id": "s1", "s2": "s2", "other-long-id": "s3"}


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        ("2025-10-01T09:14:02.118Z", "09:14:02.118"),
        ("2025-10-01T09:14:02Z", "09:14:02"),
        ("2025-10-01T09:14:02+02:00", "09:14:02"),
        ("2026-02-03 08:30:06.057", "08:30:06.057"),
        ("01/Oct/2025:09:14:02 +0000", "09:14:02"),
        ("2026-02-03 08:30:06,057123", "08:30:06,057"),
        ("2026-02-03", "2026-02-03"),
        ("+12.5s", "+12.5s"),
        (None, ""),
    ],
)
def test_time_of_day(time: str | None, shown: str) -> None:
    one = judgement(0, "x://")
    object.__setattr__(one.read, "time", time)
    assert clock(one.read) == shown


def test_status_column() -> None:
    assert status(judgement(0, "x://").read) == "ok"
    assert status(judgement(0, "x://", code=-32002).read) == "-32002"
    assert status(judgement(0, "x://", answered=False).read) == "open"


@pytest.mark.parametrize(
    ("text", "cells", "lines"),
    [
        ("one two three", 20, ["one two three"]),
        ("one two three", 9, ["one two ", "  three"]),
        ("abcdefghijklmnopqrst", 12, ["abcdefghij", "  klmnopqrst"]),
        ("", 10, [""]),
    ],
)
def test_wrap(text: str, cells: int, lines: list[str]) -> None:
    assert ["".join(piece.text for piece in line) for line in wrap([Piece(text)], cells, 2)] == lines

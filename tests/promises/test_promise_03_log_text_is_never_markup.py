"""What is shown equals the text after `visible()`, brackets and all; a click on it does nothing but select.

That no widget is given a text that did not pass the gate is checked in `tests/app/test_safety.py`.
"""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

from app.tui import TriageApp
from diagnosis.visible import visible
from tests.app.screen_text import screen_text, settle
from tests.bad_inputs.own import answer, ask, lines
from tests.promises.hostile_log import log

MARKUP = (
    "[bold red]CRITICAL[/] [reverse]x[/reverse] [b]y",
    "x[/]y[/b]z",
    '[a="b] [@click=foo(]x[/]',
    "[@click=app.quit]northwind[/]",
    "[@click=screen.dismiss()]x[/]",
    '[link="https://evil.example"]northwind[/link]',
    "[$error]x[/] [on $boost]y[/] [100%]",
    "[]", "[[b]]", "\\[b]x[/b]", "[b", ":warning: :skull:",
)  # fmt: skip


@pytest.mark.parametrize("text", MARKUP)
async def test_it_is_shown_as_it_stands(tmp_path: Path, text: str) -> None:
    uri = f"docs://a/{text}/end"
    path = tmp_path / "log.jsonl"
    path.write_bytes(lines(ask(text, uri), answer(text, uri, text)))
    app = TriageApp([str(path)])
    async with app.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        assert screen_text(app).count(visible(uri)) >= 2  # in the list, and over its template or alone
        await pilot.press("p")
        await settle(pilot)
        assert visible(text) in screen_text(app).partition("request id")[2]


async def test_a_click_does_nothing_but_select(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(webbrowser, "open", lambda *given, **more: opened.append(given))
    path = tmp_path / "log.jsonl"
    path.write_bytes(log("[@click=app.quit]x[/] [@click=app.bell]y[/] [link=https://evil.example]z[/]"))
    app = TriageApp([str(path)])
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await settle(pilot)
        for keys, rows in ((["g"], (3, 4, 5, 10, 18, 24)), (["m"], (20, 24, 28)), (["exclamation_mark"], (1, 2))):
            await pilot.press(*keys)
            await settle(pilot)
            screen = app.screen
            for row in rows:
                for column in range(30, 110, 16):
                    await pilot.click(offset=(column, row))
            await settle(pilot)
            assert app.screen is screen and app.is_running and app.return_code is None
        assert (opened, app.clipboard) == ([], "")

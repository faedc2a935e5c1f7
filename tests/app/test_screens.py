"""Every state of every screen as text, in a wide window and in one of 80x24."""

from __future__ import annotations

import threading
from datetime import datetime

import pytest

from app.exporting import Wanted
from app.screens import export
from app.tui import TriageApp
from diagnosis.captures.contract import Kind
from diagnosis.ledger import Refusal
from tests.app.build import FakeDiagnosis, app_of, facts, incident, skipped
from tests.app.screen_text import check, screen_text, settle

SIZES = {"wide": (120, 36), "80x24": (80, 24)}

# Name of the state, keys that lead to it.
STATES = {
    "first-read": "",
    "escaped": "j",
    "decoded-twice": "n n n",
    "only-document": "2",
    "only-nothing": "G 1 2",
    "read": "j enter",
    "messages": "j m",
    "exact-bytes": "j m r",
    "principal": "j j p",
    "help": "question_mark",
    "problems": "exclamation_mark",
}


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> str:
    """The name of a window's size."""
    return str(request.param)


@pytest.mark.parametrize("state", STATES)
async def test_states(state: str, size: str) -> None:
    diagnosis = FakeDiagnosis(incident())
    diagnosis.problems = [
        skipped(3, "the line is cut off", b'{"jsonrpc": "2.0", "id": 7, "resu'),
        skipped(9, "a line of the server's own log", b"INFO started", Kind.OTHER),
    ]
    app = app_of(diagnosis)
    async with app.run_test(size=SIZES[size]) as pilot:
        await settle(pilot)
        await pilot.press(*STATES[state].split())
        await settle(pilot)
        check(app, f"{state}-{size}")


async def test_loading_then_partial(size: str) -> None:
    diagnosis = FakeDiagnosis(incident(), gate=threading.Event())
    app = app_of(diagnosis)
    async with app.run_test(size=SIZES[size]) as pilot:
        while "Esc stops" not in screen_text(app):
            await pilot.pause()
        await pilot.pause()
        await pilot.pause()
        check(app, f"loading-{size}")
        await pilot.press("escape")
        await settle(pilot)
        check(app, f"partial-{size}")


async def test_no_reads(size: str) -> None:
    diagnosis = FakeDiagnosis([])
    diagnosis.captures = [facts("incident.jsonl", 0, messages=2310)]
    app = app_of(diagnosis)
    async with app.run_test(size=SIZES[size]) as pilot:
        await settle(pilot)
        assert "2,310 messages, no resources/read." in screen_text(app)
        check(app, f"no-reads-{size}")


async def test_unknown_format(size: str) -> None:
    diagnosis = FakeDiagnosis([])
    reasons = (("json-rpc", "the first line is no JSON"), ("har", "it is no JSON object"))
    diagnosis.captures = []
    diagnosis.refusals = [Refusal("notes.txt", "not-a-capture", "No format claims notes.txt.", reasons)]
    app = app_of(diagnosis, ["notes.txt"])
    async with app.run_test(size=SIZES[size]) as pilot:
        await settle(pilot)
        check(app, f"unknown-format-{size}")


async def test_a_fault_of_our_own_names_no_values() -> None:
    app = app_of(FakeDiagnosis([], error=KeyError("secret of the log")))
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert "KeyError in build.py" in screen_text(app)
        assert "secret of the log" not in screen_text(app)


@pytest.mark.parametrize("small", [(59, 24), (80, 15), (1, 1)])
async def test_too_small(small: tuple[int, int]) -> None:
    app = app_of(FakeDiagnosis(incident()))
    async with app.run_test(size=small) as pilot:
        await settle(pilot)
        assert "report://" not in screen_text(app)
        if small[0] > 20:
            assert "This window is too small" in screen_text(app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "report://acme/2025-09" in screen_text(app)


async def test_smallest_window_still_shows_the_three_verdicts() -> None:
    app = app_of(FakeDiagnosis(incident()))
    async with app.run_test(size=(60, 16)) as pilot:
        await settle(pilot)
        check(app, "smallest-60x16")


async def test_start_screen_names_the_way_in() -> None:
    async with TriageApp().run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "misread CAPTURE..." in screen_text(pilot.app)


@pytest.mark.parametrize(
    ("state", "keys"),
    [
        ("export", "e"),
        ("export-choices", "2 n e tab right tab right"),
        ("export-loud", "n e tab right right tab left tab right right right"),
    ],
)
async def test_export(state: str, keys: str, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def made(diagnosis: object, now: datetime, case: object, wanted: Wanted) -> str:
        return f"# Report\n\nDate: {now:%Y-%m-%d}\n{wanted.part.word}, {wanted.redaction}, {wanted.format}\n"

    monkeypatch.setattr(export, "rendered", made)
    app = app_of(FakeDiagnosis(incident()))
    async with app.run_test(size=SIZES[size]) as pilot:
        await settle(pilot)
        await pilot.press(*keys.split())
        await settle(pilot)
        check(app, f"{state}-{size}")

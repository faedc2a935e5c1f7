"""The keys of the report's screen, and what they make of a real capture."""

from __future__ import annotations

import json
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app.clipboard import CLIPBOARD_LIMIT
from app.samples import find_sample
from app.screens.export import ExportScreen
from app.tui import TriageApp
from diagnosis.reports.choices import LOUD
from diagnosis.statements import load_statements
from tests.app.screen_text import screen_text, settle, toasts

TOKEN = "s3cr3t-s3cr3t"
TEMPLATES = {"resourceTemplates": [{"uriTemplate": "report://{tenant}/{month}{?token}", "name": "r"}]}


def capture(folder: Path) -> Path:
    """Two reads of one session: one of acme with a token, one of northwind."""
    messages = [{"jsonrpc": "2.0", "id": 1, "method": "resources/templates/list"}]
    messages.append({"jsonrpc": "2.0", "id": 1, "result": TEMPLATES})
    for number, uri in ((2, f"report://acme/2025-10?token={TOKEN}"), (3, "report://northwind/2025-11")):
        tenant, month = uri[9:].split("?")[0].split("/")
        content = {"uri": uri, "mimeType": "application/json", "text": json.dumps({"tenant": tenant, "month": month})}
        messages.append({"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}})
        messages.append({"jsonrpc": "2.0", "id": number, "result": {"contents": [content]}})
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in messages))
    return path


@asynccontextmanager
async def export(path: Path, *before: str) -> AsyncIterator[Pilot[int]]:
    """The report's screen of a capture whose caller may see acme only, after some keys on the main screen."""
    app = TriageApp([str(path)], load_statements(None, None, ["acme"], []))
    async with app.run_test(size=(120, 50), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, *before, "e")
        assert isinstance(app.screen, ExportScreen)
        yield pilot


async def press(pilot: Pilot[int], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)
    await settle(pilot)


def report(pilot: Pilot[int]) -> str:
    screen = pilot.app.screen
    assert isinstance(screen, ExportScreen) and screen.report is not None
    return screen.report


async def test_choice_before_and_next_choice_come_round(tmp_path: Path) -> None:
    async with export(capture(tmp_path)) as pilot:
        await press(pilot, "tab", "tab")
        assert ">redaction  [on] aliases  off" in screen_text(pilot.app)
        await press(pilot, "right")
        assert "[aliases]" in screen_text(pilot.app)
        await press(pilot, "space")
        assert "[off]" in screen_text(pilot.app)
        await press(pilot, "left", "left", "left")
        assert "[off]" in screen_text(pilot.app)


async def test_redaction_on_aliases_off(tmp_path: Path) -> None:
    async with export(capture(tmp_path)) as pilot:
        assert TOKEN not in report(pilot) and "northwind" in report(pilot)
        await press(pilot, "tab", "tab", "right")
        assert TOKEN not in report(pilot) and "northwind" not in report(pilot)
        assert LOUD[:60] not in screen_text(pilot.app)
        await press(pilot, "right")
        assert TOKEN in report(pilot) and LOUD in report(pilot)
        assert LOUD[:60] in screen_text(pilot.app)


async def test_a_format_renames_only_the_name_that_nobody_typed(tmp_path: Path) -> None:
    async with export(capture(tmp_path)) as pilot:
        await press(pilot, "tab", "tab", "tab", "right")
        assert "misread-report.json" in screen_text(pilot.app)
        assert json.loads(report(pilot))
        await press(pilot, "shift+tab", "shift+tab", "shift+tab", "x", "tab", "tab", "tab", "right")
        assert "misread-report.jsonx" in screen_text(pilot.app)


@pytest.mark.parametrize(
    ("before", "steps", "asked", "reads"),
    [
        ((), 0, {}, [2, 3]),
        (("slash", *"tenant", "colon", *"acme", "enter"), 1, {"where": "tenant:acme"}, [2]),
        (("3",), 1, {"where": "chosen on the screen: only faults of question 3"}, [3]),
        ((), 1, {"scope": "confirmed"}, []),
        (("n", "c"), 1, {"scope": "confirmed"}, [3]),
    ],
)
async def test_scope(tmp_path: Path, before: tuple[str, ...], steps: int, asked: object, reads: list[int]) -> None:
    async with export(capture(tmp_path), *before) as pilot:
        await press(pilot, "tab", *["right"] * steps, "tab", "tab", "right")
        made = json.loads(report(pilot))
        assert made["inputs"]["options"] == asked
        assert [each["request_id"] for each in made["reads"]] == reads


async def test_this_finding_is_the_one_under_the_cursor(tmp_path: Path) -> None:
    async with export(capture(tmp_path), "n") as pilot:
        await press(pilot, "tab", "left", "tab", "tab", "right")
        assert "[this finding]" in screen_text(pilot.app)
        made = json.loads(report(pilot))
        assert made["inputs"]["options"]["scope"] == made["reads"][0]["findings"][0]["fingerprint"]
        assert [each["request_id"] for each in made["reads"]] == [3]


async def test_what_is_chosen_limits_no_screen(tmp_path: Path) -> None:
    async with export(capture(tmp_path), "n") as pilot:
        await press(pilot, "tab", "left", "escape")
        assert "2 reads" in screen_text(pilot.app)


async def test_a_written_report_is_private_and_what_was_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = capture(tmp_path)
    monkeypatch.chdir(tmp_path)
    async with export(path) as pilot:
        shown = report(pilot)
        await press(pilot, "enter")
        written = tmp_path / "misread-report.md"
        assert written.read_text() == shown
        assert stat.S_IMODE(written.stat().st_mode) == 0o600


async def test_the_capture_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = capture(tmp_path)
    before = path.read_bytes()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "misread-report.md").hardlink_to(path)  # another name of the same file
    async with export(path) as pilot:
        await press(pilot, "enter", "y")
        assert "is an input; a report never takes its place." in screen_text(pilot.app)
    assert path.read_bytes() == before


async def test_copy_report_where_no_path_is_typed(tmp_path: Path) -> None:
    async with export(capture(tmp_path), "n") as pilot:
        await press(pilot, "tab", "tab", "tab", "left")  # the last format: a few lines for a chat
        await press(pilot, "y")
        assert pilot.app.clipboard == report(pilot) != ""
        assert "The report was sent to the terminal's clipboard." in screen_text(pilot.app)


async def test_a_report_that_is_too_long_is_not_cut(tmp_path: Path) -> None:
    async with export(capture(tmp_path)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ExportScreen)
        screen.report = "x" * (CLIPBOARD_LIMIT + 1)
        await press(pilot, "tab", "y")
        assert pilot.app.clipboard == ""
        assert "Not copied: the report has more than 8,000 bytes. Enter writes it" in screen_text(pilot.app)


async def test_a_hostile_path_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    async with export(capture(tmp_path)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, ExportScreen)
        screen.path.value = "/missing/[bold]\u202ex\u009b31m"  # short, so that the sentence stands on one line
        await press(pilot, "enter")
        text = screen_text(pilot.app)
        said = next(line for line in text.splitlines() if "was not written" in line)
        assert "[bold]" in said and "\u202e" not in said and "\u009b" not in said


async def test_copy_findings(tmp_path: Path) -> None:
    app = TriageApp([str(capture(tmp_path))], load_statements(None, None, ["acme"], []))
    async with app.run_test(size=(120, 50), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "Y")
        assert app.clipboard == "" and toasts(app) == ["There is no finding to copy."]
        await press(pilot, "n", "enter", "Y")
        assert app.clipboard.startswith("### Finding 1: principal/foreign-tenant\n")
        assert "northwind" in app.clipboard and TOKEN not in app.clipboard


async def test_copy_findings_copies_whole_sections_and_says_what_is_left_out() -> None:
    sample = find_sample("all-three")  # each section has about 3,000 bytes
    app = TriageApp(sample.captures, load_statements(sample.policy, sample.templates))
    async with app.run_test(size=(120, 50), notifications=True) as pilot:
        await settle(pilot)
        await press(pilot, "n", "Y")
        assert app.clipboard.count("### Finding ") == 2
        assert app.clipboard.endswith("Left out: 1 further finding of this read.\n")
        assert len(app.clipboard.encode()) <= CLIPBOARD_LIMIT
        assert toasts(app)[-1].startswith("2 of 3 findings were sent")

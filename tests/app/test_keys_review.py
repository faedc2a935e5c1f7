"""What a person decides and states on the screen: kept at once, shown everywhere, and judged by."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app import cli
from app.samples import find_sample
from app.screens.triage import TriageScreen
from app.tui import TriageApp
from diagnosis.case import Case
from tests.app.build import FakeDiagnosis, app_of, incident
from tests.app.screen_text import check, screen_text, settle, toasts
from tests.app.test_keys import NARROW, WIDE, opened, press

FAULT = "j"  # the second read of the incident has one finding


async def typed(pilot: Pilot[None], text: str) -> None:
    """Puts a text into what is asked."""
    screen = pilot.app.screen
    assert isinstance(screen, TriageScreen)
    screen.prompt.input.value = text
    await settle(pilot)


def states(screen: TriageScreen) -> list[str]:
    """The review of each finding of the read under the cursor."""
    assert screen.case is not None and screen.judgement is not None
    return [screen.case.state_of(each.fingerprint).state.value for each in screen.judgement.findings]


def marked(app: TriageApp) -> str:
    """The row under the cursor, up to the number."""
    return next(line for line in screen_text(app).splitlines() if line.startswith("▌"))[:4].rstrip()


async def test_confirm_undo(own_state: Path) -> None:
    async with opened() as (pilot, screen):
        await press(pilot, FAULT, "c")
        assert states(screen) == ["confirmed"]
        assert marked(screen.app) == "▌+2"  # type: ignore[arg-type]
        assert "reviewed 1 of 4" in screen_text(pilot.app)
        assert screen.list.rows.cursor == 1  # only n moves on
        assert len(list(own_state.rglob("*.json"))) == 1
        await press(pilot, "u")
        assert states(screen) == ["new"]
        assert "reviewed" not in screen_text(pilot.app)
        await press(pilot, "u")
        assert "There is no word of yours on this read to take back." in toasts(pilot.app)


async def test_dismiss_send_leave_with_a_reason() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, FAULT, "x", "enter")
        assert states(screen) == ["new"]  # a reason is due
        assert screen.prompt.has_class("-open")
        await press(pilot, "escape")
        assert pilot.app.focused is screen.list.rows
        await press(pilot, "x")
        await typed(pilot, "the client is a test")
        await press(pilot, "enter")
        assert states(screen) == ["dismissed"]
        assert marked(screen.app) == "▌x2"  # type: ignore[arg-type]
        screen.panes.answers.focus()
        await press(pilot, "G")
        assert "dismissed by ana: the client is a test" in " ".join(screen_text(pilot.app).split())


async def test_note_is_marked_and_is_no_decision() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, FAULT, "a")
        await typed(pilot, "ask the client's team \u202e first")
        await press(pilot, "enter")
        assert states(screen) == ["new"]
        assert marked(screen.app) == "▌*2"  # type: ignore[arg-type]
        assert "\u202e" not in screen_text(pilot.app)


async def test_what_others_decided_stands_there(tmp_path: Path) -> None:
    diagnosis = FakeDiagnosis(incident())
    finding = diagnosis._all[1].findings[0]
    path = str(tmp_path / "case.json")
    Case.open([path], "bob").confirm(finding.fingerprint)
    app = app_of(diagnosis)
    app._case_files = (path,)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await press(pilot, FAULT)
        assert marked(app) == "▌+2"
        await press(pilot, "slash")
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        screen.filter_bar.input.value = "review:confirmed"
        await settle(pilot)
        assert screen.list.rows.rows == [1]


async def test_a_read_without_a_finding_cannot_be_reviewed() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, "g", "c")
        assert "This read has no finding." in toasts(pilot.app)
        assert screen.case is not None and screen.case.entries == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write into every folder")
async def test_a_folder_that_cannot_be_written_is_said(own_state: Path) -> None:
    own_state.mkdir()
    own_state.chmod(0o500)
    async with opened() as (pilot, screen):
        await press(pilot, FAULT, "c")
        assert any("was not saved" in each for each in toasts(pilot.app))
        assert states(screen) == ["confirmed"]


async def test_state_caller_judges_all_reads_again() -> None:
    """The report of another tenant, from a question mark to a finding, by what a person knows."""
    capture = find_sample("another-tenant").captures
    app = TriageApp(list(capture))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        assert [each.principal.verdict.value for each in screen.diagnosis.judgements] == ["cannot_tell"] * 3
        await press(pilot, "G", "w")
        assert screen.prompt.input.value == "s-4c1="
        await typed(pilot, "nobody=")
        await press(pilot, "enter")
        assert "names nobody's tenant" in screen_text(app)
        await typed(pilot, "s-4c1=acme")
        await press(pilot, "enter")
        while not screen.reviewed[1]:
            await pilot.pause()
        await settle(pilot)
        verdicts = [each.principal.verdict.value for each in screen.diagnosis.judgements]
        assert verdicts == ["cannot_tell", "allowed", "not_checked"]
        assert "A 1" in screen_text(app)
        assert "caller s-4c1=acme, by ana at" in screen.diagnosis.statements.stated[0]
        await press(pilot, "c")
        assert states(screen) == ["confirmed"]


async def test_state_template_judges_all_reads_again() -> None:
    app = TriageApp(list(find_sample("another-tenant").captures))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        await press(pilot, "t")
        await typed(pilot, "report://{")
        await press(pilot, "enter")
        assert screen.prompt.has_class("-open")
        await typed(pilot, "report://{tenant}/{year}-{month}")
        await press(pilot, "enter")
        while "report://{tenant}/{year}-{month}" not in screen.diagnosis.statements.templates:
            await pilot.pause()
        await settle(pilot)
        assert {each.template for each in screen.diagnosis.judgements} == {"report://{tenant}/{year}-{month}"}


@pytest.mark.parametrize(("name", "size"), [("wide", WIDE), ("80x24", NARROW)])
async def test_states_of_a_review(name: str, size: tuple[int, int]) -> None:
    async with opened(size=size) as (pilot, _):
        await press(pilot, FAULT, "c", "n", "x")
        await typed(pilot, "known")
        check(pilot.app, f"review-reason-{name}")
        await press(pilot, "enter")
        check(pilot.app, f"reviewed-{name}")


def test_a_case_file_that_is_none_is_refused_before_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.json"
    path.write_text("[]")
    assert cli.run([find_sample().captures[0], "--case", str(path)]) == 2
    assert "cannot be used" in capsys.readouterr().err

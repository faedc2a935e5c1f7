"""An export never overwrites, never follows a link, is whole or absent, and is nobody else's to read."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from app import cli, writing
from app.tui import TriageApp
from app.writing import write_report
from tests.app.screen_text import screen_text, settle
from tests.bad_inputs.own import GOOD

# Every command that writes a file.
COMMANDS = {
    "report": ["report", "log.jsonl"],
    "compare": ["compare", "log.jsonl", "log.jsonl"],
    "policy": ["policy", "log.jsonl"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a log in it."""
    inner = tmp_path / "here"
    inner.mkdir()
    (inner / "log.jsonl").write_bytes(GOOD)
    monkeypatch.chdir(inner)
    return inner


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("taken", ["file", "link", "dangling", "folder"])
def test_what_is_there_stays_as_it_is(folder: Path, command: str, taken: str) -> None:
    victim, target = folder / "victim", folder / "out"
    if taken != "dangling":
        victim.write_text("mine")
    if taken == "file":
        target.write_text("mine")
    elif taken == "folder":
        target.mkdir()
    else:
        target.symlink_to(victim)
    assert cli.run([*COMMANDS[command], "-o", "out"]) == 2
    assert (victim.exists(), target.is_symlink()) == (taken != "dangling", taken in ("link", "dangling"))
    assert not victim.exists() or victim.read_text() == "mine"
    assert taken != "file" or target.read_text() == "mine"
    assert {each.name for each in folder.iterdir()} <= {"log.jsonl", "victim", "out"}


@pytest.mark.parametrize("command", COMMANDS)
def test_force_replaces_a_link_and_not_what_it_points_to(folder: Path, command: str) -> None:
    (folder / "victim").write_text("mine")
    (folder / "out").symlink_to(folder / "victim")
    assert cli.run([*COMMANDS[command], "-o", "out", "--force"]) in (0, 1, 3)
    assert not (folder / "out").is_symlink()
    assert (folder / "victim").read_text() == "mine"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_the_mode_is_private_whatever_the_mask(folder: Path, command: str, mask: int) -> None:
    before = os.umask(mask)
    try:
        cli.run([*COMMANDS[command], "-o", "out"])
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "out").stat().st_mode) in (0o600, 0o600 & ~mask)


def steps_of(path: Path, force: bool) -> int:
    """How many lines of `app/writing.py` are run to write a file."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal count
        if frame.f_code.co_filename != writing.__file__:  # type: ignore[attr-defined]
            return None
        count += event == "line"
        return trace

    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        write_report(str(path), b"whole", force=force)
    finally:
        sys.settrace(None)
    return count


def killed_at(path: Path, step: int, force: bool) -> None:
    """Writes in a process that ends at a line of `app/writing.py` as if it were killed there: nothing is tidied up."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    left = step

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal left
        if frame.f_code.co_filename != writing.__file__:  # type: ignore[attr-defined]
            return None
        left -= event == "line"
        if left < 0:
            os._exit(9)
        return trace

    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        write_report(str(path), b"whole", force=force)
    finally:
        os._exit(0)


@pytest.mark.skipif(not hasattr(os, "fork") or sys.gettrace() is not None, reason="needs a fork and a free trace")
@pytest.mark.parametrize("force", [False, True])
def test_a_process_that_is_killed_leaves_it_whole_or_absent(folder: Path, force: bool) -> None:
    count = steps_of(folder / "counted", force)
    seen = set()
    for step in range(count + 1):
        target = folder / f"out-{step}"
        if force:
            target.write_bytes(b"before")
        killed_at(target, step, force)
        seen.add(target.read_bytes() if target.exists() else None)
    assert seen == {b"before" if force else None, b"whole"}


async def test_the_screen_asks_before_it_replaces(folder: Path) -> None:
    (folder / "misread-report.md").write_text("mine")
    async with (app := TriageApp(["log.jsonl"])).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("e")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "exists" in screen_text(app)
        await pilot.press("n")
        await settle(pilot)
        assert (folder / "misread-report.md").read_text() == "mine"
        await pilot.press("enter", "y")
        await settle(pilot)
        assert stat.S_IMODE((folder / "misread-report.md").stat().st_mode) == 0o600
        assert (folder / "misread-report.md").read_text().startswith("# Misread")

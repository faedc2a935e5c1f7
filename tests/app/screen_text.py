"""What stands on the screen, as text and as segments; only here Textual's insides are reached into."""

from __future__ import annotations

import os
from pathlib import Path

from rich.segment import Segment
from textual.app import App
from textual.pilot import Pilot

SCREENS = Path(__file__).parent.parent / "screens"


def strips(app: App[int]) -> list[list[Segment]]:
    """The segments of every line of the screen."""
    return [list(strip) for strip in app.screen._compositor.render_strips()]


def screen_text(app: App[int]) -> str:
    """The lines of the screen, without the blanks at their ends."""
    return "\n".join("".join(one.text for one in line).rstrip() for line in strips(app)) + "\n"


def toasts(app: App[int]) -> list[str]:
    """What was said for a moment; the app must run with notifications."""
    return [one.message for one in app._notifications]


async def settle(pilot: Pilot[int]) -> None:
    """Waits until no thread works and everything is drawn."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    await pilot.pause()


def check(app: App[int], name: str) -> None:
    """Compares the screen with `tests/screens/NAME.txt`; `UPDATE_SCREENS=1` writes that file."""
    file, text = SCREENS / f"{name}.txt", screen_text(app)
    if os.environ.get("UPDATE_SCREENS"):
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), f"{file} is missing; UPDATE_SCREENS=1 writes it"
    assert text == file.read_text(encoding="utf-8")

"""The real program in a real pseudo-terminal: what it writes. How it leaves is promise 15 in `tests/promises`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.hostile import ATTACKS, FORBIDDEN
from tests.app.pty_terminal import OWN_SEQUENCE, Terminal, assert_restored
from tests.promises.hostile_log import log


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """The hostile diagnosis on the screen."""
    opened = Terminal("-W", "ignore", "-m", "tests.app.hostile")
    try:
        opened.wait_for("Was a principal check done?")
        yield opened
    finally:
        opened.close()


def test_no_byte_of_the_log_comes_out_raw(terminal: Terminal) -> None:
    for number in range(2, 19):
        terminal.press("j", f"Read {number} ")
    terminal.press("m", "Messages")
    terminal.press("r", "jsonrpc")
    terminal.press("p", "known from")
    terminal.press("\x1b", "Confirm")
    terminal.press("!", "unreadable")
    terminal.press("\x1b", "Confirm")
    terminal.press("G", "Read 18 ")
    terminal.press("s", "Session")
    terminal.press("\x1b", "Confirm")
    terminal.press("M", "outside what this caller may see")
    terminal.press("\r", "of 18 shown")
    terminal.press("m", "finds text")
    terminal.press("/", "find ")
    terminal.press("a", "1 of ")
    terminal.press("\r", "finds text")
    terminal.press("p", "known from")
    terminal.press("\x1b", "Confirm")
    terminal.press("?", "The three columns")
    terminal.press("\x1b", "Confirm")
    terminal.press("/", " / ")
    terminal.press("uri:\t\t", "shown")  # values of the log, put into the text and offered under it
    os.write(terminal.master, b"\x03")
    assert terminal.finish() == 0
    assert_restored(terminal)
    text = OWN_SEQUENCE.sub("", terminal.output)
    assert "\x1b[97;5m" not in terminal.output
    assert sorted(FORBIDDEN & set(text)) == []
    assert "\x1b" not in text


def leave(terminal: Terminal) -> None:
    """Ends the program, and looks at every byte that it wrote."""
    os.write(terminal.master, b"\x03")
    assert terminal.finish() == 0
    assert_restored(terminal)
    text = OWN_SEQUENCE.sub("", terminal.output)
    assert sorted(FORBIDDEN & set(text)) == []
    assert "\x1b" not in text
    assert "\x1b[97;5m" not in terminal.output


@pytest.mark.parametrize("follow", [False, True])
def test_every_screen_of_the_program_on_a_hostile_log(tmp_path: Path, follow: bool) -> None:
    path = tmp_path / "log \x1b]0;PWNED\x07.jsonl"
    path.write_bytes(log("".join(ATTACKS).replace("\ud800", "")))
    terminal = Terminal("-m", "app", "open", *(["--follow"] if follow else []), str(path))
    try:
        terminal.wait_for("Was a principal check")
        terminal.press("g", "Read 1 " if follow else "")
        for key, text in (("m", "finds text"), ("p", "known from"), ("s", "Session"), ("\r", "Answers")):
            terminal.press(key, text)
            terminal.press("\x1b", "Confirm")
        terminal.press("!", "unreadable")
        terminal.press("l", "")
        terminal.press("\x1b", "Confirm")
        terminal.press("T", "findings")
        terminal.press("\x1b", "Confirm")
        terminal.press("M", "caller")
        terminal.press("\x1b", "Confirm")
        terminal.press("?", "The three columns")
        terminal.press("\x1b", "Confirm")
        if follow:
            with path.open("ab") as file:
                file.write(log(ATTACKS[0]))
            terminal.wait_for("new")
            terminal.press("F", "followed until")
        terminal.press("e", "Misread incident report")
        terminal.press("\x1b", "Confirm")
        leave(terminal)
    finally:
        terminal.close()


def test_a_click_on_text_of_the_log_does_nothing_but_select(terminal: Terminal) -> None:
    for row in range(1, 25, 2):
        for column in (3, 30, 45, 60, 75):
            os.write(terminal.master, f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m".encode())
    terminal.press("\x1b\x1b", "")
    terminal.press("g", "")
    terminal.press("?", "The three columns")  # it still runs, and does what it is told
    leave(terminal)

"""The promises of the tool, each with the tests that hold it to it; a file's name begins with the promise's number.

1 every line is accounted for; 2 nothing reaches a terminal raw; 3 log text is never markup; 4 opening touches nothing;
5 never clean unless all three questions are answered; 6 nothing later clears a finding; 7 an ambiguous pairing is
named; 8 claims are unverified; 9 exports are inert; 10 redaction is on by default; 11 an export is whole or absent;
12 limits are stated where they are reached; 14 exit statuses; 15 the terminal is restored; 16 the same input gives the
same output.

Promise 13, time and memory in proportion to the log, is measured by `benchmarks/` and not here: a test that fails on a
busy machine is no test. Ten seconds and a gigabyte for every hostile file are tested in `tests/bad_inputs`.
"""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty state folder, so that no test touches that of the person who runs it."""
    folder = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    monkeypatch.setenv("MISREAD_AUTHOR", "ana")
    return folder

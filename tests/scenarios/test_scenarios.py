"""Faults from outside, each a JSON file: the log changes while it is read, the disk is full, a stream is closed.

Signals and what becomes of a terminal are in `tests/promises`, promises 14 and 15.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from diagnosis.follow import CUT, REPLACED, ROTATED, VANISHED
from tests.scenarios.player import Played, play, scenarios

NOTICES = {"cut": CUT, "rotated": ROTATED, "replaced": REPLACED, "vanished": VANISHED}
SCENARIOS = dict(scenarios())

if os.name != "posix":
    pytest.skip("pipes, links and limits of processes are those of a Unix", allow_module_level=True)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str, tmp_path: Path) -> None:
    scenario: dict[str, Any] = SCENARIOS[name]
    if any(step.get("ordinary_user") for step in scenario["steps"]) and os.geteuid() == 0:
        pytest.skip("the superuser may write into every folder")
    needed = [step["needs"] for step in scenario["steps"] if "needs" in step]
    if not all(map(os.path.exists, needed)):
        pytest.skip(f"this system has no {needed}")
    played, expect = play(tmp_path, scenario["steps"]), scenario["expect"]
    if played.diagnosis is not None:
        check_diagnosis(played, expect)
    else:
        check_process(played, expect)
    for path, text in expect.get("files", {}).items():
        assert (tmp_path / path).read_text() == text
    if "files" in expect:  # and nothing half done beside them
        assert {each.name for each in tmp_path.iterdir()} == {"log", *expect["files"]}
    for path, mode in expect.get("modes", {}).items():
        assert stat.S_IMODE((tmp_path / path).stat().st_mode) == int(mode, 8)


def check_diagnosis(played: Played, expect: dict[str, Any]) -> None:
    diagnosis = played.diagnosis
    assert diagnosis is not None
    reads = [one.read for one in diagnosis.judgements]
    assert (len(reads), sum(read.response is not None for read in reads)) == (expect["reads"], expect["answered"])
    assert sum(each.messages for each in diagnosis.captures) == expect["messages"]
    assert sum(each.unreadable for each in diagnosis.captures) == expect["unreadable"]
    if "notices" in expect:
        assert list(diagnosis.notices) == [NOTICES[name] for name in expect["notices"]]
    if "evidence" in expect:
        assert (diagnosis.evidence(reads[0].request) is not None) is expect["evidence"]


def check_process(played: Played, expect: dict[str, Any]) -> None:
    said = (played.out + b"\n" + played.err).decode("utf-8")
    statuses = expect["status"] if isinstance(expect["status"], list) else [expect["status"]]
    assert played.status in statuses, said
    assert "Traceback" not in said and "Exception ignored" not in said
    assert [line for line in said.split("\n") if not line.isprintable()] == []
    assert expect.get("says", "") in said
    if "out" in expect:
        assert played.out.decode() == expect["out"]

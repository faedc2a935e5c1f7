"""`misread policy`: what it prints loads again, names the callers, and allows nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app import cli
from diagnosis import diagnose, load_statements
from diagnosis.callers.policy import parse_policy
from tests.diagnosis.after_fix.build import REPORT, written
from tests.diagnosis.questions.build import Log


def served(log: Log, tenant: str, **more: Any) -> None:
    log.read(f"report://{tenant}/2025-10", {"tenant": tenant, "month": "2025-10"}, **more)


def run(folder: Path, log: Log, capfd: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    """The printed policy, which must load, and what was said beside it."""
    assert cli.run(["policy", written(log, folder / "monday.jsonl")]) == 0
    out, err = capfd.readouterr()
    assert out.isascii()
    assert all(each.allowed_tenants is None for each in parse_policy(out).principals)
    value: dict[str, Any] = json.loads(out)
    return value, err


def test_callers_by_subject_session_and_capture(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = Log(REPORT, session=None)
    served(log, "acme", session="s1")
    served(log, "northwind", session="s1")
    served(log, "acme", session="s2", principal={"id": "kim"})
    served(log, "globex")
    value, err = run(tmp_path, log, capfd)
    assert value == {
        "principals": [
            {"id": "kim", "sessions": [], "subjects": ["kim"], "allowed_tenants": None, "tenants_seen": ["acme"]},
            {
                "id": "s1",
                "sessions": ["s1"],
                "subjects": [],
                "allowed_tenants": None,
                "tenants_seen": ["acme", "northwind"],
            },
            {
                "id": "monday",
                "sessions": ["monday"],
                "subjects": [],
                "allowed_tenants": None,
                "tenants_seen": ["globex"],
            },
        ],
        "shared_tenants": [],
    }
    assert "null means unknown" in err


def test_an_unfilled_policy_changes_nothing_and_a_filled_one_decides(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = Log(REPORT)
    served(log, "northwind")
    value, _ = run(tmp_path, log, capfd)
    place = tmp_path / "policy.json"
    reasons = []
    for allowed in (None, ["acme"], ["northwind"]):
        value["principals"][0]["allowed_tenants"] = allowed
        place.write_text(json.dumps(value))
        found = diagnose([str(tmp_path / "monday.jsonl")], load_statements(policy_path=str(place)))
        reasons.append(found.judgements[0].principal.reason)
    assert reasons == ["no-allowed-set", "outside-allowed", "inside-allowed"]


def test_a_session_that_is_called_like_a_subject(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Both are kept apart: an id counts as a subject, and so the session's principal gets another one."""
    log = Log(REPORT)
    served(log, "acme", session="kim")
    served(log, "globex", session="s2", principal={"id": "kim"})
    value, _ = run(tmp_path, log, capfd)
    assert [(each["id"], each["sessions"], each["subjects"]) for each in value["principals"]] == [
        ("kim", [], ["kim"]),
        ("kim (2)", ["kim"], []),
    ]


def test_hostile_names(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A star would mean anybody, and a lone surrogate stands in no file; the rest is text."""
    log = Log(REPORT)
    for session in ("*", "\ud800", '"}],\x1b[2J\u202e'):
        served(log, "acme", session=session)
    value, err = run(tmp_path, log, capfd)
    assert [each["sessions"] for each in value["principals"]] == [['"}],\x1b[2J\u202e']]
    assert "No policy can name the caller `*`: it is left out." in err
    assert "\\u{d800}" in err
    assert all(line.isprintable() for line in err.split("\n"))


def test_statuses(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name = written(Log(REPORT), tmp_path / "empty.jsonl")
    assert cli.run(["policy", name]) == 0
    assert "nobody is named" in capfd.readouterr().err
    assert cli.run(["policy", name, "-o", name, "--force"]) == 2
    assert cli.run(["policy"]) == 2
    assert cli.run(["policy", "missing.jsonl"]) == 2
    with open(name, "a", encoding="utf-8") as file:
        file.write('{"dir": "client->server", "mess\n')
    assert cli.run(["policy", name, "--quiet"]) == 3
    assert capfd.readouterr().err.count("null means unknown") == 0

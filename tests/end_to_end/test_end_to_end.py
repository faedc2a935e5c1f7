"""A real client and a real server of the `mcp` package, a tap on the wire between them, and what the capture says."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

pytest.importorskip("mcp", reason="the test extra is not installed")

from diagnosis import Diagnosis, diagnose, load_statements
from tests.end_to_end.host import FOREIGN, LINK, SESSION, TENANT, TYPED, Faults, expand, substitute, visit
from tests.end_to_end.ledger import TEMPLATE

UNDER_ENCODING = (substitute(TEMPLATE, TYPED), "under-encoding", "segments/extra-separator")
DOUBLE_DECODE = (LINK, "double-decode", "document/decoded-twice")
MISSING_CHECK = (expand(TEMPLATE, FOREIGN), "missing-authorization", "principal/foreign-tenant")

Found = list[tuple[str | None, str, str]]


@dataclass(frozen=True, slots=True)
class Session:
    """How one session is run and captured, and which findings it must give."""

    faults: Faults
    expected: Found
    mode: Literal["auto", "legacy"] = "auto"
    bare: bool = False


ALL = [UNDER_ENCODING, DOUBLE_DECODE, MISSING_CHECK]
SESSIONS = {
    "no-encoding": Session(Faults(no_encoding=True), [UNDER_ENCODING]),
    "decode-again": Session(Faults(decode_again=True), [DOUBLE_DECODE]),
    "no-check": Session(Faults(no_check=True), [MISSING_CHECK]),
    "all-three": Session(Faults(True, True, True), ALL),
    "repaired": Session(Faults(), []),
    "bare": Session(Faults(True, True, True), ALL, "legacy", bare=True),
}


@pytest.fixture(scope="module")
def captured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one folder for each session; all run at once, because starting a server takes the longest."""
    folder = tmp_path_factory.mktemp("wire")
    asyncio.run(_run_all(folder))
    return folder


async def _run_all(folder: Path) -> None:
    async with asyncio.timeout(60):
        await asyncio.gather(*(_run(folder / name, session) for name, session in SESSIONS.items()))


async def _run(folder: Path, session: Session) -> None:
    folder.mkdir()
    with open(folder / "errors.txt", "w", encoding="utf-8") as errors:
        await visit(folder / f"{SESSION}.jsonl", errors, session.faults, session.mode, bare=session.bare)


def _diagnosed(folder: Path) -> Diagnosis:
    """A capture without sessions is known to the policy by its file's name, which is the session's here."""
    principal = {"id": "ana", "sessions": [SESSION], "allowed_tenants": [TENANT]}
    policy = folder / "policy.json"
    policy.write_text(json.dumps({"principals": [principal]}), "utf-8")
    diagnosis = diagnose([str(folder / f"{SESSION}.jsonl")], load_statements(policy_path=str(policy)))
    assert len(diagnosis.judgements) == 3, (folder / "errors.txt").read_text("utf-8")
    return diagnosis


def _found(diagnosis: Diagnosis) -> Found:
    return [
        (each.read.uri, finding.rule.finding_class.value if finding.rule.finding_class else "", finding.rule.id)
        for each in diagnosis.judgements
        for finding in each.findings
    ]


@pytest.mark.parametrize("name", SESSIONS)
def test_each_fault_gives_its_own_finding_and_nothing_else(captured: Path, name: str) -> None:
    diagnosis = _diagnosed(captured / name)

    assert _found(diagnosis) == SESSIONS[name].expected
    assert not [remark.rule.id for each in diagnosis.judgements for remark in each.remarks]
    assert not diagnosis.problems
    assert [facts.format for facts in diagnosis.captures] == ["json-rpc" if SESSIONS[name].bare else "enveloped"]


def test_the_repaired_reads_are_answered_as_their_questions_say(captured: Path) -> None:
    judgements = _diagnosed(captured / "repaired").judgements
    verdicts = [[answer.verdict.value for answer in each.answers] for each in judgements]

    own = ["intact", "match", "allowed"]
    assert verdicts == [own, own, ["intact", "cannot_tell", "cannot_tell"]]


def test_the_package_sends_an_unencoded_uri_as_it_is_and_its_matcher_refuses_the_fourth_segment(captured: Path) -> None:
    read = _diagnosed(captured / "no-encoding").judgements[0].read

    assert read.uri == substitute(TEMPLATE, TYPED)
    assert read.response is not None and read.response.failure is not None
    assert read.response.failure.message == f"Unknown resource: {read.uri}"

"""What a token claims is called an unverified claim wherever it is shown, and proves nothing."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.tui import TriageApp
from diagnosis import Diagnosis, diagnose, load_statements
from diagnosis.questions.findings import Certainty, Verdict
from diagnosis.reports import REPORTS, Report
from tests.app.screen_text import screen_text, settle
from tests.bad_inputs.own import answer, lines

NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
SUBJECT = "mallory-7"
TEMPLATES = ["report://{tenant}/{month}"]


def token(tenant: str, algorithm: str = "RS256", signature: str = "c2lnbmF0dXJl") -> str:
    parts = ({"alg": algorithm}, {"sub": SUBJECT, "tenant": tenant})
    encoded = [base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=").decode() for one in parts]
    return ".".join([*encoded, signature])


def log(folder: Path, tenant: str, **more: str) -> Path:
    """Reads of two tenants by a token that claims one of them."""
    bearer = f"Bearer {token(tenant, **more)}"
    records = []
    for number, wanted in enumerate(("acme", "northwind")):
        uri = f"report://{wanted}/2025-10"
        request = {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}}
        document = json.dumps({"tenant": wanted, "month": "2025-10"})
        records.append({"session": "s", "authorization": bearer, "message": request})
        records.append({"session": "s", "message": answer(number, uri, document)})
    path = folder / "log.jsonl"
    path.write_bytes(lines(*records))
    return path


def opened(path: Path, *allow: str) -> Diagnosis:
    return diagnose([str(path)], load_statements(allow=allow, templates=TEMPLATES))


def test_a_claim_is_never_certain(tmp_path: Path) -> None:
    own, foreign = (one.principal for one in opened(log(tmp_path, "acme")).judgements)
    assert (foreign.verdict, foreign.reason) == (Verdict.NOT_CHECKED, "outside-allowed-by-claim")
    assert {each.certainty for each in foreign.findings} == {Certainty.LIKELY}
    assert own.verdict is Verdict.CANNOT_TELL or own.certainty is not Certainty.CERTAIN


@pytest.mark.parametrize("algorithm", ["none", "RS256"])
def test_a_claim_clears_nobody_whom_a_person_excluded(tmp_path: Path, algorithm: str) -> None:
    # Whoever writes the log can claim the tenant that is read.
    path = log(tmp_path, "northwind", algorithm=algorithm, signature="" if algorithm == "none" else "eA")
    foreign = opened(path, "acme").judgements[1].principal
    assert (foreign.verdict, foreign.certainty) == (Verdict.NOT_CHECKED, Certainty.CERTAIN)


@pytest.mark.parametrize("report", [one for one in REPORTS if one.name != "json"], ids=lambda one: one.name)
def test_an_export_that_names_the_caller_says_how_it_is_known(tmp_path: Path, report: Report) -> None:
    text = " ".join(report.render(opened(log(tmp_path, "acme")), NOW).split())
    assert SUBJECT not in text or "unverified claim" in text
    assert "c2lnbmF0dXJl" not in text


def test_the_report_for_programs_says_where_it_comes_from(tmp_path: Path) -> None:
    (report,) = (one for one in REPORTS if one.name == "json")
    reads = json.loads(report.render(opened(log(tmp_path, "acme")), NOW))["reads"]
    assert [one["principal"]["source"] for one in reads] == ["claims", "claims"]
    assert "unverified claim" in reads[1]["questions"]["principal"]["because"]


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_the_screen_says_so(tmp_path: Path, size: tuple[int, int]) -> None:
    statements = load_statements(templates=TEMPLATES)
    app = TriageApp([str(log(tmp_path, "acme"))], statements)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for keys in (["j", "p"], ["escape", "enter", "p"]):
            await pilot.press(*keys)
            await settle(pilot)
            assert SUBJECT in screen_text(app)
            assert "unverified claim" in screen_text(app)

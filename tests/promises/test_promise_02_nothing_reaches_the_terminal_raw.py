"""No byte of a log, a file name or an error reaches a terminal or an export as it is; the escapes can be undone.

The same on the screen, with the bytes that a terminal gets, is in `tests/app/test_terminal.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app import cli
from app.tui import TriageApp
from diagnosis.captures.message import Span
from diagnosis.case import Case
from diagnosis.questions.findings import Evidence, Finding
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Seen
from diagnosis.reports import REPORTS, Report
from diagnosis.reports.choices import Choices
from diagnosis.visible import unvisible
from tests.app.screen_text import screen_text, settle
from tests.bad_inputs.own import ATTACKS
from tests.diagnosis.reports import build
from tests.promises.hostile_log import log

FORMS = ("markdown", "json", "sarif", "text", "timeline", "chat")
# A name of a file may hold anything but these; and it may not be longer.
NAMES = {name: attack.replace("/", "_").replace("\0", "")[:80] for name, attack in ATTACKS.items()}


@pytest.fixture(params=ATTACKS)
def hostile(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A log full of an attack, with the attack in its name."""
    path = tmp_path / f"log {NAMES[request.param]}.jsonl"
    try:
        path.write_bytes(log(ATTACKS[request.param]))
    except (OSError, UnicodeEncodeError):  # a system that takes no such name
        path = tmp_path / "log.jsonl"
        path.write_bytes(log(ATTACKS[request.param]))
    return path


def run(capfdbinary: pytest.CaptureFixture[bytes], *args: str) -> str:
    """Runs a command; what it wrote, of which every line must be printable."""
    status = cli.run(list(args))
    text = "".join(each.decode("utf-8") for each in capfdbinary.readouterr())
    assert status in (0, 1, 2, 3)
    assert "Traceback" not in text
    assert [line for line in text.split("\n") if not line.isprintable()] == [], args[0]
    return text


def test_every_command(hostile: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for form in FORMS:
        assert run(capfdbinary, "report", str(hostile), "--format", form, "--allow", "acme")
        assert run(capfdbinary, "report", str(hostile), "--format", form, "--no-redact")
    for form in ("markdown", "json", "text"):
        run(capfdbinary, "compare", str(hostile), str(hostile), "--format", form)
    assert run(capfdbinary, "policy", str(hostile))
    assert run(capfdbinary, "formats", str(hostile))


def test_every_error(hostile: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    name, log_text = hostile.stem, str(hostile)
    for args in (
        ("report", log_text, "--policy", log_text),
        ("report", log_text, "--templates", log_text),
        ("report", log_text, "--case", log_text),
        ("report", log_text, "--baseline", log_text),
        ("report", log_text, "--where", name),
        ("report", log_text, "--session", name),
        ("report", log_text, "--zone", name),
        ("report", log_text, "--since", name),
        ("report", log_text, "--shift", name),
        ("report", log_text, "--template", name + "{"),
        ("report", log_text, "--scope", name),
        ("report", log_text, "--fail-on", name),
        ("report", log_text, "--format", name),
        ("report", log_text, "--capture-format", name),
        ("report", log_text, "-o", log_text),
        ("report", log_text, f"--{name}"),
        ("report", str(hostile.with_suffix(".absent"))),
        ("open", "--sample", name),
        ("explain", name),
        ("formats", str(hostile.with_suffix(".absent"))),
        (str(hostile.with_suffix(".absent")),),
    ):
        assert run(capfdbinary, *args), args


def test_what_is_escaped_can_be_had_back(hostile: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    written = run(capfdbinary, "report", str(hostile), "--format", "json", "--no-redact")
    found, _ = json.JSONDecoder().raw_decode(written)  # what was said on standard error stands behind it
    asked = [
        record["message"]["params"]["uri"]
        for record in map(json.loads, hostile.read_bytes().splitlines()[:13])
        if record["message"].get("method") == "resources/read"
    ]
    assert [unvisible(one["uri"]) for one in found["reads"]] == asked
    assert unvisible(found["captures"][0]["path"]) == str(hostile)


def strings(value: object) -> Iterator[str]:
    """Every string of a JSON value, names of members too."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("report", [each for each in REPORTS if each.name in ("sarif", "timeline")])
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_what_a_program_decodes_of_an_export_is_printable_too(report: Report, attack: str) -> None:
    case, diagnosis = Case("ana"), build.everywhere(attack)
    for one in diagnosis.judgements:
        for finding in one.findings:
            case.dismiss(finding.fingerprint, f"why: {attack}")
    foreign = build.foreign(9, time="2025-10-01T00:00:00Z")
    case.dismiss(foreign.findings[0].fingerprint, f"why: {attack}")
    judged = replace(foreign, principal=replace(foreign.principal, findings=_laid_open(foreign, attack)))
    found: list[str] = []
    for opened in (diagnosis, build.diagnosis(judged)):
        text = report.render(opened, None, Choices(reviews=case.state_of))
        values = map(json.loads, text.splitlines()) if report.name == "timeline" else [json.loads(text)]
        found += [each for value in values for each in strings(value)]
    assert len(found) > 20
    assert [each for each in found if not all(line.isprintable() for line in each.split("\n"))] == []


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_the_report_for_programs_has_exact_values_and_is_ascii(attack: str) -> None:
    (report,) = (each for each in REPORTS if each.name == "json")
    assert report.render(build.everywhere(attack)).isascii()


def _laid_open(judged: Judgement, attack: str) -> tuple[Finding, ...]:
    """Its findings with evidence inside of a capture of a hostile name, behind layers of hostile names."""
    evidence = (Evidence(Seen(Span(attack, 1, 0, 10, (attack, attack)), "0" * 64), attack),)
    return tuple(replace(each, evidence=evidence) for each in judged.findings)


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_every_pane(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / f"log {NAMES['csi']}.jsonl"
    path.write_bytes(log("".join(ATTACKS.values())))
    app = TriageApp([str(path)])
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        for key in (
            *("j", "j", "m", "r", "slash", "a", "enter", "escape", "p", "s", "escape", "exclamation_mark", "l"),
            *("escape", "M", "l", "escape", "T", "j", "enter", "enter", "m", "escape", "e", "escape", "w", "escape"),
            *("t", "escape", "slash", "s", "tab", "tab", "escape", "colon", "escape", "question_mark", "escape", "y"),
        ):
            await pilot.press(key)
            await pilot.pause()
            assert screen_text(app).replace("\n", "").isprintable(), key
        # What is copied is pasted into a shell as easily as into a ticket.
        assert app.clipboard.startswith("docs://") and app.clipboard.isprintable()
        assert app.return_code is None

"""No byte of a log, a file name or an error reaches a terminal or an export as it is; the escapes can be undone.

The same on the screen, with the bytes that a terminal gets, is in `tests/app/test_terminal.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app import cli
from app.tui import TriageApp
from diagnosis.visible import unvisible
from tests.app.screen_text import screen_text, settle
from tests.bad_inputs.own import ATTACKS
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
        assert app.return_code is None

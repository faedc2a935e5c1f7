"""Every finite limit of the program is in the registry that `misread --limits` prints; none can be forgotten."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import run
from app.limits import ALL
from diagnosis import limits

ROOT = Path(__file__).resolve().parent.parent

# Numbers of modules that limit nothing that a capture or a person brings.
NO_LIMITS = {
    # Places, widths and times of the screen and of texts.
    *("app.formats_command._WIDTH", "app.limits._WIDTH", "app.loading.BATCH", "app.loading._SHORT"),
    *(
        "app.progress._PAUSE",
        "app.progress._PATIENCE",
        "app.screens.help._KEY",
        *("app.screens.problems.PATH", "app.widgets.choice._NAME_CELLS"),
        "app.widgets.answers._INDENT",
    ),
    *(
        "app.widgets.counts._NAME",
        "app.widgets.counts._WORDS",
        "app.widgets.facts._LABEL",
        "app.widgets.lines.SIDE_STEP",
    ),
    *("app.screens.problems.PATH", "app.widgets.choice._NAME_CELLS"),
    *("app.widgets.matrix_grid._PRINCIPAL", "app.widgets.messages_view._ABOVE", "app.widgets.plain._SHORTEST_LINE"),
    *("app.widgets.read_list._DATED", "app.widgets.read_list._FEWEST", "app.widgets.read_panes._ANSWERS"),
    *("app.widgets.records._WORDS", "app.widgets.uri_lane._BEFORE_MARK", "diagnosis.reports.ascii._WIDTH"),
    # How much is done at once; what is left waits for the next time.
    *("diagnosis.captures.compression.STEP", "diagnosis.captures.compression.PIECE", "diagnosis.captures.files.BLOCK"),
    *("diagnosis.captures.colours._WINDOW", "diagnosis.captures.sqlite_rows.STEPS", "diagnosis.query.filters.SLICE"),
    *("diagnosis.gather._FORGETS", "diagnosis.follow.PATIENCE", "diagnosis.case.saving._TRY_EVERY"),
    *("diagnosis.reports.secrets._REMEMBERED", "diagnosis.captures.inside._SLACK"),
    # Facts of formats and of the world, and places in tables.
    *(
        "diagnosis.captures.archives._ENCRYPTED",
        "diagnosis.captures.databases.HEADER",
        "diagnosis.captures.growing._MARK",
    ),
    *("diagnosis.captures.lines._BEGINNING", "diagnosis.captures.parts._BESIDE", "diagnosis.captures.texts._LONGEST"),
    *("diagnosis.captures.texts._SAMPLE", "diagnosis.captures.times._YEAR_3000", "diagnosis.query.quantities.DAY"),
    *("diagnosis.query.conditions._FOREVER", "diagnosis.query.patterns._ACCEPT", "diagnosis.uris.sheet.LIFTED"),
    *("diagnosis.uris.sheet.EXACT_PREFIX", "diagnosis.questions.failure_causes._INTERNAL_ERROR"),
    # How much evidence is asked for.
    *(
        "diagnosis.questions.survey.OVERLAP",
        "diagnosis.questions.contrast.NEAR",
        "diagnosis.reads.witnesses.FEW",
        "diagnosis.reads.documents.SHORT",
        "diagnosis.reads.witnesses.ENOUGH",
    ),
    *("diagnosis.reports.redact._LONG_ENOUGH", "diagnosis.reports.redact._QUOTED"),
    *("diagnosis.reports.masking._ID", "diagnosis.reports.masking._NAME"),
    # What is beyond them goes another way, to the same result.
    *("diagnosis.captures.ordinary._KEYS", "diagnosis.captures.ordinary._LAYOUTS", "diagnosis.reports.known._FEW"),
    "diagnosis.reads.conversation._SMALL",
}


def constants() -> Iterator[str]:
    """Every number that a module gives a name on its top level, by its dotted name."""
    for path in (*(ROOT / "app").rglob("*.py"), *(ROOT / "diagnosis").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for node in ast.parse(path.read_text("utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            value = getattr(node, "value", None)
            if isinstance(targets[0], ast.Name) and isinstance(value, ast.expr) and _is_number(value):
                yield f"{module}.{targets[0].id}"


def _is_number(value: ast.expr) -> bool:
    """Whether an expression is made of numbers alone."""
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and (isinstance(node.value, bool) or not isinstance(node.value, int | float)):
            return False
        if not isinstance(node, ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop):
            return False
    return True


def test_every_number_of_a_module_is_a_limit_in_the_registry_or_named_as_none() -> None:
    registered = {f"{each.module.__name__}.{each.constant}" for each in ALL}
    found = set(constants())
    assert len(found) > 100
    assert found - registered - NO_LIMITS == set()
    assert NO_LIMITS - found == set(), "a number that is gone needs no exemption"
    assert registered & NO_LIMITS == set()


def test_values_are_those_of_the_modules() -> None:
    assert len({f"{each.module.__name__}.{each.constant}" for each in ALL}) == len(ALL)
    assert all(each.value > 0 for each in ALL)
    assert next(each for each in limits.LIMITS if each.what == "line").value == 64 * 1024 * 1024


def test_the_command_prints_all_of_them(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--limits"]) == 0
    printed = capfd.readouterr().out
    assert "\nreads: 1,000,000 reads\n  reached: reading ends; the result is partial\n  said:" in printed
    assert "line: 64 MiB\n" in printed
    counted = Counter(line.partition(":")[0] for line in printed.splitlines() if line[:1].strip())
    assert counted.total() == len(ALL)
    assert max(map(len, printed.splitlines())) <= 79

"""What may import what: `diagnosis` knows no screen and no network, and its packages know only those below them."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DIAGNOSIS = ROOT / "diagnosis"

# Modules that judging has no use for: a screen, a command line, another process, a network.
FORBIDDEN = (
    *("app", "textual", "rich", "click"),
    *("subprocess", "pty", "socket", "ssl", "http", "urllib.request", "ftplib", "smtplib"),
    *("requests", "httpx", "aiohttp", "mcp"),
)

# Each layer, and the layers below it that it may import. The first prefix that fits a module names its layer; a layer
# is never in its own list, for within itself everything may be imported.
LAYERS: dict[str, tuple[str, ...]] = {
    "diagnosis.visible": (),
    "diagnosis.redaction_marks": (),
    "diagnosis.wording": ("diagnosis.visible",),
    "diagnosis.uris": ("diagnosis.wording", "diagnosis.visible"),
    # What a header or a record says of a caller: formats need it while they read, so it stands below them.
    "diagnosis.callers.credentials": (),
    "diagnosis.callers.authorization": ("diagnosis.callers.credentials", "diagnosis.redaction_marks"),
    "diagnosis.options": (),
    "diagnosis.captures": ("diagnosis.options", "diagnosis.callers.credentials", "diagnosis.callers.authorization"),
    "diagnosis.ledger": ("diagnosis.captures",),
    "diagnosis.reads": (
        "diagnosis.options",
        "diagnosis.redaction_marks",
        "diagnosis.captures",
        "diagnosis.callers.credentials",
        "diagnosis.uris",
        "diagnosis.wording",
        "diagnosis.visible",
    ),
    "diagnosis.callers": (
        "diagnosis.redaction_marks",
        "diagnosis.callers.credentials",
        "diagnosis.reads",
        "diagnosis.uris",
        "diagnosis.wording",
        "diagnosis.visible",
    ),
    "diagnosis.statements": ("diagnosis.callers", "diagnosis.uris", "diagnosis.wording", "diagnosis.visible"),
    "diagnosis.questions": (
        "diagnosis.redaction_marks",
        "diagnosis.statements",
        "diagnosis.callers",
        "diagnosis.callers.credentials",
        "diagnosis.callers.authorization",
        "diagnosis.reads",
        "diagnosis.uris",
        "diagnosis.wording",
        "diagnosis.visible",
    ),
    "diagnosis.case": (
        "diagnosis.questions",
        "diagnosis.statements",
        "diagnosis.callers",
        "diagnosis.wording",
        "diagnosis.visible",
    ),
    "diagnosis.comparison": (
        "diagnosis.questions",
        "diagnosis.callers",
        "diagnosis.reads",
        "diagnosis.uris",
        "diagnosis.wording",
        "diagnosis.visible",
    ),
    "diagnosis.query": (
        "diagnosis.questions",
        "diagnosis.reads",
        "diagnosis.uris",
        "diagnosis.wording",
        "diagnosis.visible",
    ),
    "diagnosis.selection": ("diagnosis.options", "diagnosis.questions", "diagnosis.callers", "diagnosis.reads"),
    "diagnosis.follow": ("diagnosis.callers.credentials", "diagnosis.reads", "diagnosis.captures"),
    "diagnosis.files": (
        "diagnosis.ledger",
        "diagnosis.callers.credentials",
        "diagnosis.reads",
        "diagnosis.captures",
    ),
    "diagnosis.gather": (
        "diagnosis.options",
        "diagnosis.files",
        "diagnosis.follow",
        "diagnosis.ledger",
        "diagnosis.callers.credentials",
        "diagnosis.reads",
        "diagnosis.captures",
    ),
    "diagnosis.diagnosis": (
        "diagnosis.callers.credentials",
        "diagnosis.options",
        "diagnosis.selection",
        "diagnosis.follow",
        "diagnosis.gather",
        "diagnosis.ledger",
        "diagnosis.comparison",
        "diagnosis.questions",
        "diagnosis.statements",
        "diagnosis.reads",
        "diagnosis.captures",
        "diagnosis.wording",
    ),
    "diagnosis.after_fix": (
        "diagnosis.diagnosis",
        "diagnosis.questions",
        "diagnosis.callers",
        "diagnosis.reads",
        "diagnosis.uris",
        "diagnosis.wording",
    ),
    "diagnosis.reports": (
        "diagnosis.after_fix",
        "diagnosis.options",
        "diagnosis.selection",
        "diagnosis.ledger",
        "diagnosis.diagnosis",
        "diagnosis.comparison",
        "diagnosis.case",
        "diagnosis.questions",
        "diagnosis.statements",
        "diagnosis.callers",
        "diagnosis.reads",
        "diagnosis.uris",
        "diagnosis.wording",
        "diagnosis.visible",
        "diagnosis.captures",  # the span of a message is how evidence names its place
    ),
}
LAYERS["diagnosis.limits"] = tuple(layer for layer in LAYERS if layer != "diagnosis.after_fix")
# The package's public face gathers from everywhere, and nothing inside imports it.
FACE = "diagnosis"


def sources() -> list[Path]:
    """Every source file of the judgement."""
    return sorted(DIAGNOSIS.rglob("*.py"))


def module_of(path: Path) -> str:
    """A file's dotted name; a package has its folder's."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, also inside functions; `from a import b` gives `a` and `a.b`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{path}: imports are absolute here"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(module: str, package: str) -> bool:
    """Whether a module is a package or stands in it."""
    return module == package or module.startswith(package + ".")


def layer_of(module: str) -> str | None:
    """The most exact layer that a module stands in."""
    return max((layer for layer in LAYERS if within(module, layer)), key=len, default=None)


@cache
def modules_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter holds after one statement."""
    script = f"import sys\n{statement}\nprint('\\n'.join(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return set(ran.stdout.split())


@pytest.mark.parametrize("unwanted", ["textual", "rich", "click", "app", "subprocess", "ssl", "http.client"])
def test_importing_the_judgement_loads_no_screen_and_no_network(unwanted: str) -> None:
    assert unwanted not in modules_after("import diagnosis, diagnosis.reports, diagnosis.questions.rules")


def test_the_parser_of_filters_is_loaded_with_the_first_filter_and_not_before() -> None:
    with_language = "import diagnosis, diagnosis.query; from diagnosis.query import complete, parse_filter, QueryError"
    assert "lark" not in modules_after(with_language)
    assert "lark" not in modules_after("import app.cli")
    assert "lark" in modules_after(with_language + "; parse_filter('q1:fault')")


@pytest.mark.parametrize("unwanted", ["textual", "rich", "app.tui", "pydantic"])
def test_the_command_line_loads_no_screen_before_one_is_opened_and_no_checker_of_shapes(unwanted: str) -> None:
    assert unwanted not in modules_after("import app.cli")


@pytest.mark.parametrize("path", sources(), ids=module_of)
def test_the_judgement_imports_nothing_forbidden(path: Path) -> None:
    found = {name for name in imports(path) for bad in FORBIDDEN if within(name, bad)}
    assert found == set()


@pytest.mark.parametrize("path", sources(), ids=module_of)
def test_a_layer_imports_only_those_below_it(path: Path) -> None:
    module = module_of(path)
    if module == FACE:
        return
    layer = layer_of(module)
    assert layer is not None, f"{module} stands in no layer: give it one"
    targets = {layer_of(name) for name in imports(path) if within(name, "diagnosis")}
    upward = {each for each in targets if each is not None and each != layer and each not in LAYERS[layer]}
    assert upward == set()


@pytest.mark.parametrize("path", sources(), ids=module_of)
def test_nothing_inside_imports_the_public_face(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    froms = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    plain = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert FACE not in froms + plain


def test_the_layers_have_no_circle() -> None:
    order = list(LAYERS)
    for layer, below in LAYERS.items():
        assert [each for each in below if order.index(each) >= order.index(layer)] == []

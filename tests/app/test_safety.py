"""Text of a log is shown and nothing else: it is no markup, moves no cursor, and runs nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.tui import TriageApp
from app.widgets.plain import Piece, plain
from app.widgets.prompt import Prompt
from tests.app.hostile import ALL, ATTACKS, hostile
from tests.app.screen_text import screen_text, settle

APP = Path(__file__).parents[2] / "app"
SHOWING = {"Static", "Label", "Button", "Checkbox", "Collapsible", "Markdown", "OptionList", "Tree", "Select"} | {
    *("RadioButton", "SelectionList", "ListItem", "Option", "Selection", "Digits", "Header", "add_option", "add_leaf"),
}
# They read markup or Markdown, or show what they are given in their own way: none of them is used here.
FORBIDDEN = {
    *("from_markup", "add_row", "add_column", "add_columns", "add_rows", "RichLog", "Log", "DataTable", "Pretty"),
    *("TextArea", "MarkdownViewer", "Link", "Placeholder", "render_markup", "from_ansi", "bell", "open_url", "Syntax"),
}
SAFE = {"plain", "content", "assemble"}
TITLES = {"border_title", "border_subtitle", "tooltip", "title", "sub_title"}


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _unsafe(tree: ast.AST) -> Iterator[ast.AST]:
    """Calls that hand a widget something that did not pass the gate."""
    for node in ast.walk(tree):
        titled = isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Attribute) and target.attr in TITLES for target in node.targets
        )
        if isinstance(node, ast.Assign) and titled and not _passed(node.value):
            yield node
        if not isinstance(node, ast.Call):
            continue
        name = _name(node.func)
        if (name in SHOWING or (name == "update" and isinstance(node.func, ast.Attribute))) and node.args:
            owner = _name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            if owner not in ("overview", "hasher") and not _passed(node.args[0]):
                yield node
        if name == "notify":
            literal = any(one.arg == "markup" and ast.unparse(one.value) == "False" for one in node.keywords)
            if not literal or not (isinstance(node.args[0], ast.Call) and _name(node.args[0].func) == "visible"):
                yield node
        if name in FORBIDDEN:
            yield node


def _passed(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _passed(value.body) and _passed(value.orelse)
    return isinstance(value, ast.Call) and _name(value.func) in SAFE


@pytest.mark.parametrize("file", sorted(APP.rglob("*.py")), ids=lambda file: file.name)
def test_widgets_get_nothing_that_did_not_pass_the_gate(file: Path) -> None:
    found = [f"{file.name}:{node.lineno}" for node in _unsafe(ast.parse(file.read_text()))]  # type: ignore[attr-defined]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "Static(uri)",
        "Static(f'{uri}')",
        "widgets.Label(read.uri)",
        "self.said.update(str(error))",
        "app.notify(text)",
        "app.notify(visible(text))",
        "app.notify(text, markup=False)",
        "self.border_title = name",
        "pane.tooltip = f'{name}'",
        "Static(plain(a) if b else c)",
        "table.add_row(uri)",
        "RadioButton(uri)",
        "lists.add_option(uri)",
        "self.app.title = name",
        "self.app.open_url(uri)",
        "RichLog()",
    ],
)
def test_the_check_finds_what_it_looks_for(source: str) -> None:
    assert list(_unsafe(ast.parse(source)))


@pytest.mark.parametrize("attack", ATTACKS)
def test_gate(attack: str) -> None:
    assert plain(attack).plain.isprintable()
    assert Piece(attack).text.isprintable()
    assert plain(attack).spans == []


def test_gate_does_not_believe_what_is_shown_already() -> None:
    assert Piece("\x1b[31m", shown=True).text == "\\u{1b}[31m"


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_every_read_on_every_pane(size: tuple[int, int]) -> None:
    diagnosis = hostile()
    app = TriageApp([ALL], opener=lambda *_: diagnosis)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        rows = app.screen.list.rows  # type: ignore[attr-defined]
        for row in range(rows.total):
            rows.cursor = row
            await pilot.pause()
            assert screen_text(app).replace("\n", "").isprintable(), row
        for key in [
            "g",
            "l",
            "p",
            "escape",
            "enter",
            "m",
            "r",
            "m",
            "escape",
            "y",
            "n",
            "1",
            "0",
            "exclamation_mark",
            "escape",
            "G",
            "s",
            "escape",
            "N",
            "b",
            "b",
            "0",
            "M",
            "l",
            "j",
            "enter",
            "escape",
            "enter",
            "m",
            "slash",
            "a",
            "enter",
            "n",
            "colon",
            "escape",
            "escape",
            "escape",
            "escape",
            "T",
            "j",
            "enter",
        ]:
            await pilot.press(key)
            await pilot.pause()
            assert screen_text(app).replace("\n", "").isprintable(), key
        assert app.return_code is None


async def test_a_question_that_begins_with_text_of_a_log_holds_nothing_raw() -> None:
    app = TriageApp([ALL], opener=lambda *_: hostile())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        prompt = app.screen.query_one(Prompt)
        prompt.ask("caller", ALL, ALL)
        await pilot.pause()
        assert prompt.input.value.isprintable() and "PWNED" in prompt.input.value
        assert screen_text(app).replace("\n", "").isprintable()

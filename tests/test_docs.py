"""What the README and the pages in docs/ promise is what the program does."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.cli import cli
from app.keys import key_table
from app.samples import sample_names
from app.status import Status
from diagnosis.after_fix.before_after import Status as Became
from diagnosis.callers.policy import parse_policy
from diagnosis.captures import CAPTURE_FORMATS
from diagnosis.case.shape import SHAPES
from diagnosis.case.text import parse as parse_case
from diagnosis.case.text import render
from diagnosis.questions import q1_segments
from diagnosis.questions.findings import Certainty, Question, Verdict
from diagnosis.questions.rules import RULES
from diagnosis.reports import REPORTS
from diagnosis.uris.templates import parse

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "sample_traces/README.md", *(f"docs/{p.name}" for p in ROOT.glob("docs/*.md")))
INSTALL = "python3 -m venv .venv && .venv/bin/pip install "
QUESTIONS = {
    Question.SEGMENTS: "## 1. ",
    Question.DOCUMENT: "## 2. ",
    Question.PRINCIPAL: "## 3. ",
}
VERDICTS = {
    Question.SEGMENTS: {Verdict.INTACT, Verdict.ESCAPED, Verdict.CANNOT_TELL},
    Question.DOCUMENT: {Verdict.MATCH, Verdict.MISMATCH, Verdict.CANNOT_TELL},
    Question.PRINCIPAL: {Verdict.ALLOWED, Verdict.NOT_CHECKED, Verdict.REFUSED, Verdict.CANNOT_TELL},
}


def page(name: str) -> str:
    """The text of a page."""
    return (ROOT / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """What stands under the heading that begins so, up to the next one of its level."""
    _, found, rest = text.partition(f"\n{heading}")
    assert found, f"there is no heading {heading}"
    return re.split(r"\n#{1,2} ", rest, maxsplit=1)[0]


def rows(text: str) -> list[tuple[str, ...]]:
    """The cells of every table row, without headings and rules; code marks stay."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    rules = [number for number, row in enumerate(cells) if set(row) == {"---"}]
    drop = {*rules, *(number - 1 for number in rules)}
    return [row for number, row in enumerate(cells) if number not in drop]


def bare(cell: str) -> str:
    """A cell without its code marks."""
    return cell.replace("`", "")


# Commands


def shell_lines(text: str) -> list[str]:
    """The lines of every shell block, comments left out."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line.split(" #")[0].strip() for block in blocks for line in block.splitlines() if line.strip()]


def misread_commands() -> Iterator[list[str]]:
    """The arguments of every call of the program in README's shell blocks and code spans."""
    text = page("README.md")
    spans = re.findall(r"`((?:[^`\n]|\n(?!\n))+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for line in (*shell_lines(text), *(span.replace("\n", " ") for span in spans)):
        for part in re.split(r"&&|\|", line):
            words = shlex.split(part)
            if words and words[0].rpartition("/")[2] == "misread":
                yield words[1:]


@pytest.mark.parametrize("args", list(misread_commands()), ids=" ".join)
def test_every_command_in_the_readme_parses(args: list[str]) -> None:
    if args and args[0] in ("--help", "--version", "--limits"):
        # Not with a context of its own: click would remember a help option without `-h`.
        assert args[0] in {"--help", *(opt for each in cli.params for opt in each.opts)}
        return
    name = args[0] if args and args[0] in cli.commands else "open"
    rest = [each for each in (args[1:] if args and args[0] == name else args) if each != "--help"]
    cli.commands[name].make_context(name, list(rest))


def test_the_readme_names_only_options_that_exist() -> None:
    named = set(re.findall(r"--[a-z][a-z-]+", page("README.md")))
    known = {opt for command in cli.commands.values() for each in command.params for opt in each.opts}
    assert named - known <= {"--help", "--version", "--limits", "--dist"}  # the last is of the tests


def test_there_is_one_command_to_install_and_open_and_one_to_install_and_test() -> None:
    lines = [line for line in shell_lines(page("README.md")) if line.startswith(INSTALL)]
    assert lines == [
        f"{INSTALL}. && .venv/bin/misread --sample all-three",
        f"{INSTALL}-e '.[test]' && .venv/bin/python -m pytest -n auto --dist loadfile",
    ]
    project = tomllib.loads(page("pyproject.toml"))["project"]
    assert "all-three" in sample_names()
    assert "test" in project["optional-dependencies"]
    assert project["scripts"] == {"misread": "app.cli:main"}
    assert project["requires-python"] == ">=3.11"


def test_the_checks_run_the_command_of_the_readme() -> None:
    script = page(".ci/run")
    assert 'pip" install' in script and "-e '.[test,lint]'" in script
    assert '"$venv/python" -m pytest -n auto --dist loadfile\n' in script
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


# Tables


def test_the_key_table_is_that_of_the_program() -> None:
    found = [(bare(keys), words) for keys, words in rows(section(page("README.md"), "## Keys"))]
    assert found == key_table()


def test_the_exit_statuses_are_those_of_the_program() -> None:
    found = [int(status) for status, _ in rows(section(page("README.md"), "## Exit statuses"))]
    assert found == [each.value for each in Status]


def test_the_statuses_of_a_comparison_are_those_of_the_program() -> None:
    found = [bare(name) for name, _ in rows(section(page("docs/after-the-fix.md"), "## What became"))]
    assert found == [each.value for each in Became]


def test_the_verdicts_are_those_of_the_program() -> None:
    found = {bare(key): set(bare(names).split(", ")) for key, names in rows(section(page("README.md"), "## What the"))}
    assert found == {question.value: {each.value for each in VERDICTS[question]} for question in Question}
    assert {each for verdicts in VERDICTS.values() for each in verdicts} == set(Verdict)


def test_every_capture_format_has_its_row() -> None:
    names = [each.name for each in CAPTURE_FORMATS]
    assert sorted(bare(row[0]) for row in rows(section(page("README.md"), "## Captures it"))) == sorted(names)
    table = rows(page("docs/formats.md").partition("\n## ")[0])
    assert {bare(name): limits for name, _, limits in table} == {
        each.name: each.cannot_show for each in CAPTURE_FORMATS
    }


def test_the_policy_in_the_docs_is_one() -> None:
    example = re.search(r"```json\n(.*?)```", page("docs/policy.md"), re.DOTALL)
    assert example is not None
    policy = parse_policy(example[1])
    assert [each.id for each in policy.principals] == ["ana", "support", "unknown caller"]
    assert policy.principals[2].allowed_tenants is None
    for template in (*policy.tenant_of, *policy.not_paths):
        parse(template)
    members = {bare(row[0]) for row in rows(page("docs/policy.md"))}
    assert members >= set(json.loads(example[1])) | {"id", "sessions", "subjects", "allowed_tenants", "admin"}


def test_the_case_in_the_docs_is_one() -> None:
    example = re.search(r"```json\n(.*?)```", page("docs/case.md"), re.DOTALL)
    assert example is not None
    # Its id is that of its text, and it is spelled as the program writes it.
    assert render(parse_case(example[1].encode())).decode() == example[1]


def test_every_kind_of_entry_is_explained_with_its_members() -> None:
    found = {
        bare(kind): bare(names).split(", ") for kind, names, _ in rows(section(page("docs/case.md"), "## Entries"))
    }
    common = {"kind", "id", "time", "author"}
    assert found == {kind: [name for name in each.model_fields if name not in common] for kind, each in SHAPES.items()}


def test_every_export_has_its_row_and_its_section() -> None:
    text = page("docs/reports.md")
    table = rows(text.partition("\n## ")[0])
    assert [(bare(name), bare(suffix)) for name, suffix, _ in table] == [(each.name, each.suffix) for each in REPORTS]
    for each in REPORTS:
        assert section(text, f"## {each.name}\n").strip()


# Rules and reasons


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        (
            "## Rules of the three",
            [
                (f"`{each.id}`", each.title, each.severity.value, each.owner.value)
                for each in RULES
                if each.finding_class is not None and each.owner is not None
            ],
        ),
        (
            "## Remarks",
            [(f"`{each.id}`", each.title, each.severity.value) for each in RULES if each.finding_class is None],
        ),
    ],
)
def test_the_page_of_rules_lists_every_rule(heading: str, expected: list[tuple[str, ...]]) -> None:
    assert rows(section(page("docs/rules.md"), heading)) == expected


def test_every_certainty_is_explained() -> None:
    found = [bare(row[0]) for row in rows(section(page("docs/rules.md"), "## How certainty"))]
    assert found == [each.value for each in Certainty]


@pytest.mark.parametrize("question", list(Question))
def test_every_reason_of_a_question_is_explained_and_no_other(question: Question) -> None:
    table = rows(section(page("docs/rules.md"), QUESTIONS[question]))
    assert {bare(row[1]) for row in table} == {each.value for each in VERDICTS[question]}
    documented = [bare(row[0]) for row in table]
    assert len(set(documented)) == len(documented)
    expected = set(reasons_in_source()[question])
    if question is Question.SEGMENTS:  # an escape's reason is its finding's name
        expected |= {each.id.removeprefix("segments/") for each in q1_segments.RULES}
    assert set(documented) == expected


@cache
def reasons_in_source() -> dict[Question, frozenset[str]]:
    """The strings that reach a parameter called `reason` in the code of each question."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "diagnosis/questions").glob("*.py")}
    places = {place for tree in trees.values() for place in _reason_places(tree)} | {("Answer", 2)}
    found: dict[Question, set[str]] = {question: set() for question in Question}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                found[_question_of(path)] |= _reasons(node, places)
            elif isinstance(node, ast.Assign) and any(
                isinstance(t, ast.Name) and t.id == "reason" for t in node.targets
            ):
                found[_question_of(path)] |= set(_texts(node.value))
    return {question: frozenset(each) for question, each in found.items()}


def _question_of(path: Path) -> Question:
    """Questions 1 and 3 stand in files of their own; every other file that gives answers is question 2's."""
    if path.stem.startswith("q1_"):
        return Question.SEGMENTS
    return Question.PRINCIPAL if path.stem.startswith("q3_") else Question.DOCUMENT


def _reason_places(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every function or method with a parameter `reason`, by name, and that parameter's place in a call."""
    methods = {
        node for each in ast.walk(tree) if isinstance(each, ast.ClassDef) for node in each.body
    }  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = [each.arg for each in node.args.args]
            if "reason" in names:
                bound = node in methods
                yield (f".{node.name}" if bound else node.name, names.index("reason") - bound)


def _reasons(call: ast.Call, places: set[tuple[str, int]]) -> set[str]:
    function = call.func
    if isinstance(function, ast.Attribute):
        # `Answer.cannot_tell(...)` is a method; `document_answers.cannot_tell(...)` would be a function.
        is_class = isinstance(function.value, ast.Name) and function.value.id[:1].isupper()
        called = f".{function.attr}" if is_class else function.attr
    else:
        called = function.id if isinstance(function, ast.Name) else ""
    found = {text for each in call.keywords if each.arg == "reason" for text in _texts(each.value)}
    for name, place in places:
        if called == name and place < len(call.args):
            found |= set(_texts(call.args[place]))
    return found


def _texts(node: ast.expr) -> Iterator[str]:
    """The string, or the strings of both branches of a choice."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


# Links


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_a_file(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page(name))
    assert [link for link in links if not ((ROOT / name).parent / link).is_file()] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_plain_text_of_ordinary_width(name: str) -> None:
    lines = page(name).splitlines()
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []
    assert [line for line in lines if re.search("[\U0001f300-\U0001faff\u2705\u274c]", line)] == []

"""docs/filter.md is the table of fields, and its examples are filters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from diagnosis.query import FIELDS, Field, Kind, parse_filter
from diagnosis.query.vocabulary import DOCUMENT, PRINCIPAL, SEGMENTS
from diagnosis.questions.findings import Verdict

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = (DOCS / "filter.md").read_text(encoding="utf-8")
LISTED = 12  # values that a cell names one by one; longer lists stand in docs/rules.md


def row(field: Field) -> str:
    """The field's row of the table."""
    signs = " ".join(f"`{sign}`" for sign in field.kind.operators)
    return f"| `{field.name}` | {signs} | {values(field)} | {field.words} | `{field.example}` |"


def values(field: Field) -> str:
    """What stands in the column of values."""
    if field.fixed and field.kind is Kind.WORD:
        listed = " ".join(f"`{value}`" for value in field.fixed)
        return listed if len(field.fixed) <= LISTED else "a word of [rules.md](rules.md)"
    return field.kind.words


def test_the_page_has_a_row_for_every_field_and_no_other() -> None:
    section = PAGE.partition("\n## Fields\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [row(field) for field in FIELDS]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_the_example_of_a_field_is_a_filter_with_that_field(field: Field) -> None:
    assert field.example.startswith(field.name.replace("NAME", ""))
    assert len(parse_filter(field.example).parts) == 1


@pytest.mark.parametrize("line", re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)[0].splitlines())
def test_the_filters_at_the_top_can_be_used(line: str) -> None:
    assert parse_filter(line).parts


@pytest.mark.parametrize(
    ("heading", "words"), [("## 1. ", SEGMENTS), ("## 2. ", DOCUMENT), ("## 3. ", PRINCIPAL)], ids="123"
)
def test_verdicts_and_reasons_are_those_of_the_page_of_rules(heading: str, words: tuple[str, ...]) -> None:
    # tests/test_docs.py keeps that page equal to the code that gives the reasons.
    section = (DOCS / "rules.md").read_text(encoding="utf-8").partition(f"\n{heading}")[2].partition("\n## ")[0]
    found = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", section, re.MULTILINE)
    assert {reason for reason, _ in found} == {word for word in words if word not in set(Verdict)}
    assert {verdict for _, verdict in found} == {word for word in words if word in set(Verdict)}
    assert len(set(words)) == len(words)

"""The sample traces say what the table in their README says, and each fault is gone from its clean twin."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from app.samples import find_sample, sample_names
from diagnosis import Judgement, diagnose, load_statements
from diagnosis.options import Options
from diagnosis.questions.rules import RULES

FOLDER = Path(__file__).resolve().parent.parent / "sample_traces"
BESIDE = (".policy.json", ".templates.json")
COLUMNS = 7


@dataclass(frozen=True, slots=True)
class Row:
    """One read: its id as JSON, the three answers as `verdict (reason)`, rule ids of findings and remarks."""

    read: str
    answers: tuple[str, str, str]
    findings: tuple[str, ...]
    remarks: tuple[str, ...]


@cache
def table() -> dict[str, tuple[Row, ...]]:
    """The README's rows by file, in the order of the capture."""
    rows: dict[str, tuple[Row, ...]] = {}
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != COLUMNS or cells[0] in ("file", "---"):
            continue
        name, read, segments, document, principal, findings, remarks = cells
        row = Row(read, (segments, document, principal), _rules(findings), _rules(remarks))
        rows[name] = (*rows.get(name, ()), row)
    return rows


def _rules(cell: str) -> tuple[str, ...]:
    return () if cell == "-" else tuple(sorted(each.strip().strip("`") for each in cell.split(",")))


def captures() -> list[str]:
    """Every capture in the folder, without the files that lie beside one."""
    return sorted(
        path.name
        for path in FOLDER.iterdir()
        if path.suffix not in (".py", ".md") and not path.name.endswith(BESIDE) and path.name != "__pycache__"
    )


def stem(name: str) -> str:
    """The sample's name for `--sample`."""
    return name.split(".")[0]


@cache
def judged(name: str, *, beside: bool = True) -> tuple[Judgement, ...]:
    """The judged reads of a sample, with the policy and template files beside it unless told otherwise."""
    policy, templates = (FOLDER / f"{stem(name)}{suffix}" for suffix in BESIDE)
    statements = load_statements(
        str(policy) if beside and policy.is_file() else None,
        str(templates) if beside and templates.is_file() else None,
    )
    sample = find_sample(stem(name))
    diagnosis = diagnose(sample.captures, statements, Options(same_traffic=sample.same_traffic))
    assert {(facts.unreadable, facts.partial) for facts in diagnosis.captures} == {(0, False)}
    return tuple(diagnosis.judgements)


def raised(name: str) -> set[str]:
    """The rule ids of every finding and remark of a sample."""
    return {each.rule.id for one in judged(name) for each in (*one.findings, *one.remarks)}


def as_row(one: Judgement) -> Row:
    """A judged read as the table writes it."""
    segments, document, principal = (f"{each.verdict.value} ({each.reason})" for each in one.answers)
    return Row(
        json.dumps(one.read.request_id),
        (segments, document, principal),
        tuple(sorted(each.rule.id for each in one.findings)),
        tuple(sorted(each.rule.id for each in one.remarks)),
    )


def test_the_table_lists_every_capture_and_nothing_else() -> None:
    assert sorted(table()) == captures()


@pytest.mark.parametrize("name", captures())
def test_each_read_is_answered_as_the_table_says(name: str) -> None:
    assert tuple(as_row(one) for one in judged(name)) == table()[name]


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_every_rule_has_a_sample_and_a_twin_without_it(rule: str) -> None:
    shown = [name for name in captures() if rule in raised(name) and not stem(name).endswith("-clean")]
    assert shown, f"no sample shows {rule}"
    twins = [f"{stem(name)}-clean{Path(name).suffix}" for name in shown]
    assert any(rule not in raised(twin) for twin in twins), f"every clean twin of {shown} still shows {rule}"


@pytest.mark.parametrize("name", [name for name in captures() if stem(name).endswith("-clean")])
def test_a_clean_twin_has_no_finding(name: str) -> None:
    assert [finding.rule.id for one in judged(name) for finding in one.findings] == []


@pytest.mark.parametrize("name", [name for name in captures() if not stem(name).endswith("-clean")])
def test_every_sample_has_a_twin_in_the_same_format(name: str) -> None:
    assert f"{stem(name)}-clean{Path(name).suffix}" in captures()


def test_no_file_lies_beside_a_capture_that_is_not_there() -> None:
    stems = {stem(name) for name in captures()}
    assert {stem(path.name) for path in FOLDER.glob("*.json")} <= stems


def test_the_report_of_another_tenant_without_a_policy_is_undecided() -> None:
    essay = next(one for one in judged("another-tenant.jsonl", beside=False) if one.read.request_id == 41)
    assert as_row(essay) == Row(
        "41",
        ("intact (strict)", "match (fields-agree)", "cannot_tell (no-principal)"),
        (),
        (),
    )


def test_the_slash_is_named_and_the_right_expansion_shown() -> None:
    substituted = next(one for one in judged("unescaped-values.jsonl") if one.findings)
    assert substituted.read.uri == "docs://team/Platform & Ops/policy/on-call/escalation"
    assert substituted.expected == "docs://team/Platform%20%26%20Ops/policy/on-call%2Fescalation"
    assert "`/`" in substituted.findings[0].summary


def test_the_command_line_finds_every_sample_by_name() -> None:
    assert sample_names() == tuple(sorted(stem(name) for name in captures()))
    found = find_sample("another-tenant")
    assert [Path(each).name for each in found.captures] == ["another-tenant.jsonl"]
    assert Path(str(found.policy)).name == "another-tenant.policy.json"
    assert found.templates is None


def test_a_trace_stays_small() -> None:
    assert {name: size for name in captures() if (size := (FOLDER / name).stat().st_size) > 16_384} == {}


def test_the_wheel_ships_the_samples() -> None:
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["app", "diagnosis", "sample_traces"]

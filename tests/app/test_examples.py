"""`misread explain RULE --example`: the table of samples is that of their README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app import cli
from app.examples import EXAMPLES
from app.samples import Sample, find_sample, sample_names
from diagnosis.questions.rules import RULES
from diagnosis.visible import unvisible

README = Path(cli.__file__).parents[1] / "sample_traces" / "README.md"


def shown() -> dict[str, set[str]]:
    """The rules that the README says each capture shows, by sample name."""
    found: dict[str, set[str]] = {}
    for line in README.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7:
            found.setdefault(cells[0].split(".")[0], set()).update(re.findall(r"`([^`]+)`", cells[5] + cells[6]))
    return found


def test_every_rule_has_an_example_that_shows_it() -> None:
    assert set(EXAMPLES) == {rule.id for rule in RULES}
    table = shown()
    assert [rule for rule, name in EXAMPLES.items() if rule not in table[name]] == []
    assert {f"{name}-clean" for name in EXAMPLES.values()} <= set(sample_names())


@pytest.mark.parametrize("rule", sorted(EXAMPLES))
def test_the_lines_are_those_of_the_files(rule: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", rule, "--example"]) == 0
    out = capfd.readouterr().out
    assert all(line.isprintable() for line in out.split("\n"))
    name = EXAMPLES[rule]
    trace, twin = (find_sample(each) for each in (name, f"{name}-clean"))
    first, second = out.split(f"\n\n{title(twin)}: its clean twin")
    assert first.startswith(f"{title(trace)}: shows {rule}")
    for part, sample in ((first, trace), (second, twin)):
        _, _, lines = part.partition("\n\n")
        texts = [Path(each).read_text(encoding="utf-8").rstrip("\n") for each in sample.captures]
        if sample.same_traffic:
            texts = [f"{Path(each).name}:\n{text}" for each, text in zip(sample.captures, texts, strict=True)]
        assert unvisible(lines).rstrip("\n") == "\n\n".join(texts)


def title(sample: Sample) -> str:
    """The name of the file, or of the folder of a sample of several captures."""
    return sample.name if sample.same_traffic else Path(sample.captures[0]).name


def test_what_lies_beside_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    cli.run(["explain", "principal/foreign-tenant", "--example"])
    assert capfd.readouterr().out.splitlines()[0] == (
        "another-tenant.jsonl: shows principal/foreign-tenant, read with another-tenant.policy.json "
        "(misread report --sample another-tenant)"
    )


def test_a_rule_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain", "--example"]) == 2
    assert cli.run(["explain", "document/decoded-trice", "--example"]) == 2
    assert "Did you mean document/decoded-twice?" in capsys.readouterr().err

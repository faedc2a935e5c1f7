"""The Markdown report of real captures is inert: nothing of a log becomes a heading, a link, an image or a cell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import cmarkgfm
import pytest
from markdown_it import MarkdownIt

from diagnosis import Diagnosis, diagnose, load_statements
from diagnosis.reports import markdown

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
MARKDOWN_IT = MarkdownIt("gfm-like", {"html": True, "linkify": True})
ELEMENTS = {"p", "code", "pre", "h1", "h2", "h3", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "strong"}
# Every heading of the report; what stands for a rule is its own id.
HEADINGS = re.compile(
    r"<h1>Misread incident report</h1>|<h2>(?:Whose documents went to whom|Captures|Summary|Callers and tenants"
    r"|The check itself|Timeline|Findings|What could not be told|Every read|Remarks|Clean reads|Problems in the input"
    r"|Inputs and custody|About this report)</h2>"
    r"|<h3>(?:Finding [0-9]+: (?:segments|document|principal)/[a-z-]+|[0-9]+ further groups of findings)</h3>"
)


def renderings(text: str) -> list[str]:
    """As two independent renderers show it, both with HTML let through and every way to make a link on."""
    return [
        MARKDOWN_IT.render(text),
        cmarkgfm.github_flavored_markdown_to_html(text, options=cmarkgfm.Options.CMARK_OPT_UNSAFE),
    ]


def tables(text: str) -> Iterator[list[str]]:
    """The lines of every table of the source, fences left out."""
    bare = re.sub(r"^(`{3,})text\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    for block in bare.split("\n\n"):
        lines = block.split("\n")
        if lines[0].startswith("| "):
            yield lines


def cells(line: str) -> int:
    """How many cells a table row has, by the pipes that GFM does not take as escaped."""
    return len(re.findall(r"(?<!\\)\|", line)) - 1


def check(diagnosis: Diagnosis) -> None:
    text = markdown.render(diagnosis, NOW)
    assert all(line.isprintable() for line in text.split("\n"))
    expected = 0
    for lines in tables(text):
        assert {cells(line) for line in lines} == {cells(lines[0])}, lines[0]
        expected += cells(lines[0]) * (len(lines) - 2)
    for rendered in renderings(text):
        assert set(re.findall(r"</?([A-Za-z0-9]+)", rendered)) <= ELEMENTS
        assert not re.search(r"<[!?]|href|src=", re.sub(r"<code[^>]*>.*?</code>", "", rendered, flags=re.DOTALL))
        assert rendered.count("<td>") == expected
        for heading in re.findall(r"<h[1-6].*", rendered):
            assert HEADINGS.fullmatch(heading), heading


@cache
def samples() -> tuple[Path, ...]:
    """Every capture that comes with the program."""
    return tuple(sorted(p for p in (ROOT / "sample_traces").iterdir() if p.suffix in (".jsonl", ".log", ".har")))


def test_there_are_samples() -> None:
    assert len(samples()) > 30


@pytest.mark.parametrize("capture", samples(), ids=lambda path: path.name)
def test_samples(capture: Path) -> None:
    policy = capture.with_suffix(".policy.json")
    statements = load_statements(policy_path=str(policy) if policy.exists() else None)
    check(diagnose([str(capture)], statements))


@pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="the labelled cases are not beside this folder")
def test_labelled_cases() -> None:
    folders = sorted(path for path in (SHARED / "cases").iterdir() if path.is_dir())
    assert folders
    for folder in folders:
        given = {name: str(folder / f"{name}.json") for name in ("policy", "templates")}
        statements = load_statements(
            policy_path=given["policy"] if Path(given["policy"]).exists() else None,
            templates_path=given["templates"] if Path(given["templates"]).exists() else None,
        )
        (capture,) = folder.glob("trace.*")
        check(diagnose([str(capture)], statements))


@pytest.mark.parametrize(
    "uri",
    [
        "docs://a/|b|c\\|d",
        "docs://a/https://evil.example/x www.evil.example a@evil.example",
        'docs://a/![x](https://evil.example/b.png) <img src="https://evil.example">',
        "docs://a/`|`\n# Approved\n| a | b |\n",
    ],
)
def test_a_hostile_uri(tmp_path: Path, uri: str) -> None:
    capture = tmp_path / "trace.jsonl"
    contents = [{"uri": uri, "mimeType": "application/json", "text": json.dumps({"tenant": uri, "name": uri})}]
    lines = [
        {"jsonrpc": "2.0", "id": uri, "method": "resources/read", "params": {"uri": uri}},
        {"jsonrpc": "2.0", "id": uri, "result": {"contents": contents}},
        {"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": uri}},
        {"jsonrpc": "2.0", "id": 2, "error": {"code": -32002, "message": uri}},
    ]
    capture.write_text("".join(json.dumps(line) + "\n" for line in lines))
    check(diagnose([str(capture)], load_statements(allow=["acme"], templates=["docs://{tenant}/{+name}"])))

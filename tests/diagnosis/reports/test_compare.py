"""The forms of a comparison: the documented JSON, the section for a ticket, the few lines."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import cmarkgfm
import pytest

from diagnosis.after_fix.comparison import Comparison
from diagnosis.reports import compare_json, compare_markdown, compare_schema, compare_text
from diagnosis.reports.comparisons import COMPARISONS
from tests.diagnosis.after_fix.build import DOCS, PEOPLE, comparison
from tests.diagnosis.questions.build import Log

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 11, 3, 9, 0, tzinfo=UTC)
BOTH = "report://{tenant}/{month}/section/{section}"


def both(section: str, session: str) -> Log:
    """Northwind's section, served to ana of acme."""
    log = Log(BOTH, session=session)
    body = {"tenant": "northwind", "month": "2025-10", "section": "costs/R"}
    log.read(f"report://northwind/2025-10/section/{section}", body)
    return log


@pytest.fixture
def repaired(tmp_path: Path) -> Comparison:
    """Two faults in one read, and only the encoding repaired."""
    return comparison(tmp_path, both("costs/R", "s1"), both("costs%2FR", "s2"), PEOPLE)


def test_the_checked_in_schema_is_current() -> None:
    assert (ROOT / "docs" / "compare.schema.json").read_text(encoding="utf-8") == compare_schema.schema_text()


def test_json(repaired: Comparison, tmp_path: Path) -> None:
    rendered = compare_json.render(repaired)
    assert rendered.isascii()
    loaded = json.loads(rendered)
    compare_schema.Comparison.model_validate(loaded)
    assert loaded["schema"] == "misread-compare/1"
    assert loaded["opening"] == "The encoding is fixed; the unauthorized read is still reachable."
    assert loaded["summary"] == {"still": 1, "new": 0, "undecided": 0, "not exercised": 0, "gone": 1}
    gone, still = loaded["subjects"]
    assert (gone["status"], gone["class"], gone["rules"]) == ("gone", "under-encoding", ["segments/extra-separator"])
    assert gone["variables"] == {"tenant": "northwind", "month": "2025-10", "section": "costs/R"}
    assert (gone["template"], gone["caller"]) == (BOTH, "ana")
    # Each capture holds four lines before its read: initialize, the templates, and their answers.
    assert [each["span"] for each in gone["before"]] == [{"file": str(tmp_path / "before.jsonl"), "line": 5}]
    (after,) = gone["after"]
    assert after["uri"] == "report://northwind/2025-10/section/costs%2FR"
    assert (after["says"], after["verdict"], after["reason"]) == ("clean", "intact", "strict")
    (served,) = still["after"]
    assert (still["status"], served["says"], served["verdict"]) == ("still", "faulty", "not_checked")
    assert len(still["before"][0]["fingerprints"]) == len(served["fingerprints"]) == 1
    assert loaded["before"]["all_read"] is True


def test_the_section_for_a_ticket(repaired: Comparison) -> None:
    text = compare_markdown.render(repaired, NOW)
    assert text.startswith(
        "## After the fix\n\nThe encoding is fixed; the unauthorized read is still reachable.\n\n"
        "This holds for the reads listed here. What was not read again proves nothing.\n\n"
        "A repaired encoding does nothing about who may read: question 3 is answered by the read handler alone.\n"
    )
    assert "Date: 2026-11-03T09:00:00Z" in text
    rows = [line for line in text.splitlines() if line.startswith(("| still", "| gone"))]
    assert [row.split(" | ")[:2] for row in rows] == [
        ["| still", "missing-authorization"],
        ["| gone", "under-encoding"],
    ]


def test_text(repaired: Comparison, tmp_path: Path) -> None:
    assert compare_text.render(repaired).splitlines() == [
        "The encoding is fixed; the unauthorized read is still reachable.",
        "This holds for the reads listed here. What was not read again proves nothing.",
        "A repaired encoding does nothing about who may read: question 3 is answered by the read handler alone.",
        "still 1, new 0, undecided 0, not exercised 0, gone 1",
        "still: missing-authorization, ana, report://northwind/2025-10/section/costs/R "
        f"({tmp_path / 'before.jsonl'}:5)",
        "  Read again: `not_checked` (`outside-allowed`), once.",
        f"gone: under-encoding, ana, report://northwind/2025-10/section/costs/R ({tmp_path / 'before.jsonl'}:5)",
        "  Read again: `intact`, once.",
    ]


HOSTILE = "docs://team/\x1b[2J<img src=x>|`![a](http://evil)\u202e/policy/x"


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    policy = {"principals": [{"id": "a|`<b>\x1b", "sessions": ["s1"], "allowed_tenants": []}]}
    old, new = Log(DOCS), Log(DOCS)
    old.read(HOSTILE)
    new.read(HOSTILE)
    found = comparison(tmp_path, old, new, policy)
    for form in COMPARISONS:
        text = form.render(found, NOW)
        assert all(line.isprintable() for line in text.split("\n"))
    html = cmarkgfm.github_flavored_markdown_to_html(compare_markdown.render(found, NOW))
    assert "<img" not in html and "<a " not in html and "<b>" not in html


def test_secrets_and_addresses_are_labels(tmp_path: Path) -> None:
    template = "docs://{team}/x{?token,q}"
    old, new = Log(template), Log(template)
    old.read("docs://ana@acme.example/x?token=hush-hush-1&q=a b")
    new.read("docs://ana@acme.example/x?token=hush-hush-1&q=a%20b")
    found = comparison(tmp_path, old, new)
    assert [each.status.value for each in found.subjects] == ["still"]  # `@` is raw in both
    for form in COMPARISONS:
        assert "hush-hush" not in form.render(found, NOW)
    assert "ana@acme" not in compare_markdown.render(found, NOW)
    assert "ana@acme" not in compare_text.render(found)


def test_what_was_not_read_is_said(tmp_path: Path) -> None:
    old, new = both("costs/R", "s1"), Log(BOTH)
    found = comparison(tmp_path, old, new, PEOPLE)
    assert "AFTER holds no resources/read request." in compare_text.render(found)
    (tmp_path / "after.jsonl").write_text((tmp_path / "before.jsonl").read_text() + '{"jsonrpc": "2.0", "id"\n')
    for _ in found.after.read():
        pass
    assert "Not everything of AFTER was read, so more may be in it." in compare_text.render(found)

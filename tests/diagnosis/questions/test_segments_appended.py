"""Parameters appended to a URI whose template has no query."""

from __future__ import annotations

import pytest

from tests.diagnosis.questions.build import ACME_ONLY, one, remarks, rules, said

REPORT = "report://{tenant}/{month}"


@pytest.mark.parametrize("query", ["lang=en", "lang=en&utm_source=mail", "q=a%20b", "to="])
def test_plain_parameters_are_a_remark(query: str) -> None:
    judged = one(REPORT, f"report://acme/2025-10?{query}", {"tenant": "acme", "month": "2025-10"}, ACME_ONLY)
    assert [said(each) for each in judged.answers] == ["intact strict", "match fields-agree", "allowed inside-allowed"]
    assert "undeclared-parameter" in remarks(judged)
    assert not judged.findings


def test_a_tenants_name_is_smuggled() -> None:
    judged = one(
        REPORT, "report://acme/2025-10?tenant=northwind", {"tenant": "northwind", "month": "2025-10"}, ACME_ONLY
    )
    assert sorted(rules(judged)) == ["principal/foreign-tenant certain", "segments/smuggled-parameter certain"]
    assert said(judged.document) == "mismatch differs"


@pytest.mark.parametrize("tail", ["?", "?x", "?a b=c", "?a=b/c", "?a=b&", "#x", "?a=b#c", "?la%3Ang=b"])
def test_anything_else_escaped_its_segment(tail: str) -> None:
    judged = one(REPORT, f"report://acme/2025-10{tail}")
    assert said(judged.segments) == "escaped extra-separator"


def test_a_wrong_path_stays_wrong() -> None:
    assert said(one(REPORT, "report://acme/2025/10?lang=en").segments) == "escaped extra-separator"

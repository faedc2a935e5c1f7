"""Question 1: where `?`, `#` and `&` cut a URI, and parameters nobody declared."""

from __future__ import annotations

import pytest

from tests.diagnosis.questions.build import classes, one, remarks, rules, said, severe

REPORT = "report://{tenant}/{month}"
FIND = "find://items{?q,to}"

SMUGGLED = [
    (REPORT, "report://acme/2025-10?tenant=northwind"),
    (REPORT, "report://acme/2025-10?tenant_id=northwind"),
    ("note://{name}", "note://a?tenant=northwind"),
    (FIND, "find://items?q=a&tenant=northwind"),
    (FIND, "find://items?q=a&Tenant=northwind"),
    (FIND, "find://items?q=a&tenantId=northwind"),
    (FIND, "find://items?q=a&tenant"),
    (FIND, "find://items?q=Smith%20&%20Sons"),
    (FIND, "find://items?q=Smith%20&%20Sons=1"),
]


@pytest.mark.parametrize(("template", "uri"), SMUGGLED)
def test_a_smuggled_parameter_is_severe(template: str, uri: str) -> None:
    judged = one(template, uri)
    assert said(judged.segments) == "escaped smuggled-parameter"
    assert rules(judged) == ["segments/smuggled-parameter certain"]
    assert severe(judged)


def test_the_policy_says_whose_parameter_it_is() -> None:
    policy = {"principals": [], "tenant_fields": ["team"]}
    uri = "use://acme?month=1&team=northwind"
    assert said(one("use://{team}{?month}", uri, policy=policy).segments) == "escaped smuggled-parameter"


PLAIN = [
    (FIND, "find://items?q=a&lang=en"),
    (FIND, "find://items?lang=en"),
    (FIND, "find://items?q=a&v=1.2-b_c~d"),
]


@pytest.mark.parametrize(("template", "uri"), PLAIN)
def test_a_plain_undeclared_parameter_is_a_remark(template: str, uri: str) -> None:
    judged = one(template, uri)
    assert judged.segments.verdict == "intact"
    assert not judged.findings
    assert "undeclared-parameter" in remarks(judged)


@pytest.mark.parametrize("uri", ["find://items?q=R&D", "find://items?q=a&la%3Ang=b"])
def test_any_other_undeclared_parameter_is_escaped(uri: str) -> None:
    judged = one(FIND, uri)
    assert judged.segments.verdict == "escaped"
    assert classes(judged) == {"under-encoding"}


def test_a_declared_parameter_that_was_injected_is_invisible() -> None:
    judged = one(FIND, "find://items?q=a&to=b")
    assert said(judged.segments) == "intact strict"
    assert "undeclared-parameter" not in remarks(judged)


def test_a_question_mark_cuts_a_value() -> None:
    judged = one("note://{name}", "note://a?b")
    assert judged.segments.verdict == "escaped"
    assert severe(judged)


def test_a_fragment_serves_a_shorter_name_and_is_no_double_decode() -> None:
    judged = one("note://{name}", "note://C#notes", {"name": "C"})
    assert said(judged.segments) == "escaped extra-separator"
    assert judged.document.verdict == "mismatch"
    assert classes(judged) == {"under-encoding"}


def test_an_injected_parameter_is_no_double_decode() -> None:
    judged = one(FIND, "find://items?q=Smith%20&%20Sons", {"q": "Smith "})
    assert classes(judged) == {"under-encoding"}


@pytest.mark.parametrize(
    "uri", ["find://items?q=", "find://items?", "find://items?q=a&&to=b", "find://items?q=a&", "find://items?to=&q=a"]
)
def test_empty_parameters_are_a_remark(uri: str) -> None:
    judged = one(FIND, uri)
    assert judged.segments.verdict == "intact"
    assert not judged.findings
    assert "empty-parameter" in remarks(judged)


@pytest.mark.parametrize("uri", ["find://items?q=a", "find://items", "find://items?q=a&to=b"])
def test_omitted_parameters_are_no_empty_ones(uri: str) -> None:
    assert "empty-parameter" not in remarks(one(FIND, uri))


def test_a_plus_in_reserved_expansion_is_fine() -> None:
    judged = one("file:///{+path}", "file:///a+b", {"path": "a+b"})
    assert said(judged.segments) == "intact strict"
    assert said(judged.document) == "match fields-agree"


def test_a_query_on_top_of_an_escaped_path_reports_the_path_too() -> None:
    judged = one(REPORT, "report://a/b/2025-10?tenant=northwind")
    assert judged.segments.verdict == "escaped"
    assert severe(judged)

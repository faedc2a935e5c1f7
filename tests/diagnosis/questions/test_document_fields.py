"""Question 2: counting decodes with the fields of the document."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.questions.build import classes, one, remarks, rules, said

DOCS = "docs://{space}/{name}"


def read(span: str, field: Any, **more: Any) -> Any:
    """A read of a name whose document states it."""
    return one(DOCS, f"docs://ops/{span}", {"space": "ops", "name": field}, **more)


@pytest.mark.parametrize(
    ("span", "field"),
    [("plan", "plan"), ("a%20b", "a b"), ("a%2Fb", "a/b"), ("a%252Fb", "a%2Fb"), ("100%25", "100%"), ("a%2Bb", "a+b")],
)
def test_one_decode_is_a_match(span: str, field: str) -> None:
    judged = read(span, field)
    assert said(judged.document) == "match fields-agree"
    assert not judged.findings
    assert "not-decoded" not in remarks(judged)


@pytest.mark.parametrize("span", ["a%2Fb", "a%20b", "a%252Fb", "100%25"])
def test_the_raw_span_is_a_match_with_a_remark(span: str) -> None:
    judged = read(span, span)
    assert said(judged.document) == "match fields-agree"
    assert "not-decoded" in remarks(judged)
    assert not judged.findings


def test_an_undecoded_value_with_an_echo_that_gained_a_layer_is_a_double_encode() -> None:
    judged = read("a%2Fb", "a%2Fb", echo="docs://ops/a%252Fb")
    assert said(judged.document) == "mismatch double-encode"
    assert "double-encode" in remarks(judged)
    assert not judged.findings


@pytest.mark.parametrize(
    ("span", "field"),
    [("a%252Fb", "a/b"), ("a%2520b", "a b"), ("%2525", "%"), ("a%252520b", "a%20b"), ("a%2Bb", "a b")],
)
def test_two_decodes_are_certain(span: str, field: str) -> None:
    judged = read(span, field)
    assert said(judged.document) == "mismatch decoded-twice"
    assert rules(judged) == ["document/decoded-twice certain"]
    assert classes(judged) == {"double-decode"}


def test_an_id_that_states_the_raw_span_is_evidence_for() -> None:
    judged = one("note://{x}", "note://a%2Fb", {"id": "a%2Fb"})
    assert said(judged.document) == "match fields-agree"
    assert "not-decoded" in remarks(judged)


def test_an_id_is_never_evidence_against() -> None:
    judged = one("note://{x}", "note://a%252Fb", {"id": "a/b"})
    assert said(judged.document) == "cannot_tell echo-only"
    assert not judged.findings


def test_a_field_named_by_the_scheme_counts_decodes() -> None:
    assert rules(one("task://{x}", "task://a%252Fb", {"task": "a/b"})) == ["document/decoded-twice certain"]


def test_the_fields_decide_against_an_equal_echo() -> None:
    judged = read("a%252Fb", "a/b", echo="docs://ops/a%252Fb")
    assert rules(judged) == ["document/decoded-twice certain"]


@pytest.mark.parametrize("echo", ["docs://ops/a/b", "docs://ops/elsewhere", "other://x"])
def test_the_fields_decide_against_a_different_echo(echo: str) -> None:
    judged = read("a%252Fb", "a%2Fb", echo=echo)
    assert said(judged.document) == "match fields-agree"
    assert not judged.findings
    assert remarks(judged)


def test_a_field_after_two_decodes_outranks_an_echo_with_one() -> None:
    assert rules(read("a%252Fb", "a/b", echo="docs://ops/a%2Fb")) == ["document/decoded-twice certain"]


def test_a_raw_plus_read_as_a_space_is_one_form_decode() -> None:
    judged = one("file:///{+path}", "file:///a+b", {"path": "a b"})
    assert said(judged.document) == "cannot_tell alias"
    assert not judged.findings


def test_a_raw_plus_in_a_simple_variable_is_no_double_decode() -> None:
    judged = read("a+b", "a b")
    assert said(judged.document) == "cannot_tell alias"
    assert classes(judged) == {"under-encoding"}


ALIASES = [("Plan", "plan"), ("caf%C3%A9", "cafe\u0301"), ("On%20Call", "on-call"), ("on-call", "On Call")]


@pytest.mark.parametrize(("span", "field"), ALIASES)
def test_case_unicode_form_and_slug_are_aliases(span: str, field: str) -> None:
    judged = read(span, field)
    assert said(judged.document) == "cannot_tell alias"
    assert not judged.findings
    assert "document-mismatch" not in remarks(judged)


@pytest.mark.parametrize("field", ["other", "plan-2", "pla", "plan/x"])
def test_any_other_value_is_a_mismatch_of_unknown_cause(field: str) -> None:
    judged = read("plan", field)
    assert said(judged.document) == "mismatch differs"
    assert "document-mismatch" in remarks(judged)
    assert not judged.findings


def test_latest_is_never_guessed() -> None:
    judged = read("latest", "2025-10")
    assert said(judged.document) == "mismatch differs"
    assert not judged.findings


def test_stated_and_equal_beside_silent_is_a_match_that_names_the_silent() -> None:
    judged = one(DOCS, "docs://ops/plan", {"name": "plan"})
    assert said(judged.document) == "match fields-agree"
    assert "space" in judged.document.because


def test_one_variable_decoded_twice_is_enough() -> None:
    judged = one(DOCS, "docs://a%252Fb/plan", {"space": "a/b", "name": "plan"})
    assert rules(judged) == ["document/decoded-twice certain"]


def test_other_reads_never_inherit_a_double_decode() -> None:
    judged = one(DOCS, "docs://a%2Fb/plan", {"space": "a/b", "name": "plan"})
    assert said(judged.document) == "match fields-agree"
    assert not judged.findings


def test_a_decode_blind_match_says_so() -> None:
    judged = read("plan", "plan")
    assert judged.document.verdict == "match"
    assert "decode" in judged.document.because


REPORT = "report://{tenant}/{month}"
NORTHWIND = {"tenant": "northwind", "month": "2025-10"}


def test_values_that_moved_after_one_decode() -> None:
    judged = one(REPORT, "report://acme/..%2Fnorthwind%2F2025-10", NORTHWIND)
    assert said(judged.document) == "mismatch decoded-before-split"
    assert {"decoded-before-split", "path-traversal"} <= remarks(judged)
    assert not judged.findings


def test_values_that_moved_after_two_decodes() -> None:
    judged = one(REPORT, "report://acme/..%252Fnorthwind%252F2025-10", NORTHWIND)
    assert said(judged.document) == "mismatch decoded-across-segments"
    assert rules(judged) == ["document/decoded-across-segments likely"]
    assert "path-traversal" in remarks(judged)


def test_values_that_moved_between_variables_without_dots() -> None:
    template = "wiki://{space}/{+path}"
    once = one(template, "wiki://a%2Fb/c", {"space": "a", "path": "b/c"})
    twice = one(template, "wiki://a%252Fb/c", {"space": "a", "path": "b/c"})
    assert said(once.document) == "mismatch decoded-before-split"
    assert not once.findings
    assert rules(twice) == ["document/decoded-across-segments likely"]


def test_moved_values_of_another_document_are_only_a_mismatch() -> None:
    judged = one(REPORT, "report://acme/..%252Fnorthwind%252F2025-10", {"tenant": "mossgate", "month": "2025-10"})
    assert said(judged.document) == "mismatch differs"
    assert not judged.findings


def test_a_uri_that_fits_no_template_has_no_variables() -> None:
    judged = one(DOCS, "pics://x", {"space": "ops", "name": "y"})
    assert judged.document.verdict == "cannot_tell"
    assert not judged.findings

"""Question 1: which templates count for a read, and what several of them say together."""

from __future__ import annotations

import pytest

from tests.diagnosis.questions.build import ACME_ONLY, NOT_FOUND, Log, classes, one, remarks, rules, said

REPORT = "report://{tenant}/{month}"
TWO_WAYS = "report://north/wind/2025-10"


def test_a_strict_explanation_by_any_template_wins() -> None:
    judged = one(("docs://{name}", "docs://{+path}"), "docs://a/b")
    assert said(judged.segments) == "intact strict"
    assert not judged.findings
    assert "docs://{name}" in str(judged.segments) + str(judged.remarks)


def test_the_order_of_templates_does_not_matter() -> None:
    judged = one(("docs://{+path}", "docs://{name}"), "docs://a/b")
    assert said(judged.segments) == "intact strict"


def test_residue_by_one_template_outranks_an_escape_by_another() -> None:
    judged = one(("docs://{name}", "docs://{space}/{name}"), "docs://a&b/c")
    assert said(judged.segments) == "escaped raw-reserved"


def test_a_listed_uri_needs_no_template() -> None:
    log = Log()
    log.resources("report://north/wind")
    log.read("report://north/wind")
    assert said(log.last().segments) == "intact listed"


def test_a_listed_uri_outranks_an_escape() -> None:
    log = Log("note://{name}")
    log.resources("note://a/b")
    log.read("note://a/b")
    judged = log.last()
    assert said(judged.segments) == "intact listed"
    assert not judged.findings


@pytest.mark.parametrize(("uri", "verdict"), [("NOTE://a/b", "intact"), ("note://A/b", "escaped")])
def test_a_listed_uri_is_compared_without_the_case_of_its_scheme_only(uri: str, verdict: str) -> None:
    log = Log("note://{name}")
    log.resources("note://a/b")
    log.read(uri)
    assert log.last().segments.verdict == verdict


def test_no_alignment_is_cannot_tell() -> None:
    judged = one(REPORT, "report://acme")
    assert said(judged.segments) == "cannot_tell no-template-explains"
    assert not judged.findings


def test_several_alignments_blame_none_and_bind_nothing() -> None:
    judged = one(REPORT, TWO_WAYS, {"tenant": "north/wind", "month": "2025-10"})
    assert said(judged.segments) == "escaped extra-separator"
    assert len(judged.readings) == 2
    assert said(judged.document) == "cannot_tell no-variables"
    (finding,) = judged.findings
    assert "in `tenant`" not in finding.summary
    assert "in `month`" not in finding.summary


def test_an_ambiguous_escape_gives_no_tenant_to_question_3() -> None:
    judged = one(REPORT, TWO_WAYS, "text", ACME_ONLY)
    assert judged.principal.verdict == "cannot_tell"
    assert classes(judged) == {"under-encoding"}


def test_a_unique_escape_binds_its_variables() -> None:
    judged = one("note://{name}", "note://a/b", {"name": "a/b"})
    assert said(judged.segments) == "escaped extra-separator"
    assert said(judged.document) == "match fields-agree"


def test_a_late_template_is_shown_and_said_to_be_late() -> None:
    log = Log()
    log.read("report://acme/2025-10")
    log.templates(REPORT)
    judged = log.last()
    assert said(judged.segments) == "cannot_tell no-template"
    assert "late-template" in remarks(judged)


def test_a_late_template_never_clears() -> None:
    log = Log("docs://{name}")
    log.read("docs://a/b")
    before = rules(log.last())
    log.templates("docs://{+path}")
    judged = log.last()
    assert said(judged.segments) == "escaped extra-separator"
    assert rules(judged) == before


def test_templates_of_another_session_of_the_same_server_count() -> None:
    log = Log("docs://{name}")
    log.session = "s2"
    log.ask("initialize", {}, {"protocolVersion": "2025-06-18", "serverInfo": {"name": "reports"}})
    log.read("docs://a/b")
    assert said(log.last().segments) == "escaped extra-separator"


def test_templates_of_another_server_do_not_count() -> None:
    log = Log("docs://{name}")
    log.session = "s2"
    log.ask("initialize", {}, {"protocolVersion": "2025-06-18", "serverInfo": {"name": "elsewhere"}})
    log.read("docs://a/b")
    assert said(log.last().segments) == "cannot_tell no-template"


def test_an_unknown_server_counts_as_the_same() -> None:
    log = Log("docs://{name}", server="")
    log.session = "s2"
    log.read("docs://a/b")
    assert said(log.last().segments) == "escaped extra-separator"


def test_all_pages_of_a_template_list_count() -> None:
    log = Log()
    log.templates("docs://{name}", cursor="2")
    log.templates("pics://{name}")
    log.read("docs://a/b")
    log.read("pics://a/b")
    assert [said(judged.segments) for judged in log.judge()] == ["escaped extra-separator"] * 2


def test_a_given_template_replaces_the_listed_one_with_its_beginning() -> None:
    log = Log("docs://{+path}", "pics://{+path}")
    log.read("docs://a/b")
    log.read("pics://a/b")
    docs, pics = log.judge(given=("docs://{name}",))
    assert said(docs.segments) == "escaped extra-separator"
    assert said(pics.segments) == "intact strict"


def test_a_trailing_separator_of_the_beginning_is_ignored() -> None:
    log = Log("file:///srv{/name}")
    log.read("file:///srv/a/b")
    assert said(log.last(given=("file:///srv/{+path}",)).segments) == "intact strict"


def test_a_given_template_counts_where_none_is_listed() -> None:
    log = Log()
    log.read("note://a/b")
    assert said(log.last(given=("note://{name}",)).segments) == "escaped extra-separator"


def test_fastmcp_means_any_number_of_segments_by_its_name() -> None:
    log = Log("file:///{path*}", server="FastMCP")
    log.read("file:///a/b/c")
    judged = log.last()
    assert judged.segments.verdict == "intact"
    assert not judged.findings


def test_fastmcp_means_any_number_of_segments_by_its_mark() -> None:
    log = Log()
    log.templates("file:///{path*}", _meta={"fastmcp": {"tags": []}})
    log.read("file:///a/b/c")
    assert log.last().segments.verdict == "intact"


def test_a_redacted_uri_cannot_prove_anything() -> None:
    judged = one(REPORT, "report://[REDACTED]/2025-10")
    assert said(judged.segments) == "cannot_tell lossy"
    assert not judged.findings


def test_question_1_is_answered_on_errors() -> None:
    assert said(one(REPORT, "report://a&b/2025-10", error=NOT_FOUND).segments) == "escaped raw-reserved"

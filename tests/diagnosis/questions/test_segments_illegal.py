"""Question 1: characters that no URI may hold, and templates that were never expanded."""

from __future__ import annotations

import pytest

from tests.diagnosis.questions.build import Log, one, remarks, rules, said

ILLEGAL = [" ", "\t", "\x01", "\x7f", "\u00e9", "\u4e2d", '"', "<", ">", "\\", "^", "|", "`", "%", "%zz", "%4"]


@pytest.mark.parametrize("bad", ILLEGAL)
def test_illegal_characters_need_no_template(bad: str) -> None:
    log = Log()
    log.read(f"docs://a{bad}/x")
    judged = log.last()
    assert said(judged.segments) == "escaped illegal-character"
    assert rules(judged) == ["segments/illegal-character certain"]


@pytest.mark.parametrize("bad", ILLEGAL)
def test_illegal_characters_count_where_no_template_explains(bad: str) -> None:
    judged = one("report://{tenant}/{month}", f"docs://a{bad}/x")
    assert said(judged.segments) == "escaped illegal-character"


@pytest.mark.parametrize("uri", ["x://a&b/c", "x://a,b", "x://a+b", "x://a:b/c?d#e", "x://a/b", "x://a'b"])
def test_reserved_characters_alone_prove_nothing(uri: str) -> None:
    log = Log()
    log.read(uri)
    judged = log.last()
    assert said(judged.segments) == "cannot_tell no-template"
    assert judged.segments.missing
    assert not judged.findings


@pytest.mark.parametrize("templates", [(), ("docs://{space}/{name}",)])
def test_a_left_over_expression_is_the_clients_fault(templates: tuple[str, ...]) -> None:
    log = Log(*templates)
    log.read("docs://{space}/x")
    judged = log.last()
    assert said(judged.segments) == "escaped unexpanded"
    assert "segments/unexpanded certain" in rules(judged)
    assert all(finding.rule.owner == "client" for finding in judged.findings)


LEFT_OVER = ["%7Bname%7D", "%7bname%7d", "None", "null", "undefined", "%5Bobject%20Object%5D"]


@pytest.mark.parametrize("value", LEFT_OVER)
def test_an_encoded_left_over_is_intact_with_a_remark(value: str) -> None:
    judged = one("docs://{space}/{name}", f"docs://ops/{value}")
    assert judged.segments.verdict == "intact"
    assert not judged.findings
    assert "unexpanded-template" in remarks(judged)


@pytest.mark.parametrize("value", ["Nonesuch", "nullable", "undefined-behaviour", "objects"])
def test_whole_values_only_are_left_overs(value: str) -> None:
    assert "unexpanded-template" not in remarks(one("docs://{space}/{name}", f"docs://ops/{value}"))


@pytest.mark.parametrize("uri", ["docs://caf\u00e9 menu/1", "docs://caf%C3%A9%20menu/1"])
def test_an_illegal_literal_is_the_templates_doing(uri: str) -> None:
    judged = one("docs://caf\u00e9 menu/{item}", uri)
    assert judged.segments.verdict == "intact"
    assert not judged.findings


def test_an_illegal_value_beside_an_illegal_literal_still_counts() -> None:
    judged = one("docs://caf\u00e9/{item}", "docs://caf\u00e9/cr\u00e8me")
    assert said(judged.segments) == "escaped illegal-character"


def test_severe_outranks_illegal_and_both_are_under_encoding() -> None:
    judged = one("note://{name}", "note://Smith & Sons/minutes")
    assert judged.segments.verdict == "escaped"
    assert {str(finding.rule.finding_class) for finding in judged.findings} == {"under-encoding"}
    assert "segments/extra-separator certain" in rules(judged)


def test_go_wrote_latin_1_triplets() -> None:
    assert one("docs://{name}", "docs://caf%E9").segments.verdict == "intact"


def test_a_read_without_uri_is_three_times_cannot_tell() -> None:
    log = Log("docs://{name}")
    log.send({"id": 5, "method": "resources/read", "params": {}})
    log.reply({"id": 5, "error": {"code": -32602, "message": "Invalid params"}})
    judged = log.last()
    assert {str(answer.verdict) for answer in judged.answers} == {"cannot_tell"}
    assert judged.segments.reason == "no-uri"


@pytest.mark.parametrize(
    "answer", [{"error": {"code": -32002, "message": "Resource not found"}}, {"error": {"code": 0, "message": ""}}]
)
def test_an_error_answer_leaves_question_1_answerable(answer: dict[str, object]) -> None:
    judged = one("note://{name}", "note://a/b", error=answer["error"])
    assert said(judged.segments) == "escaped extra-separator"


def test_an_unanswered_read_leaves_question_1_answerable() -> None:
    log = Log("note://{name}")
    log.request("note://a/b")
    log.request("note://a%2Fb")
    raw, strict = log.judge()
    assert said(raw.segments) == "escaped extra-separator"
    assert said(strict.segments) == "intact strict"
    assert said(raw.document) == said(raw.principal) == "cannot_tell no-answer"

"""Remarks on what known SDK servers would do: which templates and URIs raise them, and how sure they are."""

from __future__ import annotations

from typing import Any

import pytest

from diagnosis import Judgement, Remark
from tests.diagnosis.questions.build import NOT_FOUND, Log, one, said

DOCS = "docs://team/{team}/policy/{name}"
COMMA = "docs://team/platform/policy/a,b"
SERVABLE, STRICTER = "remark/template-not-servable", "remark/stricter-matcher"
UNKNOWN = " Which SDK this server runs is not known."


def found(judged: Judgement, rule: str) -> Remark | None:
    """The remark of a rule, None where there is none."""
    return next((remark for remark in judged.remarks if remark.rule.id == rule), None)


REFUSED = [
    ("archive://{year}{month}/{name}", "archive://202510/summary", "two variables with nothing between them"),
    ("tree://{+a}/at/{+b}", "tree://x/at/y", "two variables of many segments"),
    ("pair://{x}/{x}", "pair://a/a", "a name that is used twice"),
    ("cut://{x:3}/y", "cut://abc/y", "a prefix such as `{v:3}`"),
    ("find://all{?v*}", "find://all?v=1", "an exploded query variable"),
]


@pytest.mark.parametrize(("template", "uri", "shape"), REFUSED)
@pytest.mark.parametrize("error", [None, NOT_FOUND])
def test_a_template_that_a_known_parser_refuses(template: str, uri: str, shape: str, error: Any) -> None:
    remark = found(one(template, uri, error=error), SERVABLE)
    assert remark is not None
    assert remark.summary == f"Of the template `{template}`: mcp (Python) 2.x would refuse {shape}.{UNKNOWN}"
    assert (str(remark.certainty), str(remark.severity)) == ("possible", "mild")


def test_several_parsers_share_a_sentence() -> None:
    remark = found(one("a://{a-b}", "a://x"), SERVABLE)
    assert remark is not None
    assert "mcp (Python) 2.x and Go SDK would refuse a name with a hyphen." in remark.summary


def test_a_template_that_a_person_gives_counts_too() -> None:
    log = Log()
    log.read("archive://202510/summary", error=NOT_FOUND)
    assert found(log.last(given=["archive://{year}{month}/{name}"]), SERVABLE) is not None


@pytest.mark.parametrize("template", [DOCS, "docs://team/{+rest}", "docs://team/{path*}"])
def test_a_template_that_every_known_parser_takes(template: str) -> None:
    assert found(one(template, "docs://team/x/policy/y", error=NOT_FOUND), SERVABLE) is None


def test_where_the_sdk_can_be_guessed_the_others_say_nothing() -> None:
    ours = {"code": -32602, "message": "Unknown resource: archive://202510/summary"}
    remark = found(one("archive://{year}{month}/{name}", "archive://202510/summary", error=ours), SERVABLE)
    assert remark is not None and str(remark.certainty) == "likely"
    assert "a guess by the wording of the error and its code -32602" in remark.summary
    theirs = {"code": -32602, "message": "MCP error -32602: Resource archive://202510/summary not found"}
    assert found(one("archive://{year}{month}/{name}", "archive://202510/summary", error=theirs), SERVABLE) is None


def test_an_error_for_a_uri_that_some_servers_would_not_match() -> None:
    judged = one(DOCS, COMMA, error=NOT_FOUND)
    remark = found(judged, STRICTER)
    assert remark is not None
    assert remark.summary == (
        "mcp (Python) 2.x, TypeScript SDK 1.x and TypeScript SDK 2.x would refuse the raw `,` in `name`." + UNKNOWN
    )
    assert (str(remark.certainty), str(remark.severity)) == ("possible", "mild")
    assert [evidence.what for evidence in remark.evidence] == ["the request", "the error"]
    assert said(judged.principal) == "cannot_tell not-found"


def test_one_sentence_for_each_reason() -> None:
    remark = found(one("reviews://{isbn}{?limit,sort}", "reviews://978?sort=top", error=NOT_FOUND), STRICTER)
    assert remark is not None
    assert remark.summary == (
        "mcp (Python) 1.x and PHP SDK would not support query expressions. TypeScript SDK 1.x and TypeScript SDK 2.x "
        "would match only with every query parameter, in the template's order." + UNKNOWN
    )


QUIET: list[tuple[str, dict[str, Any]]] = [
    ("docs://team/platform/policy/plain", {"error": NOT_FOUND}),  # every known server matches it
    (COMMA, {}),  # served
    ("docs://team/platform/policy/a/b", {"error": NOT_FOUND}),  # left its segment: question 1
    ("other://x", {"error": NOT_FOUND}),  # no template
    (COMMA, {"error": {"code": 403, "message": "Forbidden"}}),  # refused in so many words
    (COMMA, {"error": {"code": -32602, "message": f"Resource not found: '{COMMA}'"}}),  # FastMCP takes a comma
]


@pytest.mark.parametrize(("uri", "answer"), QUIET)
def test_no_remark_where_nothing_is_stricter(uri: str, answer: dict[str, Any]) -> None:
    assert found(one(DOCS, uri, **answer), STRICTER) is None


def test_a_listed_resource_is_found_before_any_template() -> None:
    log = Log(DOCS)
    log.resources(COMMA)
    log.read(COMMA, error=NOT_FOUND)
    assert found(log.last(), STRICTER) is None


def test_a_guess_by_the_wording_makes_it_likely() -> None:
    error = {"code": -32602, "message": f"Unknown resource: {COMMA}"}
    remark = found(one(DOCS, COMMA, error=error), STRICTER)
    assert remark is not None and str(remark.certainty) == "likely"
    assert remark.summary == (
        "mcp (Python) 2.x would refuse the raw `,` in `name`. "
        "That the server runs it is a guess by the wording of the error and its code -32602."
    )


def test_a_guess_by_the_name() -> None:
    log = Log(DOCS, server="FastMCP-1a2b")
    log.read("docs://team/platform/policy/", error=NOT_FOUND)
    remark = found(log.last(), STRICTER)
    assert remark is not None
    assert remark.summary == (
        "FastMCP 4.x would refuse the empty value of `name`. "
        "That the server runs it is a guess by the server's name `FastMCP-1a2b`."
    )


def test_a_server_cannot_put_words_of_its_own_into_the_sentence() -> None:
    log = Log(DOCS, server="fastmcp`\x1b[31m**bold**")
    log.read("docs://team/platform/policy/", error=NOT_FOUND)
    remark = found(log.last(), STRICTER)
    assert remark is not None
    assert "\x1b" not in remark.summary and remark.summary.count("`") == 4

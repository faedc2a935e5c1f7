"""The causes of a failed read that cannot be told apart, and those that can be struck."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.questions.build import NOT_FOUND, Log, one

DOCS = "docs://team/{team}/policy/{name}"
FILE = "file:///srv/{+path}"
REVIEWS = "reviews://{isbn}{?limit,sort}"
ALWAYS = "absence", "a refusal by design"
MCP2 = "Unknown resource: x://y"  # the wording of mcp 2.x: the other stacks say nothing then


def listed(*causes: str) -> str:
    """The sentence of the answer with these causes after those that are never struck."""
    words = [*ALWAYS, *causes]
    return (
        "The server answered with an error; the log cannot tell these causes apart: "
        f"{', '.join(words[:-1])} and {words[-1]}. An error is never a missing authorization."
    )


def because(template: str, uri: str, code: int = -32602, message: str = MCP2, **more: Any) -> str:
    """What question 3 says of the read."""
    return one(template, uri, error={"code": code, "message": message}, **more).principal.because


def test_a_plain_read_leaves_two_causes() -> None:
    assert because(DOCS, "docs://team/platform/policy/on-call%2Fescalation") == listed()


SCREENED = [
    (DOCS, "docs://team/platform/policy/..", "`name`"),
    (DOCS, "docs://team/platform/policy/..%2Fx", "`name`"),
    (DOCS, "docs://team/platform/policy/a%00b", "`name`"),
    (DOCS, "docs://team/C:x/policy/y", "`team`"),
    (FILE, "file:///srv//etc/passwd", "`path`"),
]


@pytest.mark.parametrize(("template", "uri", "name"), SCREENED)
def test_an_unsafe_value_keeps_the_path_screen(template: str, uri: str, name: str) -> None:
    assert because(template, uri) == listed(f"a path screen ({name} is unsafe as a path)")


def test_a_value_that_is_unsafe_after_two_decodes() -> None:
    said = listed("a path screen after a second decode (`name` is unsafe then)")
    assert because(DOCS, "docs://team/platform/policy/..%252Fx") == said


@pytest.mark.parametrize("uri", ["file:///srv/v1.0..v2.0", "file:///srv/a/../b", "file:///srv/HEAD~3..HEAD"])
def test_safe_dots_strike_the_path_screen(uri: str) -> None:
    assert because(FILE, uri) == listed()


def test_what_the_policy_says_is_no_path_is_not_screened() -> None:
    policy = {"principals": [], "not_paths": {DOCS: ["name"]}}
    assert because(DOCS, "docs://team/platform/policy/..%2Fx", policy=policy) == listed()


def test_a_stricter_matcher_is_named() -> None:
    uri = "docs://team/platform/policy/a,b"
    assert because(DOCS, uri) == listed("a stricter matcher (mcp (Python) 2.x would not match)")
    unguessed = listed(
        "a stricter matcher (mcp (Python) 2.x, TypeScript SDK 1.x and TypeScript SDK 2.x would not match)"
    )
    assert because(DOCS, uri, message="no") == unguessed
    assert because(DOCS, uri, message=f"Resource not found: '{uri}'") == listed()


CONVERSIONS = [
    ("12a", " (`12a`)"),
    ("2025-10", " (`2025-10`)"),
    ("abc", ""),
]


@pytest.mark.parametrize(("value", "shown"), CONVERSIONS)
def test_a_value_that_is_no_number_beside_an_internal_error(value: str, shown: str) -> None:
    said = listed(f"a value that does not convert to the handler's type{shown}")
    assert because("n://{x}", f"n://{value}", -32603) == said
    assert because("n://{x}", f"n://{value}") == listed()


@pytest.mark.parametrize("value", ["12", "-3", "0012", "1.5"])
def test_a_number_converts(value: str) -> None:
    assert because("n://{x}", f"n://{value}", -32603) == listed()


OMITTED = [
    ("reviews://978", ["an omitted query value without a default (`limit` and `sort`)"]),
    ("reviews://978?sort=top", ["an omitted query value without a default (`limit`)"]),
    ("reviews://978?sort=top&limit=1", []),
    ("reviews://978?limit=&sort=", []),
]


@pytest.mark.parametrize(("uri", "causes"), OMITTED)
def test_query_values_that_are_left_out(uri: str, causes: list[str]) -> None:
    assert because(REVIEWS, uri) == listed(*causes)


def test_a_value_that_left_its_segment() -> None:
    said = listed("a matcher that splits the URI where a value left its segment")
    assert because(DOCS, "docs://team/platform/policy/a/b") == said


def test_without_a_template_nothing_can_be_struck() -> None:
    said = listed("a path screen", "a matcher that knows no template for it")
    assert because(DOCS, "other://x") == said


def test_a_listed_resource_binds_and_matches_nothing() -> None:
    log = Log(DOCS)
    log.resources("docs://team/platform/policy/a,b")
    log.read("docs://team/platform/policy/a,b", error=NOT_FOUND)
    assert log.last().principal.because == listed()

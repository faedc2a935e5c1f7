"""What known SDK servers would do with a URI: the rows against what was observed of the servers and libraries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from diagnosis.uris.alignment import align
from diagnosis.uris.stack_data import Stack, stacks, stacks_text
from diagnosis.uris.stack_matching import as_seen
from diagnosis.uris.stacks import cannot_serve, guess, matches, refusals, screens
from diagnosis.uris.templates import Template, parse

TABLES = Path(__file__).resolve().parents[4] / "shared" / "reference" / "semantics_tables"
BY_NAME = {stack.name: stack for stack in stacks()}
SERVERS = ("mcp (Python) 2.x", "mcp (Python) 1.x", "FastMCP 4.x", "TypeScript SDK 1.x", "TypeScript SDK 2.x")
MATCHERS = ("Go SDK", "Java SDK", "PHP SDK", "C# SDK", "Kotlin SDK")
MCP2 = BY_NAME["mcp (Python) 2.x"]

REPORT = "report://{tenant}/{month}"
DOCS = "docs://team/{team}/policy/{name}"
FILE = "file:///repo/{+path}"
REVIEWS = "reviews://{isbn}{?limit,sort}"


def test_the_rows_have_the_documented_shape() -> None:
    assert TypeAdapter(tuple[Stack, ...]).validate_json(stacks_text()) == stacks()


# Copied from the observations: one mark for each of SERVERS and MATCHERS, "+" served or matched, "x" refused, "." not
# run, or a template that the server had not registered.
OBSERVED = [
    (REPORT, "report://northwind/2025-10", "+++++ +++++"),
    (REPORT, "REPORT://northwind/2025-10", "x+x++ xxx+x"),
    (DOCS, "docs://team/Platform%20%26%20Ops/policy/on-call%2Fescalation", "+++++ +++++"),
    (DOCS, "docs://team/Platform Ops/policy/x", "+++++ x++++"),
    (DOCS, "docs://team/R&D/policy/x", "x++++ x++x+"),
    (DOCS, "docs://team/platform/policy/on-call/escalation", "xxxxx xxxxx"),
    (DOCS, "docs://team/platform/policy/on-call%2Fescalation", "+++++ +++++"),
    (DOCS, "docs://team/platform/policy/on-call%2fescalation", "+++++ +++++"),
    (DOCS, "docs://team/platform/policy/on-call%252Fescalation", "+++++ +++++"),
    (DOCS, "docs://team/platform/policy/a+b", "+++++ x++++"),
    (DOCS, "docs://team/café/policy/x", "+++++ x++++"),
    (DOCS, "docs://team/caf%C3%A9/policy/x", "+++++ +++++"),
    (DOCS, "docs://team/platform/policy/x/", "xxxxx xxxx+"),
    (DOCS, "docs://team/platform/policy/", "+xxxx +xx+x"),
    (DOCS, "docs://team//policy/x", "+xxxx +xx+x"),
    (DOCS, "docs://team/platform/policy/x?y", "x++++ x++x+"),
    (DOCS, "docs://team/platform/policy/x#y", "x++++ x++x+"),
    (DOCS, "docs://team/platform/policy/a,b", "x++xx +++++"),
    (DOCS, "docs://team/platform/policy/a%2Cb", "+++++ +++++"),
    (DOCS, "docs://team/platform/policy/a:b", "x+x++ x++++"),
    (DOCS, "docs://team/platform/policy/a;b", "+++++ x++++"),
    (DOCS, "docs://team/platform/policy/100%", "+++++ x+++x"),
    (DOCS, "docs://team/platform/policy/a%GGb", "+++++ x+++x"),
    (DOCS, "docs://team/platform/policy/a%FFb", "+++++ +++++"),
    (DOCS, "docs://team/platform/policy/a%00b", "x+x++ +++++"),
    (DOCS, "docs://team/platform/policy/..", "xxxxx ++++x"),
    (DOCS, "docs://team/platform/policy/..%2Fx", "x+x++ +++++"),
    (DOCS, "docs://team/platform/policy/..%252F..%252Fetc", "+++++ +++++"),
    (DOCS, "docs://team/platform/policy/%2E%2E", "xxxxx +++++"),
    (DOCS, "docs://team/a/../policy/x", "xxxxx xxxxx"),
    (DOCS, "docs://team/platform/policy/a\\b", "+++++ x++++"),
    (DOCS, "docs://team/platform/policy/%78", "+++++ +++++"),
    (DOCS, "docs://team/platform/policy/C:foo", "x+x++ x++++"),
    (DOCS, "docs://Team/platform/policy/x", "xxxxx xxx+x"),
    (DOCS, "docs://team/platform/Policy/x", "xxxxx xxx+x"),
    (DOCS, "docs://team/platform/policy/x\n", "+++++ x.+++"),
    (DOCS, "docs://team/platform/policy/x\ty", "+++++ x++++"),
    (FILE, "file:///repo/src/main.py", "+.+++ +xx+x"),
    (FILE, "file:///repo/../etc/passwd", "x.xxx +xx+x"),
    (FILE, "file:///repo/a/../b", "+.+++ +xx+x"),
    (FILE, "file:///repo/..%2Fetc", "x.x++ ++x++"),
    (FILE, "file:///repo/..%252Fetc", "+.+++ ++x++"),
    (FILE, "file:///repo/%2E%2E/etc", "x.xxx +xx+x"),
    (FILE, "file:///repo/a b.txt", "+.+++ x+x++"),
    (FILE, "file:///repo//etc/passwd", "x.x++ +xx+x"),
    (FILE, "file:///repo/a?x=1", "x.+++ ++xx+"),
    (REVIEWS, "reviews://978", "+.+xx ++x++"),
    (REVIEWS, "reviews://978?sort=top", "+.+xx ++x++"),
    (REVIEWS, "reviews://978?limit=1&sort=top", "+.+++ ++x++"),
    (REVIEWS, "reviews://978?sort=top&limit=1", "+.+xx ++xx+"),
    (REVIEWS, "reviews://978?limit=1&sort=top&utm=z", "+.+xx x+xx+"),
    (REVIEWS, "reviews://978?limit=&sort=", "+.+xx ++x++"),
    (REVIEWS, "reviews://978?limit=1&sort=a+b", "+.+++ x+x++"),
    (REVIEWS, "reviews://978?limit=1&sort=a%252Fb", "+.+++ ++x++"),
    (REVIEWS, "reviews://978?limit=1&sort=a&b", "+.+xx x+xx+"),
    (REPORT, "report://northwind", "xxxxx xxxxx"),
    (REPORT, "report://northwind/", "+xxxx +xx+x"),
    (REPORT, "report://a@b/2025-10", "+++++ x++++"),
    (REPORT, "report://northwind:443/2025-10", "+++++ x++++"),
    (REPORT, "report://north%2Fwind/2025-10", "+++++ +++++"),
    (REPORT, "report://North Wind/2025-10", "+x+xx x++++"),
    (REPORT, "nothing://x/y", "xxxxx xxxxx"),
]  # fmt: skip

# Where the prediction is known to be wrong, and why.
DISAGREES = {
    ("Kotlin SDK", "file:///repo/a/../b"): "java.net.URI drops an empty authority when it removes dot segments",
}


def template_for(stack: Stack, text: str) -> Template:
    """The template as the stack's server writes it: FastMCP has a notation of its own for many segments."""
    fastmcp = stack.name.startswith("FastMCP")
    return parse(text.replace("{+path}", "{path*}"), "fastmcp") if fastmcp else parse(text)


def would_serve(stack: Stack, uri: str, text: str) -> bool | None:
    """The prediction: the matcher takes the URI, and no path screen refuses a value after it."""
    template = template_for(stack, text)
    taken = matches(stack, uri, template)
    aligned = align(as_seen(stack, uri, template), template)
    if not taken or aligned is None:
        return taken
    return not any(refusal.stack is stack for refusal in screens(aligned.found[0]))


def marks() -> Iterator[tuple[str, str, str, bool]]:
    """The copied rows as (stack, template, uri, whether it was served)."""
    for text, uri, row in OBSERVED:
        for name, mark in zip((*SERVERS, *MATCHERS), row.replace(" ", ""), strict=True):
            if mark != ".":
                yield name, text, uri, mark == "+"


def test_the_data_name_every_known_stack_once() -> None:
    assert [stack.name for stack in stacks()] == [*SERVERS, *MATCHERS]
    assert stacks() is stacks()


@pytest.mark.parametrize(("name", "text", "uri", "served"), list(marks()))
def test_a_row_is_served_or_refused_as_observed(name: str, text: str, uri: str, served: bool) -> None:
    wrong = (name, uri) in DISAGREES
    assert (would_serve(BY_NAME[name], uri, text) is served) is not wrong


def table(name: str) -> Any:
    """A reference table, which stands beside the repository and is no part of it."""
    path = TABLES / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"the reference table {path.name} is not beside this repository")
    return json.loads(path.read_text("utf-8"))


def test_every_observed_server_row() -> None:
    wrong = []
    for name, server in zip(SERVERS, table("server_matching").values(), strict=True):
        for key, row in server["rows"].items():
            predicted = {would_serve(BY_NAME[name], row["request_uri"], each) for each in server["templates"]}
            if (True in predicted) is not (row["outcome"] == "ok"):
                wrong.append((name, key))
    assert wrong == []


def test_every_row_of_the_other_matchers() -> None:
    wrong = []
    for row in table("other_matchers").values():
        for name, outcome in zip(MATCHERS, list(row.values())[2:3] + list(row.values())[4:], strict=True):
            if outcome == "not run":
                continue
            observed = outcome is True or (isinstance(outcome, dict) and outcome.get("matches", "true") == "true")
            if would_serve(BY_NAME[name], row["request_uri"], row["template"]) is not observed:
                wrong.append((name, row["request_uri"]))
    assert wrong == list(DISAGREES)


def test_every_row_of_the_python_matcher() -> None:
    rows = table("mcp2_uri_template")
    taken = [(each["template"], each["uri"], each["match"] is not None) for each in rows["match"]]
    assert [row for row in taken if matches(MCP2, row[1], parse(row[0])) is not row[2]] == []
    for each in rows["parse"]:
        if "..." not in each["template"]:  # the table holds two long templates in part only
            refused = any(refusal.stack is MCP2 for refusal in cannot_serve(each["template"]))
            assert refused is each["outcome"].startswith("rejected"), each["template"]


# What mcp 2.x matches and what it does not, worked out by hand from its stop characters.
PYTHON = [
    ("a://{x}", "a://b=c;d", True), ("a://{x}", "a://b&c", False), ("a://{x}", "a://", True),
    ("a://{x}", "A://b", False), ("a://{+p}", "a://x?y", False), ("a://{+p}", "a://x,y&z", True),
    ("a://{+p}{?q}", "a://x?z=1", True),
    ("a://b{/s*}", "a://b/1/2", True), ("a://b{/s*}", "a://b", True), ("a://b{/s}", "a://b", False),
    ("a://b{.e}", "a://b.txt", True), ("a://b{.e}", "a://b.tar.gz", False), ("a://b{;k}", "a://b", False),
    ("a://b{#f}", "a://b#x/y?z", True), ("a://b{?q,r}", "a://b?r=1&q=2", True), ("a://b{?q,r}", "a://b?x", True),
    ("a://b{&q}", "a://b", False), ("a://{x,y}", "a://1,2", True), ("a://{x,y}", "a://1", False),
    ("a://{x,y}", "a://1,2,3", False), ("a://lit%20eral/{x}", "a://lit%20eral/1", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "uri", "taken"), PYTHON)
def test_the_python_matcher(text: str, uri: str, taken: bool) -> None:
    assert matches(MCP2, uri, parse(text)) is taken


SENTENCES = [
    (DOCS, "docs://team/platform/policy/a,b", [
        "mcp (Python) 2.x would refuse the raw `,` in `name`.",
        "TypeScript SDK 1.x would refuse the raw `,` in `name`.",
        "TypeScript SDK 2.x would refuse the raw `,` in `name`.",
    ]),
    (DOCS, "docs://team/R&D/policy/x", [
        "mcp (Python) 2.x would refuse the raw `&` in `team`.", "Go SDK would refuse the raw `&` in `team`.",
        "C# SDK would refuse the raw `&` in `team`.",
    ]),
    (DOCS, "docs://team/Platform Ops/policy/x", ["Go SDK would refuse the raw space in `team`."]),
    (REVIEWS, "reviews://978?sort=top&limit=1", [
        "mcp (Python) 1.x would not support query expressions.",
        "TypeScript SDK 1.x would match only with every query parameter, in the template's order.",
        "TypeScript SDK 2.x would match only with every query parameter, in the template's order.",
        "PHP SDK would not support query expressions.",
        "C# SDK would match query parameters only in the template's order.",
    ]),
    (FILE, "file:///repo/src/main.py", [
        "Java SDK would take `{+path}` for one segment.", "PHP SDK would not support `{+path}`.",
        "Kotlin SDK would take `{+path}` for one segment.",
    ]),
    (DOCS, "docs://team/platform/policy/on-call%2Fescalation", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "uri", "said"), SENTENCES)
def test_each_refusal_says_why(text: str, uri: str, said: list[str]) -> None:
    aligned = align(uri, parse(text))
    assert aligned is not None
    assert [refusal.why for refusal in refusals(uri, aligned.found[0])] == said


def test_dots_that_a_url_type_removes() -> None:
    uri = "file:///repo/../etc/passwd"
    aligned = align(uri, parse(FILE))
    assert aligned is not None
    said = {refusal.stack.name: refusal.what for refusal in refusals(uri, aligned.found[0])}
    assert said["TypeScript SDK 1.x"] == "would look for `file:///etc/passwd`, which does not fit the template"
    assert "C# SDK" not in said
    assert [refusal.stack.name for refusal in screens(aligned.found[0])] == ["mcp (Python) 2.x", "FastMCP 4.x"]


def test_a_value_never_changes_the_sentence() -> None:
    uri = "docs://team/`x`&\x1b[31m/policy/y"
    aligned = align(uri, parse(DOCS))
    assert aligned is not None
    assert all("\x1b" not in refusal.why for refusal in refusals(uri, aligned.found[0]))


def test_a_stack_of_which_too_little_is_known_says_nothing() -> None:
    aligned = align("a://b/1/2", parse("a://b{/s*}"))
    assert aligned is not None
    assert refusals("a://b/1/2", aligned.found[0]) == ()
    assert [matches(stack, "a://b/1/2", aligned.found[0].template) for stack in stacks()] == [True] + [None] * 9


SHAPES = [
    ("archive://{year}{month}", "mcp (Python) 2.x would refuse two variables with nothing between them."),
    ("a://{+p}{/s*}", "mcp (Python) 2.x would refuse two variables with nothing between them."),
    ("a://{+p}/{+q}", "mcp (Python) 2.x would refuse two variables of many segments."),
    ("a://{+a,b}", "mcp (Python) 2.x would refuse two variables of many segments."),
    ("a://{x}/{x}", "mcp (Python) 2.x would refuse a name that is used twice."),
    ("a://{x:3}", "mcp (Python) 2.x would refuse a prefix such as `{v:3}`."),
    ("a://b{?v*}", "mcp (Python) 2.x would refuse an exploded query variable."),
    ("a://{", "mcp (Python) 2.x would refuse a brace that is never closed."),
    ("a://{x*}", "mcp (Python) 2.x would refuse an explode mark without a separator."),
]


@pytest.mark.parametrize(("text", "said"), SHAPES)
def test_a_parser_refuses_a_shape(text: str, said: str) -> None:
    assert [refusal.why for refusal in cannot_serve(text)] == [said]


@pytest.mark.parametrize(
    "text", [REPORT, DOCS, FILE, REVIEWS, "a://{+p}{.e}", "a://{a}{.b}", "a://{/a,b}", "a://{;a*}", "a://}"]
)
def test_no_parser_is_known_to_refuse(text: str) -> None:
    assert cannot_serve(text) == ()


def test_two_parsers_refuse_a_hyphen() -> None:
    assert [refusal.stack.name for refusal in cannot_serve("a://{a-b}")] == ["mcp (Python) 2.x", "Go SDK"]


def test_many_segments_in_fastmcp_are_no_explode() -> None:
    assert cannot_serve(parse("file:///repo/{path*}", "fastmcp")) == ()


WORDINGS = [
    (-32602, "Unknown resource: a://nf", "mcp (Python) 2.x"),
    (-32603, "Error creating resource from template a://ve", "mcp (Python) 2.x"),
    (0, "Unknown resource: zzz://x", "mcp (Python) 1.x"),
    (0, "Error creating resource from template: not your tenant", "mcp (Python) 1.x"),
    (-32602, "Resource not found: 'zzz://x'", "FastMCP 4.x"),
    (-32603, "Error reading resource 'a://ve': unexpected characters", "FastMCP 4.x"),
    (-32602, "MCP error -32602: Resource zzz://x not found", "TypeScript SDK 1.x"),
    (-32602, "Resource not found: zzz://x", "TypeScript SDK 2.x"),
    (-32602, "Resource URI northwind/2025-10 is invalid", "TypeScript SDK 2.x"),
    (-32602, "Resource not found", None),
    (-32002, "Unknown resource: a://nf", None),
    (-32603, "unexpected characters", None),
    (None, "", None),
]


@pytest.mark.parametrize(("code", "message", "name"), WORDINGS)
def test_an_error_is_a_basis_for_a_guess(code: int | None, message: str, name: str | None) -> None:
    found = guess("reports", code, message)
    assert (found.stack.name if found else None) == name
    assert found is None or found.because == f"a guess by the wording of the error and its code {code}"


def test_a_name_is_a_basis_for_a_guess_and_a_url_is_not() -> None:
    found = guess("FastMCP demo", -32000, "no")
    assert found is not None
    assert (found.stack.name, found.because) == ("FastMCP 4.x", "a guess by the server's name `FastMCP demo`")
    assert guess("https://fastmcp.example/mcp", -32000, "no") is None
    older = guess("FastMCP", 0, "Unknown resource: a://b")
    assert older is not None and older.stack.name == "mcp (Python) 1.x"

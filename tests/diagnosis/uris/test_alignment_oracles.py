"""Alignment against independent judges: the expander, a slow matcher, and the SDK's matcher."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.uris.alignment import align, expected
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Fit
from diagnosis.uris.templates import Expression, Literal, Template, expand, parse

NAMES = ("a", "b", "c")
VALUES = st.text(alphabet="aZ-.~/?#&=+,:;! %é漢'2F", min_size=1, max_size=5)
EXPRESSIONS = st.sampled_from(["{%s}", "{+%s}", "{/%s}", "{.%s}", "{;%s}", "{#%s}", "{%s:9}"])
LITERALS = st.sampled_from(["/", "/x/", "-", "é", ".", "p%2Fq"])


@st.composite
def templates(draw: st.DrawFn) -> str:
    text = "d://"
    for name in NAMES[: draw(st.integers(1, 3))]:
        text += draw(EXPRESSIONS) % name + draw(LITERALS)
    return text + draw(st.sampled_from(["", "{?q,r}", "{?q}{&r}", "{?q}{#f}", "{/l*}", "{?l*}", "{.l*}"]))


@given(templates(), st.fixed_dictionaries(dict.fromkeys((*NAMES, "q", "r", "f"), VALUES)), st.data())
@settings(max_examples=400)
def test_expansions_are_strict_and_give_the_values_back(
    text: str, scalars: dict[str, str], data: st.DataObject
) -> None:
    template = parse(text)
    values: dict[str, str | list[str]] = {**scalars, "l": data.draw(st.lists(VALUES, max_size=3))}
    if any(isinstance(part, Expression) and part.operator in ("+", "#") for part in template.parts):
        # A value that holds what begins the query reads as one, by intention.
        values = {name: value for name, value in values.items() if not set("?#&") & set("".join(value))}
        scalars = {name: value for name, value in scalars.items() if name in values}
    uri = expand(template, values)
    found = align(uri, template)
    assert found is not None and found.fit is Fit.STRICT
    assert all(expected(alignment, uri) == uri for alignment in found.found)
    if len(found.found) > 1:
        return
    for binding in found.found[0].bindings:
        if binding.operator in ("+", "#"):
            assert decode(binding.raw) == decode(scalars.get(binding.name, ""))
        elif binding.name == "l" and binding.operator == "." and "." in "".join(values["l"]):
            assert decode(binding.raw) == ".".join(values["l"])  # which dots join items cannot be seen
        elif binding.name == "l":
            assert [decode(item) for item in binding.items or ()] == values["l"]
        else:
            assert decode(binding.raw) == scalars.get(binding.name, "")


U = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
R = frozenset(":/?#[]@!$&'()*+,;=")
TRIPLET = re.compile("%[0-9A-Fa-f]{2}")


def slow(uri: str, template: Template) -> tuple[Fit, set[tuple[tuple[str, int, int], ...]]] | None:
    """Every cutting of a URI, judged one by one: literals, `{v}`, `{+v}`, `{/v}`, `{.v}` and `{#v}` only."""
    inside = {found.start() + step for found in TRIPLET.finditer(uri) for step in (1, 2)}

    def cuts(index: int, at: int) -> Iterator[tuple[Fit, tuple[tuple[str, int, int], ...]]]:
        if index == len(template.parts):
            if at == len(uri):
                yield Fit.STRICT, ()
            return
        part = template.parts[index]
        if isinstance(part, Literal):
            if uri.startswith(part.text, at) and at + len(part.text) not in inside:
                yield from cuts(index + 1, at + len(part.text))
            return
        first = "" if part.operator == "+" else part.operator
        if first:
            yield from cuts(index + 1, at)
            if not uri.startswith(first, at):
                return
        start = at + len(first)
        for end in range(start, len(uri) + 1):
            if end in inside or start in inside:
                continue
            fit = span_fit(uri[start:end], part.operator)
            for rest, bindings in cuts(index + 1, end):
                yield max(fit, rest), ((part.variables[0].name, start, end), *bindings)

    found = list(cuts(0, 0))
    if not found:
        return None
    best = min(fit for fit, _ in found)
    return best, {bindings for fit, bindings in found if fit is best}


def span_fit(raw: str, operator: str) -> Fit:
    left = set(TRIPLET.sub("", raw)) - (U | R if operator in ("+", "#") else U)
    if not left:
        return Fit.STRICT
    if left & set("/?#") and operator not in ("+", "#"):
        return Fit.ESCAPED
    return Fit.TOLERATED if left <= set("!'()*") else Fit.RESIDUE


@st.composite
def small_templates(draw: st.DrawFn) -> str:
    pieces = st.sampled_from(["{%s}", "{+%s}", "{/%s}", "{.%s}", "{#%s}"])
    text = draw(st.sampled_from(["", "a", "/"]))
    for name in NAMES[: draw(st.integers(1, 3))]:
        text += draw(pieces) % name + draw(st.sampled_from(["", "/", "a", "-", "."]))
    return text if not text.endswith("}") or "{#" not in text.rpartition("{")[0] + text[-4:] else text + "-"


@given(small_templates(), st.text(alphabet="a/.-#? %2F!é&", max_size=7))
@settings(max_examples=1500, deadline=None)
def test_slow_matcher_agrees(text: str, uri: str) -> None:
    template = parse(text)
    found = align(uri, template)
    judged = slow(uri, template)
    if judged is None or found is None:
        assert judged is None and found is None
        return
    fit, bindings = judged
    assert found.fit is fit
    seen = {tuple((b.name, b.start, b.end) for b in alignment.bindings) for alignment in found.found}
    assert seen == bindings if not found.capped else seen < bindings


@given(st.text(alphabet="a/%2F&,+ é", max_size=8), st.text(alphabet="a/%2F&,+ é", max_size=8))
@settings(deadline=None)
def test_sdk_matches_what_is_strict(one: str, other: str) -> None:
    sdk = pytest.importorskip("mcp.shared.uri_template")
    for text in ("docs://team/{a}/policy/{b}", "x://{a}/{+b}", "x://{a}{?b}"):
        template = parse(text)
        uri = expand(template, {"a": one, "b": other})
        matched = sdk.UriTemplate.parse(text).match(uri)
        found = align(uri, template)
        assert found is not None and found.fit is Fit.STRICT
        readings = [{b.name: decode(b.raw) for b in alignment.bindings} for alignment in found.found]
        assert matched in readings


# Found by the fuzz target: the expansion was read as an undeclared `a` with the value `v1?b=v1`.
@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("q:/{t}{?a}{?b}", "q:/v1?a=v1?b=v1"),
        ("q:/{t}{?a}{?b}{&c}", "q:/v1?a=v1?b=v1&c=v1"),
        ("q:/{t}{?a}{?a,b}{#c}", "q:/v1?a=v1?a=v1&b=v1#v1"),
        ("q:/{?a}/x{?b}", "q:/?a=v1/x?b=v1"),
    ],
)
def test_two_queries_expand_to_what_fits(text: str, uri: str) -> None:
    template = parse(text)
    assert expand(template, dict.fromkeys("tabc", "v1")) == uri
    found = align(uri, template)
    assert found is not None and found.fit is Fit.STRICT
    assert {binding.raw for binding in found.found[0].bindings} == {"v1"}


def test_where_the_sdk_differs() -> None:
    sdk = pytest.importorskip("mcp.shared.uri_template")
    café = sdk.UriTemplate.parse("x://café/{v}")
    assert café.match("x://caf%C3%A9/1") is None
    assert align("x://caf%C3%A9/1", parse("x://café/{v}")) is not None
    for text in ("x://{a-b}", "x://{a}{b}", "x://{v:3}", "x://{+a}/{+b}", "x://{?v*}"):
        with pytest.raises(ValueError):
            sdk.UriTemplate.parse(text)
        assert parse(text).text == text
    # Not stopped in a simple variable there, residue here; stopped there, residue here as well.
    assert sdk.UriTemplate.parse("x://{v}").match("x://a b") == {"v": "a b"}
    assert sdk.UriTemplate.parse("x://{v}").match("x://a,b") is None
    for uri in ("x://a b", "x://a,b"):
        found = align(uri, parse("x://{v}"))
        assert found is not None and found.fit is Fit.RESIDUE

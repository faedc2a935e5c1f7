"""Laying URIs over templates: each operator, each fit, worked out by hand."""

from __future__ import annotations

import pytest

from diagnosis.uris.alignment import MAX_URI, align, departure, expected
from diagnosis.uris.reading import Alignment, Alignments, Fit
from diagnosis.uris.search import MAX_ALIGNMENTS
from diagnosis.uris.templates import parse

DOCS = "docs://team/{team}/policy/{name}"
REPORT = "report://{tenant}/{month}"


def aligned(template: str, uri: str, dialect: str = "rfc6570") -> Alignments:
    found = align(uri, parse(template, dialect))
    assert found is not None
    for alignment in found.found:
        for binding in alignment.bindings:
            assert uri[binding.start : binding.end] == binding.raw
        for offence in alignment.offences:
            assert uri[offence.offset] == offence.character
    return found


def only(template: str, uri: str, dialect: str = "rfc6570") -> Alignment:
    found = aligned(template, uri, dialect)
    assert len(found.found) == 1, [bound(alignment) for alignment in found.found]
    return found.found[0]


def bound(alignment: Alignment) -> dict[str, str]:
    return {binding.name: binding.raw for binding in alignment.bindings}


def items(alignment: Alignment) -> dict[str, tuple[str, ...] | None]:
    return {binding.name: binding.items for binding in alignment.bindings}


def offending(alignment: Alignment) -> list[tuple[str, str]]:
    return [(offence.character, offence.variable) for offence in alignment.offences]


def test_raw_values_escape_their_segment() -> None:
    uri = "docs://team/Platform & Ops/policy/on-call/escalation"
    reading = only(DOCS, uri)
    assert reading.fit is Fit.ESCAPED
    assert bound(reading) == {"team": "Platform & Ops", "name": "on-call/escalation"}
    assert offending(reading) == [(" ", "team"), ("&", "team"), (" ", "team"), ("/", "name")]
    assert reading.literals == ((0, 12), (26, 34))
    assert expected(reading, uri) == "docs://team/Platform%20%26%20Ops/policy/on-call%2Fescalation"


def test_correct_expansion_is_strict() -> None:
    uri = "docs://team/Platform%20%26%20Ops/policy/on-call%2Fescalation"
    reading = only(DOCS, uri)
    assert reading.fit is Fit.STRICT and reading.offences == ()
    assert bound(reading) == {"team": "Platform%20%26%20Ops", "name": "on-call%2Fescalation"}
    assert expected(reading, uri) == uri


@pytest.mark.parametrize(
    ("uri", "values"),
    [
        ("report://north/wind/2025-10", [("north", "wind/2025-10"), ("north/wind", "2025-10")]),
        ("report://a/b/c/d", [("a", "b/c/d"), ("a/b", "c/d"), ("a/b/c", "d")]),
        ("report://northwind/2025-10/", [("northwind", "2025-10/"), ("northwind/2025-10", "")]),
    ],
)
def test_several_ways_to_escape(uri: str, values: list[tuple[str, str]]) -> None:
    found = aligned(REPORT, uri)
    assert found.fit is Fit.ESCAPED and not found.capped
    assert [tuple(bound(alignment).values()) for alignment in found.found] == values


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        (DOCS, "docs://team/a/b/c"),
        (DOCS, "docs://teams/a/policy/b"),
        (REPORT, "report://northwind"),
        (REPORT, "REPORT://northwind/1"),
        ("a://b", "a://bc"),
        ("a://b", "a://"),
        ("a://{x}%2Fy", "a://1/y"),
        ("x://{v:3}", "x://abcd"),
        ("x://{a}/{a}", "x://1/2"),
        ("x://{v}%2F", "x://%2"),
        ("x://{?q}", "x://#f"),
    ],
)
def test_no_alignment(template: str, uri: str) -> None:
    assert align(uri, parse(template)) is None


@pytest.mark.parametrize(
    ("template", "uri", "fit", "offences"),
    [
        ("x://{v}", "x://", Fit.STRICT, ""),
        ("x://{v}", "x://a%2fb~", Fit.STRICT, ""),
        ("x://{v}", "x://it's(1)*!", Fit.TOLERATED, "'()*!"),
        ("x://{v}", "x://a:b", Fit.RESIDUE, ":"),
        ("x://{v}", "x://a'b&c", Fit.RESIDUE, "'&"),
        ("x://{v}", "x://a,b", Fit.RESIDUE, ","),
        ("x://{v}", "x://a+b", Fit.RESIDUE, "+"),
        ("x://{v}", "x://é\t%", Fit.RESIDUE, "é\t%"),
        ("x://{v}", "x://a?b#c", Fit.ESCAPED, "?#"),
        ("x://{v}/e", "x://a/b/e", Fit.ESCAPED, "/"),
        ("x://{+v}", "x://a/b?c#d+e!", Fit.STRICT, ""),
        ("x://{+v}", "x://a b%2F", Fit.RESIDUE, " "),
        ("x://{+v}/e", "x://a/b/e", Fit.STRICT, ""),
        ("x://{.e}", "x://.tar.gz", Fit.STRICT, ""),
        ("x://{a,b}", "x://1:2,3", Fit.RESIDUE, ":"),
        ("x://{v*}", "x://a,b=c,d", Fit.STRICT, ""),
        ("x://{v*}", "x://a=b=c", Fit.RESIDUE, "="),
        ("x://{/p*}", "x:///a/b", Fit.STRICT, ""),
        ("x://{/p*}", "x:///a/b c", Fit.RESIDUE, " "),
        ("x://{/p*}", "x:///a/b?c", Fit.ESCAPED, "?"),
        ("x://{?q}", "x://?q=a:b/c?d", Fit.RESIDUE, ":/?"),
        ("x://{?q}", "x://?q=a=b", Fit.RESIDUE, "="),
        ("x://{?q}", "x://?q=C#", Fit.ESCAPED, "#"),
        ("x://{?q}{#f}", "x://?q=C#f?/", Fit.STRICT, ""),
        ("x://{?q}", "x://?q=it's", Fit.TOLERATED, "'"),
        ("x://{?q}", "x://?q=a,b", Fit.STRICT, ""),
        ("x://{?q}", "x://?q=1&r=a,b", Fit.RESIDUE, ","),
    ],
)
def test_fit(template: str, uri: str, fit: Fit, offences: str) -> None:
    reading = only(template, uri)
    assert reading.fit is fit
    assert "".join(offence.character for offence in reading.offences) == offences


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("x://{v}", "x://a,b", {"v": ("a", "b")}),
        ("x://{a,b}", "x://1,2", {"a": None, "b": None}),
        ("x://{v*}", "x://1,2", {"v": ("1", "2")}),
        ("x://{v*}", "x://", {"v": ()}),
        ("x://h{/p*}", "x://h/a//b%2Fc", {"p": ("a", "", "b%2Fc")}),
        ("x://h{/p*}", "x://h/", {"p": ("",)}),
        ("x://h{/p*}", "x://h", {}),
        ("x://h{.e*}", "x://h.tar.gz", {"e": ("tar", "gz")}),
        ("x://h{;v*}", "x://h;v=1;v=2", {"v": ("1", "2")}),
        ("x://h{;v*}", "x://h;k=1;l=2", {"v": ("k=1", "l=2")}),
        ("x://h{?v*}", "x://h?v=1&v=2", {"v": ("1", "2")}),
        ("x://h{?v*}", "x://h?k=1&l=2", {"v": ("k=1", "l=2")}),
        ("x://h{?q,v*}", "x://h?v=1&q=5&v=2", {"v": ("1", "2"), "q": None}),
        ("x://h{?v}", "x://h?v=1,2", {"v": ("1", "2")}),
        ("x://{+v}", "x://a,b", {"v": None}),
    ],
)
def test_items(template: str, uri: str, values: dict[str, tuple[str, ...] | None]) -> None:
    assert items(only(template, uri)) == values


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("x://{a,b}", "x://1", {"a": "1"}),
        ("x://{a,b}", "x://1,2", {"a": "1", "b": "2"}),
        ("x://{a,b,c}", "x://1,,3", {"a": "1", "b": "", "c": "3"}),
        ("x://{+a,b}", "x://1/2,3", {"a": "1/2", "b": "3"}),
        ("x://h{/a,b}", "x://h/1", {"a": "1"}),
        ("x://h{/a,b}", "x://h/1/2", {"a": "1", "b": "2"}),
        ("x://h{/a,b}", "x://h", {}),
        ("x://h{/a}", "x://h/", {"a": ""}),
        ("x://h{.a,b}", "x://h.1.2", {"a": "1", "b": "2"}),
        ("x://h{#s}", "x://h#a/b", {"s": "a/b"}),
        ("x://h{#s}", "x://h", {}),
        ("x://h{;lat,lon}", "x://h;lat=1;lon=2", {"lat": "1", "lon": "2"}),
        ("x://h{;lat,lon}", "x://h;lon=2", {"lon": "2"}),
        ("x://h{;lat,lon}", "x://h;lat;lon=2", {"lat": "", "lon": "2"}),
        ("x://h{;lat,lon}/e", "x://h;lat=1/e", {"lat": "1"}),
        ("x://h?f=1{&a,b}", "x://h?f=1&b=2&a=1", {"b": "2", "a": "1"}),
        ("x://h{?a}/e", "x://h?a=1/e", {"a": "1"}),
        ("x://h{?a,b}/e", "x://h?b=1/e", {"b": "1"}),
        ("x://h{?a,b}/e", "x://h?a=0&b=1/e", {"a": "0", "b": "1"}),
        ("x://{v:3}", "x://%C3%A9ab", {"v": "%C3%A9ab"}),
        ("x://{/v:1,v}", "x:///a/abc", {"v": "abc"}),
        ("x://{v}/{v}", "x://ab/ab", {"v": "ab"}),
        ("x://{+p}{?q}", "x://a/b?q=1", {"p": "a/b", "q": "1"}),
        ("x://{+p}{#f}", "x://a/b#c", {"p": "a/b", "f": "c"}),
    ],
)
def test_strict_bindings(template: str, uri: str, values: dict[str, str]) -> None:
    reading = only(template, uri)
    assert reading.fit is Fit.STRICT
    assert bound(reading) == values


def test_surplus_values_of_several_variables_have_several_readings() -> None:
    found = aligned("x://{a,b}", "x://1,2,3")
    assert found.fit is Fit.STRICT
    assert [bound(alignment) for alignment in found.found] == [{"a": "1", "b": "2,3"}, {"a": "1,2", "b": "3"}]


def test_prefix_and_neighbour_keep_all_readings() -> None:
    found = aligned("x://{a:2}{b}", "x://abc")
    assert [bound(alignment)["a"] for alignment in found.found] == ["", "a", "ab"]
    found = aligned("{+path}{.ext}", "a/b.tar.gz")
    assert [tuple(bound(alignment).values()) for alignment in found.found] == [
        ("a/b", "tar.gz"),
        ("a/b.tar", "gz"),
        ("a/b.tar.gz",),
    ]


def test_a_triplet_is_never_cut() -> None:
    found = aligned("x://{a}{b}", "x://%2F")
    assert [tuple(bound(alignment).values()) for alignment in found.found] == [("", "%2F"), ("%2F", "")]


@pytest.mark.parametrize("uri", ["file:///kök/a b/{n}", "file:///k%C3%B6k/a%20b/{n}", "file:///k%c3%b6k/a b/{n}"])
@pytest.mark.parametrize("template", ["file:///kök/a b/{n}", "file:///k%C3%B6k/a%20b/{n}"])
def test_literals_match_in_both_spellings(template: str, uri: str) -> None:
    uri = uri.replace("{n}", "x")
    reading = only(template, uri)
    assert reading.fit is Fit.STRICT and reading.offences == ()
    assert bound(reading) == {"n": "x"}
    assert reading.literals == ((0, len(uri) - 1),)
    assert expected(reading, uri).upper() == "FILE:///K%C3%B6K/A%20B/X".upper()


class TestQuery:
    def test_order_and_omission_are_free(self) -> None:
        reading = only("r://{isbn}{?limit,sort}", "r://978?sort=top")
        assert bound(reading) == {"isbn": "978", "sort": "top"}
        reading = only("r://{isbn}{?limit}{&sort}", "r://978?sort=top&limit=5")
        assert bound(reading) == {"isbn": "978", "sort": "top", "limit": "5"}
        assert not reading.empty_parameters and reading.undeclared == ()

    def test_undeclared_parameters(self) -> None:
        uri = "r://978?limit=5&tenant=acme"
        reading = only("r://{isbn}{?limit}", uri)
        assert reading.fit is Fit.STRICT
        (extra,) = reading.undeclared
        assert (extra.name, extra.value, uri[extra.start : extra.end]) == ("tenant", "acme", "tenant=acme")

    def test_a_second_value_of_a_single_parameter_is_undeclared(self) -> None:
        reading = only("r://{isbn}{?limit}", "r://978?limit=5&limit=6")
        assert bound(reading)["limit"] == "5"
        assert [(extra.name, extra.value) for extra in reading.undeclared] == [("limit", "6")]

    def test_a_torn_value(self) -> None:
        uri = "r://978?q=Platform & Ops=1&limit=5"
        reading = only("r://{isbn}{?q,limit}", uri)
        assert reading.fit is Fit.RESIDUE
        assert [extra.name for extra in reading.undeclared] == [" Ops"]
        assert offending(reading) == [(" ", "q"), (" ", "")]
        assert expected(reading, uri) == "r://978?q=Platform%20%26%20Ops%3D1&limit=5"

    @pytest.mark.parametrize(
        "tail", ["?", "?limit=5&", "?&limit=5", "?limit=5&&sort=1", "?limit", "?limit=5&x", "?limit="]
    )
    def test_empty_parameters(self, tail: str) -> None:
        reading = only("r://{isbn}{?limit,sort}", "r://978" + tail)
        assert reading.fit is Fit.STRICT and reading.empty_parameters

    @pytest.mark.parametrize("tail", ["", "?limit=5", "?limit=5&x=1"])
    def test_no_empty_parameters(self, tail: str) -> None:
        assert not only("r://{isbn}{?limit,sort}", "r://978" + tail).empty_parameters

    def test_a_value_before_the_query_may_hold_its_mark_only_where_nothing_else_fits(self) -> None:
        assert bound(only("x://{a}{?q}", "x://b?q=1")) == {"a": "b", "q": "1"}
        reading = only("x://{a}/{b}{?q}", "x://n?o/m")
        assert reading.fit is Fit.ESCAPED and bound(reading) == {"a": "n?o", "b": "m"}

    def test_a_mark_in_a_reserved_value_is_legal_where_no_query_follows(self) -> None:
        assert only("x://{+a}/e{?q}", "x://b?c/e").fit is Fit.STRICT

    def test_a_query_may_begin_with_an_ampersand_where_the_first_expression_vanished(self) -> None:
        reading = only("x://{a}{?q}{&r}", "x://b&r=1")
        assert reading.fit is Fit.STRICT and bound(reading) == {"a": "b", "r": "1"}

    def test_prefix(self) -> None:
        assert only("x://{?q:2}", "x://?q=ab").fit is Fit.STRICT
        assert offending(only("x://{?q:2}", "x://?q=abc")) == [("c", "q")]

    def test_names_may_be_encoded(self) -> None:
        assert bound(only("x://{?Stra%c3%9fe}", "x://?Stra%C3%9Fe=1")) == {"Stra%c3%9fe": "1"}


def test_fastmcp_path() -> None:
    reading = only("file:///srv/{path*}", "file:///srv/a/b%20c", "fastmcp")
    assert reading.fit is Fit.STRICT and bound(reading) == {"path": "a/b%20c"} and items(reading) == {"path": None}
    assert only("file:///srv/{path*}", "file:///srv/a/b c", "fastmcp").fit is Fit.RESIDUE
    assert only("file:///srv/{path*}", "file:///srv/a?b", "fastmcp").fit is Fit.ESCAPED
    assert only("file:///srv/{path*}", "file:///srv/a/b").fit is Fit.ESCAPED


class TestBounds:
    def test_alignments_are_capped(self) -> None:
        found = aligned("x://{a}-{b}-{c}", "x://" + "-" * 200)
        assert len(found.found) == MAX_ALIGNMENTS and found.capped and not found.exhausted

    @pytest.mark.parametrize(
        ("template", "uri", "count"),
        [
            ("{+p}/{+q}/{+r}/z", "a/" * 1002, 0),
            ("{+p}/{+q}/{+r}/z", "a/" * 1001 + "/z", 64),
            ("{x}-{y}-{z}-{w}", "-" * 1505, 64),
            ("{x}-{y}-{z}-{w}", "a-" * 752 + "/", 64),
            ("x://{a}{b}{c}{d}{e}{f}", "x://" + "a" * 2000, 64),
            ("x://" + "{v}" * 6, "x://" + "a" * 2000 + "/", 0),
        ],
    )
    def test_hostile_templates_are_settled(self, template: str, uri: str, count: int) -> None:
        found = align(uri, parse(template))
        assert len(found.found if found else ()) == count
        assert found is None or not found.exhausted

    def test_exhaustion_is_said(self) -> None:
        many = "x://" + "{v}" * 99 + "{w}" * 99 + "/"
        found = align("x://" + "a" * 65_000 + "b/", parse(many))
        assert found is not None and found.exhausted and found.found == ()
        # Too much to lay out says nothing about whether it would have fitted: here it would not (no "/").
        found = align("x://" + "a" * 65_000 + "b", parse(many))
        assert found is not None and found.exhausted and found.found == ()
        assert align("x://" + "a" * 1_000 + "b", parse(many)) is None
        assert align("y://" + "a" * 65_000 + "b", parse(many)) is None  # another beginning costs nothing

    def test_long_offences_shorten_the_list(self) -> None:
        found = aligned("x://{a}{b}", "x://" + "/" * 20_000)
        assert found.capped and len(found.found) == 1 and len(found.found[0].offences) == 20_000

    def test_a_longer_uri_is_not_read(self) -> None:
        assert align("x://" + "a" * (MAX_URI - 4), parse("x://{v}")) is not None
        assert align("x://" + "a" * (MAX_URI - 3), parse("x://{v}")) is None


@pytest.mark.parametrize(
    ("template", "uri", "offset"),
    [
        (DOCS, "docs://team/a/polcy/b", 17),
        (DOCS, "docs://teams/a", 11),
        ("x://{a}/end", "x://1/end/more", 9),
        (DOCS, "docs://team/a", 12),
    ],
)
def test_departure(template: str, uri: str, offset: int) -> None:
    assert align(uri, parse(template)) is None
    assert departure(uri, parse(template)) == offset

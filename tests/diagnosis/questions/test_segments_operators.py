"""Question 1: what each operator of RFC 6570 can put into a URI, and what it cannot."""

from __future__ import annotations

import pytest

from tests.diagnosis.questions.build import classes, one, said, severe

STRICT = [
    ("report://{tenant}/{month}", "report://acme/2025-10"),
    ("report://{tenant}/{month}", "report://a-b_c.d~e/2025-10"),
    ("report://{tenant}/{month}", "report://North%20Wind%20%26%20Co/2025-10"),
    ("report://{tenant}/{month}", "report://a%2Fb/2025-10"),
    ("report://{tenant}/{month}", "report://a%2fb/2025-10"),
    ("file:///{+path}", "file:///a/b/c.txt"),
    ("file:///{+path}", "file:///a,b:c;d@e=f&g!h"),
    ("file:///{+path}", "file:///a+b"),
    ("file:///{+path}", "file:///a%20b"),
    ("page://x{#part}", "page://x#a/b?c"),
    ("page://x{#part}", "page://x"),
    ("doc://x{.ext}", "doc://x.txt"),
    ("doc://x{.ext}", "doc://x"),
    ("tree://root{/dept}", "tree://root/a"),
    ("tree://root{/dept}", "tree://root/a%2Fb"),
    ("tree://root{/dept}", "tree://root"),
    ("tree://root{/p*}", "tree://root/a/b/c"),
    ("tree://root{/a,b}", "tree://root/x/y"),
    ("m://x{;v}", "m://x;v=1"),
    ("m://x{;v}", "m://x;v=a%2Fb"),
    ("m://x{;v}", "m://x;v"),
    ("m://x{;v*}", "m://x;v=1;v=2"),
    ("find://x{?q,to}", "find://x?q=a&to=b"),
    ("find://x{?q,to}", "find://x?to=b&q=a"),
    ("find://x{?q,to}", "find://x?to=b"),
    ("find://x{?q,to}", "find://x"),
    ("find://x{?q,to}", "find://x?q=&to=b"),
    ("find://x{?q}", "find://x?q=a,b"),
    ("find://x{?q*}", "find://x?q=a&q=b"),
    ("find://x?fixed=1{&v}", "find://x?fixed=1&v=2"),
    ("find://x?fixed=1{&v}", "find://x?fixed=1"),
    ("map://{x,y}", "map://1,2"),
    ("map://{+x,y}", "map://a/b,c/d"),
    ("doc://x{.a,b}", "doc://x.1.2"),
    ("m://x{;x,y,e}", "m://x;x=1;y=2;e"),
    ("find://x{?keys*}", "find://x?color=red&size=m"),
    ("tree://x{/keys*}", "tree://x/semi=%3B/dot=."),
    ("m://x{;keys*}", "m://x;semi=%3B;dot=."),
    ("map://{keys*}", "map://semi=%3B,dot=."),
    ("find://x{?a}{&b}", "find://x?a=1&b=2"),
    ("span://{from}-{to}", "span://1-2-3"),
]


@pytest.mark.parametrize(("template", "uri"), STRICT)
def test_what_the_operator_can_emit_is_strict(template: str, uri: str) -> None:
    judged = one(template, uri)
    assert said(judged.segments) == "intact strict"
    assert not judged.findings


RESIDUE = [
    *(("report://{tenant}/{month}", f"report://a{mark}b/2025-10", "raw-reserved") for mark in "&;=@$:,[]"),
    ("report://{tenant}/{month}", "report://a+b/2025-10", "form-encoded"),
    ("find://x{?q}", "find://x?q=a+b", "form-encoded"),
    ("find://x{?q}", "find://x?q=a:b", "raw-reserved"),
    ("doc://x{.ext}", "doc://x.a&b", "raw-reserved"),
    ("tree://root{/dept}", "tree://root/a&b", "raw-reserved"),
    ("tree://root{/p*}", "tree://root/a&b/c", "raw-reserved"),
    ("map://{x,y}", "map://1&2,3", "raw-reserved"),
    ("m://x{;v}", "m://x;v=a&b", "raw-reserved"),
    ("m://x{;v}", "m://x;v=a;b", "raw-reserved"),
]


@pytest.mark.parametrize(("template", "uri", "reason"), RESIDUE)
def test_residue_is_escaped_and_mild(template: str, uri: str, reason: str) -> None:
    judged = one(template, uri)
    assert said(judged.segments) == f"escaped {reason}"
    assert [finding.rule.id for finding in judged.findings] == [f"segments/{reason}"]
    assert not severe(judged)


SEPARATORS = [
    ("note://{name}", "note://a/b"),
    ("note://{name}", "note://a#b"),
    ("report://{tenant}/{month}", "report://acme/2025/10"),
    ("doc://x{.ext}", "doc://x.a/b"),
    ("tree://root{/dept}", "tree://root/a/b"),
    ("m://x{;v}", "m://x;v=a/b"),
    ("map://{x,y}", "map://1/2,3"),
    ("find://x{?q}", "find://x?q=C#"),
]


@pytest.mark.parametrize(("template", "uri"), SEPARATORS)
def test_a_separator_in_a_single_segment_is_severe(template: str, uri: str) -> None:
    judged = one(template, uri)
    assert said(judged.segments) == "escaped extra-separator"
    assert classes(judged) == {"under-encoding"}
    assert severe(judged)


@pytest.mark.parametrize("mark", "!'()*")
def test_marks_that_encode_uri_component_leaves_are_a_remark(mark: str) -> None:
    judged = one("report://{tenant}/{month}", f"report://o{mark}brien/2025-10")
    assert judged.segments.verdict == "intact"
    assert not judged.findings
    assert judged.remarks or judged.segments.remarks


@pytest.mark.parametrize("uri", ["file:///a b", "file:///caf\u00e9", "file:///100%"])
def test_reserved_expansion_carries_no_illegal_character(uri: str) -> None:
    judged = one("file:///{+path}", uri)
    assert said(judged.segments) == "escaped illegal-character"


def test_a_lone_comma_may_also_be_a_list() -> None:
    judged = one("report://{tenant}/{month}", "report://a,b/2025-10")
    (finding,) = judged.findings
    assert "list" in finding.summary + finding.because + judged.segments.because


@pytest.mark.parametrize(("uri", "expected"), [("note://a/b", "note://a%2Fb"), ("note://R&D", "note://R%26D")])
def test_the_finding_shows_the_correct_expansion(uri: str, expected: str) -> None:
    (finding,) = one("note://{name}", uri).findings
    assert expected in finding.summary + finding.fix


def test_one_alignment_names_variable_and_character() -> None:
    (finding,) = one("wiki://page/{title}/raw", "wiki://page/a/b/raw").findings
    assert "title" in finding.summary
    assert "/" in finding.summary

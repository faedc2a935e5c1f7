"""The rows in which a URI is drawn under its template."""

from __future__ import annotations

from diagnosis.uris.alignment import align
from diagnosis.uris.lane import Cell, lane, lane_rows
from diagnosis.uris.reading import Alignment
from diagnosis.uris.templates import parse


def reading(template: str, uri: str) -> Alignment:
    found = align(uri, parse(template))
    assert found is not None
    return found.found[0]


def plain(text: str) -> str:
    return text


def printable(text: str) -> str:
    return "".join(c if c.isprintable() else f"<{ord(c):02x}>" for c in text)


def test_marks_stand_under_what_does_not_belong() -> None:
    uri = "docs://team/Platform & Ops/policy/on-call/escalation"
    drawn = lane(uri, reading("docs://team/{team}/policy/{name}", uri), echo="x://y")
    assert lane_rows(drawn, plain) == [
        ("template", "docs://team/{team}              /policy/{name}"),
        ("request", "docs://team/Platform & Ops      /policy/on-call/escalation"),
        ("", "            --------^^^---              -------^----------"),
        ("expected", "docs://team/Platform%20%26%20Ops/policy/on-call%2Fescalation"),
        ("echo", "x://y"),
    ]


def test_cells() -> None:
    uri = "d://a/b c?q=1"
    drawn = lane(uri, reading("d://{t}/{n}{?q}", uri))
    assert drawn.cells == (
        Cell("literal", "d://", "d://", "d://"),
        Cell("variable", "{t}", "a", "a", (), "t"),
        Cell("literal", "/", "/", "/"),
        Cell("variable", "{n}", "b c", "b%20c", (1,), "n"),
        Cell("variable", "{?q}", "?q=1", "?q=1", (), "q"),
    )
    assert "".join(cell.request for cell in drawn.cells) == uri


def test_a_strict_reading_has_two_rows() -> None:
    uri = "d://long-value"
    assert lane_rows(lane(uri, reading("d://{a}", uri)), plain) == [
        ("template", "d://{a}"),
        ("request", "d://long-value"),
    ]


def test_no_template() -> None:
    drawn = lane("x://a b", None)
    assert drawn.cells == (Cell("literal", "", "x://a b", "x://a b"),)
    assert lane_rows(drawn, plain) == [("request", "x://a b")]


def test_marks_follow_the_shown_lengths() -> None:
    uri = "d://a\tb/漢"
    rows = dict(lane_rows(lane(uri, reading("d://{a}/{n}", uri)), printable))
    assert rows["request"] == "d://a<09>b/漢"
    assert rows[""] == "    -^^^^- ^^"
    assert rows["expected"] == "d://a%09b /%E6%BC%A2"
    assert "\t" not in "".join(rows.values())


def test_neighbouring_expressions_share_the_uri() -> None:
    uri = "d://a/b.gz#x"
    drawn = lane(uri, reading("d://{+p}{.e}{#f}", uri))
    assert [(cell.template, cell.request) for cell in drawn.cells] == [
        ("d://", "d://"),
        ("{+p}", "a/b"),
        ("{.e}", ".gz"),
        ("{#f}", "#x"),
    ]


def test_an_omitted_expression_has_an_empty_cell() -> None:
    drawn = lane("d://a", reading("d://{a}{?q}", "d://a"))
    assert [cell.request for cell in drawn.cells] == ["d://", "a", ""]

"""A wrong filter is refused with its place, what was due, and the name that was meant; never with anything else."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from diagnosis.query import FIELDS, QueryError, parse_filter
from diagnosis.query.syntax import DEPTH_LIMIT, TEXT_LIMIT
from tests.diagnosis.query.reads import read


def refused(text: str) -> QueryError:
    """The error of a filter."""
    with pytest.raises(QueryError) as caught:
        parse_filter(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "column", "expected", "meant"),
    [
        # Names and values
        ("tennant:acme", 0, "name of a field", "tenant"),
        ("any:fault sesion:s1", 10, "name of a field", "session"),
        ("zzzz:1", 0, "name of a field", None),
        ("var.:x", 0, "name of a field", "var.NAME"),
        ("q1:falt", 3, "`fault`", "fault"),
        ("q1:clean", 3, "`suspect`", "clear"),
        ("status:okay", 7, "`ok`, `error` or `open`", "ok"),
        ("rule:extra-seperator", 5, "path", "segments/extra-separator"),
        ("rule:segment", 5, "path", "segments"),
        ("segments:extra-separater", 9, "words listed", "extra-separator"),
        ("remark:crossed", 7, "words listed", "crossed-response"),
        ("owner:server", 6, "`client`", None),
        ('q1:"fa ult"', 4, "`fault`", "fault"),
        # Signs
        ("q1>fault", 2, "signs `:`", None),
        ("q1~fault", 2, "signs `:`", None),
        ("tenant>acme", 6, "signs `:`, `=` and `~`", None),
        ("took~1s", 4, "`<=`", None),
        # Numbers, durations, times
        ("code:abc", 5, "whole number", None),
        ("code:1.5", 5, "whole number", None),
        ("code>1..5", 5, "whole number", None),
        ("code:..", 5, "whole number", None),
        ("line:5..x", 8, "whole number", None),
        ("line:5..1", 8, "behind the beginning", None),
        ("line>*", 5, "whole number", None),
        ("took>200", 5, "unit", None),
        ("took:1s..5", 9, "unit", None),
        ("took:5s..1s", 9, "behind the beginning", None),
        ("at:25:00", 3, "time of day", None),
        ("at:yesterday", 3, "time of day", None),
        ("at:09:14..2025-10-01", 10, "like the beginning", None),
        ("at:2025-10-01..2025-10-02T00:00Z", 15, "like the beginning", None),
        ("at:2025-10-02..2025-10-01", 15, "behind the beginning", None),
        ('line:"5..x"', 9, "whole number", None),
        # Grammar
        ("or", 0, "a word", None),
        ("a or", 4, "a word", None),
        ("or a", 0, "a word", None),
        ("a or or b", 5, "a word", None),
        ("a and and b", 6, "a word", None),
        ("not", 3, "a word", None),
        ("a not or b", 6, "a word", None),
        ("-", 0, "a word", None),
        ("a - b", 2, "a word", None),
        ("()", 1, "a word", None),
        (")", 0, "a word", None),
        ("a)", 1, "end", None),
        ("(a", 2, "`)`", None),
        ("(a or (b)", 9, "`)`", None),
        ("q1:", 3, "directly after the sign", None),
        ("q1: fault", 3, "directly after the sign", None),
        ("(q1:)", 4, "directly after the sign", None),
        ("uri:(a)", 4, "a value", None),
        ("uri~a(b)", 5, "quotes", None),
        ("a(b", 1, "quotes", None),
        ("(b uri~a(b)", 8, "quotes", None),
        ('uri:"a', 4, 'closing "', None),
        ('(uri:"a)', 5, 'closing "', None),
        ('("a" b', 6, "`)`", None),
        ('("a (b" ', 8, "`)`", None),
        ("'a", 0, "closing '", None),
        ('uri:"a"b', 7, "a space", None),
        (r'"\u{110000}"', 1, "10ffff", None),
        ("took > 200ms", 5, "`field:value`", None),
        # Regular expressions: the column is that of the pattern's own fault.
        (r"uri~a[z-b]", 6, "regular expression", None),
        ('uri~"a(b"', 6, "regular expression", None),
        (r'uri~"\"(b"', 7, "regular expression", None),
        ("uri~a**", 6, "regular expression", None),
        (r"uri~\bx", 4, "regular expression", None),
        ("uri~[z-a]", 5, "regular expression", None),
    ],
)
def test_an_error_has_its_place_what_was_due_and_the_name_that_was_meant(
    text: str, column: int, expected: str, meant: str | None
) -> None:
    error = refused(text)
    assert (error.column, error.nearest) == (column, meant)
    assert expected in error.expected
    assert str(error) == error.sentence
    assert (meant or "") in error.sentence


def test_a_field_that_looks_like_a_scheme_is_told_apart_from_a_uri() -> None:
    assert parse_filter("urn://a").matches(read("urn://a/b"))
    assert "in quotes" in refused("urn:isbn:1").sentence
    assert parse_filter('"urn:isbn:1"').matches(read("urn:isbn:123"))


def test_what_a_log_may_have_put_into_a_filter_is_made_visible_in_the_error() -> None:
    assert "\x1b" not in refused("q1:\x1b[31m").sentence
    assert r"\u{1b}" in refused("q1:\x1b[31m").sentence


def test_a_filter_has_a_longest_text_and_a_deepest_parenthesis() -> None:
    assert parse_filter("a" * TEXT_LIMIT).parts
    assert refused("a" * (TEXT_LIMIT + 1)).column == TEXT_LIMIT
    assert parse_filter("(" * DEPTH_LIMIT + "a" + ")" * DEPTH_LIMIT).parts
    assert refused("(" * (DEPTH_LIMIT + 1) + "a" + ")" * (DEPTH_LIMIT + 1)).column == DEPTH_LIMIT
    assert refused("(" * TEXT_LIMIT).column == TEXT_LIMIT
    assert parse_filter("not " * (TEXT_LIMIT // 4 - 1) + "a").parts
    assert parse_filter("-a " * 600).parts
    assert parse_filter("a or " * 300 + "a").parts


PIECES = st.sampled_from(
    [
        *(field.name for field in FIELDS),
        *(":", "=", "~", "<", "<=", ">", ">=", "..", "(", ")", '"', "'", "\\", "-", " ", "or", "and", "not", "*"),
        *(
            "fault",
            "09:14",
            "2025-10-01",
            "200ms",
            "41",
            "[",
            "]",
            "{2}",
            "+",
            "?",
            "|",
            "^",
            "$",
            "\\u{1b}",
            "é",
            "//",
        ),
    ]
)
JUDGEMENT = read(time="2025-10-01T09:14:07Z", answered="2025-10-01T09:14:08Z")


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=60) | st.lists(PIECES, max_size=14).map("".join))
@example("\ud800")
@example("\x00")
@example("at:9999-12-31")
@example("at:0001-01-01T00:00:00+23:59")
@example("took:999999999999h")
@example("x:\u2028y")
@example("ı:x")
def test_any_text_is_a_filter_or_a_query_error(text: str) -> None:
    try:
        found = parse_filter(text)
    except QueryError as error:
        assert 0 <= error.column <= len(text)
        assert error.expected
        assert error.sentence.endswith((".", "?"))
    else:
        assert found.matches(JUDGEMENT) in (True, False)

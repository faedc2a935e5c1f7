"""Regular expressions: the same answers as the standard library's, and one pass whatever the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.query.pattern_syntax import PatternError
from diagnosis.query.patterns import PATTERN_LIMIT, Pattern

ATOMS = st.sampled_from(
    [
        "a",
        "b",
        "c",
        ".",
        "[ab]",
        "[^a]",
        "[a-c]",
        r"[^\d]",
        r"[\D]",
        "[]a]",
        "[a-]",
        r"\d",
        r"\W",
        r"\s",
        r"\x61",
        r"\.",
    ]
)
REPEATS = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "{0}"])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Larger patterns out of smaller ones."""
    return (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})")
        | st.tuples(inner, REPEATS).map(lambda two: f"({two[0]}){two[1]}")
        | inner.map(lambda one: f"^{one}")
        | inner.map(lambda one: f"{one}$")
        | st.tuples(inner, inner).map("|".join)
    )


@settings(max_examples=500, deadline=None)
@given(st.recursive(ATOMS, grown, max_leaves=8), st.lists(st.text("abcd1. \n-]", max_size=10), min_size=1, max_size=6))
def test_it_finds_what_the_standard_library_finds(pattern: str, texts: list[str]) -> None:
    # `$` is the very end here, `.` any character, \d \w \s are ASCII.
    other = re.compile(pattern.replace("$", r"\Z"), re.DOTALL | re.ASCII)
    own = Pattern(pattern)
    assert [own.search(text) for text in texts] == [other.search(text) is not None for text in texts]


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("", "", True),
        ("", "x", True),
        ("^$", "", True),
        ("^$", "x", False),
        ("a$", "a\n", False),
        ("a.b", "a\nb", True),
        ("{tenant}", "report://{tenant}/x", True),
        ("a{", "a{", True),
        ("x{,}", "x{,}", True),
        (r"\{2}", "{2}", True),
        ("(?i)NORTH", "northwind", True),
        ("(?i)[a-c]x", "BX", True),
        ("(?i)é", "É", True),
        ("(?i)[^a]", "A", False),
        ("north", "NORTH", False),
        (r"\d", "٣", False),
        (r"\w", "é", False),
        (r"a\|b", "a|b", True),
        ("a|b", "b", True),
        ("^a|b", "xb", True),
        ("(^a|b)c", "xac", False),
        (r"\t\n\r", "\t\n\r", True),
        (r"[\x1b]", "\x1b", True),
        ("[^/]+/[^/]+$", "a/b", True),
        ("😀+", "x😀", True),
        ("\ud800", "\ud800", True),
    ],
)
def test_single_patterns(pattern: str, text: str, found: bool) -> None:
    assert Pattern(pattern).search(text) is found


@pytest.mark.parametrize(
    ("pattern", "offset"),
    [
        *(("(", 0), ("a)", 1), ("[a", 0), ("[]", 0), ("*", 0), ("a|*", 2), ("(+a)", 1), ("a**", 2), ("a*+", 2)),
        *(("^*", 1), ("a{3,2}", 1), ("a{2}{2}", 4), ("\\", 0), (r"\b", 0), (r"(a)\1", 3), (r"\u0041", 0), (r"\xg0", 0)),
        *(("(?=a)", 0), ("(?P<n>a)", 0), ("a(?i)", 1), ("[b-a]", 1), (r"[a-\d]", 1), (r"[\d-a]", 1), ("[a-", 1)),
        ("a" * (PATTERN_LIMIT + 1), PATTERN_LIMIT),
        ("(" * 41 + ")" * 41, 40),
    ],
)
def test_what_is_wrong_or_needs_going_back_is_refused(pattern: str, offset: int) -> None:
    with pytest.raises(PatternError) as caught:
        Pattern(pattern)
    assert caught.value.offset == offset


@pytest.mark.parametrize("pattern", ["((a{100}){100}){100}", "(){1000}{2}", "((){999}){999}", "a{9999}", "(a|b){1000}"])
def test_repetitions_do_not_grow_beyond_all_bounds(pattern: str) -> None:
    with pytest.raises(PatternError):
        Pattern(pattern)


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a*)*b", "a*a*a*a*a*a*b", "(.*)(.*)(.*)(.*)b", "(a|aa)+$x"])
def test_a_pattern_that_keeps_other_engines_busy_for_ever_takes_one_pass(pattern: str) -> None:
    # Thirty characters take an engine that goes back minutes. Counted in steps, because a clock would make it a guess.
    own = Pattern(pattern.replace("b", "[bc]"))  # a set: no text is refused for a missing letter
    assert not own.search("a" * 20_000)
    assert own._remembered <= 10


def test_the_memory_of_a_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diagnosis.query.patterns._REMEMBERED", 20)
    own = Pattern("^(.|x)*[a-z]{3}$")
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 500)))
    assert own.search(text + "abc")
    assert not own.search(text + "ab1")
    assert sum(map(len, own._sets.values())) <= 20 + len(own._sets)

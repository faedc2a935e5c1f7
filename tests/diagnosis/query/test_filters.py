"""Filters in slices, and which term removes most."""

from __future__ import annotations

import pytest

from diagnosis.query import Slice, in_slices, parse_filter, removals, removed_most
from diagnosis.questions.judgement import Judgement
from tests.diagnosis.query.reads import read

READS = [read(f"report://{tenant}/{number}", number=number) for number, tenant in enumerate("aabab")]


def test_slices_cover_every_read_once_and_in_order() -> None:
    matches = parse_filter("://a").matches
    assert list(in_slices(matches, READS, size=2)) == [Slice(0, 2, (0, 1)), Slice(2, 4, (3,)), Slice(4, 5, ())]
    assert list(in_slices(matches, READS, start=3, size=10)) == [Slice(3, 5, (3,))]
    assert list(in_slices(matches, READS, start=5)) == []


def test_reads_that_arrive_meanwhile_are_looked_at_too() -> None:
    growing: list[Judgement] = READS[:2]
    found: list[int] = []
    for each in in_slices(parse_filter("").matches, growing, size=2):
        found += each.found
        if len(growing) < 4:
            growing.extend(READS[2:4])
    assert found == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("a", ["a"]),
        ("a  uri:b", ["a", "uri:b"]),
        ("a and -b", ["a", "-b"]),
        ("(a b) c", ["(a b)", "c"]),
        ("(a b)", ["a", "b"]),
        ("(a or b) not c", ["(a or b)", "not c"]),
        ("a or b c", ["a or b c"]),
        ("not (a b)", ["not (a b)"]),
        ('uri:"a b" c', ['uri:"a b"', "c"]),
    ],
)
def test_the_parts_of_a_filter_are_what_it_joins_with_and(text: str, parts: list[str]) -> None:
    found = parse_filter(text).parts
    assert [part.text for part in found] == parts
    assert [text[part.start : part.end] for part in found] == parts


def test_the_term_that_removes_most_is_named() -> None:
    # "://b" removes the three reads of a, "number<=3" the last two; without "zzz" the third read would be shown.
    found = parse_filter("://b number<=3 uri:zzz")
    assert [(each.part.text, each.removed, each.without) for each in removals(found, READS)] == [
        ("uri:zzz", 5, 1),
        ("://b", 3, 0),
        ("number<=3", 2, 0),
    ]
    most = removed_most(found, READS)
    assert most is not None and most.part.text == "uri:zzz"


def test_where_nothing_is_removed_no_term_is_named() -> None:
    assert removed_most(parse_filter("report"), READS) is None
    assert removed_most(parse_filter(""), READS) is None
    assert removed_most(parse_filter("zzz"), []) is None

"""Random filters against a second, naive interpretation: a tree is made first, and written down as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.query import parse_filter
from diagnosis.questions.findings import Certainty
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Outcome
from tests.diagnosis.query.reads import (
    INTACT,
    MATCH,
    NO_DOCUMENT,
    NO_PRINCIPAL,
    REFUSED,
    caller,
    escaped,
    not_checked,
    read,
    remark,
)

TEMPLATE = "report://{tenant}/{month}"
READS = [
    read("report://acme/2025-10", template=TEMPLATE, tenants=("acme",), session="s1", time="2025-10-01T09:14:07Z"),
    read(
        "report://northwind/2025-10", (INTACT, MATCH, not_checked()), template=TEMPLATE, tenants=("northwind", "acme")
    ),
    read("docs://a b/(c)", (escaped(), NO_DOCUMENT, NO_PRINCIPAL), code=-32002, line=10, caller=caller("ana")),
    read("x", (escaped(Certainty.LIKELY), MATCH, REFUSED), outcome=Outcome.NONE, line=3, request_id="x"),
    read(None, (INTACT, NO_DOCUMENT, NO_PRINCIPAL), code=5, session="s 2", line=7),
    read(
        "report://acme/2025-11",
        time="2025-10-01T23:00:00Z",
        answered="2025-10-01T23:00:02Z",
        remarks=(remark("not-decoded"),),
        line=20,
    ),
]


@dataclass(frozen=True)
class Filter:
    """A filter as text, whether it stands in need of parentheses, and what it means."""

    text: str
    loose: bool
    means: Callable[[Judgement], bool]


def quote(value: str) -> str:
    """A value in quotes."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def one(text: str, means: Callable[[Judgement], bool]) -> Filter:
    """A term."""
    return Filter(text, False, means)


def contains(value: str) -> Filter:
    """Text of the URI, as a bare word."""
    return one(quote(value), lambda each: each.read.uri is not None and value in each.read.uri)


def exactly(value: str) -> Filter:
    """The whole URI."""
    return one(f"uri={quote(value)}", lambda each: each.read.uri == value)


def fits(pattern: str) -> Filter:
    """A regular expression on the URI, by the engine of the standard library."""
    return one(
        f"uri~{quote(pattern)}", lambda each: each.read.uri is not None and bool(re.search(pattern, each.read.uri))
    )


def tenant(value: str) -> Filter:
    """A tenant."""
    return one(f"tenant:{quote(value)}", lambda each: value in each.tenants)


def session(value: str) -> Filter:
    """A session."""
    return one(f"session:{quote(value)}", lambda each: each.read.session == value)


def verdict(name: str) -> Filter:
    """A verdict of the first question."""
    return one(f"segments:{name}", lambda each: each.segments.verdict.value == name)


def rule(path: str) -> Filter:
    """A rule, or the beginning of its path."""

    def means(each: Judgement) -> bool:
        ids = [found.rule.id for found in each.findings] + [found.rule.id for found in each.remarks]
        return any(id.split("/")[: path.count("/") + 1] == path.split("/") for id in ids)

    return one(f"rule:{path}", means)


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    ":": lambda a, b: a == b,
    "=": lambda a, b: a == b,
}


def codes(each: Judgement) -> list[int]:
    """The error's code."""
    response = each.read.response
    return [response.failure.code] if response and response.failure and response.failure.code is not None else []


def lines(each: Judgement) -> list[int]:
    """The lines of a read."""
    response = each.read.response
    return [each.read.request.span.line] + ([response.seen.span.line] if response else [])


def seconds(each: Judgement) -> list[int]:
    """How long it took; the times of these reads are whole seconds."""
    response = each.read.response
    if each.read.time is None or response is None or response.time is None:
        return []
    return [round((datetime.fromisoformat(response.time) - datetime.fromisoformat(each.read.time)).total_seconds())]


def hours(each: Judgement) -> list[int]:
    """The hour of the request."""
    return [] if each.read.time is None else [datetime.fromisoformat(each.read.time).hour]


def compared(name: str, sign: str, value: int) -> Filter:
    """A number compared."""
    of = {"code": codes, "line": lines, "took": seconds}[name]
    unit = "s" if name == "took" else ""
    return one(f"{name}{sign}{value}{unit}", lambda each: any(COMPARE[sign](found, value) for found in of(each)))


def ranged(low: int, high: int) -> Filter:
    """A range of lines."""
    return one(f"line:{low}..{high}", lambda each: any(low <= found <= high for found in lines(each)))


def hour_between(first: int, last: int) -> Filter:
    """Hours of the day, over midnight where the last is earlier."""
    inside = range(first, last + 1) if first <= last else (*range(first, 24), *range(last + 1))
    return one(f"at:{first:02}:00..{last:02}:59", lambda each: any(found in inside for found in hours(each)))


NUMBERS = st.integers(-3, 25) | st.sampled_from([-32002, -32001, 5])
TERMS = st.one_of(
    st.sampled_from(["report", "acme", "a b", "(c)", "", "://", "zzz", "or", "not", "x"]).map(contains),
    st.sampled_from(["x", "report://acme/2025-10", "docs://a b/(c)"]).map(exactly),
    st.sampled_from(["^report", "acme|north", "[0-9]{4}-1[01]$", "a.*c", r"\(c\)", "^x$", ""]).map(fits),
    st.sampled_from(["acme", "northwind", "ac"]).map(tenant),
    st.sampled_from(["s1", "s 2", "s"]).map(session),
    st.sampled_from(["intact", "escaped", "cannot_tell"]).map(verdict),
    st.sampled_from(["segments", "segments/extra-separator", "principal", "remark", "remark/not-decoded"]).map(rule),
    st.builds(compared, st.sampled_from(["code", "line", "took"]), st.sampled_from(sorted(COMPARE)), NUMBERS),
    st.builds(lambda low, more: ranged(low, low + more), st.integers(0, 20), st.integers(0, 9)),
    st.builds(hour_between, st.integers(0, 23), st.integers(0, 23)),
)


def held(of: Filter) -> str:
    """The text as a part of a larger filter."""
    return f"({of.text})" if of.loose else of.text


def negated(of: Filter, sign: str) -> Filter:
    """Everything else."""
    return Filter(sign + held(of), False, lambda each: not of.means(each))


def both(first: Filter, second: Filter, sign: str) -> Filter:
    """Both of them."""
    return Filter(f"{held(first)}{sign}{held(second)}", True, lambda each: first.means(each) and second.means(each))


def either(first: Filter, second: Filter) -> Filter:
    """One or the other; what is joined with and needs no parentheses here."""
    return Filter(f"{first.text} or {second.text}", True, lambda each: first.means(each) or second.means(each))


FILTERS = st.recursive(
    TERMS,
    lambda inner: st.one_of(
        st.builds(negated, inner, st.sampled_from(["not ", "-", "NOT ", "not not not "])),
        st.builds(both, inner, inner, st.sampled_from([" ", " and ", "  ", " AND "])),
        st.builds(either, inner, inner),
    ),
    max_leaves=10,
)


@settings(max_examples=600, deadline=None)
@given(FILTERS)
def test_a_filter_means_what_the_naive_reading_says(made: Filter) -> None:
    found = parse_filter(made.text)
    assert [found.matches(each) for each in READS] == [made.means(each) for each in READS]
    assert [all(part.matches(each) for part in found.parts) for each in READS] == [made.means(each) for each in READS]

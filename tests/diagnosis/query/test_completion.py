"""What is offered at the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.query import FIELDS, Beside, complete, parse_filter, present_values
from diagnosis.query.completion import LIMIT
from tests.diagnosis.query.reads import caller, read

VALUES = {
    "tenant": ["acme", "acme eu", "northwind", "new(acme)"],
    "uri": ["report://acme/1", "a\x1b[31m", 'say "x"'],
    "principal": ["ana"],
    "session": ["s-1"],
    "var.NAME": ["tenant", "month", "bad name"],
    "var.month": ["2025-10"],
}


def values_of(name: str) -> Iterable[str]:
    """What a capture would hold."""
    return VALUES.get(name, [])


def offered(text: str, cursor: int | None = None) -> list[str]:
    """The texts of the candidates, at the end if nothing else is said."""
    return [each.text for each in complete(text, len(text) if cursor is None else cursor, values_of)]


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("q", ["q1:", "q2:", "q3:"]),
        ("Q1", ["q1:"]),
        ("se", ["segments:", "severity:", "session:", "server:"]),
        ("any:fault se", ["segments:", "severity:", "session:", "server:"]),
        ("-ten", ["tenant:"]),
        ("(ten", ["tenant:"]),
        ("no", ["note:", "not"]),
        ("va", ["var."]),
        ("var.", ["var.tenant:", "var.month:"]),
        ("var.m", ["var.month:"]),
        ("var.month:", ["2025-10"]),
        ("q1:", ["fault", "suspect", "clear", "undecided", "void"]),
        ("q1:S", ["suspect"]),
        ("owner:", ["client", "between", '"read handler"']),
        ('owner:"re', ['"read handler"']),
        ("rule:segments/ex", ["segments/extra-separator"]),
        ("tenant:", ["acme", '"acme eu"', "northwind", '"new(acme)"']),
        ("tenant:ac", ["acme", '"acme eu"', '"new(acme)"']),
        ("tenant=ac", ["acme", '"acme eu"', '"new(acme)"']),
        ('tenant:"acme e', ['"acme eu"']),
        ("principal:a", ["allowed", "administrator", "ambiguous-tenant", "alias", "ana"]),
        ("uri:a", [r'"a\u{1b}[31m"', "report://acme/1", r'"say \"x\""']),
        (r'uri:"a\u{1b}', [r'"a\u{1b}[31m"']),
        ("uri~a", []),
        ("nosuch:a", []),
        ("took>", []),
        ("zzz", []),
        ("report://", []),
    ],
)
def test_fields_come_first_then_fixed_values_then_those_of_the_capture(text: str, candidates: list[str]) -> None:
    assert offered(text) == candidates


def test_nothing_typed_offers_every_field_with_its_words() -> None:
    found = complete("", 0, values_of)
    assert [each.text for each in found] == [
        "var." if field.name == "var.NAME" else field.name + ":" for field in FIELDS
    ]
    assert [each.words for each in found] == [field.words for field in FIELDS]
    assert offered("any:fault ") == offered("")


@pytest.mark.parametrize(
    ("text", "cursor", "result"),
    [
        ("q1:fa q2:clear", 5, "q1:fault q2:clear"),
        ("q1:fxxx", 4, "q1:fault"),
        ("any:fault ten", 13, "any:fault tenant:"),
        ("-ten", 4, "-tenant:"),
        ("(q1:su)", 6, "(q1:suspect)"),
        ('tenant:"acme e', 14, 'tenant:"acme eu"'),
        ("ses:s-1", 3, "session:s-1"),
        ("  sta  ", 5, "  status:  "),
    ],
)
def test_a_candidate_takes_the_place_of_its_span(text: str, cursor: int, result: str) -> None:
    first = complete(text, cursor, values_of)[0]
    assert text[: first.start] + first.text + text[first.end :] == result


@pytest.mark.parametrize("name", ["tenant", "uri"])
def test_a_completed_value_finds_the_reads_that_have_it(name: str) -> None:
    for value, candidate in zip(VALUES[name], complete(f"{name}=", len(name) + 1, values_of), strict=True):
        assert candidate.text.isprintable()
        assert parse_filter(f"{name}={candidate.text}").matches(read(value, tenants=(value,)))


def test_endless_values_end() -> None:
    assert len(complete("tenant:", 7, lambda _: map(str, count()))) == LIMIT
    assert len(complete("tenant:x", 8, lambda _: map(str, count()))) == 0


def test_the_values_of_a_capture_are_distinct_and_in_its_order() -> None:
    template = "report://{tenant}/{month}"
    reads = [
        read("report://b/1", template=template, tenants=("b",), session="s-1"),
        read("report://a/1", template=template, tenants=("a", "b"), caller=caller("ana", "sub")),
    ]
    beside = Beside(session_names={"s-1": "s1"})
    assert list(present_values(reads, "tenant")) == ["b", "a"]
    assert list(present_values(reads, "caller")) == ["ana", "sub"]
    assert list(present_values(reads, "session", beside)) == ["s-1", "s1"]
    assert list(present_values(reads, "var.NAME")) == ["tenant", "month"]
    assert list(present_values(reads, "var.month")) == ["1"]
    assert [list(present_values(reads, name)) for name in ("q1", "took", "nosuch")] == [[], [], []]


@settings(max_examples=300, deadline=None)
@given(st.text("q1:tenuri=~<>()'\"\\ -.*va\x1b\ud800", max_size=20), st.integers(-2, 22))
def test_an_unfinished_or_broken_filter_is_no_error(text: str, cursor: int) -> None:
    for each in complete(text, cursor, values_of):
        assert 0 <= each.start <= each.end <= len(text)
        assert each.text.isprintable()

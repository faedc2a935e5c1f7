"""(h) Lines that are added to a log take no finding from the reads before them."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from tests.properties.captures import diagnosed, findings
from tests.properties.strategies import conversations, lines, listing, request, thorough

RANK = {"possible": 1, "likely": 2, "certain": 3}


@thorough(150)
@given(conversations(), conversations())
def test_no_finding_goes_away(before: list[Any], later: list[Any]) -> None:
    begun = [*listing("list", "note://{name}"), request("first", "note://a b"), *before]
    old = diagnosed(lines(begun)).judgements
    new = diagnosed(lines([*begun, *later])).judgements
    assert findings(old[0]) and len(new) >= len(old)
    for one, other in zip(old, new, strict=False):
        left = {rule: RANK[certainty] for rule, certainty in findings(other).items()}
        assert {rule for rule, certainty in findings(one).items() if left.get(rule, 0) < RANK[certainty]} == set()

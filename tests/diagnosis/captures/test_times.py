from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.captures.times import utc


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-11-03T09:00:00.137Z", "2026-11-03T09:00:00.137Z"),
        ("2026-11-03T09:00:00+00:00", "2026-11-03T09:00:00Z"),
        (1790000000, "2026-09-21T14:13:20.000000Z"),
        (1790000000.25, "2026-09-21T14:13:20.250000Z"),
        (1790000000123, "2026-09-21T14:13:20.123000Z"),
        (1790000000123456, "2026-09-21T14:13:20.123456Z"),
        ("1790000000123456789", "2026-09-21T14:13:20.123456Z"),
    ],
)
def test_times_in_utc(value: Any, expected: str) -> None:
    assert utc(value) == (expected, "utc")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-11-03 09:00:00,5 +0130", "2026-11-03T07:30:00.5Z"),
        ("2026-01-01T00:30:00-01:00", "2026-01-01T01:30:00Z"),
    ],
)
def test_times_of_another_zone(value: str, expected: str) -> None:
    assert utc(value) == (expected, "zoned")


@pytest.mark.parametrize("value", ["2026-11-03 09:00:00.137", "yesterday", "2026-13-03T09:00:00+01:00"])
def test_times_without_a_zone_keep_their_text(value: str) -> None:
    assert utc(value) == (value, "none")


@pytest.mark.parametrize("value", [None, True, "", [], {}])
def test_what_is_no_time(value: Any) -> None:
    assert utc(value) == (None, "none")


@given(
    st.text()
    | st.floats()
    | st.integers()
    | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[+-][0-9]{2}:[0-9]{2}")
)
def test_any_value_raises_nothing(value: Any) -> None:
    utc(value)

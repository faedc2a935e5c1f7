"""Durations and times, as typed and as logged."""

from __future__ import annotations

import pytest

from diagnosis.query import parse_filter
from diagnosis.query.quantities import clock_of, duration, local_of, number, time, took, utc_of
from tests.diagnosis.query.reads import read

SECOND = 1_000_000


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("0s", 0),
        ("1us", 1),
        ("250ms", 250_000),
        ("1.5s", 1_500_000),
        ("2m", 120 * SECOND),
        ("1h", 3_600 * SECOND),
        ("-1.5ms", -1_500),
        ("0.0005ms", 0),
        ("1S", SECOND),
    ],
)
def test_a_duration_has_a_number_and_a_unit(text: str, microseconds: int) -> None:
    found = duration(text)
    assert found is not None
    assert (found.start, found.end) == (microseconds, microseconds + 1)


@pytest.mark.parametrize("text", ["5", "s", "1 s", "1d", "--1s", "1e3s", "٣s", "1.s", ".5s", "1" * 13 + "s"])
def test_anything_else_is_no_duration(text: str) -> None:
    assert duration(text) is None


@pytest.mark.parametrize("text", ["", "-", "1.0", "0x1", "1_000", "٣", "1" * 19, "+1", "1\n"])
def test_a_number_is_whole_and_short(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("24:00", "09:60", "9", "09:14:60", "2025-13-01", "2025-02-30", "2025-10-01T24:00Z", "2025-10-01T09", "now"),
        *("2025-10-01T09:14:00+25:00", "2025-10-01T09:14:00+01:60", "2025-10-01T09:14.5", "09:14.5", "0000-01-01"),
    ],
)
def test_what_no_calendar_and_no_clock_has_is_no_time(text: str) -> None:
    assert time(text) is None


ZULU = "2025-10-01T09:14:07.930Z"


@pytest.mark.parametrize(
    ("text", "logged", "shown"),
    [
        ("at:09:14", ZULU, True),
        ("at:09:14:07", ZULU, True),
        ("at:09:14:07.9", ZULU, True),
        ("at:09:14:07.93", ZULU, True),
        ("at:09:14:07.930000001", ZULU, True),
        ("at:09:14:07.8", ZULU, False),
        ("at:9:14", ZULU, True),
        ("at:2025-10-01", ZULU, True),
        ("at:2025-10-02", ZULU, False),
        ("at:2025-10-01T09:14", ZULU, True),
        ('at:"2025-10-01 09:14"', ZULU, True),
        ("at:2025-10-01T09:14Z", ZULU, True),
        ("at:2025-10-01T11:14+02:00", ZULU, True),
        ("at:2025-10-01T09:14+02:00", ZULU, False),
        ("at>09:14", ZULU, False),
        ("at>=09:14", ZULU, True),
        ("at<=09:14", ZULU, True),
        ("at<09:14", ZULU, False),
        ("at>09:13", ZULU, True),
        ("at<09:15", ZULU, True),
        ("at>2025-09-30", ZULU, True),
        ("at:09:10..09:14", ZULU, True),
        ("at:09:15..09:13", ZULU, False),
        ("at:23:00..09:20", ZULU, True),
        ("at:23:00..01:00", ZULU, False),
        ("at:2025-09-30..2025-10-01", ZULU, True),
        ("at:..09:14", ZULU, True),
        ("at>=9999-12-31", ZULU, False),
        # Without a zone only what the log wrote can be compared.
        ("at:09:14", "2025-10-01T09:14:07.930", True),
        ("at:2025-10-01", "2025-10-01 09:14:07,930", True),
        ("at:2025-10-01T09:14Z", "2025-10-01T09:14:07.930", False),
        # A zone of its own: the text as written, and the same moment in UTC.
        ("at:11:14", "2025-10-01T11:14:07+02:00", True),
        ("at:2025-10-01T09:14Z", "2025-10-01T11:14:07+02:00", True),
        # Other forms still have their time of day.
        ("at:09:14", "[Oct 1 09:14:07.93]", True),
        ("at:2025-10-01", "[Oct 1 09:14:07.93]", False),
        ("at:09:14", "12.5", False),
        ("at:09:14", "99:99:99", False),
    ],
)
def test_a_time_is_compared_with_what_the_log_wrote(text: str, logged: str, shown: bool) -> None:
    assert parse_filter(text).matches(read(time=logged)) is shown


def test_the_same_moment_is_the_same_number_whatever_the_zone() -> None:
    assert utc_of("2025-10-01T11:14:07+02:00") == utc_of("2025-10-01T09:14:07Z") == local_of("2025-10-01T09:14:07")
    assert utc_of("2025-10-01T09:14:07") is None
    assert clock_of("2025-10-01T00:00:01.5Z") == 1_500_000


@pytest.mark.parametrize(
    ("asked", "answered", "microseconds"),
    [
        ("2025-10-01T09:14:07.930Z", "2025-10-01T09:14:08.180Z", 250_000),
        ("2025-10-01T23:59:59Z", "2025-10-02T00:00:01Z", 2 * SECOND),
        ("2025-10-01T09:14:08Z", "2025-10-01T09:14:07Z", -SECOND),
        ("2025-10-01T09:14:08", "2025-10-01T09:14:09", SECOND),
        ("2025-10-01T11:14:08+02:00", "2025-10-01T09:14:09Z", SECOND),
        ("09:14:08.5", "09:14:09", 500_000),
        ("23:59:59", "00:00:01", None),
        ("2025-10-01T09:14:08", "2025-10-01T09:14:09Z", None),
        ("09:14:08", "2025-10-01T09:14:09Z", None),
        ("early", "late", None),
    ],
)
def test_how_long_a_read_took(asked: str, answered: str, microseconds: int | None) -> None:
    assert took(asked, answered) == microseconds

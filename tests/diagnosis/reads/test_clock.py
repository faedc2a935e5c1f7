"""Times on one line; the expected ones were worked out by hand from the zones' rules (Berlin is +01:00 in winter)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from diagnosis.reads.clock import Clock, around, before, in_order, moment

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-06 14:50:03.640", "2026-01-06T13:50:03.640Z"),
        ("2026-07-06 14:50:03,640", "2026-07-06T12:50:03.640Z"),
        ("2026/01/06 00:30:00", "2026-01-05T23:30:00.000Z"),
        ("2026-10-25 02:30:00", "2026-10-25T00:30:00.000Z"),  # it comes twice; the first one is meant
    ],
)
def test_a_time_without_a_zone_is_read_in_the_assumed_one(text: str, expected: str) -> None:
    assert Clock(BERLIN).of("a.log", text, "none") == (expected, "assumed")


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30 10:00:00", "0001-01-01", ""])
def test_other_text_stays(text: str) -> None:
    assert Clock(BERLIN).of("a.log", text, "none") == (text, "none")


def test_a_time_with_a_zone_is_not_assumed_again() -> None:
    assert Clock(BERLIN).of("a.log", "2026-01-06T14:50:03Z", "utc") == ("2026-01-06T14:50:03Z", "utc")
    assert Clock(BERLIN).of("a.log", None, "none") == (None, "none")


def test_a_shift_moves_one_capture_and_keeps_what_is_known_of_the_zone() -> None:
    clock = Clock(None, {"a.log": timedelta(seconds=-40), "z.zip": timedelta(hours=1)})
    assert clock.of("a.log", "2026-01-06T00:00:10.250Z", "utc") == ("2026-01-05T23:59:30.250Z", "utc")
    assert clock.of("b.log", "2026-01-06T00:00:10.250Z", "utc") == ("2026-01-06T00:00:10.250Z", "utc")
    assert clock.of("z.zip!in/a.log", "2026-01-06T00:00:10Z", "zoned") == ("2026-01-06T01:00:10.000Z", "zoned")
    assert clock.of("a.log", "2026-01-06 00:00:10", "none") == ("2026-01-05T23:59:30.000", "none")
    assert clock.of("a.log", "noon", "none") == ("noon", "none")


def test_zone_and_shift_together() -> None:
    clock = Clock(BERLIN, {"a.log": timedelta(seconds=1)})
    assert clock.of("a.log", "2026-01-06 14:50:03", "none") == ("2026-01-06T13:50:04.000Z", "assumed")


@pytest.mark.parametrize("text", ["0001-01-01 00:00:00", "9999-12-31 23:59:59"])
def test_the_ends_of_the_calendar_raise_nothing(text: str) -> None:
    for zone in (BERLIN, ZoneInfo("America/New_York")):
        for shift in (timedelta(days=-2), timedelta(days=2)):
            time, _ = Clock(zone, {"a.log": shift}).of("a.log", text, "none")
            assert time


def test_only_times_with_a_zone_have_a_moment() -> None:
    assert moment("2026-01-06T14:50:03.5Z", "utc") == datetime(2026, 1, 6, 14, 50, 3, 500000, UTC)
    assert moment("2026-01-06T14:50:03Z", "none") is None
    assert moment("noon", "utc") is None
    assert moment(None, "utc") is None


def test_order_of_two_times_of_a_log() -> None:
    assert before("2026-01-06T09:00:00Z", "2026-01-06T09:00:00.001Z")
    assert not before("2026-01-06T09:00:00.5Z", "2026-01-06T09:00:00.25Z")
    assert before("2026-01-06 09:00:00,1", "2026-01-06 09:00:00,2")
    assert not before("2026-01-06 09:00:00", "2026-01-06T10:00:00Z")  # with and without a zone
    assert not before("noon", "later")


def test_times_in_order_keep_equal_ones_as_they_stand() -> None:
    assert in_order(["2026-01-06T09:00:02Z", "2026-01-06T09:00:00.5Z", "2026-01-06T09:00:02Z"]) == [1, 0, 2]
    assert in_order(["2026-01-06 09:00:02", "2026-01-06 09:00:00,5"]) == [1, 0]
    for unknown in (["2026-01-06T09:00:02Z", None], ["2026-01-06T09:00:02Z", "2026-01-06 09:00:00"], ["noon", "later"]):
        assert in_order(unknown) is None


def test_a_time_that_no_zone_can_move_has_no_moment() -> None:
    time, basis = Clock(BERLIN).of("a.log", "0001-01-01 00:00:00", "none")
    assert moment(time, basis) is None


def test_a_span_ends_with_the_calendar() -> None:
    second = timedelta(seconds=1)
    first, last = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)
    assert around(first, second) == (first, first + second)
    assert around(last, second) == (last - second, last)
    assert around(first + second, second / 2) == (first + second / 2, first + second * 1.5)

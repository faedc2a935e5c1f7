"""The words of the command line on time and on several captures, and the clear refusal of others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import click
import pytest

from app.reading import options_of
from diagnosis.options import Join, Options

PATHS = ("logs/a.log", "logs/b.har")


def test_nothing_said_is_the_default() -> None:
    assert options_of(PATHS) == Options(shifts={})


def test_every_word() -> None:
    found = options_of(
        PATHS,
        capture_format="har",
        join="all",
        same_traffic=True,
        zone="Europe/Berlin",
        shift=("a=+40s", "b.har=-1.5m"),
        since="2026-11-02",
        until="2026-11-02T10:05:00+00:00",
        session=("s1", "s2"),
    )
    assert (found.capture_format, found.join, found.same_traffic) == ("har", Join.ALL, True)
    assert found.zone == ZoneInfo("Europe/Berlin")
    assert found.shifts == {"logs/a.log": timedelta(seconds=40), "logs/b.har": timedelta(seconds=-90)}
    assert found.since == datetime(2026, 11, 1, 23, 0, tzinfo=UTC)  # midnight in Berlin
    assert found.until == datetime(2026, 11, 2, 10, 5, tzinfo=UTC)
    assert found.sessions == ("s1", "s2")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"zone": "Mars/Base"}, "--zone Mars/Base is no time zone"),
        ({"zone": "../../etc/passwd"}, "is no time zone"),
        ({"zone": ""}, "is no time zone"),
        ({"zone": "Europe"}, "is no time zone"),
        ({"zone": "a\0b"}, "is no time zone"),
        ({"since": "yesterday"}, "--since yesterday is no time"),
        ({"since": "0001-01-01T00:00:00+14:00"}, "lies outside of the years"),
        ({"until": "9999-12-31T23:59:59-23:59"}, "lies outside of the years"),
        ({"until": "2026-02-30"}, "--until 2026-02-30 is no time"),
        ({"since": "2026-11-02", "until": "2026-11-02"}, "nothing could be shown"),
        ({"shift": ("a=40",)}, "says no time"),
        ({"shift": ("=+40s",)}, "says no time"),
        ({"shift": ("+40s",)}, "says no time"),
        ({"shift": ("c=+40s",)}, "none of the captures is called c"),
        ({"shift": ("a=+9999999999999s",)}, "says no time"),
    ],
)
def test_words_that_cannot_be_meant(words: dict[str, Any], sentence: str) -> None:
    with pytest.raises(click.UsageError, match=sentence.replace("+", r"\+")):
        options_of(PATHS, **words)


def test_a_shift_of_centuries_is_a_number_like_others() -> None:
    assert options_of(PATHS, shift=("a=+999999999h",)).shifts["logs/a.log"].days == 41666666

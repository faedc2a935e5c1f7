"""Times of a log as RFC 3339 in UTC, where the log says in which zone they are."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

UTC_BASIS = "utc"
ZONED_BASIS = "zoned"
NO_BASIS = "none"

_IN_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z").fullmatch
_ZONED = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)([.,]\d+)? ?([Zz]|[+-]\d\d:?\d\d)").fullmatch
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_YEAR_3000 = 32503680000


def utc(value: Any) -> tuple[str | None, str]:
    """Returns the time in UTC and its basis: `utc`, `zoned` where the log names another zone, or `none`.

    With `none` the time is the log's own text, which names no zone.

    Takes RFC 3339 text, and numbers or digits since 1970 in seconds, milliseconds, microseconds or
    nanoseconds, told apart by their size.
    """
    if isinstance(value, str):
        if _IN_UTC(value):
            return value, UTC_BASIS
        return _from_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None, NO_BASIS
    return _from_epoch(value)


def is_before(one: str, other: str) -> bool:
    """Whether one time that `utc` gave lies before another one; text decides where one of them is no time."""
    try:
        return datetime.fromisoformat(one) < datetime.fromisoformat(other)
    except (ValueError, TypeError):
        return one < other


def _from_text(text: str) -> tuple[str | None, str]:
    found = _ZONED(text)
    if found is None:
        return (
            _from_epoch(int(text)) if text.isascii() and text.isdigit() and len(text) < 20 else (text or None, NO_BASIS)
        )
    day, clock, fraction, zone = found.groups()
    fraction = (fraction or "").replace(",", ".")
    if zone in ("Z", "z", "+00:00", "-00:00", "+0000"):
        return f"{day}T{clock}{fraction}Z", UTC_BASIS
    sign = -1 if zone[0] == "-" else 1
    shift = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:])) * sign
    try:
        moved = datetime.fromisoformat(f"{day}T{clock}") - shift
    except (ValueError, OverflowError):
        return text, NO_BASIS
    return f"{moved.isoformat()}{fraction}Z", ZONED_BASIS


def _from_epoch(number: float) -> tuple[str | None, str]:
    """The smallest unit that gives a year before 3000."""
    for unit in (1, 10**3, 10**6, 10**9):
        if abs(number) < _YEAR_3000 * unit:
            microseconds = number * 10**6 // unit if isinstance(number, int) else round(number * 10**6 / unit)
            when = _EPOCH + timedelta(microseconds=microseconds)
            return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), UTC_BASIS
    return str(number), NO_BASIS

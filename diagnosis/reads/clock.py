"""The times of a log as they are compared and shown: in UTC where the zone is known or assumed, and corrected."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

# What `Message.time_basis` and `Read.time_basis` may be; the last two have no place on a common line of time.
UTC_BASIS, ZONED, ASSUMED, RELATIVE, NONE = "utc", "zoned", "assumed", "relative", "none"
COMPARABLE = frozenset((UTC_BASIS, ZONED, ASSUMED))

_LOCAL = re.compile(r"(\d{4})[-/](\d\d)[-/](\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?").fullmatch


class Clock:
    """Puts the times of captures on one line.

    `zone` is what times without a zone are read in (an hour that a change of the clocks repeats is read as its first
    one); `shifts` correct the clocks of single captures, by path. Without both, times stay as they are.
    """

    def __init__(self, zone: ZoneInfo | None = None, shifts: Mapping[str, timedelta] | None = None) -> None:
        self._zone = zone
        self._shifts = shifts or {}
        self._idle = zone is None and not self._shifts

    def of(self, capture: str, time: str | None, basis: str) -> tuple[str | None, str]:
        """The time and its basis as they count; the log's own text where nothing is known of its zone."""
        if self._idle or time is None:
            return time, basis
        if basis == NONE and self._zone is not None:
            when = _local(time)
            if when is not None:
                time, basis = _text(when.replace(tzinfo=self._zone)), ASSUMED
        shift = self._shifts.get(capture, self._shifts.get(capture.partition("!")[0]))
        if shift is None:
            return time, basis
        moved = moment(time, basis) or _local(time)
        return (time if moved is None else _moved(moved, shift)), basis


def moment(time: str | None, basis: str) -> datetime | None:
    """The time as an aware datetime; None where it has no place on the common line of time."""
    if time is None or basis not in COMPARABLE:
        return None
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        return None
    return when if when.tzinfo is not None else None


def time_line(capture: str, time: str | None, basis: str) -> tuple[str, float] | None:
    """The line of time on which a time stands, and its place there in seconds; None for no usable time.

    All times of a known zone stand on one line, "". Times without one stand on their capture's own line.
    """
    when = moment(time, basis)
    if when is not None:
        return "", when.timestamp()
    try:
        local = None if time is None or basis == RELATIVE else _of_log(time)
    except ValueError:
        return None
    return None if local is None else (capture, local.replace(tzinfo=UTC).timestamp())


def around(when: datetime, by: timedelta) -> tuple[datetime, datetime]:
    """The span from so much before a time to so much behind it; it ends with the calendar."""
    first, last = (each.replace(tzinfo=UTC) for each in (datetime.min, datetime.max))
    return (when - by if when - first > by else first), (when + by if last - when > by else last)


def before(one: str, other: str) -> bool:
    """Whether one time of a log lies before another one of the same basis; False where they cannot be compared."""
    try:
        first, second = (_of_log(each) for each in (one, other))
        return first < second
    except (ValueError, TypeError):
        return False


def follows(one: str, other: str, within: timedelta) -> bool:
    """Whether another time of a log is no earlier than one, and not much later; True where they cannot be compared."""
    try:
        return timedelta(0) <= _of_log(other) - _of_log(one) <= within
    except (ValueError, TypeError):
        return True


def in_order(times: Sequence[str | None]) -> list[int] | None:
    """The indices of times of a log from the earliest on; None where not all of them can be compared."""
    try:
        moments = [_of_log(each) for each in times if each is not None]
        return sorted(range(len(times)), key=moments.__getitem__) if len(moments) == len(times) else None
    except (ValueError, TypeError):
        return None


def _of_log(text: str) -> datetime:
    return _local(text) or datetime.fromisoformat(text)


def _local(text: str) -> datetime | None:
    found = _LOCAL(text)
    if found is None:
        return None
    year, month, day, clock, fraction = found.groups()
    try:
        return datetime.fromisoformat(f"{year}-{month}-{day}T{clock}.{(fraction or '0')[:6].ljust(6, '0')}")
    except ValueError:
        return None


def _moved(when: datetime, shift: timedelta) -> str:
    try:
        moved = when + shift
    except OverflowError:
        return when.isoformat()
    return _text(moved) if moved.tzinfo is not None else moved.isoformat(timespec="milliseconds")


def _text(when: datetime) -> str:
    try:
        return when.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except OverflowError:  # the first and the last day that a datetime knows
        return when.replace(tzinfo=None).isoformat(timespec="milliseconds")

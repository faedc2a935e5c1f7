"""Numbers, durations and times: as a person types them in a filter, and as a log holds them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

# Whole numbers of a log stay far below this many digits; longer ones are a slip of the finger.
_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII).fullmatch
_DURATION = re.compile(r"(-?[0-9]{1,12}(?:\.[0-9]{1,6})?)(us|ms|s|m|h)", re.ASCII).fullmatch
_UNITS = {"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?", re.ASCII).fullmatch
_CLOCK_IN_LOG = re.compile(r"(?<![0-9:])([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?", re.ASCII).search
_DATE = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[Tt ]([0-9]{2}:[0-9]{2})(:[0-9]{2})?(?:[.,]([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:[0-9]{2})?)?",
    re.ASCII,
).fullmatch
DAY = 86_400_000_000  # microseconds
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Extent:
    """What a typed value stands for: everything from `start` up to, not including, `end`.

    `scale` says what is counted: `number`, `duration` (microseconds), `clock` (microseconds of a day), `local` (the
    date and time as the log writes them) or `utc` (microseconds on the calendar, both). A value typed short is
    the whole of it: `09:14` a minute, `2025-10-01` a day.
    """

    scale: str
    start: int
    end: int


def number(text: str) -> Extent | None:
    """A whole number; None where the text is none."""
    return Extent("number", int(text), int(text) + 1) if _NUMBER(text) else None


def duration(text: str) -> Extent | None:
    """A number with its unit (us, ms, s, m, h); None where the text is none."""
    found = _DURATION(text.lower())
    if found is None:
        return None
    whole, _, part = found[1].partition(".")
    sign = -1 if whole.startswith("-") else 1
    scaled = (int(whole.removeprefix("-")) * 10**6 + int(part.ljust(6, "0") or 0)) * _UNITS[found[2]]
    microseconds = sign * (scaled // 10**6)
    return Extent("duration", microseconds, microseconds + 1)


def time(text: str) -> Extent | None:
    """A time of day, a date, or a date and time (RFC 3339, the zone may be left out); None where the text is none."""
    found = _CLOCK(text)
    if found is not None:
        return _clock_extent(*found.groups())
    found = _DATE(text)
    if found is None:
        return None
    date, minute, second, fraction, zone = found.groups()
    if fraction is not None and second is None:
        return None
    try:
        written = datetime.fromisoformat(f"{date}T{minute or '00:00'}{second or ':00'}")
    except ValueError:
        return None
    start = _local(written)
    if zone not in (None, "Z", "z"):
        offset = _zone_offset(zone)
        if offset is None:
            return None
        start -= offset
    step = DAY if minute is None else 60_000_000 if second is None else 1_000_000
    return _narrowed("local" if zone is None else "utc", start, step, fraction)


def _clock_extent(hour: str, minute: str, second: str | None, fraction: str | None) -> Extent | None:
    start = _clock(hour, minute, second or "0")
    step = 60_000_000 if second is None else 1_000_000
    return None if start is None else _narrowed("clock", start, step, fraction)


def _narrowed(scale: str, start: int, step: int, fraction: str | None) -> Extent:
    """A second cut down to the digits that were typed after it."""
    if fraction is not None:
        digits = fraction[:6]
        start, step = start + int(digits.ljust(6, "0")), int(10 ** (6 - len(digits)))
    return Extent(scale, start, start + step)


def _clock(hour: str, minute: str, second: str) -> int | None:
    if int(hour) > 23 or int(minute) > 59 or int(second) > 59:
        return None
    return ((int(hour) * 60 + int(minute)) * 60 + int(second)) * 1_000_000


def _zone_offset(zone: str) -> int | None:
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 23 or minutes > 59:
        return None
    return (-1 if zone[0] == "-" else 1) * (hours * 60 + minutes) * 60_000_000


def _written(text: str) -> datetime | None:
    """The date and time that a log wrote; None where it has another form."""
    if text[10:11] not in ("T", "t", " "):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _local(read: datetime) -> int:
    clock = ((read.hour * 60 + read.minute) * 60 + read.second) * 1_000_000 + read.microsecond
    return read.toordinal() * DAY + clock


def local_of(text: str) -> int | None:
    """Date and time as a log wrote them, whatever the zone; None where it does not say both."""
    read = _written(text)
    return None if read is None else _local(read)


def utc_of(text: str) -> int | None:
    """Date and time in UTC; None where a log does not say its zone."""
    read = _written(text)
    if read is None or read.tzinfo is None:
        return None
    if read.tzinfo is UTC:
        return _local(read)
    return _local(read) - (read.utcoffset() or timedelta()) // _MICROSECOND


def clock_of(text: str) -> int | None:
    """The time of day as a log wrote it; None where no time of day is in the text."""
    read = _written(text)
    if read is not None:
        return _local(read) % DAY
    found = _CLOCK_IN_LOG(text)
    if found is None:
        return None
    start = _clock(found[1], found[2], found[3])
    return None if start is None else start + int((found[4] or "")[:6].ljust(6, "0"))


READERS: dict[str, Callable[[str], int | None]] = {"clock": clock_of, "local": local_of, "utc": utc_of}
"""How a time of a log is read to be compared with an extent of each scale."""


def took(asked: str, answered: str) -> int | None:
    """Microseconds between two times of a log; None where they cannot be compared. Clocks can run backwards.

    Two times of day without a date are compared only where the second is the later one: else midnight may lie between.
    """
    first, second = _written(asked), _written(answered)
    if first is not None and second is not None:
        if (first.tzinfo is None) is not (second.tzinfo is None):
            return None
        return (second - first) // _MICROSECOND
    if first is not None or second is not None:
        return None
    start, end = clock_of(asked), clock_of(answered)
    return None if start is None or end is None or end < start else end - start

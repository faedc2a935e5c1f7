"""How the captures of a command line are to be read, and which of their reads are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import PurePath
from zoneinfo import ZoneInfo

import click

from diagnosis.options import Join, Options

_SHIFT = re.compile(r"([+-]?)(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h)").fullmatch
_UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours"}


def options_of(
    paths: Sequence[str],
    *,
    capture_format: str | None = None,
    join: str = Join.AUTO,
    same_traffic: bool = False,
    zone: str | None = None,
    shift: Sequence[str] = (),
    since: str | None = None,
    until: str | None = None,
    session: Sequence[str] = (),
    left_out: Sequence[str] = (),
) -> Options:
    """The options of a command line over these captures; raises `click.UsageError` for what cannot be meant."""
    found = _zone(zone)
    begin, end = (_moment(name, text, found) for name, text in (("--since", since), ("--until", until)))
    if begin is not None and end is not None and begin >= end:
        raise click.UsageError("--since lies behind --until: nothing could be shown.")
    return Options(
        capture_format=capture_format,
        join=Join(join),
        same_traffic=same_traffic,
        zone=found,
        shifts={path: by for word in shift for path, by in _shifted(word, paths)},
        since=begin,
        until=end,
        sessions=tuple(session),
        left_out=tuple(left_out),
    )


def _zone(name: str | None) -> ZoneInfo | None:
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError):  # a folder's name, a path that climbs out, a name that nobody knows
        raise click.UsageError(f"--zone {name} is no time zone; write one as Europe/Berlin or UTC.") from None


def _moment(option: str, text: str | None, zone: ZoneInfo | None) -> datetime | None:
    """A date, or a date and a time; in `--zone` where it names no zone itself, else in UTC."""
    if text is None:
        return None
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError:
        raise click.UsageError(f"{option} {text} is no time; write 2026-11-02 or 2026-11-02T10:05:00Z.") from None
    when = when if when.tzinfo is not None else when.replace(tzinfo=zone or UTC)
    try:
        return when.astimezone(UTC)
    except OverflowError:
        raise click.UsageError(f"{option} {text} lies outside of the years 1 to 9999.") from None


def _shifted(word: str, paths: Sequence[str]) -> list[tuple[str, timedelta]]:
    """The captures that `CAPTURE=+40s` names, by path, file name, or file name without its suffix."""
    name, equals, by = word.rpartition("=")
    found = _SHIFT(by)
    if not equals or not name or found is None:
        raise click.UsageError(f"--shift {word} says no time; write CAPTURE=+40s, with ms, s, m or h.")
    sign, amount, unit = found.groups()
    shift = timedelta(**{_UNITS[unit]: float(amount)}) * (-1 if sign == "-" else 1)
    meant = [path for path in paths if name in (path, PurePath(path).name, PurePath(path).stem)]
    if not meant:
        raise click.UsageError(f"--shift {word}: none of the captures is called {name}.")
    return [(path, shift) for path in meant]

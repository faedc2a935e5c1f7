"""How captures are to be read and which of their reads are shown, as a person says it on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from zoneinfo import ZoneInfo


class Join(StrEnum):
    """Which captures are one stream: those whose names and contents say so, all of them, or none."""

    AUTO = "auto"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Options:
    """What is no statement about the server and its callers, and still changes what a report says.

    `zone` is assumed for times without one. `shifts` correct the clocks of captures, by path as given. `same_traffic`
    counts a read that several captures saw once. `since`, `until` (aware), `sessions`, `where` (a filter's text) and
    `scope` limit what is shown and never what is known. `left_out` are the files of a folder that are no captures.
    `baseline` is the report that findings are compared with, `fail_on` the classes that decide the exit status (all,
    where none is named).
    """

    capture_format: str | None = None
    join: Join = Join.AUTO
    same_traffic: bool = False
    zone: ZoneInfo | None = None
    shifts: Mapping[str, timedelta] = field(default_factory=lambda: MappingProxyType({}))
    since: datetime | None = None
    until: datetime | None = None
    sessions: tuple[str, ...] = ()
    where: str | None = None
    scope: str = "all"
    left_out: tuple[str, ...] = ()
    baseline: str | None = None
    fail_on: tuple[str, ...] = ()

"""Which files may be parts of one stream, by their names alone: parts of a rotated log, and the two ends of a pipe."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from diagnosis.options import Join

_PACKED = re.compile(r"\.(?:gz|zst|bz2|xz)$", re.IGNORECASE)
_DATE = r"(?:19|20)\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])(?:[-_.T]?\d{2}[-_:.]?\d{0,2}[-_:.]?\d{0,2})?"
# logrotate, Docker and Python's logging count up with age; log libraries and CRI runtimes write the date.
_NUMBERED = re.compile(r"(?P<base>.*\.[A-Za-z][^./]*)\.(?P<mark>\d{1,3})$")
_DATED = re.compile(rf"(?P<base>.*\.[A-Za-z][^./]*)[-.](?P<mark>{_DATE})$")
_DATED_INSIDE = re.compile(rf"(?P<base>.*[A-Za-z].*?)[-._](?P<mark>{_DATE})\.log$")
_OLD = re.compile(r"(?P<base>.+)\.(?P<mark>old)(?P<suffix>\.log)?$", re.IGNORECASE)
# Claude Desktop: `mcp1.log` is older than `mcp.log`. Others number their sessions so; the format must say which it is.
_COUNTED = re.compile(r"(?P<base>.*[^\d])(?P<mark>\d{1,3})\.log$")
# Words for what a client sent and what it was sent. Longer ones first: `requests` is no `request` with an s.
_SIDES = (
    ("client-to-server", "server-to-client"), ("client2server", "server2client"), ("c2s", "s2c"),
    ("requests", "responses"), ("request", "response"), ("stdin", "stdout"), ("sent", "received"),
    ("input", "output"), ("in", "out"),
)  # fmt: skip
_SIDE = re.compile(
    r"(?<![A-Za-z0-9])(" + "|".join(re.escape(word) for pair in _SIDES for word in pair) + r")(?![A-Za-z0-9])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """What a file's name says of its place in a rotated log.

    `base` is the path of the part that is written to now, whether it is there or not; `age` sorts parts from the
    oldest to the current one where their contents have no times. `counted` marks a number that only some programs
    mean as an age.
    """

    base: str
    age: tuple[int, str]
    counted: bool = False


def part_of(path: str) -> Part:
    """Reads the name of a file; a name without any mark is the current part of itself."""
    name = _PACKED.sub("", path)
    for pattern in (_DATED, _NUMBERED):
        if found := pattern.match(name):
            return Part(found["base"], _age(found["mark"]))
    if found := _DATED_INSIDE.match(name):
        return Part(found["base"] + ".log", _age(found["mark"]))
    if found := _OLD.match(name):
        return Part(found["base"] + (found["suffix"] or ""), (1, ""))
    if found := _COUNTED.match(name):
        return Part(found["base"] + ".log", _age(found["mark"]), counted=True)
    return Part(name, (2, ""))


def are_neighbours(earlier: str, later: str) -> bool:
    """Whether no part of a numbered log can be missing between two; of dates nobody can tell."""
    ages = [part_of(path).age for path in (earlier, later)]
    if ages[0][0] != 0 or len(ages[0][1]) != 3:
        return True
    number = 999 - int(ages[0][1])
    following = 999 - int(ages[1][1]) if ages[1][0] == 0 and len(ages[1][1]) == 3 else 0
    return abs(number - following) == 1  # contents decide the order, and a file may be named anew


def sides_of(path: str) -> tuple[str, str] | None:
    """The name without its word for a direction, and that word; None for a name without one, or with two."""
    folder, name = os.path.split(path)
    found = _SIDE.findall(_PACKED.sub("", name))
    if len(found) != 1:
        return None
    return os.path.join(folder, _SIDE.sub("*", _PACKED.sub("", name))), found[0].lower()


def are_sides(one: str, other: str) -> bool:
    """Whether two names differ in the word for a direction only, and the words are each other's opposites."""
    first, second = sides_of(one), sides_of(other)
    if first is None or second is None or first[0] != second[0]:
        return False
    return any({first[1], second[1]} == set(pair) for pair in _SIDES)


def families(paths: Iterable[str], join: Join) -> tuple[tuple[str, ...], ...]:
    """The paths in groups that may be one stream each, in the order of their first members.

    Names alone only say what must be looked at together: contents and times decide.
    """
    every = tuple(paths)
    if join is Join.ALL:
        return (every,) if every else ()
    if join is Join.NONE:
        return tuple((path,) for path in every)
    bases = {part.base for part in map(part_of, every) if not part.counted}
    groups: dict[str, list[str]] = {}
    for path in every:
        groups.setdefault(_key(path, bases), []).append(path)
    return tuple(tuple(group) for group in groups.values())


def _key(path: str, bases: set[str]) -> str:
    part = part_of(path)
    base = part.base if not part.counted or part.base in bases else path
    sides = sides_of(base)
    return sides[0] if sides is not None else base


def _age(mark: str) -> tuple[int, str]:
    """A number grows with age, a date falls with it; both are older than the part without a mark."""
    digits = "".join(each for each in mark if each.isdigit())
    return (0, f"{999 - int(digits):03}") if len(digits) < 4 else (0, digits)

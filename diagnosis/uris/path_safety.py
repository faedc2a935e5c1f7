"""What a path screen would say of a value: the rules of the Python SDK's `mcp.shared.path_security`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from diagnosis.uris.percent import decode

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")


class Danger(StrEnum):
    """Why a value is unsafe as a path; in this order the screen looks."""

    NUL = "nul"
    TRAVERSAL = "traversal"
    ABSOLUTE = "absolute"
    DRIVE = "drive"


@dataclass(frozen=True, slots=True)
class Screened:
    """A value that the screen refuses, and the first reason. DRIVE is a heuristic: `x:y` may be a name."""

    danger: Danger
    value: str


@dataclass(frozen=True, slots=True)
class Layers:
    """The screen on a raw span as it stands, decoded once and decoded twice; None where it passes."""

    raw: Screened | None
    once: Screened | None
    twice: Screened | None

    @property
    def bait(self) -> bool:
        """Whether only a second decode makes it unsafe (`..%252Fetc`): what a double decoder falls for."""
        return self.once is None and self.twice is not None


def contains_path_traversal(value: str) -> bool:
    """Whether `..` components climb above the start. A backslash counts as a slash; nothing is decoded."""
    if ".." not in value:
        return False
    depth = 0
    for component in value.replace("\\", "/").split("/"):
        if component == "..":
            depth -= 1
        elif component not in ("", "."):
            depth += 1
        if depth < 0:
            return True
    return False


def is_absolute_path(value: str) -> bool:
    """Whether the value starts with a slash or backslash, or with an ASCII letter and a colon."""
    return value.startswith(("/", "\\")) or has_drive(value)


def has_drive(value: str) -> bool:
    """Whether the value starts with one ASCII letter and a colon: `C:\\x`, but also a name such as `x:y`."""
    return len(value) > 1 and value[1] == ":" and value[0] in _LETTERS


def screen(value: str) -> Screened | None:
    """The first reason to refuse a decoded value as a path, None where there is none."""
    if "\0" in value:
        return Screened(Danger.NUL, value)
    if contains_path_traversal(value):
        return Screened(Danger.TRAVERSAL, value)
    if has_drive(value):
        return Screened(Danger.DRIVE, value)
    return Screened(Danger.ABSOLUTE, value) if is_absolute_path(value) else None


def screen_layers(raw: str) -> Layers:
    """The screen on a raw span and under one and two layers of percent-encoding."""
    once = decode(raw)
    return Layers(screen(raw), screen(once), screen(decode(once)))


def resolve_dots(path: str) -> str:
    """The path without `.` and `..` components.

    A `..` stays where nothing is left to leave; in a path that begins with a slash it vanishes. A
    backslash is no separator here, and empty components stay.
    """
    rooted = path.startswith("/")
    components = path.split("/")[1:] if rooted else path.split("/")
    kept: list[str] = []
    for component in components:
        if component == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif component == "..":
            if not rooted:
                kept.append(component)
        elif component != ".":
            kept.append(component)
    if kept and components[-1] in (".", "..") and kept[-1] != "..":
        kept.append("")
    return ("/" if rooted else "") + "/".join(kept)


def resolve_uri_dots(uri: str) -> str:
    """The URI with its dot segments resolved, the authority included: in custom schemes it may be a variable."""
    scheme, colon, rest = uri.partition(":")
    slashes = rest[: len(rest) - len(rest.lstrip("/"))]
    return scheme + colon + slashes + resolve_dots(rest[len(slashes) :])

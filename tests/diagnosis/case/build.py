"""Entries and cases made by hand, with a clock that a test sets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from diagnosis.case import Case, Entry
from diagnosis.case.text import entry_of

FIRST = "a" * 64
SECOND = "b" * 64
START = datetime(2026, 12, 1, 10, 0, 0, tzinfo=UTC)


def at(second: int) -> str:
    """The time of an entry, so many seconds after ten o'clock."""
    return f"{START + timedelta(seconds=second):%Y-%m-%dT%H:%M:%S.%fZ}"


def entry(kind: str, second: int = 0, author: str = "ana", **said: Any) -> Entry:
    """An entry as a file would hold it."""
    return entry_of({"kind": kind, "time": at(second), "author": author, **said})


def decision(decided: str, second: int = 0, author: str = "ana", fingerprint: str = FIRST, reason: str = "") -> Entry:
    """A decision; a dismissal has the reason `as asked` where none is given."""
    reason = reason or ("as asked" if decided == "dismissed" else "")
    return entry("decision", second, author, fingerprint=fingerprint, decided=decided, reason=reason)


def note(text: str, second: int = 0, author: str = "ana", fingerprint: str = FIRST) -> Entry:
    """A note."""
    return entry("note", second, author, fingerprint=fingerprint, text=text)


def caller(who: str, *tenants: str, second: int = 0, author: str = "ana") -> Entry:
    """A stated caller."""
    return entry("caller", second, author, who=who, tenants=list(tenants))


def template(text: str, second: int = 0, author: str = "ana") -> Entry:
    """A stated template."""
    return entry("template", second, author, template=text)


def withdrawal(of: Entry, second: int = 0, author: str = "ana") -> Entry:
    """Takes an entry back."""
    return entry("withdrawal", second, author, entry=of.id)


class Clock:
    """Stands still until it is set."""

    def __init__(self, second: float = 0) -> None:
        self.second = second

    def __call__(self) -> datetime:
        return START + timedelta(seconds=self.second)


def opened(*paths: Path, author: str = "ana", clock: Clock | None = None, new_folder: bool = False) -> Case:
    """A case whose clock stands at ten o'clock."""
    return Case.open([str(path) for path in paths], author, new_folder=new_folder, now=clock or Clock())


def names(folder: Path) -> Sequence[str]:
    """Everything in a folder."""
    return sorted(path.name for path in folder.iterdir())

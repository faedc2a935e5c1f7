"""The entries of a case file: what one person decided, noted, stated or took back, and when."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar


class CaseError(ValueError):
    """A case file or an entry that cannot be used; the text is one sentence, which may hold a file's name as it is."""


class Decided(StrEnum):
    """What a reviewer decides about a finding; `reopened` sets it back to new."""

    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: never changed and never removed once it is written.

    `time` is RFC 3339 in UTC, `2026-12-01T10:05:36.741000Z`. `extra` is a JSON object (as canonical text) with the
    members that this version does not know, "" where there are none. `id` is the SHA-256 of all the rest, so that an
    entry that comes from two files is one entry. Texts are as typed: whoever shows them calls `visible()`.
    """

    kind: ClassVar[str] = ""

    time: str
    author: str
    extra: str = ""
    id: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", hashlib.sha256(canonical(members(self)).encode()).hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Entry):
    """A finding, by its fingerprint, is confirmed, dismissed (with a reason) or reopened."""

    kind: ClassVar[str] = "decision"

    fingerprint: str
    decided: Decided
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Entry):
    """A note on a finding; it may have several lines."""

    kind: ClassVar[str] = "note"

    fingerprint: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedCaller(Entry):
    """Who may see what, as `--allow WHO=TENANT,...` says it; `who` is `"*"` for every caller."""

    kind: ClassVar[str] = "caller"

    who: str
    tenants: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTemplate(Entry):
    """A template of the server, as `--template` says it (RFC 6570)."""

    kind: ClassVar[str] = "template"

    template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal(Entry):
    """Takes an earlier entry back, by its id; a withdrawal itself is never taken back."""

    kind: ClassVar[str] = "withdrawal"

    entry: str


ENTRY_KINDS: tuple[type[Entry], ...] = (Decision, Note, StatedCaller, StatedTemplate, Withdrawal)


def members(entry: Entry) -> dict[str, Any]:
    """The members of an entry as they stand in a case file, all but `id`; an empty `reason` is left out."""
    known: dict[str, Any] = {"kind": entry.kind}
    for each in fields(entry):
        value = getattr(entry, each.name, "")
        if each.name in ("id", "extra") or (each.name == "reason" and not value):
            continue
        known[each.name] = list(value) if isinstance(value, tuple) else value
    return known | (json.loads(entry.extra) if entry.extra else {})


def canonical(value: Any) -> str:
    """JSON of one spelling: sorted members, no blanks, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def moment(entry: Entry) -> datetime:
    """The time of an entry, to be compared: two texts of one time may differ in their digits."""
    return datetime.fromisoformat(entry.time)


def merged(*groups: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries of several files in the order of time, each once."""
    by_id = {entry.id: entry for group in groups for entry in group}
    return tuple(sorted(by_id.values(), key=lambda entry: (moment(entry), entry.id)))


def standing(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The entries that nobody took back, in their order, without the withdrawals."""
    every = tuple(entries)
    taken_back = {entry.entry for entry in every if isinstance(entry, Withdrawal)}
    return tuple(entry for entry in every if not isinstance(entry, Withdrawal) and entry.id not in taken_back)

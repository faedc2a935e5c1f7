"""The exports of a diagnosis, one file each; a new one is added to `REPORTS`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from diagnosis.diagnosis import Diagnosis
from diagnosis.reports import chat, json, markdown, sarif, text, timeline
from diagnosis.reports.choices import DEFAULT, Choices


class Render(Protocol):
    """Makes the whole text of an export. `now` is the date of those that have one."""

    def __call__(self, diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT) -> str: ...


class Pieces(Protocol):
    """Yields the text of an export, to be written while it is made."""

    def __call__(
        self, diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT
    ) -> Iterable[str]: ...


@dataclass(frozen=True, slots=True)
class Report:
    """One export: the word for `--format`, the suffix of its files, and what renders it.

    `pieces` yields the same text bit by bit, where a large log makes it larger than memory should hold.
    """

    name: str
    suffix: str
    render: Render
    pieces: Pieces | None = None


REPORTS = (
    Report("markdown", ".md", markdown.render),
    Report("json", ".json", json.render, json.pieces),
    Report("sarif", ".sarif", sarif.render),
    Report("text", ".txt", text.render),
    Report("timeline", ".jsonl", timeline.render),
    Report("chat", ".txt", chat.render),
)

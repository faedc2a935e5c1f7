"""The exports of a diagnosis, one file each; a new one is added to `REPORTS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from diagnosis.diagnosis import Diagnosis
from diagnosis.reports import json, markdown, text


@dataclass(frozen=True, slots=True)
class Report:
    """One export: the word for `--format`, the suffix of its files, and what renders it."""

    name: str
    suffix: str
    render: Callable[[Diagnosis, datetime | None], str]


REPORTS = (
    Report("markdown", ".md", markdown.render),
    Report("json", ".json", json.render),
    Report("text", ".txt", text.render),
)

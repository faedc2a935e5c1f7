"""Compares two small captures and says what became of each fault in short words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from diagnosis import Diagnosis, load_statements
from diagnosis.after_fix.before_after import Subject, compare
from diagnosis.after_fix.comparison import Comparison, compared
from diagnosis.callers.credentials import TokenLabels
from tests.diagnosis.questions.build import Log

DOCS = "docs://team/{team}/policy/{name}"
REPORT = "report://{tenant}/{month}"
# One caller with a session on each side of the fix, and one who may see northwind.
PEOPLE: dict[str, Any] = {
    "principals": [
        {"id": "ana", "sessions": ["s1", "s2"], "allowed_tenants": ["acme"]},
        {"id": "ben", "sessions": ["s3"], "allowed_tenants": ["northwind"]},
    ]
}


def became(before: Log, after: Log, policy: Any = None) -> list[tuple[str, str]]:
    """Class and status of each subject, in order."""
    return [(each.kind.value, each.status.value) for each in subjects(before, after, policy)]


def subjects(before: Log, after: Log, policy: Any = None) -> tuple[Subject, ...]:
    """The subjects of two captures that list the same templates."""
    return compare(before.judge(policy), after.judge(policy))


def written(log: Log, path: Path) -> str:
    """Writes a capture file and gives its name."""
    path.write_text("".join(json.dumps(record) + "\n" for record in log.records), "utf-8")
    return str(path)


def comparison(folder: Path, before: Log, after: Log, policy: Any = None, templates: Sequence[str] = ()) -> Comparison:
    """The whole comparison of two captures, from files."""
    place = None
    if policy is not None:
        place = folder / "policy.json"
        place.write_text(json.dumps(policy), "utf-8")
    statements = load_statements(policy_path=str(place) if place else None, templates=templates)
    labels = TokenLabels()
    sides = []
    for name, log in (("before.jsonl", before), ("after.jsonl", after)):
        diagnosis = Diagnosis([written(log, folder / name)], statements, labels=labels)
        for _ in diagnosis.read():
            pass
        sides.append(diagnosis)
    return compared(*sides)

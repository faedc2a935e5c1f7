"""Diagnoses bytes as a file of their own, and says what was found in plain values."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from diagnosis import Diagnosis, Judgement, diagnose, load_statements

ALLOW = ("acme",)  # every caller may see acme and nobody else


def diagnosed(data: bytes, name: str = "trace.jsonl", allow: tuple[str, ...] = ALLOW) -> Diagnosis:
    """The diagnosis of one capture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        return diagnose([str(path)], load_statements(allow=list(allow)))


def findings(judgement: Judgement) -> dict[str, str]:
    """The rules found at a read, and how certain they are."""
    return {each.rule.id: str(each.certainty) for each in judgement.findings}


def answers(judgement: Judgement) -> tuple[Any, ...]:
    """A read as a person sees it, without where it stands in the file."""
    read = judgement.read
    verdicts = tuple((each.verdict, each.reason) for each in judgement.answers)
    return repr(read.request_id), read.uri, verdicts, tuple(sorted(findings(judgement).items()))

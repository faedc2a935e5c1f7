"""Fuzz target: any bytes are diagnosed without an exception, and every line is accounted for."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["diagnosis"]):
    from diagnosis import diagnose

FOLDER = tempfile.TemporaryDirectory()
PATH = Path(FOLDER.name) / "trace.jsonl"


def check(data: bytes) -> None:
    """Raises where a line is lost or an answer is missing."""
    PATH.write_bytes(data)
    found = diagnose([str(PATH)])
    for each in found.captures:
        assert each.lines <= each.blank + each.messages + each.other + each.unreadable, each
    assert all(len(judgement.answers) == 3 for judgement in found.judgements)


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()

"""What the fuzz targets start from is small, there for each of them, and opens without a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnosis import diagnose

CORPUS = Path(__file__).parents[1] / "fuzz" / "corpus"
READS = {"array.json": 1, "crlf.jsonl": 1, "cut.jsonl": 1, "enveloped.jsonl": 1, "har.json": 1, "session.jsonl": 1}


@pytest.mark.parametrize(("name", "reads"), [*READS.items(), ("text.log", 1)])
def test_a_seed_of_the_loader_is_a_capture(name: str, reads: int) -> None:
    assert len(diagnose([str(CORPUS / "loader" / name)]).judgements) == reads


def test_seeds_are_small() -> None:
    seeds = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert {path.parent.name for path in seeds} == {"loader", "matcher", "export"}
    assert all(path.stat().st_size < 2_000 for path in seeds)

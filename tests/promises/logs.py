"""Logs for the promises: the samples that come with the program, and every hostile file that there is."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from app.samples import find_sample, sample_names
from diagnosis import Diagnosis, diagnose, load_statements
from diagnosis.options import Options
from tests.bad_inputs import corpus
from tests.bad_inputs.own import own

MANY = 500_000  # bytes; larger files are opened by the tests of their kind


@functools.cache
def own_files() -> tuple[Path, ...]:
    """Our own hostile files, on disk."""
    folder = Path(tempfile.mkdtemp(prefix="promises-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for each in own():
        (folder / each.name).write_bytes(each.data)
    return tuple(folder / each.name for each in own())


@functools.cache
def hostile_files() -> tuple[Path, ...]:
    """Our own hostile files and, where there is one, the larger set; plain files of a size that is opened quickly."""
    larger = [corpus.path_of(name) for name, entry in corpus.index().items() if entry["kind"] == "file"]
    return tuple(each for each in (*own_files(), *larger) if each.stat().st_size < MANY)


def sample(name: str) -> Diagnosis:
    """A sample that comes with the program, opened as the program opens it."""
    found = find_sample(name)
    statements = load_statements(found.policy, found.templates)
    return diagnose(list(found.captures), statements, Options(same_traffic=found.same_traffic))


SAMPLES = tuple(sample_names())

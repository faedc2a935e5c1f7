"""The larger set of hostile files, which a script beside the repository writes; nothing where the script is absent."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bad_inputs.expected import DECIDED, LOCKED, REFUSED, Expected, counted

MAKE = Path(__file__).parents[3] / "shared" / "badinputs" / "make.py"
ABSENT = "the script that writes the larger set is not beside the repository"


@functools.cache
def folder() -> Path:
    """Where the files are; they are written once."""
    made = tempfile.mkdtemp(prefix="bad-inputs-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    subprocess.run([sys.executable, str(MAKE), made], check=True, capture_output=True, timeout=120)
    return Path(made)


@functools.cache
def index() -> dict[str, dict[str, Any]]:
    """What is said of each file, by its name; scenarios are not among them."""
    if not MAKE.is_file():
        return {}
    said = json.loads((folder() / "index.json").read_text(encoding="utf-8"))
    return {each["file"]: each for each in said if each["kind"] != "scenario" and each["made"]}


@functools.cache
def canaries() -> tuple[str, ...]:
    """What must stand in no export, of whichever file."""
    return tuple(sorted({canary for each in index().values() for canary in each.get("canaries", ())}))


def path_of(name: str) -> Path:
    """The file on disk: one name holds a byte that is no UTF-8, and the index spells it."""
    if "\\xff" in name:
        return Path(os.fsdecode(os.fsencode(folder()) + b"/special/bad-\xff-name.jsonl"))
    return folder() / name


def expected_of(name: str) -> Expected:
    """What the file must give."""
    if name in DECIDED:
        return DECIDED[name][0]
    if name == LOCKED and not os.access(path_of(name), os.R_OK):
        return REFUSED
    return counted(path_of(name).read_bytes())

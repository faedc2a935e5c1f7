"""The locked versions: complete, hashed, and at or above the floors of pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = (ROOT / "requirements-dev.lock").read_text("utf-8")
_PIN = re.compile(r"^([a-z0-9-]+)==([0-9][^ ;\n]*)((?:.*\\\n)*.*)", re.MULTILINE)
_NEED = re.compile(r"([A-Za-z0-9-]+)(?:>=([0-9.]+))?")


def pins() -> dict[str, tuple[str, str]]:
    """Version and the rest of its entry, by name."""
    return {name: (version, rest) for name, version, rest in _PIN.findall(LOCK)}


def needs() -> dict[str, str]:
    """The floor of every direct dependency, by its normalised name; "" for none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    every = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    found = (_NEED.match(each) for each in every)
    return {each[1].lower(): each[2] or "" for each in found if each is not None}


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def test_every_pin_has_a_hash() -> None:
    assert len(pins()) > 30
    assert all("--hash=sha256:" in rest for _, rest in pins().values())


def test_every_direct_dependency_is_locked_at_or_above_its_floor() -> None:
    locked = pins()
    assert len(needs()) > 15
    for name, floor in needs().items():
        assert numbers(locked[name][0]) >= numbers(floor), name


def test_the_lock_names_no_host() -> None:
    assert re.search(r"https?:|file:|--index-url|--find-links", LOCK) is None

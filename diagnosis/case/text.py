"""A case file as text: entries out of it, and entries into it, with every member that this version does not know."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from typing import Any, NoReturn

from diagnosis.case.entries import ENTRY_KINDS, CaseError, Decided, Entry, canonical, members
from diagnosis.visible import visible

SCHEMA = "misread-case/1"
FILE_LIMIT = 16 * 1024 * 1024  # bytes, as for a policy; about 50,000 entries
DEPTH_LIMIT = 32  # levels of JSON; what is documented needs four

_CLASSES = {each.kind: each for each in ENTRY_KINDS}


@dataclass(frozen=True, slots=True)
class Contents:
    """What a case file holds; `extra` are its own members that this version does not know, as canonical JSON."""

    entries: tuple[Entry, ...] = ()
    extra: str = ""


def parse(data: bytes) -> Contents:
    """Reads the bytes of a case file.

    Raises:
        CaseError: they are no case file; the text goes on after the file's name, and has no full stop.
    """
    value = _json(data)
    if not isinstance(value, dict) or not isinstance(value.get("schema"), str) or "entries" not in value:
        raise CaseError("it is no case file of misread")
    if value["schema"] != SCHEMA:
        raise CaseError(f"its schema is not {SCHEMA}, the only one that this version reads")
    entries = value["entries"]
    if not isinstance(entries, list):
        raise CaseError("entries: a list is due here")
    extra = {name: member for name, member in value.items() if name not in ("schema", "entries")}
    found = tuple(_entry(each, f"entries.{number}.") for number, each in enumerate(entries))
    return Contents(found, canonical(extra) if extra else "")


def entry_of(value: dict[str, Any], place: str = "") -> Entry:
    """Makes an entry of its members; those that are not documented are kept beside.

    Raises:
        CaseError: a member is missing or is not what it should be; the text has no full stop.
    """
    # pydantic takes a tenth of a second to load, and most cases have no entry yet.
    from diagnosis.case.shape import SHAPES, known_members

    known = known_members(value, place)
    said = known.pop("id", None)
    kind = known.pop("kind")
    if "decided" in known:
        known["decided"] = Decided(known["decided"])
    if "tenants" in known:
        known["tenants"] = tuple(known["tenants"])
    extra = {name: member for name, member in value.items() if name not in SHAPES[kind].model_fields}
    entry = _CLASSES[kind](**known, extra=canonical(extra) if extra else "")
    if said not in (None, entry.id):
        raise CaseError(f"{place}id: it does not belong to this entry, which was changed after it was written")
    return entry


def render(contents: Contents) -> bytes:
    """Returns the bytes of a case file: one member a line, so that two versions can be compared line by line.

    Letters of every script stay readable; what draws nothing or steers a terminal is a JSON escape.
    """
    value = {
        "schema": SCHEMA,
        **(json.loads(contents.extra) if contents.extra else {}),
        "entries": [{"id": entry.id, **members(entry)} for entry in contents.entries],
    }
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    # A letter before it tells a mark that belongs there from a character that is hidden everywhere.
    hidden = {each for each in set(text) if each != "\n" and visible(f"a{each}") != f"a{each}"}
    return (text.translate({ord(each): json.dumps(each)[1:-1] for each in hidden}) + "\n").encode()


def _entry(value: Any, place: str) -> Entry:
    if not isinstance(value, dict):
        raise CaseError(f"{place.rstrip('.')}: an object is due here")
    return entry_of(value, place)


def _json(data: bytes) -> Any:
    """One JSON value without anything that two readers would read differently, or that could not be written again."""
    if len(data) > FILE_LIMIT:
        raise CaseError(f"it is larger than {FILE_LIMIT // 2**20} MiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CaseError("it is not UTF-8 text") from None
    if not text.strip():
        raise CaseError("it is empty; remove it, or name another")
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite)
    except CaseError:
        raise
    except RecursionError:
        raise CaseError("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise CaseError(f"it is not JSON, or only a part of it, at line {error.lineno}") from None
    except ValueError:  # an integer of thousands of digits
        raise CaseError("it holds a number that cannot be read") from None
    if _deeper_than(value, DEPTH_LIMIT):
        raise CaseError("it is nested too deeply")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise CaseError("a member stands twice in one object")
    return value


def _no_number(name: str) -> NoReturn:
    raise CaseError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise CaseError("it holds a number that cannot be read")
    return number


def _deeper_than(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True

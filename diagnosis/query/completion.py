"""What could stand at the cursor of a filter: fields, then the values of a field, also while the rest is unfinished."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from diagnosis.query.fields import FIELDS, VARIABLE, Field, Kind, field_named
from diagnosis.query.syntax import HEAD, quoted_value
from diagnosis.query.values import Beside, variable_names
from diagnosis.questions.judgement import Judgement

LIMIT = 50  # candidates: more than a list on a screen shows

# What a person has typed so far of one term; a quote may still be open.
_PIECE = re.compile(
    rf"(?P<not>-?)(?P<head>{HEAD})?(?P<value>\"(?:[^\"\\]|\\[\s\S])*\"?|'(?:[^'\\]|\\[\s\S])*'?|[^\s()]*)"
)
_BETWEEN = re.compile(r"[\s()]*")
_PLAIN = re.compile(r"[^\s()\"'\\*][^\s()\\]*").fullmatch
_WORDS = (("or", "one or the other"), ("not", "everything else"))

ValuesOf = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """`text` would take the place of what stands from `start` up to, not including, `end`; `words` explain it.

    Unprintable characters of a log stand in `text` as `\\u{1b}`, so that it can be shown and used as it is.
    """

    text: str
    start: int
    end: int
    words: str = ""


def complete(text: str, cursor: int, values_of: ValuesOf) -> tuple[Candidate, ...]:
    """The candidates at the cursor: for a value its fixed ones first, then those that `values_of` gives for the field.

    `values_of` is called with the name of a field, or with `var.NAME` for the names of variables; what it gives is
    not trusted and may be endless. A broken filter is no error here.
    """
    cursor = max(0, min(cursor, len(text)))
    start, end, head, value_at = _piece(text, cursor)
    typed = text[value_at if head else start : cursor]
    if not head:
        return _limited(_names(typed, start, end, values_of))
    field = field_named(re.split(r"[:=~<>]", head)[0])
    if field is None or head.endswith("~"):
        return ()
    return _limited(_values(field, _unquoted(typed), value_at, end, values_of))


def present_values(judgements: Iterable[Judgement], name: str, beside: Beside | None = None) -> Iterator[str]:
    """The distinct values that reads hold for a field, in the order of the reads; none for numbers and times.

    `var.NAME` gives the names of variables. Made for `complete`, which takes no more than it shows.
    """
    field = field_named(name)
    values = (
        variable_names if name == VARIABLE + "NAME" else field.values if field is not None and field.present else None
    )
    seen: set[str] = set()
    for judgement in judgements if values is not None else ():
        assert values is not None
        for value in values(judgement, beside or Beside()):
            if value not in seen:
                seen.add(value)
                yield value


def _piece(text: str, cursor: int) -> tuple[int, int, str, int]:
    """The term around the cursor: where it starts and ends, its field with the sign, and where its value starts."""
    place = 0
    while True:
        begin = _BETWEEN.match(text, place)
        start = begin.end() if begin else place
        if start > cursor or start >= len(text):
            return cursor, cursor, "", cursor
        found = _PIECE.match(text, start)
        assert found is not None, "every part of it may be empty"
        if cursor <= found.end():
            own = found.start("value") if found["head"] is None else found.start("head")
            if cursor < own:
                return cursor, cursor, "", cursor
            if found["head"] is not None and cursor >= found.start("value"):
                return own, found.end(), found["head"], found.start("value")
            return own, found.end("head") if found["head"] else found.end(), "", own
        place = max(found.end(), start + 1)


def _names(typed: str, start: int, end: int, values_of: ValuesOf) -> Iterator[Candidate]:
    lower = typed.lower()
    if lower.startswith(VARIABLE):
        for name in values_of(VARIABLE + "NAME"):
            if name.startswith(typed[len(VARIABLE) :]) and re.fullmatch(r"[A-Za-z0-9_.%]+", name, re.ASCII):
                yield Candidate(f"{VARIABLE}{name}:", start, end, "value of this variable")
        return
    for field in FIELDS:
        if field.name.startswith(lower):
            text = VARIABLE if field.name.startswith(VARIABLE) else field.name + ":"
            yield Candidate(text, start, end, field.words)
    for word, words in _WORDS:
        if typed and word.startswith(lower):
            yield Candidate(word, start, end, words)


def _values(field: Field, typed: str, start: int, end: int, values_of: ValuesOf) -> Iterator[Candidate]:
    lower = typed.lower()
    for value in field.fixed:
        if value.lower().startswith(lower):
            yield Candidate(_as_typed(value), start, end)
    if not field.present or (field.fixed and field.kind is not Kind.NAME):
        return
    later: list[str] = []
    for count, value in enumerate(values_of(field.name)):
        if value.startswith(typed):
            yield Candidate(_as_typed(value), start, end)
        elif typed and typed in value and len(later) < LIMIT:
            later.append(value)
        if count >= _LOOKED_AT:
            break
    for value in later:
        yield Candidate(_as_typed(value), start, end)


_LOOKED_AT = 100_000  # distinct values of a log that one completion looks at, some 20 ms


def _as_typed(value: str) -> str:
    quoted = quoted_value(value)
    return value if _PLAIN(value) and quoted == f'"{value}"' else quoted


def _unquoted(typed: str) -> str:
    """A value while it is typed: without its opening quote, and what is escaped as it is meant."""
    if typed[:1] not in ('"', "'"):
        return typed
    closed = typed[1:-1] if len(typed) > 1 and typed.endswith(typed[0]) else typed[1:]
    return re.sub(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|([\\\"']))", _meant, closed)


def _meant(escape: re.Match[str]) -> str:
    if escape[2]:
        return escape[2]
    number = int(escape[1], 16)
    return chr(number) if number <= 0x10FFFF else escape[0]


def _limited(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The first of them, each once."""
    found: dict[str, Candidate] = {}
    for candidate in candidates:
        found.setdefault(candidate.text, candidate)
        if len(found) >= LIMIT:
            break
    return tuple(found.values())

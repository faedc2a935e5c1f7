"""JSON as it stands in the log, laid out for reading: no token is changed, none is lost.

A parser would merge duplicate keys, round large numbers and undo escapes; evidence must not change so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from json import JSONDecodeError, JSONDecoder

# A string (also one that is cut off), a bracket, a separator, or anything else up to the next of these.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]|,|:|[^\s"\[\]{},:]++', re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)

# An object with a key, or an array of such: what a message can begin with.
_OPENING = re.compile(r'\{\s*"|\[\s*\{\s*"')

# So many beginnings are tried in one record: text that only looks like JSON must not cost more.
_TRIED = 64

_DECODER = JSONDecoder(strict=False)

# Deeper indentation would only push the text off the screen.
_DEEPEST = 20


def indented(text: str) -> list[str]:
    """The lines of a JSON text, indented by its brackets. Text that is no JSON comes out less tidy."""
    lines: list[str] = []
    current: list[str] = []
    depth = 0
    before = ""

    def end_line() -> None:
        if current:
            lines.append("".join(current))
            current.clear()

    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "}]":
            depth = max(0, depth - 1)
            if before not in "{[" or not before:
                end_line()
        elif before and before in "{[":
            end_line()
        if not current:
            current.append("  " * min(depth, _DEEPEST))
        current.append(": " if token == ":" else token)
        if token in "{[":
            depth += 1
        if token == ",":
            end_line()
        before = token
    end_line()
    return lines


def inner_texts(text: str, smallest: int = 2) -> Iterator[str]:
    """The strings of a JSON text that hold JSON themselves, in order, with their escapes undone."""
    for match in _STRING.finditer(text):
        if match.end() - match.start() > smallest and _opens(match[0]):
            try:
                inner = _DECODER.decode(match[0])
            except (JSONDecodeError, RecursionError):
                continue
            if json_end(inner, _begin(inner)) == len(inner.rstrip()):
                yield inner


def _opens(string: str) -> bool:
    """Whether the string begins as JSON does; escapes of blanks may stand before it."""
    return re.match(r'"(?:\s|\\[nrt])*[\[{]', string) is not None


def json_end(text: str, start: int) -> int | None:
    """Where the object or array that begins here ends; None where this is none."""
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):  # no JSON, a number too long for Python, or too deep
        return None


def _begin(text: str) -> int:
    return len(text) - len(text.lstrip())


def parts(text: str) -> tuple[str, list[str], str]:
    """The text before the first JSON object or array of a record, the JSON, and the text behind it.

    Values that stand next to each other are all JSON. Of `[info] {...}` the object is the first value, since the
    brackets hold no JSON; a record without any value is all text before it.
    """
    candidates = chain([_begin(text)], (match.start() for match in islice(_OPENING.finditer(text), _TRIED)))
    begin, end = next(((at, end) for at in candidates if (end := json_end(text, at)) is not None), (len(text), None))
    before, values = text[:begin], []
    while end is not None:
        values.append(text[begin:end])
        rest = end
        begin = rest + _begin(text[rest:])
        end = json_end(text, begin)
    return before, values, text[rest:] if values else ""


_COLOURS = re.compile(r'("(?:[^"\\]++|\\.)*+"?)(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)|([^"\d\w-]+|.)', re.DOTALL)


def coloured(text: str) -> Iterable[tuple[str, str]]:
    """One line of JSON as runs of text and look: keys, strings and numbers told apart; only for lines on the screen."""
    for match in _COLOURS.finditer(text):
        string, colon, scalar, other = match.groups()
        if string is not None:
            yield string, "key" if colon else "string"
            if colon:
                yield colon, ""
        elif scalar is not None:
            yield scalar, "number"
        else:
            yield other, ""

"""JSON as it stands in the log, laid out for reading: no token is changed, none is lost.

A parser would merge duplicate keys, round large numbers and undo escapes; evidence must not change so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from json import JSONDecodeError, JSONDecoder

from app.widgets.plain import Line, Piece

# A string (also one that is cut off), a bracket, a separator, or anything else up to the next of these.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]|,|:|[^\s"\[\]{},:]++', re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)

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
                inner = JSONDecoder(strict=False).decode(match[0])
            except JSONDecodeError:
                continue
            if _is_json(inner):
                yield inner


def _opens(string: str) -> bool:
    """Whether the string begins as JSON does; escapes of blanks may stand before it."""
    return re.match(r'"(?:\s|\\[nrt])*[\[{]', string) is not None


def _is_json(text: str) -> bool:
    """Whether it ends as it began: enough to lay it out, which never loses a token anyway."""
    text = text.strip()
    return (text[:1], text[-1:]) in (("{", "}"), ("[", "]"))


_COLOURS = re.compile(r'("(?:[^"\\]++|\\.)*+"?)(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)|([^"\d\w-]+|.)', re.DOTALL)


def highlighted(text: str, look: str = "") -> Line:
    """One line of JSON with its keys, strings and numbers told apart; only for lines on the screen."""
    return list(_coloured(text, look))


def _coloured(text: str, look: str) -> Iterable[Piece]:
    for match in _COLOURS.finditer(text):
        string, colon, scalar, other = match.groups()
        if string is not None:
            yield Piece(string, "key" if colon else "string")
            if colon:
                yield Piece(colon, look)
        elif scalar is not None:
            yield Piece(scalar, "number")
        else:
            yield Piece(other, look)

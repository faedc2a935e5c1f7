"""Python's own notation for values, as debug logs print it: read as data, never evaluated.

Literals, containers, and calls with keyword arguments (the notation of dataclasses and pydantic models).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NoReturn

DEEPEST = 64

# Possessive, so that a quote that never closes is scanned once.
_STRING = re.compile(r"""([bB]?)(?:'((?:[^'\\\n]++|\\.)*+)'|"((?:[^"\\\n]++|\\.)*+)")""")
_NUMBER = re.compile(r"-?\d++(\.\d++)?+([eE][+-]?\d++)?+(?![\w.])")
_NAME = re.compile(r"[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)*+")
_SPACE = re.compile(r"[ \t]*+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_PLAIN = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"None": None, "True": True, "False": False}


class NotALiteral(Exception):
    """The text is no literal; the text of the error is one phrase. `truncated`: it ended too early."""

    def __init__(self, why: str, truncated: bool = False) -> None:
        super().__init__(why)
        self.truncated = truncated


@dataclass(frozen=True, slots=True)
class Call:
    """`Name(key=value, ..)`; positional arguments are not kept."""

    name: str
    arguments: dict[str, Any]


def read_literal(text: str, position: int = 0) -> tuple[Any, int]:
    """Returns the value that begins at `position` and where it ends; raises `NotALiteral`."""
    return _value(text, _space(text, position), 0)


def read_pairs(text: str, position: int = 0) -> tuple[dict[str, Any], int]:
    """Reads `key=value key=value ..`, as pydantic prints a model, up to the first text that is none."""
    found: dict[str, Any] = {}
    while True:
        name = _NAME.match(text, position)
        if name is None or text[name.end() : name.end() + 1] != "=":
            return found, position
        found[name[0]], position = read_literal(text, name.end() + 1)
        position = _space(text, position)


def _value(text: str, position: int, depth: int) -> tuple[Any, int]:
    if depth > DEEPEST:
        _fail("nested too deep")
    mark = text[position : position + 1]
    if mark == "{":
        return _mapping(text, position + 1, depth)
    if mark == "[" or mark == "(":
        return _sequence(text, position + 1, "]" if mark == "[" else ")", depth)
    if mark in ("'", '"') or (mark in ("b", "B") and text[position + 1 : position + 2] in ("'", '"')):
        return _string(text, position)
    number = _NUMBER.match(text, position)
    if number:
        return _number(number), number.end()
    name = _NAME.match(text, position)
    if name is None:
        _fail(f"no Python literal at character {position}", truncated=position >= len(text))
    if text[name.end() : name.end() + 1] == "(":
        return _call(text, name[0], name.end() + 1, depth)
    if name[0] not in _WORDS:
        _fail(f"no Python literal at character {position}", truncated=name.end() >= len(text))
    return _WORDS[name[0]], name.end()


def _mapping(text: str, position: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    position = _space(text, position)
    while text[position : position + 1] != "}":
        key, position = _value(text, position, depth + 1)
        if not isinstance(key, str):
            _fail("a key that is no string")
        position = _expect(text, _space(text, position), ":")
        found[key], position = _value(text, _space(text, position), depth + 1)
        position = _comma(text, position, "}")
    return found, position + 1


def _sequence(text: str, position: int, end: str, depth: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    position = _space(text, position)
    while text[position : position + 1] != end:
        value, position = _value(text, position, depth + 1)
        found.append(value)
        position = _comma(text, position, end)
    return found, position + 1


def _call(text: str, name: str, position: int, depth: int) -> tuple[Any, int]:
    arguments: dict[str, Any] = {}
    position = _space(text, position)
    while text[position : position + 1] != ")":
        key = _NAME.match(text, position)
        if key is not None and text[key.end() : key.end() + 1] == "=":
            arguments[key[0]], position = _value(text, key.end() + 1, depth + 1)
        else:
            _, position = _value(text, position, depth + 1)
        position = _comma(text, position, ")")
    return Call(name, arguments), position + 1


def _string(text: str, position: int) -> tuple[str | bytes, int]:
    found = _STRING.match(text, position)
    if found is None:
        _fail("a string that is not closed", truncated=True)
    body = found[2] if found[2] is not None else found[3]
    if "\\" in body:
        body = _ESCAPE.sub(_unescaped, body)
    if not found[1]:
        return body, found.end()
    try:
        return body.encode("latin-1"), found.end()
    except UnicodeEncodeError:
        _fail("a bytes literal with characters past U+00FF")


def _unescaped(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    if digits:
        code = int(digits, 16)
        return chr(code) if code < 0x110000 else _fail("an escape past U+10FFFF")
    return _PLAIN[found[4]] if found[4] in _PLAIN else _fail("an escape that Python does not print")


def _number(found: re.Match[str]) -> int | float:
    if found[1] or found[2]:
        return float(found[0])
    try:
        return int(found[0])
    except ValueError:
        _fail("a number has too many digits")


def _comma(text: str, position: int, end: str) -> int:
    position = _space(text, position)
    if text[position : position + 1] == end:
        return position
    return _space(text, _expect(text, position, ","))


def _expect(text: str, position: int, mark: str) -> int:
    if text[position : position + 1] != mark:
        _fail(f"no {mark} at character {position}", truncated=position >= len(text))
    return position + 1


def _space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _fail(why: str, truncated: bool = False) -> NoReturn:
    raise NotALiteral(why, truncated)

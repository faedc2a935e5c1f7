"""Reads the text of a filter into terms joined by and, or, not. What the terms mean is not known here."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from diagnosis.query.errors import QueryError
from diagnosis.query.fields import NAMES
from diagnosis.visible import visible

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

TEXT_LIMIT = 2_000  # characters: far more than a person types
DEPTH_LIMIT = 40  # parentheses inside parentheses; what walks the tree calls itself once for each

_KNOWN = "|".join(re.escape(name) for name in sorted(NAMES, key=len, reverse=True) if name != "var.NAME")
_NAME = r"[A-Za-z][A-Za-z0-9_.%]*"
# `name:` opens a value unless `//` follows: that is a URI. `name=` does so for fields only: a URI may hold `to=x`.
HEAD = rf"(?:{_NAME}(?::(?!\/\/)|~|<=|>=|<|>)|(?:(?i:{_KNOWN})|var\.[A-Za-z0-9_.%]+)=)"
_QUOTED = r""""(?:[^"\\]|\\[\s\S])*"(?![^\s()])|'(?:[^'\\]|\\[\s\S])*'(?![^\s()])"""

# BROKEN is a quote that is never closed, TIGHT a text with a parenthesis in it: both take the rest and are refused.
_GRAMMAR = rf"""
start: any?
any: all (_OR all)*
all: each (_AND? each)*
each: (NOT | MINUS)* (_OPEN any _CLOSE | HEAD (VALUE | _text) | LONE_HEAD | WORD | _text)
_text: QUOTED | BROKEN | TIGHT

_OPEN: "("
_CLOSE: ")"
_OR.9: /or(?![^\s()])/i
_AND.9: /and(?![^\s()])/i
NOT.9: /not(?![^\s()])/i
MINUS.9: /-(?=[^\s)])/
LONE_HEAD.8: /{HEAD}(?=[\s)]|\Z)/
HEAD.7: /{HEAD}/
QUOTED.6: /{_QUOTED}/
BROKEN.5: /["'][\s\S]*/
TIGHT.5: /[^\s()"'][^\s()]*\([\s\S]*/
VALUE.4: /[^\s()"'][^\s()]*/
WORD.3: /(?!(?:or|and|not)(?![^\s()]))[^\s()"'\-][^\s()]*/i
%ignore /\s+/
"""

_TERM = "a word to look for in the URI, `field:value`, or `(`"
_EXPECTED = {"_CLOSE": "`)`", "VALUE": "a value", "$END": "the end of the filter"}
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|([\\\"']))")


@dataclass(frozen=True, slots=True)
class Typed:
    """A value as it was meant; `columns` are the places of its characters in the filter, and of its end."""

    text: str
    columns: tuple[int, ...]
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """`name` and `operator` are "" for a bare word. `start` and `end` enclose the term in the filter."""

    name: str
    operator: str
    value: Typed
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Not:
    """Everything that does not match."""

    of: Node
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AllOf:
    """What matches every part; without parts everything does."""

    parts: tuple[Node, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AnyOf:
    """What matches one part or more."""

    parts: tuple[Node, ...]
    start: int
    end: int


Node = Term | Not | AllOf | AnyOf


def parse(text: str) -> Node:
    """The tree of a filter.

    Raises:
        QueryError: the text is no filter.
    """
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if len(text) > TEXT_LIMIT:
        raise QueryError(f"A filter has at most {TEXT_LIMIT:,} characters.", TEXT_LIMIT, "a shorter filter")
    try:
        tree = _parser().parse(text)
    except UnexpectedToken as error:
        column = error.token.start_pos or 0
        if error.token.type == "$END":  # it borrows the place of the last token
            if _is_broken(text[column:]):
                raise _broken(text[column:], column) from None
            column = len(text)
        raise _unexpected(text, column, error.accepts or error.expected) from None
    except UnexpectedCharacters as error:
        raise _unexpected(text, error.pos_in_stream or 0, error.allowed or set()) from None
    return _any(tree.children[0], 0) if tree.children else AllOf((), 0, 0)  # type: ignore[arg-type]


@cache
def _parser() -> Lark:
    """The parser, made when a filter is first used: lark is not loaded before."""
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", propagate_positions=True)


def _unexpected(text: str, column: int, names: set[str]) -> QueryError:
    words = [_EXPECTED[name] for name in sorted(names) if name in _EXPECTED]
    expected = _TERM if "WORD" in names or not words else " or ".join(words)
    if column >= len(text):
        closed = "" if "_CLOSE" not in names else ": a `(` is not closed"
        sentence = f"The filter ends too early{closed}."
    elif text[column] in "()" and "VALUE" in names:
        sentence = "A value that begins with a parenthesis stands in quotes."
    elif text[column] == ")":
        sentence = "This `)` closes nothing, or nothing stands before it."
    else:
        sentence = "This cannot stand here."
    return QueryError(f"{sentence} Here is due: {expected}.", column, expected)


def _any(tree: Tree[Token], depth: int) -> Node:
    parts = tuple(_all(each, depth) for each in tree.children)  # type: ignore[arg-type]
    return parts[0] if len(parts) == 1 else AnyOf(parts, parts[0].start, parts[-1].end)


def _all(tree: Tree[Token], depth: int) -> Node:
    parts = tuple(_each(each, depth) for each in tree.children)  # type: ignore[arg-type]
    return parts[0] if len(parts) == 1 else AllOf(parts, parts[0].start, parts[-1].end)


def _each(tree: Tree[Token], depth: int) -> Node:
    negations = [each for each in tree.children if getattr(each, "type", "") in ("NOT", "MINUS")]
    rest = tree.children[len(negations) :]
    start, end = tree.meta.start_pos, tree.meta.end_pos
    first = rest[0]
    if not isinstance(first, str):
        if depth >= DEPTH_LIMIT:
            raise QueryError("Parentheses lie too deep in one another.", start, "fewer parentheses")
        found = replace(_any(first, depth + 1), start=start, end=end)
    else:
        found = _term(rest)  # type: ignore[arg-type]
    return Not(found, start, end) if len(negations) % 2 else found


def _term(tokens: list[Token]) -> Term:
    first, last = tokens[0], tokens[-1]
    start = first.start_pos or 0
    if first.type == "LONE_HEAD":
        column = start + len(first)
        raise QueryError(
            "Here a value is missing.", column, "a value directly after the sign, in quotes if it is empty"
        )
    value = _value(last)
    if first.type != "HEAD":
        return Term("", "", value, start, start + len(first))
    name = re.match(_NAME, first)
    assert name is not None, first
    return Term(name[0], first[name.end() :], value, start, value.columns[-1] + value.quoted)


def _value(token: Token) -> Typed:
    start = token.start_pos or 0
    if token.type in ("BROKEN", "TIGHT"):
        raise _broken(token, start)
    if token.type != "QUOTED":
        return Typed(str(token), tuple(range(start, start + len(token) + 1)))
    text: list[str] = []
    columns: list[int] = []
    place, end = 1, len(token) - 1
    while place < end:
        escape = _ESCAPE.match(token, place, end)
        columns.append(start + place)
        text.append(_unescaped(escape, start + place) if escape else token[place])
        place = escape.end() if escape else place + 1
    return Typed("".join(text), (*columns, start + end), quoted=True)


def _unescaped(escape: re.Match[str], column: int) -> str:
    if escape[2]:
        return escape[2]
    character = int(escape[1], 16)
    if character > 0x10FFFF:
        raise QueryError("There is no such character.", column, r"\u{...} with a number up to 10ffff")
    return chr(character)


def _is_broken(rest: str) -> bool:
    """Whether the last token of a filter is one that takes the rest."""
    if rest.startswith(('"', "'")):
        return re.fullmatch(_QUOTED, rest.rstrip()) is None
    return "(" in rest[1:]


def _broken(token: str, start: int) -> QueryError:
    if token[0] not in "\"'":
        column = start + token.index("(")
        return QueryError(
            "Text with a parenthesis in it stands in quotes.", column, "a space, or quotes around the text"
        )
    closing = re.match(r"(['\"])(?:(?!\1)[^\\]|\\[\s\S])*\1", token)
    if closing is None:
        return QueryError("This quote is never closed.", start, f"a closing {token[0]}")
    return QueryError("After a closing quote a space is due.", start + closing.end(), "a space")


def quoted_value(text: str) -> str:
    """The text as it is typed in a filter to be taken literally: in quotes, its unprintable characters as `\\u{1b}`."""
    escaped = "".join(_typed(character) for character in text)
    return f'"{escaped}"'


def _typed(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if visible(character) == character else f"\\u{{{ord(character):x}}}"

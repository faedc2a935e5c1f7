"""Turns any log text into printable text of one line that can be turned back."""

from __future__ import annotations

import re
import unicodedata

# Characters that `str.isprintable()` accepts and that nevertheless draw nothing: Hangul and Khmer fillers,
# Mongolian and general variation selectors, the empty braille pattern, the grapheme joiner.
_INVISIBLE = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
# Real text stacks at most a few marks (Vietnamese two, Hebrew three or four); more paint over other lines.
_MARKS_PER_BASE = 4
_ESCAPE = re.compile(r"\\u\{([0-9a-f]{1,6})\}")
_ELLIPSIS = "…"


def visible(text: str) -> str:
    """Returns `text` as printable, reversible text of one line.

    What is not printable, draws nothing or piles up marks becomes `\\u{1b}`. Backslashes are doubled only
    directly before such an escape, or before a `u{` of the text itself: no two texts ever look the same.
    """
    if text.isascii() and text.isprintable() and "\\u{" not in text:
        return text
    out: list[str] = []
    marks: int | None = None  # how many marks the base before has; None: there is no base to carry one
    backslashes = 0
    for index, character in enumerate(text):
        marks = _marks_after(character, marks)
        if character == "\\":
            backslashes += 1
            continue
        escaped = _is_hidden(character) or (marks is None) or marks > _MARKS_PER_BASE
        ambiguous = escaped or text.startswith("u{", index)
        out.append("\\" * (backslashes * 2 if ambiguous else backslashes))
        backslashes = 0
        out.append(f"\\u{{{ord(character):x}}}" if escaped else character)
        if escaped and not unicodedata.category(character).startswith("M"):
            marks = None
    out.append("\\" * backslashes)
    return "".join(out)


def visible_bytes(data: bytes) -> str:
    """Returns bytes as `visible` text; a byte that is no UTF-8 becomes `\\u{dc80}` to `\\u{dcff}`."""
    return visible(data.decode("utf-8", "surrogateescape"))


def unvisible(text: str) -> str:
    """Returns the text that `visible` was given."""
    out: list[str] = []
    index = 0
    while index < len(text):
        run = _backslashes(text, index)
        after = index + run
        if not run or not text.startswith("u{", after):
            out.append(text[index : after or 1] if run else text[index])
            index = after if run else index + 1
            continue
        out.append("\\" * (run // 2))
        index = after
        if run % 2:
            escape = _ESCAPE.match(text, after - 1)
            if escape is None:
                raise ValueError("not a text that visible() made")
            out.append(chr(int(escape[1], 16)))
            index = escape.end()
        else:
            out.append("u{")
            index += 2
    return "".join(out)


def shorten(text: str, cells: int) -> str:
    """Cuts visible text to `cells` columns of a terminal; an ellipsis stands where something was cut off."""
    if len(text) <= cells and text.isascii():
        return text
    width = 0
    fits = 0  # the longest beginning that leaves room for the ellipsis
    for index, character in enumerate(text):
        width += _width(character)
        if width > cells:
            return text[:fits] + _ELLIPSIS if cells > 0 else ""
        if width < cells:
            fits = index + 1
    return text


def _is_hidden(character: str) -> bool:
    return not character.isprintable() or character in _INVISIBLE


def _marks_after(character: str, marks: int | None) -> int | None:
    """How many marks the current base has once `character` stands there; None for a mark without a base."""
    if character.isascii():
        return 0
    if unicodedata.category(character).startswith("M"):
        return None if marks is None else marks + 1
    return 0


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _backslashes(text: str, index: int) -> int:
    end = index
    while end < len(text) and text[end] == "\\":
        end += 1
    return end - index

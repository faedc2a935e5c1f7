"""Finds text that a person typed in lines of a log, and marks it. What is typed is text, never a pattern."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.widgets.plain import Line, Piece

# So many places are found and no more: the pane says that there are more.
MOST = 10_000


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A run of characters in a numbered line."""

    line: int
    start: int
    end: int


def places(lines: Iterable[str], wanted: str, most: int = MOST) -> list[Place]:
    """Where the text stands, from top to bottom. Text without capital letters is found in any case."""
    if not wanted:
        return []
    pattern = re.compile(re.escape(wanted), re.IGNORECASE if wanted == wanted.lower() else 0)
    found: list[Place] = []
    for number, text in enumerate(lines):
        for match in pattern.finditer(text):
            found.append(Place(number, match.start(), match.end()))
            if len(found) == most:
                return found
    return found


def within(found: Sequence[Place], line: int, start: int, end: int) -> list[int]:
    """The numbers of the places that reach into a part of a line; `found` is in order and without overlap."""
    at = bisect_left(found, Place(line, start, start))
    if at and found[at - 1].line == line and found[at - 1].end > start:
        at -= 1
    numbers = []
    while at < len(found) and found[at].line == line and found[at].start < end:
        numbers.append(at)
        at += 1
    return numbers


def marked(runs: Iterable[tuple[str, str]], spans: Sequence[tuple[int, int, str]]) -> Line:
    """Runs of text and look as pieces, with the looks of the spans (start, end, look) laid over them."""
    line: list[Piece] = []
    offset = 0
    for text, look in runs:
        whole = Piece(text, look)
        inside = [one for one in spans if one[0] < offset + len(text) and one[1] > offset]
        if inside:
            pieces = list(_cut(text, look, offset, inside))
            same = "".join(piece.text for piece in pieces) == whole.text
            # Shown in parts it may be another text (stacked marks, backslashes): then all of it is marked.
            line += pieces if same else [Piece(text, inside[0][2])]
        else:
            line.append(whole)
        offset += len(text)
    return line


def _cut(text: str, look: str, offset: int, spans: Sequence[tuple[int, int, str]]) -> Iterable[Piece]:
    at = 0
    for start, end, over in spans:
        start, end = max(0, start - offset), min(len(text), end - offset)
        if start > at:
            yield Piece(text[at:start], look)
        yield Piece(text[start:end], over)
        at = end
    if at < len(text):
        yield Piece(text[at:], look)

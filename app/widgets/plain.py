"""The one gate between text and the screen: everything shown goes through `visible()` here.

Textual hands control, bidirectional and zero-width characters to the terminal as they are, and reads plain
strings as markup. So widgets take `Piece` and `Content` from this module, and never a `str`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from diagnosis.visible import visible

# A word that must not be cut is given this much room before a line is broken inside it.
_SHORTEST_LINE = 8


@dataclass(frozen=True, slots=True, init=False)
class Piece:
    """A run of safe text with one look; `look` names a component class of `Lines` ("" is ordinary text)."""

    text: str
    look: str

    def __init__(self, text: str, look: str = "", *, shown: bool = False) -> None:
        """Makes the text visible. `shown` says that this was done already, which is checked."""
        object.__setattr__(self, "text", text if shown and text.isprintable() else visible(text))
        object.__setattr__(self, "look", look)

    @property
    def cells(self) -> int:
        """The width on the screen."""
        return cell_len(self.text)


Line = Sequence[Piece]


def plain(text: str, style: str = "") -> Content:
    """Text from anywhere (a log, a file name, an error) as content that is shown as it is."""
    return Content.styled(visible(text), style)


def content(line: Line, looks: dict[str, str] | None = None) -> Content:
    """A line as content for widgets that are not `Lines`; `looks` gives a Textual style for each look."""
    return Content.assemble(*((piece.text, (looks or {}).get(piece.look, "")) for piece in line))


def width(line: Line) -> int:
    """The cells that a line takes."""
    return sum(piece.cells for piece in line)


def cut(text: str, limit: int) -> str:
    """The start of a long text, before it is made visible: no widget needs more than it can show."""
    return text if len(text) <= limit else text[:limit] + "…"


def wrap(line: Line, cells: int, indent: int = 0) -> list[Line]:
    """Breaks a line at spaces (inside a word where it has none) so that no line takes more than `cells`."""
    cells = max(cells, indent + _SHORTEST_LINE)
    lines: list[list[Piece]] = [[]]
    used = 0
    for word, look in _words(line):
        for part in _parts(word, cells - indent):
            size = cell_len(part)
            if used + size > cells and lines[-1]:
                lines.append([Piece(" " * indent)] if indent else [])
                used = indent
                if part == " ":
                    continue
            lines[-1].append(Piece(part, look, shown=True))
            used += size
    return [joined(pieces) for pieces in lines]


def _words(line: Line) -> Iterable[tuple[str, str]]:
    """The words and the single spaces of a line, each with its look."""
    for piece in line:
        for position, word in enumerate(piece.text.split(" ")):
            if position:
                yield " ", piece.look
            if word:
                yield word, piece.look


def _parts(word: str, cells: int) -> Iterable[str]:
    """The word, cut where it alone is wider than a line."""
    step = cells if word.isascii() else max(1, cells // 2)
    for start in range(0, len(word), step):
        yield word[start : start + step]


def joined(pieces: Iterable[Piece]) -> Line:
    """Neighbours with one look become one piece again."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].look == piece.look:
            joined[-1] = Piece(joined[-1].text + piece.text, piece.look, shown=True)
        else:
            joined.append(piece)
    return joined

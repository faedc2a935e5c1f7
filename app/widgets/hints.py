"""The last line of every screen: the keys that matter most there."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widgets import Static

from app.widgets.plain import Line, Piece, content

_LOOKS = {"strong": "bold $text-accent"}


class Hints(Static):
    """Keys and one word for each; made from the table of keys."""

    DEFAULT_CSS = """
    Hints {
        height: 1;
        padding: 0 1;
        background: $panel;
        text-wrap: nowrap;
        text-overflow: ellipsis;
    }
    """

    def __init__(self, hints: Sequence[tuple[str, str]]) -> None:
        super().__init__(content(_pieces(hints), _LOOKS), markup=False)

    def show(self, hints: Sequence[tuple[str, str]]) -> None:
        """Shows other keys."""
        self.update(content(_pieces(hints), _LOOKS))


def _pieces(hints: Sequence[tuple[str, str]]) -> Line:
    gaps = ["", *["  "] * len(hints)]
    return [
        piece
        for gap, (key, word) in zip(gaps, hints, strict=False)
        for piece in (Piece(gap), Piece(key, "strong"), Piece(f" {word}"))
    ]

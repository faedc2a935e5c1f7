"""Rows of figures, as a markdown table and into the page that keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, the figure, and what it is held against ("" for nothing)."""

    what: str
    figure: str
    target: str = ""


def rendered(heading: str, rows: Iterable[Row]) -> str:
    """One titled table; columns are padded so that the page reads well as text."""
    cells = [("measured", "figure", "target"), *((row.what, row.figure, row.target) for row in rows)]
    widths = [max(len(each[column]) for each in cells) for column in range(3)]
    lines = [_line(each, widths) for each in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return f"### {heading}\n\n" + "\n".join(lines) + "\n"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)) + " |"


def write(text: str) -> None:
    """Puts the tables in the place of those on the page."""
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + BEGIN + "\n" + text + "\n" + END + after, "utf-8")

"""A URI drawn under its template: what stands where, what does not belong, what should have stood there."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal as OneOf

from diagnosis.uris.alignment import encoded_offsets
from diagnosis.uris.characters import encode_character
from diagnosis.uris.reading import Alignment
from diagnosis.uris.templates import Expression, Literal


@dataclass(frozen=True, slots=True)
class Cell:
    """One column: a piece of the template, and the piece of the URI that lies under it.

    `offences` are offsets inside `request`. `variable` is the name of the expression's first variable, "" for
    a literal. `expected` is what a correct client would have sent for `request`.
    """

    kind: OneOf["literal", "variable"]
    template: str
    request: str
    expected: str
    offences: tuple[int, ...] = ()
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """The cells of a URI from left to right, and the echo that came back, if one is to be shown."""

    cells: tuple[Cell, ...] = field(default=())
    echo: str | None = None


def lane(uri: str, alignment: Alignment | None, echo: str | None = None) -> Lane:
    """The cells of one alignment; one cell without a template where no template explains the URI."""
    if alignment is None:
        return Lane((Cell("literal", "", uri, uri),), echo)
    wrong = encoded_offsets(alignment, uri)
    marks = sorted({offence.offset for offence in alignment.offences} | wrong)
    cells = []
    for kind, template, variable, start, end in _columns(alignment, len(uri)):
        request = uri[start:end]
        inside = [at for at in marks if start <= at < end] if kind == "variable" else []
        expected = "".join(
            encode_character(character) if start + at in wrong else character for at, character in enumerate(request)
        )
        offences = tuple(at - start for at in inside)
        cells.append(Cell(kind, template, request, expected, offences, variable))
    return Lane(tuple(cells), echo)


_Column = tuple[OneOf["literal", "variable"], str, str, int, int]


def _columns(alignment: Alignment, length: int) -> list[_Column]:
    """The parts of the template with the span of the URI that each takes; together they cover it."""
    found: list[_Column] = []
    parts = alignment.template.parts
    literals = iter(alignment.literals)
    at = 0
    index = 0
    while index < len(parts):
        part = parts[index]
        if isinstance(part, Literal):
            start, end = next(literals)
            found.append(("literal", part.text, "", start, end))
            at = end
            index += 1
            continue
        run = _run(parts, index)
        index += len(run)
        after = parts[index] if index < len(parts) else None
        stop = _next_literal(alignment, parts, index) if after is not None else length
        found.extend(_expressions(alignment, run, index - len(run), at, stop))
        at = stop
    return found


def _run(parts: tuple[Literal | Expression, ...], index: int) -> list[Expression]:
    run: list[Expression] = []
    for part in parts[index:]:
        if isinstance(part, Literal):
            break
        run.append(part)
    return run


def _next_literal(alignment: Alignment, parts: tuple[Literal | Expression, ...], index: int) -> int:
    before = sum(isinstance(part, Literal) for part in parts[:index])
    return alignment.literals[before][0]


def _expressions(alignment: Alignment, run: list[Expression], first: int, start: int, stop: int) -> list[_Column]:
    """Neighbouring expressions: each ends where its last value does, the last one takes what is left."""
    text = alignment.template.text
    found: list[_Column] = []
    for offset, expression in enumerate(run):
        ends = [binding.end for binding in alignment.bindings if binding.part == first + offset]
        end = stop if offset == len(run) - 1 else min(max([start, *ends]), stop)
        shown = text[expression.start : expression.end]
        found.append(("variable", shown, expression.variables[0].name, start, end))
        start = end
    return found


def lane_rows(drawn: Lane, show: Callable[[str], str]) -> list[tuple[str, str]]:
    """The rows (label, text) `template`, `request`, "" (marks), `expected` and `echo`, in aligned columns.

    `show` makes log text printable. A mark is `^` under an offending character and `-` under the rest of its
    value. The marks and `expected` are left out where nothing is wrong, `template` and `echo` where missing.
    """
    rows: dict[str, list[str]] = {"template": [], "request": [], "": [], "expected": []}
    for cell in drawn.cells:
        texts = (show(cell.template), show(cell.request), _marks(cell, show), show(cell.expected))
        width = max(columns(text) for text in texts)
        for label, text in zip(rows, texts, strict=True):
            rows[label].append(text + " " * (width - columns(text)))
    if not any(cell.offences for cell in drawn.cells):
        del rows[""]
    if all(cell.request == cell.expected for cell in drawn.cells):
        del rows["expected"]
    if not any(cell.template for cell in drawn.cells):
        del rows["template"]
    drawn_rows = [(label, "".join(texts).rstrip(" ")) for label, texts in rows.items()]
    return drawn_rows if drawn.echo is None else [*drawn_rows, ("echo", show(drawn.echo))]


def _marks(cell: Cell, show: Callable[[str], str]) -> str:
    if not cell.offences:
        return ""
    pieces = [show(character) for character in cell.request]
    if "".join(pieces) != show(cell.request):  # shown as a whole it is another text: single marks would lie
        return "-" * columns(show(cell.request))
    wrong = set(cell.offences)
    return "".join(("^" if at in wrong else "-") * columns(piece) for at, piece in enumerate(pieces))


def columns(text: str) -> int:
    """The terminal columns of a text: wide characters take two, combining marks none (UAX 11)."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )

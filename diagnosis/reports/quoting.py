"""Quotes log text in Markdown so that it stays text: adaptive code spans and fences, nothing else.

Backslashes and entities are not enough: with either of them cmark-gfm still links e-mail addresses. Only code
is left alone by every reader, so log text stands in code, between longer runs of backticks than it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from diagnosis.visible import visible

_BACKTICKS = re.compile(r"`+")
# A word that no Markdown dialect reads as anything else: letters, or a number that is too short for a commit.
_PLAIN_WORD = re.compile(r"[(\"']*(?:[A-Za-z]+(?:['-][A-Za-z]+)*|[0-9]{1,6})[)\"']*[.,;:!?]?[)\"']*")
# Quoted pieces of our sentences are values from the log. A quote that never closes is plain punctuation.
_QUOTED = re.compile(
    r"`([^`]{0,4000})`|“([^”]{0,4000})”"
    r"|(?<![A-Za-z0-9])\"([^\"]{0,4000})\"|(?<![A-Za-z0-9])'([^']{0,4000})'(?![A-Za-z0-9])"
)


def code(text: str) -> str:
    """Returns any text as one code span; empty text becomes `(empty)` in plain words."""
    return _span(visible(text))


def _span(shown: str) -> str:
    """A code span of text that is visible already."""
    if not shown:
        return "(empty)"
    ticks = "`" * (_longest_run(shown) + 1)
    # CommonMark takes one blank off both ends of a span, unless it is blank altogether.
    blank = not shown.strip(" ")
    pad = " " if not blank and (shown[0] in "` " or shown[-1] in "` ") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def fence(lines: Iterable[str]) -> str:
    """Returns lines that are visible already as a fenced code block; nothing else can end it."""
    shown = [line if line.isprintable() else visible(line) for line in lines]
    ticks = "`" * max(3, *(_longest_run(line) + 1 for line in shown), 3)
    return "\n".join([f"{ticks}text", *shown, ticks])


def prose(sentence: str) -> str:
    """Returns a sentence whose plain words stay words, and whose quotes and strange words become code spans.

    Sentences of a judgement carry values from the log between their own words; which is which cannot be told
    here, so only what is harmless in every dialect stays outside of code.
    """
    out: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(sentence):
        out.append(_words(sentence[at : quoted.start()]))
        inner = next(group for group in quoted.groups() if group is not None)
        # Between backticks stands what `visible` made already; a second time would double its backslashes.
        out.append(_span(inner) if quoted[1] is not None and inner.isprintable() else code(inner))
        at = quoted.end()
    out.append(_words(sentence[at:]))
    return _join(out)


def row(cells: Iterable[str]) -> str:
    """Returns a table row; pipes in the cells are escaped, which GFM undoes before it reads code spans."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns a GFM table of cells that are Markdown already."""
    head = tuple(head)
    return "\n".join([row(head), row("---" for _ in head), *(row(cells) for cells in rows)])


def _words(text: str) -> str:
    """Puts each run of words that are not plain into one code span."""
    out: list[str] = []
    strange: list[str] = []
    for word in text.split(" "):
        if not word:
            continue
        if _PLAIN_WORD.fullmatch(word) or word in (",", ".", ";", ":", ")."):
            out += _flush(strange)
            out.append(word)
        else:
            strange.append(word)
    return " ".join(out + _flush(strange))


def _flush(strange: list[str]) -> list[str]:
    if not strange:
        return []
    joined = " ".join(strange)
    strange.clear()
    body = joined.rstrip(".,;:")
    return [code(body) + joined[len(body) :] if body else joined]


def _join(pieces: list[str]) -> str:
    """Joins pieces with blanks, but none before closing punctuation."""
    text = ""
    for piece in pieces:
        if not piece:
            continue
        text += piece if not text or piece[0] in ".,;:)!?" else f" {piece}"
    return text


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)

"""Quotes log text in Markdown so that it stays text: adaptive code spans and fences, nothing else.

Backslashes and entities are not enough: with either of them cmark-gfm still links e-mail addresses. Only code
is left alone by every reader, so log text stands in code, between longer runs of backticks than it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from diagnosis.visible import visible

_BACKTICKS = re.compile(r"`+")
# GitHub's renderer closes no span of more than 80 backticks; what is longer is written as escapes.
_TOO_MANY = re.compile(r"`{64,}")
# A word that no Markdown dialect reads as anything else: letters, or a number that is too short for a commit.
_PLAIN_WORD = re.compile(r"[(\"']*(?:[A-Za-z]+(?:['-][A-Za-z]+)*|[0-9]{1,6})[)\"']*[.,;:!?]?[)\"']*")
# A line that begins so is an item of a list.
_LIST_NUMBER = re.compile(r"[0-9]{1,9}[.)](?= |$)")
# What may stand directly before or after a quote.
_PLAIN_MARKS = re.compile(r"\(|\)?[.,;:]?|'s[.,;:]?")
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
    shown = _TOO_MANY.sub(lambda run: "\\u{60}" * len(run[0]), shown)
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
    text = ""
    at = 0
    for quoted in _QUOTED.finditer(sentence):
        text = _appended(text, sentence[at : quoted.start()])
        inner = next(group for group in quoted.groups() if group is not None)
        # Between backticks stands what `visible` made already; a second time would double its backslashes.
        as_it_is = quoted[1] is not None and inner.isprintable()
        text = _glued(text, _span(inner) if as_it_is else code(inner))
        at = quoted.end()
    text = _appended(text, sentence[at:]).strip(" ")
    number = _LIST_NUMBER.match(text)
    return code(number[0]) + text[number.end() :] if number else text


def row(cells: Iterable[str]) -> str:
    """Returns a table row; pipes in the cells are escaped, which GFM undoes before it reads code spans."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns a GFM table of cells that are Markdown already."""
    head = tuple(head)
    return "\n".join([row(head), row("---" for _ in head), *(row(cells) for cells in rows)])


def _appended(text: str, words: str) -> str:
    """Appends the words between two quotes, with the blanks that stood around them."""
    before = " " if words.startswith(" ") else ""
    after = " " if words.endswith(" ") and words.strip(" ") else ""
    return _glued(text, before + _words(words) + after)


def _words(text: str) -> str:
    """Puts each run of words that are not plain into one code span."""
    out: list[str] = []
    strange: list[str] = []
    for word in text.split(" "):
        if not word:
            continue
        if _PLAIN_WORD.fullmatch(word) or _PLAIN_MARKS.fullmatch(word):
            out += _flush(strange)
            out.append(word)
        else:
            strange.append(word)
    return " ".join(out + _flush(strange))


def _flush(strange: list[str]) -> list[str]:
    if not strange:
        return []
    body = " ".join(strange)
    strange.clear()
    start = "(" if body.startswith("(") and ")" not in body else ""
    body = body.removeprefix(start)
    end = body[len(body.rstrip(".,;:" if "(" in body else ".,;:)")) :]
    body = body.removesuffix(end)
    return [start + (code(body) if body else "") + end]


def _glued(text: str, more: str) -> str:
    """Two pieces together; two code spans never touch, for their backticks would become one run."""
    return f"{text} {more}" if text.endswith("`") and more.startswith("`") else text + more


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)

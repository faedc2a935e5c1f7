"""What is wrong with a filter, in words for the person who typed it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class QueryError(ValueError):
    """A filter that cannot be used; the text is one sentence.

    `column` counts from 0 and points at the first character that cannot stand (or behind the text where something
    is missing). `expected` says what could stand there, `nearest` is the name that was probably meant (None where
    nothing is near).
    """

    def __init__(self, sentence: str, column: int, expected: str, nearest: str | None = None) -> None:
        meant = f" Did you mean `{nearest}`?" if nearest is not None else ""
        super().__init__(sentence + meant)
        self.sentence = sentence + meant
        self.column = column
        self.expected = expected
        self.nearest = nearest


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that a mistyped word is most like; a path is also known by its last part."""
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(name, name)
        known.setdefault(name.rpartition("/")[2], name)
    found = get_close_matches(word[:100].lower(), known, n=1, cutoff=0.6)
    return known[found[0]] if found else None

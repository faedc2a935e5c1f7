"""Finds values that are known beforehand, such as the ids of sessions, in any text: plain or percent-encoded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote

_FEW = 500  # values that one pattern looks for wherever they stand; more are looked up word by word
_WORD = re.compile(r"[A-Za-z0-9_-]+")
_PIECE = re.compile(r"[^/?#&=;:@\s`\"'<>…]*%[^/?#&=;:@\s`\"'<>…]*")


class Known:
    """Values with what they stand for, without regard to case.

    A value is found where no letter or digit touches it; an octet before it (`%2Fs-71`) does not.
    """

    def __init__(self, values: Iterable[str]) -> None:
        self._values: Mapping[str, str] = {each.lower(): each for each in values if each}
        longest_first = sorted(map(re.escape, self._values), key=len, reverse=True)
        few = 0 < len(longest_first) <= _FEW
        inside = rf"(?:(?<![a-z0-9])|(?<=%[0-9a-f]{{2}}))(?:{'|'.join(longest_first)})(?![a-z0-9])"
        self._pattern = re.compile(inside, re.IGNORECASE) if few else _WORD

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yields where a value stands and which one, in order and without overlap; an encoded one with its piece."""
        if not self._values:
            return
        found = [*self._plain(text), *(self._encoded(text) if "%" in text else ())]
        end = 0
        for start, stop, value in sorted(found, key=lambda each: (each[0], -each[1])):
            if start >= end:
                yield start, stop, value
                end = stop

    def _plain(self, text: str) -> Iterator[tuple[int, int, str]]:
        for found in self._pattern.finditer(text):
            value = self._values.get(found[0].lower())
            if value is not None:
                yield *found.span(), value

    def _encoded(self, text: str) -> Iterator[tuple[int, int, str]]:
        for piece in _PIECE.finditer(text):
            for shown in (once := unquote(piece[0]), unquote(once)):
                value = self._values.get(shown.lower())
                if value is not None:
                    yield *piece.span(), value
                    break

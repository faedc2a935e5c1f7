"""Which bytes of the file a line had before a terminal's colours were taken out of it."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import deque

from diagnosis.captures.texts import without_colours

_WINDOW = 4 * 1024 * 1024  # bytes of coloured lines that are kept as they were; older ones are read again


class Colours:
    """The coloured lines of one pass: 24 bytes for each, and the last few MiB of them as they were.

    Formats see lines without colours, at offsets of a text without colours. `original` gives the place in the
    file again.
    """

    def __init__(self) -> None:
        self.removed = 0
        self._starts = array("q")  # where each coloured line begins in the colourless text
        self._ends = array("q")
        self._totals = array("q")  # bytes taken out up to the end of that line
        self._recent: deque[bytes] = deque()
        self._held = 0

    def __len__(self) -> int:
        return len(self._starts)

    def strip(self, offset: int, line: bytes) -> bytes:
        """The line without colours; `offset` is where it begins in the colourless text."""
        bare = without_colours(line)
        if len(bare) == len(line):
            return line
        self.removed += len(line) - len(bare)
        self._starts.append(offset)
        self._ends.append(offset + len(bare))
        self._totals.append(self.removed)
        self._recent.append(line)
        self._held += len(line)
        while self._held > _WINDOW and len(self._recent) > 1:
            self._held -= len(self._recent.popleft())
        return bare

    def original(self, offset: int, length: int) -> tuple[int, int]:
        """The offset and length in the file of whole lines that stand at these places in the colourless text."""
        first = bisect_left(self._starts, offset)
        last = bisect_right(self._starts, offset + length)
        # An empty line behind the place begins where the place ends, one line feed later: it is not part of it.
        while last > first and self._ends[last - 1] > offset + length:
            last -= 1
        before = self._totals[first - 1] if first else 0
        inside = self._totals[last - 1] if last > first else before
        return offset + before, length + inside - before

    def line_at(self, offset: int) -> bytes | None:
        """The coloured line that begins at a place of the colourless text, as it was; None where that was long ago."""
        index = bisect_left(self._starts, offset)
        oldest = len(self._starts) - len(self._recent)
        found = oldest <= index < len(self._starts) and self._starts[index] == offset
        return self._recent[index - oldest] if found else None

    def restored(self, offset: int, text: bytes) -> bytes | None:
        """The colourless `text` of whole lines from `offset` as the file has it; None where that was long ago."""
        first = bisect_left(self._starts, offset)
        oldest = len(self._starts) - len(self._recent)
        if first < oldest:
            return None
        parts: list[bytes] = []
        position = offset
        for index in range(first, len(self._starts)):
            start, end = self._starts[index], self._ends[index]
            if end > offset + len(text):
                break
            parts += (text[position - offset : start - offset], self._recent[index - oldest])
            position = end
        return b"".join((*parts, text[position - offset :]))

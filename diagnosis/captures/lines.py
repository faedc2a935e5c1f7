"""Cuts a text that comes block by block into its physical lines."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from diagnosis.captures.colours import Colours
from diagnosis.captures.texts import ESCAPE

_BEGINNING = 64 * 1024


class CutLine(bytes):
    """The beginning of a line longer than `LONGEST_LINE`; `length` is the whole line's, in bytes."""

    length: int = 0


def split(blocks: Iterable[bytes], colours: Colours, longest: int) -> Generator[tuple[int, int, bytes], None, int]:
    r"""Yields `(number, offset, bytes)` of every line, split at `\n` and at nothing else; returns how many there were.

    A line over `longest` bytes comes as a `CutLine`. A terminal's colours are taken out of every other line and told to
    `colours`; offsets are those of the text without them.
    """
    coloured = False
    number, offset = 0, 0
    held: list[bytes] = []
    held_size = 0
    for block in blocks:
        coloured = coloured or ESCAPE in block
        pieces = block.split(b"\n")
        last = pieces.pop()
        if held_size and pieces:
            held.append(pieces[0])
            pieces[0] = _joined(held, held_size + len(pieces[0]), longest)
            held, held_size = [], 0
        for line in pieces:
            number += 1
            if coloured and ESCAPE in line and type(line) is not CutLine:
                line = colours.strip(offset, line)
            yield number, offset, line
            offset += (line.length if type(line) is CutLine else len(line)) + 1
        if last:
            held_size += len(last)
            # Beyond the limit only the beginning is kept: the line is counted, not loaded.
            if held_size <= longest or not held:
                held.append(last)
    if held_size:
        number += 1
        line = _joined(held, held_size, longest)
        if coloured and type(line) is not CutLine:
            line = colours.strip(offset, line)
        yield number, offset, line
    return number


def _joined(parts: list[bytes], length: int, longest: int) -> bytes:
    if length <= longest:
        return b"".join(parts)
    line = CutLine(parts[0][:_BEGINNING])
    line.length = length
    return line

"""Cuts spans out of a text that comes block by block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from diagnosis.captures.compression import Broken
from diagnosis.captures.message import Span


def cut_out(blocks: Iterable[bytes], spans: Sequence[Span]) -> list[bytes | None]:
    """The bytes of every span, in the order asked for, from one pass that ends behind the last of them.

    None for a span that the text does not hold whole.
    """
    found: list[bytes | None] = [None] * len(spans)
    waiting = sorted(range(len(spans)), key=lambda index: spans[index].offset, reverse=True)
    begun: dict[int, bytearray] = {}
    position = 0
    try:
        for block in blocks:
            end = position + len(block)
            while waiting and spans[waiting[-1]].offset < end:
                begun[waiting.pop()] = bytearray()
            for index, part in list(begun.items()):
                span = spans[index]
                part += block[max(0, span.offset - position) : max(0, span.offset + span.length - position)]
                if span.offset + span.length <= end:
                    found[index] = bytes(begun.pop(index))
            position = end
            if not waiting and not begun:
                break
    except Broken:
        pass
    for index in waiting:
        # A span without bytes may stand at the very end of the text.
        if not spans[index].length and spans[index].offset <= position:
            found[index] = b""
    return found

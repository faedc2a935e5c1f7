"""Cuts the elements of a JSON array out of a large document without parsing them."""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator

import msgspec

Buffer = bytes | mmap.mmap

# A string ends at a raw line break at the latest: JSON has none inside strings, and no byte is scanned twice.
_TOKENS = re.compile(rb'"(?:[^"\\\n]++|\\.)*+(?:"|(?=\n)|\Z)|[{}\[\],]')
_GAP = re.compile(rb"[\s,]*")
_BEHIND = re.compile(rb"[\s,]*\]?\s*")
_OPEN, _CLOSE = (b"{", b"["), (b"}", b"]")


def first_line_of(head: bytes) -> bytes:
    """The first line of `head` that is not blank, without a byte order mark and outer blanks."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0].rstrip()


def array_elements(data: Buffer, start: int, *, scan: bool = False) -> Iterator[tuple[int, int, bool]]:
    """Yields `(start, end, closed)` of each element of the array that opens at `start`, in bytes of `data`.

    Scans token by token when told so or where `msgspec` refuses the document; an element that ends with
    the data is not closed. Raises nothing.
    """
    if start < 0:
        return iter(())
    if not scan:
        try:
            with memoryview(data) as view, view[start:] as rest:
                parts = msgspec.json.decode(rest, type=list[msgspec.Raw])
                found = placed(data, parts, start + 1)
                # A part holds the map open: none may outlive this block.
                del parts
                return iter(found)
        except (msgspec.DecodeError, RecursionError, ValueError):
            pass
    return scanned(data, start)


def placed(data: Buffer, parts: list[msgspec.Raw], start: int) -> list[tuple[int, int, bool]]:
    """Finds where the parts, which follow each other after `start`, stand in `data`; nothing is copied
    twice.
    """
    found: list[tuple[int, int, bool]] = []
    position = start
    for part in parts:
        with memoryview(part) as view:
            length = len(view)
            at = _after_gap(data, position)
            if data[at : at + 64] != bytes(view[:64]):
                at = data.find(bytes(view), position)
        found.append((at, at + length, True))
        position = at + length
    return found


def scanned(data: Buffer, start: int) -> Iterator[tuple[int, int, bool]]:
    """The same as `array_elements`, from the tokens alone: for documents that are cut or broken."""
    depth = 0
    begin = _after_gap(data, start + 1)
    for token in _TOKENS.finditer(data, start):
        word = token.group()
        if word in _OPEN:
            depth += 1
        elif word in _CLOSE or word == b",":
            depth -= word != b","
            if depth == 0 or (depth == 1 and word == b","):
                end = _before_space(data, begin, token.start())
                if end > begin:
                    yield begin, end, True
                begin = _after_gap(data, token.end())
                if depth == 0:
                    return
    end = _before_space(data, begin, len(data))
    if end > begin:
        yield begin, end, False


def after_array(data: Buffer, position: int) -> int:
    """Where the text behind an array begins, if its last element ends at `position`; the end if there is
    none.
    """
    found = _BEHIND.match(data, position)
    return found.end() if found else position


def _after_gap(data: Buffer, position: int) -> int:
    found = _GAP.match(data, position)
    return found.end() if found else position


def _before_space(data: Buffer, begin: int, end: int) -> int:
    while end > begin and data[end - 1 : end].isspace():
        end -= 1
    return end

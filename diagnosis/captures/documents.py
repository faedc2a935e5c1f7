"""Where the records of a one-document capture stand: the elements of its array, or of one under a member."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from diagnosis.captures.cutting import Buffer, after_array, array_elements, placed, scanned
from diagnosis.captures.decoding import BOM, decode
from diagnosis.captures.sources import HEAD

BROKEN = "the document is cut or broken behind its last whole record"
_STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\\n]++|\\.)*+(?:"|(?=\n)|\Z)|[{}\[\]]')
Places = Iterator[tuple[int, int, bool]]


@dataclass(frozen=True, slots=True)
class Elements:
    """The `(start, end, closed)` of every element, in bytes.

    `begin` is where the first may stand, `about` holds the members asked for beside the array, and `broken` says
    why they may not be all.
    """

    places: Places
    begin: int
    about: dict[str, Any]
    broken: str = ""


def elements_of(data: Buffer, member: str | None, about: tuple[str, ...] = ()) -> Elements:
    """Finds the elements of the array that `data` is, or that stands under `member` of the object that it is.

    A document that is cut or broken, or has that member twice, is scanned token by token.
    """
    if member is None:
        return _of_array(data)
    opening = _opening(data, member, 0, 0)
    if opening < 0:
        return Elements(iter(()), 0, {}, BROKEN)
    whole = _parsed(data, member, about, opening)
    if whole is not None:
        found, beside = whole
        end = after_array(data, found[-1][1] if found else opening + 1)
        if _is_one_array(data, found, opening, end) and _opening(data, member, end, 1) < 0:
            return Elements(iter(found), opening + 1, beside)
        # The member stands there twice: a parser keeps one of them, nobody knows which one the tool meant.
        return Elements(_all_of(data, member, opening), opening + 1, beside)
    return Elements(_all_of(data, member, opening), opening + 1, {}, BROKEN)


def _of_array(data: Buffer) -> Elements:
    opening = 3 if data[:3] == BOM else 0
    opening += len(data[opening : opening + 4096]) - len(data[opening : opening + 4096].lstrip())
    if data[opening : opening + 1] != b"[":
        return Elements(iter(()), 0, {}, BROKEN)
    return Elements(_arrays(data, opening), opening + 1, {})


def _arrays(data: Buffer, opening: int) -> Places:
    """One array, and whatever stands behind it: further arrays, or a rest that is no element of one."""
    while opening >= 0:
        end = opening + 1
        for start, end, closed in array_elements(data, opening):
            yield start, end, closed
        rest = after_array(data, end)
        opening = rest if data[rest : rest + 1] == b"[" else -1
        if opening < 0 and rest < len(data):
            yield rest, len(data), False


def _parsed(
    data: Buffer, member: str, about: tuple[str, ...], opening: int
) -> tuple[list[tuple[int, int, bool]], dict[str, Any]] | None:
    """The places of the elements and the members beside the array; None where the document is no JSON."""
    fields: list[Any] = [(member, list[msgspec.Raw]), *((name, msgspec.Raw, msgspec.Raw(b"null")) for name in about)]
    shape = msgspec.defstruct("Document", fields)
    try:
        with memoryview(data) as view, view[3 if data[:3] == BOM else 0 :] as rest:
            document: Any = msgspec.json.decode(rest, type=shape)
            found = placed(data, getattr(document, member), opening + 1)
            beside = {name: decode(bytes(getattr(document, name))).values for name in about}
            # A part holds the map open: none may outlive this block.
            del document
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None
    return found, {name: values[0] for name, values in beside.items() if values}


def _is_one_array(data: Buffer, found: list[tuple[int, int, bool]], opening: int, end: int) -> bool:
    """Whether the elements follow each other from `opening` to the bracket that closes the array before `end`."""
    last = opening + 1
    for start, after, _ in found:
        if start - last > HEAD or data[last:start].strip(b" \t\r\n,"):
            return False
        last = after
    return end - last <= HEAD and b"]" in data[last:end]


def _all_of(data: Buffer, member: str, opening: int) -> Places:
    while opening >= 0:
        end = opening + 1
        for start, end, closed in scanned(data, opening):
            yield start, end, closed
        opening = _opening(data, member, after_array(data, end), 1)


def _opening(data: Buffer, member: str, position: int, depth: int) -> int:
    """Where the next array under `member` of the outermost object opens, at or behind `position`; else -1.

    `depth` is the number of brackets open at `position`.
    """
    sign = re.compile(rb'"' + re.escape(member.encode("utf-8")) + rb'"\s*+:\s*+(?=\[)')
    for found in sign.finditer(data, position):
        for token in _STRING_OR_BRACKET.finditer(data, position, found.start()):
            word = token.group()
            depth += (word in (b"{", b"[")) - (word in (b"}", b"]"))
        position = found.start()
        if depth == 1:
            return found.end()
    return -1


def head_elements(head: bytes, member: str | None) -> Sequence[tuple[int, int]]:
    """The `(start, end)` of the whole elements in the beginning of a document."""
    bare = head.removeprefix(BOM).lstrip()
    if bare[:1] != (b"[" if member is None else b"{"):
        return ()
    opening = len(head) - len(bare) if member is None else _opening(head, member, 0, 0)
    return [(start, end) for start, end, closed in scanned(head, opening) if closed] if opening >= 0 else ()

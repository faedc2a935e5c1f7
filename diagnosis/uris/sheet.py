"""Which positions of a URI can start the rest of a template: sets of positions as the bits of one integer.

Position p of a URI of length n is bit n - p, so the end is bit 0 and the character at p takes bit n - p - 1
to bit n - p. Widening a set through a run of allowed characters is then one addition, whose carry runs
through the run: the whole question costs a few big-integer operations for each node, whatever the template
(no backtracking).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from diagnosis.uris.characters import TOLERATED, TRIPLET, upper_hex
from diagnosis.uris.query import QueryReading, read_query
from diagnosis.uris.reading import Fit
from diagnosis.uris.tokens import Following, Node, Program, Query, Span, Text
from diagnosis.uris.units import beyond_prefix, units

LIFTED = 4  # one more than Fit.ESCAPED: values may also hold what would begin the query or the fragment
EXACT_PREFIX = 64  # up to this N, `{v:N}` is exact in the sets; above, spans are measured one by one

_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_TRIPLET_HEAD, _TRIPLET_REST, _OTHER = 0x81, 0x82, 0x80
_TRIPLET_SHAPE = chr(_TRIPLET_HEAD) + 2 * chr(_TRIPLET_REST)


@lru_cache(maxsize=512)
def _table(strict: str, cuts: str, stops: str, tail_stops: str, level: int) -> bytes:
    """For each character of a shape, "1" where a span may hold it at this level, else "0"."""
    if level >= Fit.RESIDUE:
        allowed = set(range(128)) | {_OTHER}
        if level == Fit.RESIDUE:
            allowed -= {ord(character) for character in cuts if character not in strict}
    else:
        allowed = {ord(character) for character in strict}
        if level == Fit.TOLERATED:
            allowed |= {ord(character) for character in TOLERATED}
    allowed -= {ord(character) for character in stops}
    if level < LIFTED:
        allowed -= {ord(character) for character in tail_stops}
    allowed |= {_TRIPLET_HEAD, _TRIPLET_REST}
    return bytes(ord("1") if code in allowed else ord("0") for code in range(256))


class Sheet:
    """One URI, prepared for laying a template over it. Positions are character offsets."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.length = len(uri)
        self.folded = upper_hex(uri)
        shape = uri if uri.isascii() else _BEYOND_ASCII.sub(chr(_OTHER), uri)
        if "%" in uri:
            shape = TRIPLET.sub(_TRIPLET_SHAPE, shape)
        self._shape = shape.encode("latin-1")
        inside = int(self._shape.translate(_INSIDE) or b"0", 2) << 1
        self.boundaries = ((2 << self.length) - 1) & ~inside  # a value never begins or ends inside a %HH
        self._masks: dict[bytes, int] = {}
        self._standing: dict[str, int] = {}
        self._unit_starts: list[tuple[int, int]] = []  # length of a unit, positions where one starts
        self._queries: dict[tuple[int, int], QueryReading] = {}

    def allowed(self, span: Span, level: int) -> int:
        """The characters (character p is bit n - p - 1) that may stand in the span."""
        table = _table(span.strict, span.cuts, span.stops, span.tail_stops, level)
        mask = self._masks.get(table)
        if mask is None:
            mask = self._masks[table] = int(self._shape.translate(table) or b"0", 2)
        return mask

    def standing(self, text: str) -> int:
        """The positions at which the text stands."""
        mask = self._standing.get(text)
        if mask is None:
            digits = bytearray(b"0" * (self.length + 1))
            at = self.folded.find(text)
            while at >= 0:
                digits[at] = ord("1")
                at = self.folded.find(text, at + 1)
            mask = self._standing[text] = int(digits, 2)
        return mask

    def starts(self, node: Node, after: int, level: int) -> int:
        """The positions where the node can start, given those where what follows it can."""
        if isinstance(node, Text):
            found = 0
            for spelling in node.spellings:
                found |= (after << len(spelling)) & self.standing(spelling)
            return found & self.boundaries
        if isinstance(node, Query):
            return self._query_starts(node, after, level)
        if node.empty:
            return after
        allowed = self.allowed(node, level)
        prefix = node.variable.prefix
        if prefix is not None and prefix <= EXACT_PREFIX:
            return self._short_starts(after, allowed, prefix)
        flooded = (((after & allowed) + allowed) ^ allowed) | after
        return flooded & self.boundaries

    def _short_starts(self, after: int, allowed: int, prefix: int) -> int:
        steps = self._unit_starts
        if not steps:
            lengths: dict[int, bytearray] = {}
            for start, end in units(self.uri):
                digits = lengths.setdefault(end - start, bytearray(b"0" * (self.length + 1)))
                digits[start] = ord("1")
            steps.extend((length, int(digits, 2)) for length, digits in lengths.items())
        found = reached = after
        for _ in range(prefix):
            stepped = 0
            for length, starting in steps:
                stepped |= (reached << length) & starting & (allowed << 1)
            reached = stepped & self.boundaries & ~found
            if not reached:
                break
            found |= reached
        return found

    def _query_starts(self, query: Query, after: int, level: int) -> int:
        """The query begins at the first `?` (`&`: first after it), at any where values may hold one."""
        if level >= LIFTED:
            digits = bytearray(b"0" * (self.length + 1))
            for first in query.firsts:
                at = self.uri.find(first)
                while at >= 0:
                    possible = after >> (self.length - self.query_end(query, at)) & 1
                    digits[at] = ord("1") if possible else ord("0")
                    at = self.uri.find(first, at + 1)
            return after | int(digits, 2)
        at = self.uri.find("?")
        if query.firsts == "&" or (at < 0 and "&" in query.firsts):
            at = self.uri.find("&", max(at, 0))
        if at < 0 or not after >> (self.length - self.query_end(query, at)) & 1:
            return after
        if level < Fit.ESCAPED and self.query(query, at).fit > level:
            return after
        return after | 1 << (self.length - at)

    def query_end(self, query: Query, start: int) -> int:
        """Where the query ends: at the `#` if the template has a fragment, else with the URI."""
        cut = self.uri.find("#", start) if query.fragment else -1
        return self.length if cut < 0 else cut

    def query(self, query: Query, start: int) -> QueryReading:
        """The reading of the query that starts here (kept, as every level asks)."""
        end = self.query_end(query, start)
        reading = self._queries.get((start, end))
        if reading is None:
            reading = self._queries[start, end] = read_query(self.uri, start, end, query)
        return reading

    def reach(self, program: Program, level: int) -> list[int]:
        """For each node the positions from which it and what follows it explain the rest of the URI."""
        sets = [1]
        for node in program.nodes[1:]:
            assert node is not None
            sets.append(self.starts(node, union(sets, node.following), level))
        return sets

    def _run_end(self, span: Span, start: int, level: int) -> int:
        """How far a span that starts here could go if nothing came after it."""
        if span.empty:
            return start
        low = (1 << (self.length - start)) - 1
        return self.length - (~self.allowed(span, level) & low).bit_length()

    def reaches(self, span: Span, start: int, end: int, after: int, level: int) -> bool:
        """Whether a span can end just there."""
        within = end <= self._run_end(span, start, level) and after >> (self.length - end) & 1 == 1
        return within and beyond_prefix(self.uri, start, end, span.variable.prefix) is None

    def ends(self, span: Span, start: int, after: int, level: int) -> Iterator[int]:
        """Where a span that starts here can end, shortest first; `after` are the positions that follow."""
        low = (1 << (self.length - start)) - 1
        run_end = self._run_end(span, start, level)
        candidates = (after & ((low << 1) | 1)) >> (self.length - run_end)
        while candidates:
            top = candidates.bit_length() - 1
            end = run_end - top
            if beyond_prefix(self.uri, start, end, span.variable.prefix) is not None:
                return
            yield end
            candidates ^= 1 << top


_INSIDE = bytes(ord("1") if code == _TRIPLET_REST else ord("0") for code in range(256))


def union(sets: list[int], nodes: Following) -> int:
    """The union of the sets of several nodes."""
    found = 0
    for index in nodes:
        found |= sets[index]
    return found

"""Searches text for a regular expression in one pass, whatever the text.

A person types the pattern and an attacker may have written the log. The engine of the standard library goes back and
tries again, so that `(a+)+b` on thirty characters can take minutes. This one follows all ways at once (K. Thompson,
"Regular expression search algorithm", 1968) and remembers the sets of places it has met: the time grows with
the text, and never faster.
"""

from __future__ import annotations

from collections.abc import Iterable

from diagnosis.query.pattern_syntax import (
    Characters,
    Choice,
    End,
    Node,
    PatternError,
    Repeat,
    Sequence,
    Start,
    parse_pattern,
)

PATTERN_LIMIT = 500  # characters; the longest pattern for all states of an automaton that is quick to build
_PLACES = 1_000  # `{n}` multiplies a pattern; one step on unseen text costs up to this many comparisons
_REMEMBERED = 50_000  # steps kept, some 10 MB; text of ever new characters starts the memory afresh

_ACCEPT = 0


class _Set(dict[str, "_Set"]):
    """The places that can be reached by the text so far, and where each next character leads.

    An entry that no character has keeps every live set true; the two empty, false ones end a search.
    """

    __slots__ = ("at_end", "owner", "places")

    def __init__(self, owner: Pattern, places: tuple[int, ...], at_end: bool) -> None:
        super().__init__({"": self})
        self.owner = owner
        self.places = places
        self.at_end = at_end

    def __missing__(self, character: str) -> _Set:
        return self.owner.step(self, character)


class Pattern:
    """A compiled pattern.

    Raises:
        PatternError: the pattern is wrong, too long, or uses what cannot be searched in one pass.
    """

    def __init__(self, pattern: str) -> None:
        if len(pattern) > PATTERN_LIMIT:
            raise PatternError(f"A regular expression has at most {PATTERN_LIMIT} characters here.", PATTERN_LIMIT)
        tree = parse_pattern(pattern)
        self._characters: list[Characters | None] = [None]  # what the step out of a place needs
        self._asserts: list[type[Start | End] | None] = [None]
        self._next: list[tuple[int, ...]] = [()]
        self._entry = self._build(tree, _ACCEPT)
        self._literal = _literal(tree)
        self._found = _Set(self, (), True)
        self._dead = _Set(self, (), False)
        self._found.clear()
        self._dead.clear()
        self._remembered = 0
        self._sets: dict[tuple[int, ...], _Set] = {}
        self._restart = self._closure((self._entry,), start=False)
        self._empty = _ACCEPT in self._closure((self._entry,), start=True, end=True)
        self._first = self._closure((self._entry,), start=True)

    def search(self, text: str) -> bool:
        """Whether the pattern fits anywhere in the text."""
        if self._literal not in text:
            return False
        if not text:
            return self._empty
        current = self._set_of(self._first)
        if not current:
            return current is self._found
        for character in text:
            current = current[character]
            if not current:
                return current is self._found
        return current.at_end

    def step(self, of: _Set, character: str) -> _Set:
        """Where one more character leads, remembered for the next time."""
        if self._remembered >= _REMEMBERED:
            self._forget()
        reached = [
            target
            for place in of.places
            if (needed := self._characters[place]) is not None and needed.has(character)
            for target in self._next[place]
        ]
        found = self._set_of(self._closure(reached, start=False) | self._restart)
        self._remembered += 1
        of[character] = found
        return found

    def _forget(self) -> None:
        for each in self._sets.values():
            each.clear()
            each[""] = each
        self._sets.clear()
        self._remembered = 0

    def _set_of(self, places: frozenset[int]) -> _Set:
        if _ACCEPT in places:
            return self._found
        if not places:
            return self._dead
        key = tuple(sorted(places))
        known = self._sets.get(key)
        if known is None:
            at_end = _ACCEPT in self._closure(key, start=False, end=True)
            known = self._sets[key] = _Set(self, key, at_end)
        return known

    def _closure(self, places: Iterable[int], *, start: bool, end: bool = False) -> frozenset[int]:
        """All places that are reached without a character; those that lead no further by a character are left out."""
        kept: set[int] = set()
        seen: set[int] = set()
        due = list(places)
        while due:
            place = due.pop()
            if place in seen:
                continue
            seen.add(place)
            asserted = self._asserts[place]
            if place == _ACCEPT or self._characters[place] is not None or (asserted is End and not end):
                kept.add(place)
            elif asserted is None or (asserted is End and end) or (asserted is Start and start):
                due += self._next[place]
        return frozenset(kept)

    def _build(self, node: Node, after: int) -> int:
        """The place from which `node` leads to `after`."""
        match node:
            case Characters():
                return self._place((after,), needs=node)
            case Start() | End():
                return self._place((after,), asserts=type(node))
            case Sequence(parts):
                for part in reversed(parts):
                    after = self._build(part, after)
                return self._place((after,))
            case Choice(parts):
                return self._place(tuple(self._build(part, after) for part in parts))
            case Repeat(of, least, most):
                return self._repeat(of, least, most, after)

    def _repeat(self, of: Node, least: int, most: int | None, after: int) -> int:
        if most is None:
            loop = self._place((after,))
            self._next[loop] = (self._build(of, loop), after)
            after = loop
        else:
            behind = after
            for _ in range(most - least):
                after = self._place((self._build(of, after), behind))
        for _ in range(least):
            after = self._build(of, after)
        return after

    def _place(
        self, leads: tuple[int, ...], needs: Characters | None = None, asserts: type[Start | End] | None = None
    ) -> int:
        if len(self._next) >= _PLACES:
            raise PatternError("The regular expression is too large with all its repetitions.", 0)
        self._next.append(leads)
        self._characters.append(needs)
        self._asserts.append(asserts)
        return len(self._next) - 1


def _literal(tree: Node) -> str:
    """The longest text that stands in everything the pattern fits; most texts are refused by it at once."""
    longest = run = ""
    for part in tree.parts if isinstance(tree, Sequence) else (tree,):
        character = _exactly(part)
        run = run + character if character else ""
        longest = max(longest, run, key=len)
    return longest


def _exactly(part: Node) -> str:
    if not isinstance(part, Characters) or part.negated or part.fold or len(part.ranges) != 1:
        return ""
    low, high = part.ranges[0]
    return chr(low) if low == high else ""

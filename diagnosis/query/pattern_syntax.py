"""Reads a regular expression: the part of the usual language that can be searched in one pass."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COUNTS = re.compile(r"\{([0-9]{1,4})(,([0-9]{0,4}))?\}|\{,([0-9]{1,4})\}", re.ASCII)
_HEX = re.compile(r"[0-9A-Fa-f]{2}").fullmatch
_DEEPEST = 40  # groups inside groups: more than a person writes, far from Python's limit on recursion
_ANY = ((0, 0x10FFFF),)
_SETS = {"d": ((48, 57),), "w": ((48, 57), (65, 90), (95, 95), (97, 122)), "s": ((9, 13), (32, 32))}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r"}

Ranges = tuple[tuple[int, int], ...]


class PatternError(ValueError):
    """A regular expression that cannot be used; the text is one sentence, `offset` its place in the pattern."""

    def __init__(self, sentence: str, offset: int) -> None:
        super().__init__(sentence)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Characters:
    """One character out of a set; `fold` takes the other case too."""

    ranges: Ranges
    negated: bool = False
    fold: bool = False

    def has(self, character: str) -> bool:
        """Whether the character is in the set."""
        forms = {character, character.lower(), character.upper()} if self.fold else (character,)
        found = any(low <= ord(form) <= high for form in forms if len(form) == 1 for low, high in self.ranges)
        return found is not self.negated


@dataclass(frozen=True, slots=True)
class Start:
    """`^`: the beginning of the text."""


@dataclass(frozen=True, slots=True)
class End:
    """`$`: the very end of the text."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One or the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`least` to `most` times; None is without end."""

    of: Node
    least: int
    most: int | None


Node = Characters | Start | End | Sequence | Choice | Repeat


def parse_pattern(pattern: str) -> Node:
    """The tree of a pattern.

    Raises:
        PatternError: the pattern is wrong, or uses what cannot be searched in one pass.
    """
    reader = _Reader(pattern)
    found = reader.choice(0)
    if not reader.at_end:
        raise PatternError("This `)` closes nothing.", reader.place)
    return found


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.fold = pattern.startswith("(?i)")
        self.text = pattern
        self.place = 4 if self.fold else 0

    @property
    def at_end(self) -> bool:
        return self.place >= len(self.text)

    def choice(self, depth: int) -> Node:
        parts = [self._sequence(depth)]
        while self._take("|"):
            parts.append(self._sequence(depth))
        return parts[0] if len(parts) == 1 else Choice(tuple(parts))

    def _sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while not self.at_end and self.text[self.place] not in "|)":
            parts.append(self._repeated(self._atom(depth)))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, atom: Node) -> Node:
        place = self.place
        counts = self._counts()
        if counts is None:
            return atom
        if isinstance(atom, Start | End):
            raise PatternError("There is nothing here to repeat.", place)
        least, most = counts
        if most is not None and most < least:
            raise PatternError("The repetition ends before it begins.", place)
        self._take("?")  # a lazy repetition finds the same texts
        place = self.place
        if self._counts() is not None:
            raise PatternError("A repetition cannot be repeated; put it into a group.", place)
        return Repeat(atom, least, most)

    def _counts(self) -> tuple[int, int | None] | None:
        for sign, counts in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._take(sign):
                return counts
        found = _COUNTS.match(self.text, self.place)
        if found is None:
            return None
        self.place = found.end()
        if found[4] is not None:
            return 0, int(found[4])
        least = int(found[1])
        return least, least if found[2] is None else int(found[3]) if found[3] else None

    def _atom(self, depth: int) -> Node:
        place = self.place
        if self._counts() is not None:
            raise PatternError("There is nothing here to repeat.", place)
        character = self._next()
        if character == "(":
            return self._group(place, depth + 1)
        if character == "[":
            return self._set(place)
        if character == "^":
            return Start()
        if character == "$":
            return End()
        if character == ".":
            return Characters(_ANY)
        ranges, negated = self._escape(place) if character == "\\" else (_single(character), False)
        return Characters(ranges, negated, self.fold)

    def _group(self, place: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise PatternError("Groups lie too deep in one another.", place)
        if self._take("?") and not self._take(":"):
            raise PatternError("Only `(...)`, `(?:...)` and `(?i)` at the very beginning are known here.", place)
        found = self.choice(depth)
        if not self._take(")"):
            raise PatternError("This `(` is never closed.", place)
        return Sequence((found,))

    def _set(self, place: int) -> Node:
        negated = self._take("^")
        ranges: list[tuple[int, int]] = []
        while True:
            if self.at_end:
                raise PatternError("This `[` is never closed.", place)
            if ranges and self._take("]"):
                return Characters(tuple(ranges), negated, self.fold)
            ranges += self._member()

    def _member(self) -> Ranges:
        place = self.place
        low, single = self._bound()
        if not self.text.startswith("-", self.place) or self.text.startswith("-]", self.place):
            return low
        self.place += 1
        high, also_single = self._bound() if not self.at_end else (low, False)
        if not (single and also_single) or high[0][0] < low[0][0]:
            raise PatternError("The range has no beginning or no end.", place)
        return ((low[0][0], high[0][0]),)

    def _bound(self) -> tuple[Ranges, bool]:
        """The next member of a set, and whether it is one character."""
        place = self.place
        character = self._next()
        if character != "\\":
            return _single(character), True
        ranges, negated = self._escape(place)
        return (_inverted(ranges) if negated else ranges), len(ranges) == 1 and ranges[0][0] == ranges[0][1]

    def _escape(self, place: int) -> tuple[Ranges, bool]:
        if self.at_end:
            raise PatternError("After a backslash something is missing.", place)
        character = self._next()
        if character.lower() in _SETS:
            return _SETS[character.lower()], character.isupper()
        if character in _CONTROLS:
            return _single(_CONTROLS[character]), False
        if character == "x" and _HEX(self.text[self.place : self.place + 2]):
            self.place += 2
            return _single(chr(int(self.text[self.place - 2 : self.place], 16))), False
        if character.isalnum():
            raise PatternError(
                r"Only these letters mean something after a backslash: \d \w \s \D \W \S \t \n \r \xHH.",
                place,
            )
        return _single(character), False

    def _next(self) -> str:
        self.place += 1
        return self.text[self.place - 1]

    def _take(self, expected: str) -> bool:
        if not self.text.startswith(expected, self.place):
            return False
        self.place += len(expected)
        return True


def _single(character: str) -> Ranges:
    return ((ord(character), ord(character)),)


def _inverted(ranges: Ranges) -> Ranges:
    """Everything else; the ranges stand in order and do not touch."""
    edges = [-1, *(edge for each in ranges for edge in each), 0x110000]
    return tuple((low + 1, high - 1) for low, high in zip(edges[::2], edges[1::2], strict=True) if low + 1 < high)

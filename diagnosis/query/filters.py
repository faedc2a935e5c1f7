"""A compiled filter, and what is asked of it: which reads match, in slices, and what each term removes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diagnosis.query.conditions import Test, condition
from diagnosis.query.syntax import AllOf, AnyOf, Node, Not, Term, parse
from diagnosis.query.values import Beside
from diagnosis.questions.judgement import Judgement

SLICE = 2_000  # reads between two pauses: some milliseconds, so that a screen can answer a key


@dataclass(frozen=True, slots=True)
class Part:
    """One of the parts that a filter joins with and: its text, its columns in the filter, and its test."""

    text: str
    start: int
    end: int
    matches: Test


@dataclass(frozen=True, slots=True)
class Filter:
    """A usable filter. `text` is what was typed, `parts` are joined with and; without a part all reads match."""

    text: str
    parts: tuple[Part, ...]
    matches: Test


@dataclass(frozen=True, slots=True)
class Slice:
    """The reads from `start` up to, not including, `stop` were looked at, and those in `found` match."""

    start: int
    stop: int
    found: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Removal:
    """How many reads one part of a filter removes, and how many would be shown without it."""

    part: Part
    removed: int
    without: int


def parse_filter(text: str, beside: Beside | None = None) -> Filter:
    """Compiles a filter; `beside` says what reviewers said and how sessions are called on the screen.

    Raises:
        QueryError: the text is no filter; it says where, what was expected and which name is near.
    """
    tree = parse(text)
    known = beside or Beside()
    nodes = tree.parts if isinstance(tree, AllOf) else (tree,)
    parts = tuple(Part(text[each.start : each.end], each.start, each.end, _test(each, known)) for each in nodes)
    return Filter(text, parts, _all([part.matches for part in parts]))


def in_slices(matches: Test, judgements: Sequence[Judgement], start: int = 0, size: int = SLICE) -> Iterator[Slice]:
    """Looks at the reads from `start` on, a slice at a time; reads that arrive meanwhile are looked at too."""
    while start < len(judgements):
        stop = min(start + size, len(judgements))
        yield Slice(start, stop, tuple(index for index in range(start, stop) if matches(judgements[index])))
        start = stop


def removals(of: Filter, judgements: Sequence[Judgement]) -> tuple[Removal, ...]:
    """What each part of a filter removes by itself, most first."""
    removed = [0] * len(of.parts)
    without = [0] * len(of.parts)
    for judgement in judgements:
        failing = [index for index, part in enumerate(of.parts) if not part.matches(judgement)]
        for index in failing:
            removed[index] += 1
        if not failing:
            without = [each + 1 for each in without]
        elif len(failing) == 1:
            without[failing[0]] += 1
    found = [Removal(part, removed[index], without[index]) for index, part in enumerate(of.parts)]
    return tuple(sorted(found, key=lambda each: (-each.removed, -each.without)))


def removed_most(of: Filter, judgements: Sequence[Judgement]) -> Removal | None:
    """The part of a filter that removes most reads; None where none removes any."""
    found = removals(of, judgements)
    return found[0] if found and found[0].removed else None


def _test(node: Node, beside: Beside) -> Test:
    match node:
        case Term():
            return condition(node, beside)
        case Not(of):
            test = _test(of, beside)
            return lambda judgement: not test(judgement)
        case AllOf(parts):
            return _all([_test(part, beside) for part in parts])
        case AnyOf(parts):
            return _any([_test(part, beside) for part in parts])


def _all(tests: list[Test]) -> Test:
    if len(tests) == 1:
        return tests[0]

    def test(judgement: Judgement) -> bool:
        for each in tests:  # noqa: SIM110  (half the time of all(), for every read)
            if not each(judgement):
                return False
        return True

    return test


def _any(tests: list[Test]) -> Test:
    def test(judgement: Judgement) -> bool:
        for each in tests:  # noqa: SIM110
            if each(judgement):
                return True
        return False

    return test

"""Lay a URI over a template: every way it fits at the best fit there is, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from diagnosis.uris.characters import NOT_URI, TOLERATED, encode_character
from diagnosis.uris.plain import plain_reading
from diagnosis.uris.reading import Alignment, Alignments, Fit
from diagnosis.uris.search import Search
from diagnosis.uris.sheet import LIFTED, Sheet, union
from diagnosis.uris.templates import Literal, Template
from diagnosis.uris.tokens import Program, program

MAX_URI = 64 * 1024
MAX_WORK = 500_000  # characters times nodes of the template; about 50 ms


@lru_cache(maxsize=256)
def align(uri: str, template: Template) -> Alignments | None:
    """All alignments at the best fit, shortest first values first, at most 64; None where there is none.

    A URI of more than 64 KiB has none. Work is bounded: linear in the URI for each node of the template, plus
    a limited number of steps to list the alignments. Where either is more than the limit, `exhausted` says so.
    Fits: see `Fit`.
    """
    if len(uri) > MAX_URI:
        return None
    outcome = plain_reading(uri, template)
    if isinstance(outcome, Alignment):
        return Alignments(Fit.STRICT, (outcome,))
    graph = program(template)
    if not uri.startswith(graph.beginning) and "%" not in graph.beginning:
        return None
    if work(uri, template) > MAX_WORK:
        return Alignments(Fit.ESCAPED, (), exhausted=True)
    sheet = Sheet(uri)
    for level in _levels(uri, graph, strict_is_settled=outcome is None):
        reach = sheet.reach(graph, level)
        if not union(reach, graph.entry) >> len(uri) & 1:
            continue
        search = Search(sheet, graph, template, reach, level)
        found = search.run()
        if found or search.exhausted:
            # Only the last level can hold different fits: a "?" in `{+v}` is legal where no query follows.
            fit = min((alignment.fit for alignment in found), default=Fit(min(level, Fit.ESCAPED)))
            best = tuple(alignment for alignment in found if alignment.fit is fit)
            return Alignments(fit, best, search.capped, search.exhausted)
    return None


def work(uri: str, template: Template) -> int:
    """What it takes to lay a URI over a template that shares its beginning, in characters times nodes."""
    return len(uri) * len(program(template).nodes)


def _levels(uri: str, graph: Program, strict_is_settled: bool) -> Iterator[int]:
    if not strict_is_settled:
        yield Fit.STRICT
    if any(character in uri for character in TOLERATED):
        yield Fit.TOLERATED
    yield Fit.RESIDUE
    yield Fit.ESCAPED
    if graph.tail_stops:
        yield LIFTED


def expected(alignment: Alignment, uri: str) -> str:
    """The URI that the operators would have emitted for the same values.

    Valid `%HH` and the separators of the operators stay; every other character that does not belong is
    encoded. A raw `&` whose right side is no clean parameter is taken for part of the value before it.
    """
    wrong = encoded_offsets(alignment, uri)
    if not wrong:
        return uri
    return "".join(encode_character(character) if at in wrong else character for at, character in enumerate(uri))


def encoded_offsets(alignment: Alignment, uri: str) -> set[int]:
    """The offsets of the characters that `expected` encodes."""
    wrong = {offence.offset for offence in alignment.offences}
    wrong.update(_torn(alignment, uri, wrong))
    for start, end in alignment.literals:
        wrong.update(found.start() for found in NOT_URI.finditer(uri, start, end))
    return wrong


def _torn(alignment: Alignment, uri: str, wrong: set[int]) -> Iterator[int]:
    """The `&` and `=` of undeclared parameters that look like the rest of a value cut in two."""
    for parameter in alignment.undeclared:
        whole = range(parameter.start, parameter.end)
        bare = "=" not in uri[parameter.start : parameter.end]
        if (bare or any(at in wrong for at in whole)) and uri[parameter.start - 1] == "&":
            yield parameter.start - 1
            yield from (at for at in whole if uri[at] == "=")


def departure(uri: str, template: Template) -> int:
    """The offset at which the URI leaves a template; meant for one that shares its fixed beginning.

    Best effort in linear time: literals are looked for from the left, the first that is missing is where it
    leaves, at the end of the longest part of it that is there.
    """
    at = 0
    for index, part in enumerate(template.parts):
        if not isinstance(part, Literal):
            continue
        found = uri.find(part.text, at) if index else (0 if uri.startswith(part.text) else -1)
        if found < 0:
            return _partly(uri, part.text, at, anchored=index == 0)
        at = found + len(part.text)
    return at


def _partly(uri: str, text: str, at: int, anchored: bool) -> int:
    """The end of the longest beginning of a text that stands at or after a place: halving finds it."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        there = uri.startswith(text[:middle], at) if anchored else uri.find(text[:middle], at) >= 0
        low, high = (middle, high) if there else (low, middle - 1)
    return (at if anchored else max(uri.find(text[:low], at), at)) + low

"""Reads a URI against the templates that count for it: those known before the read, and those a person gave."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from diagnosis.callers.tenants import is_strong
from diagnosis.questions.facts import Reading
from diagnosis.reads.context import Context, ListedTemplate
from diagnosis.reads.read import Read
from diagnosis.uris.alignment import align, departure, work
from diagnosis.uris.characters import encode_value
from diagnosis.uris.reading import Alignment, Alignments, Fit, Parameter
from diagnosis.uris.templates import Expression, Literal, Template, TemplateError, parse

# (text, named by FastMCP): what decides how a template is parsed
Known = tuple[tuple[str, bool], ...]


READ_WORK = 1_000_000  # characters times nodes over all templates of one read; about 0.1 s


class Readings:
    """Reads URIs; the same URI against the same templates is read once."""

    def __init__(self, context: Context, given: Sequence[str]) -> None:
        self._context = context
        self._given: Known = tuple((text, False) for text in given)
        self._beginnings = tuple(_beginning(text) for text in given)
        self._known: dict[tuple[str, str, int], Known] = {}

    def of(self, read: Read) -> Reading:
        """The reading of one read's URI."""
        if read.uri is None:
            return Reading()
        listed = self._context.is_listed(read)
        reading = _read(read.uri, self._known_to(read))
        if self._context.lacks_templates(read) and reading.fit not in (Fit.STRICT, Fit.TOLERATED) and not listed:
            return Reading(known=reading.known, exhausted=True)  # a template beyond the limit may explain it
        if listed and reading.fit not in (Fit.STRICT, Fit.TOLERATED):
            # A template that explains a listed URI only as an escape does not say what its parts are.
            return Reading(known=reading.known, listed=True, shown=self._context.is_shown(read))
        if not listed and reading.alignments:
            return self._decided_by_typing(read, reading)
        late = None
        if not listed:
            later = tuple((each.text, each.fastmcp) for each in self._context.templates_late(read))
            late = next(iter(_read(read.uri, later).alignments), None) if later else None
        return replace(reading, listed=listed, shown=listed and self._context.is_shown(read), late=late)

    def _decided_by_typing(self, read: Read, reading: Reading) -> Reading:
        """Of several ways to read an escaped URI, the one that holds what a person typed before, if it is one."""
        if reading.fit is not Fit.ESCAPED or len(reading.alignments) < 2 or reading.template is None:
            return reading
        for typed in self._context.typed_before(read, reading.template):
            values = dict(typed.values)
            fitting = tuple(a for a in reading.alignments if _holds(a, values))
            if len(fitting) == 1:
                return replace(reading, alignments=fitting, capped=False, typed=typed)
        return reading

    def _known_to(self, read: Read) -> Known:
        """Given templates replace the listed ones with the same fixed beginning; the other listed ones stay."""
        key = (read.capture_set, read.server, self._context.template_count(read))
        found = self._known.get(key)
        if found is None:
            stay = (each for each in self._context.templates_known(read) if self._stays(each))
            found = tuple(dict.fromkeys((*self._given, *((each.text, each.fastmcp) for each in stay))))
            self._known[key] = found
        return found

    def _stays(self, listed: ListedTemplate) -> bool:
        return _beginning(listed.text) not in self._beginnings


def replaced(listed: Iterable[str], given: Sequence[str]) -> dict[str, int]:
    """How many listed templates each given one takes the place of, for those that do."""
    beginnings = Counter(_beginning(text) for text in listed if text not in given)
    return {text: beginnings[_beginning(text)] for text in given if _beginning(text) in beginnings}


def _holds(alignment: Alignment, values: Mapping[str, str]) -> bool:
    """Whether each value stands in its variable's span, as it was typed or encoded."""
    bound = {each.name: each.raw for each in alignment.bindings}
    return bool(values) and all(bound.get(name) in (value, encode_value(value)) for name, value in values.items())


def _beginning(text: str) -> str:
    """The text up to the first expression, without a trailing separator."""
    return text.partition("{")[0].rstrip("/?#&.;")


@lru_cache(maxsize=8192)
def _read(uri: str, known: Known) -> Reading:
    found: list[tuple[Template, Alignments]] = []
    exhausted, left = False, READ_WORK
    for text, fastmcp in known:
        for template in _parsed(text, fastmcp):
            left -= work(uri, template) if uri.startswith(template.fixed_beginning) else 0
            if left < 0:
                exhausted = True
                break
            aligned = align(uri, template)
            if aligned is not None:
                exhausted = exhausted or aligned.exhausted
                if aligned.found:
                    found.append((template, aligned))
    if not found:
        return Reading(
            known=len(known),
            departure=_departure(uri, known),
            exhausted=exhausted,
            unreadable=tuple(text for text, fastmcp in known if _begins_unreadable(uri, text, fastmcp)),
        )
    found.sort(key=lambda pair: (pair[1].fit, -_literal_length(pair[0])))
    if exhausted and found[0][1].fit not in (Fit.STRICT, Fit.TOLERATED):
        return Reading(known=len(known), exhausted=True)  # a template that was not tried may explain it
    template, best = found[0]
    if best.fit is Fit.ESCAPED:
        appended = _with_parameters(uri, known)
        if appended is not None:
            return appended
    equals = [a for t, a in found if a.fit == best.fit and _literal_length(t) == _literal_length(template)]
    also = tuple(dict.fromkeys(t.text for t, a in found[1:] if a.fit > best.fit and t.text != template.text))
    return Reading(
        alignments=_distinct(equals),
        also=also,
        known=len(known),
        capped=best.capped,
        exhausted=exhausted,
    )


def _with_parameters(uri: str, known: Known) -> Reading | None:
    """The URI as one that a template explains, with plain parameters appended that no template declares.

    None unless everything after the first `?` is `name=value` in unreserved characters and no name is a tenant's:
    a value that was not expanded seldom looks like that, and an appended parameter always does.
    """
    base, mark, query = uri.partition("?")
    pieces = query.split("&")
    if not mark or any(not _PLAIN_PAIR.fullmatch(piece) or is_strong(piece.partition("=")[0]) for piece in pieces):
        return None
    reading = _read(base, known)
    if reading.fit not in (Fit.STRICT, Fit.TOLERATED):
        return None
    undeclared, start = [], len(base) + 1
    for piece in pieces:
        name, _, value = piece.partition("=")
        undeclared.append(Parameter(name, value, start, start + len(piece)))
        start += len(piece) + 1
    alignments = tuple(replace(each, undeclared=tuple(undeclared)) for each in reading.alignments)
    return replace(reading, alignments=alignments)


_PLAIN_PAIR = re.compile(r"[A-Za-z0-9._~-]+=(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})*")


def _distinct(equals: Sequence[Alignments]) -> tuple[Alignment, ...]:
    """The alignments of equally good templates; two dialects of one text may read a URI alike."""
    kept: dict[tuple[str, tuple[tuple[str, int, int], ...]], Alignment] = {}
    for alignments in equals:
        for alignment in alignments.found:
            spans = tuple((each.name, each.start, each.end) for each in alignment.bindings)
            kept.setdefault((alignment.template.text, spans), alignment)
    return tuple(kept.values())


@lru_cache(maxsize=4096)
def _parsed(text: str, fastmcp: bool) -> tuple[Template, ...]:
    """The template in each dialect that its server may mean; none where it does not parse in any.

    FastMCP lists `{path*}` for any number of segments, and does not always say that it is FastMCP.
    """
    dialects = ("fastmcp",) if fastmcp else ("rfc6570",)
    templates = []
    for dialect in dialects:
        try:
            templates.append(parse(text, dialect))
        except TemplateError:
            continue
    if not fastmcp and any(_is_simple_explode(template) for template in templates):
        templates.append(parse(text, "fastmcp"))
    return tuple(templates)


def _is_simple_explode(template: Template) -> bool:
    expressions = (part for part in template.parts if isinstance(part, Expression))
    return any(not each.operator and any(v.explode for v in each.variables) for each in expressions)


def _literal_length(template: Template) -> int:
    return sum(len(part.text) for part in template.parts if isinstance(part, Literal))


def _departure(uri: str, known: Known) -> tuple[str, int] | None:
    """Where the URI leaves the template that shares the longest fixed beginning with it."""
    best: tuple[int, str, int] | None = None
    for text, fastmcp in known:
        for template in _parsed(text, fastmcp)[:1]:
            beginning = template.fixed_beginning
            if beginning and uri.startswith(beginning) and (best is None or len(beginning) > best[0]):
                best = (len(beginning), text, departure(uri, template))
    return None if best is None else (best[1], best[2])


def _begins_unreadable(uri: str, text: str, fastmcp: bool) -> bool:
    """Whether a listed text parses as no template and still begins as the URI does."""
    beginning = text.partition("{")[0]
    return bool(beginning) and uri.startswith(beginning) and not _parsed(text, fastmcp)

"""What one span of a variable says: its binding, its items, and the characters that do not belong."""

from __future__ import annotations

from collections.abc import Iterator

from diagnosis.uris.characters import NOT_UNRESERVED, NOT_URI, TOLERATED
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Binding, Fit, Offence
from diagnosis.uris.tokens import Span


def bind(span: Span, uri: str, start: int, end: int) -> Binding | None:
    """The binding of a span, None where the span cannot be this variable's.

    The items of a named explode are the values of a list (`;v=1;v=2`), or the pairs of a mapping
    (`;k=1;l=2`).
    """
    variable = span.variable
    raw = uri[start:end]
    items: tuple[str, ...] | None = None
    if variable.explode and span.split:
        items = tuple(raw.split(span.split)) if raw or span.operator in (".", "/") else ()
        if span.operator in (";", "?", "&"):
            names = [item.partition("=")[0] for item in items]
            if all(name == variable.name for name in names):
                items = tuple(item.partition("=")[2] for item in items)
            elif variable.name in names:
                return None
    elif span.split and span.split in raw:
        items = tuple(raw.split(span.split))
    return Binding(variable.name, span.operator, start, end, raw, items, variable.prefix, span.part)


def offences(span: Span, uri: str, start: int, end: int) -> Iterator[Offence]:
    """The characters of a span that the operator cannot have put there (RFC 6570 section 3.2)."""
    pattern = NOT_URI if span.operator in ("+", "#") else NOT_UNRESERVED
    last_equals = -1
    for found in pattern.finditer(uri, start, end):
        character, at = found[0], found.start()
        if character == "=" and span.variable.explode and pattern is NOT_UNRESERVED:
            # each item may be a pair, which has one "="
            if last_equals < 0 or span.split in uri[last_equals:at]:
                last_equals = at
                continue
        elif character in span.strict:
            continue
        yield Offence(at, character, span.variable.name)


def fit_of(span: Span, found: list[Offence]) -> Fit:
    """The best fit that these offences of a span allow."""
    fit = Fit.STRICT
    for offence in found:
        if offence.character in span.cuts:
            return Fit.ESCAPED
        fit = max(fit, Fit.TOLERATED if offence.character in TOLERATED else Fit.RESIDUE)
    return fit


def agree(one: Binding, other: Binding) -> bool:
    """Whether two places of one variable can hold the same value, as far as a prefix shows it."""
    limits = [prefix for prefix in (one.prefix, other.prefix) if prefix is not None]
    if limits:
        return decode(one.raw)[: min(limits)] == decode(other.raw)[: min(limits)]
    if one.operator == other.operator:
        return one.raw == other.raw
    # `{v}` and `{+v}` may spell one value in two ways.
    return (one.items is not None and one.items == other.items) or decode(one.raw) == decode(other.raw)

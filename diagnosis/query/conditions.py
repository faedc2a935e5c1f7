"""Turns one term into a test of a read. Everything that can be decided once is decided here, before the first read."""

from __future__ import annotations

from collections.abc import Callable

from diagnosis.query import quantities
from diagnosis.query.errors import QueryError, nearest
from diagnosis.query.fields import FIELDS, NAMES, Field, Kind, field_named
from diagnosis.query.pattern_syntax import PatternError
from diagnosis.query.patterns import Pattern
from diagnosis.query.quantities import Extent
from diagnosis.query.syntax import Term, Typed
from diagnosis.query.values import Beside, Values
from diagnosis.questions.judgement import Judgement
from diagnosis.wording import listing, quoted

Test = Callable[[Judgement], bool]

_READERS = {Kind.NUMBER: quantities.number, Kind.DURATION: quantities.duration, Kind.TIME: quantities.time}
_QUANTITY_WORDS = {
    Kind.NUMBER: "a whole number such as -32002, or a range such as 10..20",
    Kind.DURATION: "a number with its unit (us, ms, s, m or h) such as 200ms, or a range such as 1s..5s",
    Kind.TIME: "a time of day (09:14), a date (2025-10-01), both (2025-10-01T09:14:00Z), or a range of them",
}
_FOREVER = 1 << 80  # beyond every number, duration and time that can be typed


def condition(term: Term, beside: Beside) -> Test:
    """The test of a term.

    Raises:
        QueryError: there is no such field, or the value does not fit it.
    """
    field = _field(term)
    if term.operator and term.operator not in field.kind.operators:
        takes = listing(f"`{each}`" for each in field.kind.operators)
        column = term.start + len(term.name)
        raise QueryError(f"`{field.name}` takes {takes} only.", column, f"one of the signs {takes}")
    if field.kind in _READERS:
        return _quantity(field, term)
    return _text(field, term, beside)


def _field(term: Term) -> Field:
    if not term.name:
        if set(term.value.text) <= set("<>=~:") and not term.value.quoted and term.value.text:
            raise QueryError(
                "A comparison is written without spaces, such as took>200ms.", term.start, "a word or `field:value`"
            )
        return _URI
    found = field_named(term.name)
    if found is not None:
        return found
    name = quoted(term.name)
    raise QueryError(
        f"There is no field {name}; text that holds `{term.operator}` stands in quotes.",
        term.start,
        "the name of a field",
        nearest(term.name, NAMES),
    )


_URI = next(field for field in FIELDS if field.name == "uri")


# Words and texts


def _text(field: Field, term: Term, beside: Beside) -> Test:
    values, value = field.values, term.value
    assert values is not None, field.name
    if term.operator == "~":
        return _found_by(_pattern(value), values, beside)
    if value.text == "*" and not value.quoted:
        return lambda judgement: bool(values(judgement, beside))
    if field.fixed:
        known = _known(field, value)
        if known is not None:
            if field.kind is Kind.PATH:
                return _below(known, field, values, beside)
            return _equals(known, field.fixed_values or values, beside)
        if field.kind is not Kind.NAME:
            raise _unknown_value(field, value)
    if field.kind is Kind.TEXT and term.operator != "=":
        return _contains(value.text, values, beside)
    return _equals(value.text, values, beside)


def _known(field: Field, value: Typed) -> str | None:
    """The fixed value that was typed; case, and the sign between two words, do not matter."""
    wanted = _plain(value.text)
    return next((each for each in field.fixed if _plain(each) == wanted), None)


def _plain(word: str) -> str:
    return word.lower().replace("_", "-").replace(" ", "-")


def _unknown_value(field: Field, value: Typed) -> QueryError:
    known = field.fixed if len(field.fixed) <= 12 else ()
    expected = listing(map(quoted, known), limit=12).replace(" and ", " or ") if known else field.kind.words
    sentence = f"`{field.name}` knows no {quoted(value.text)}; expected is {expected}."
    meant = nearest(_plain(value.text), field.fixed)
    return QueryError(sentence, value.columns[0], expected, meant)


def _equals(wanted: str, values: Values, beside: Beside) -> Test:
    return lambda judgement: wanted in values(judgement, beside)


def _contains(wanted: str, values: Values, beside: Beside) -> Test:
    def test(judgement: Judgement) -> bool:
        for value in values(judgement, beside):  # noqa: SIM110  (half the time of any(), for every read)
            if wanted in value:
                return True
        return False

    return test


def _below(path: str, field: Field, values: Values, beside: Beside) -> Test:
    """The path itself, or whatever it is the beginning of."""
    wanted = frozenset(each for each in field.fixed if each == path or each.startswith(path + "/"))
    return lambda judgement: not wanted.isdisjoint(values(judgement, beside))


def _pattern(value: Typed) -> Pattern:
    try:
        return Pattern(value.text)
    except PatternError as error:
        column = value.columns[min(error.offset, len(value.columns) - 1)]
        raise QueryError(str(error), column, "a regular expression as docs/filter.md describes it") from None


def _found_by(pattern: Pattern, values: Values, beside: Beside) -> Test:
    search = pattern.search

    def test(judgement: Judgement) -> bool:
        for value in values(judgement, beside):  # noqa: SIM110
            if search(value):
                return True
        return False

    return test


# Numbers, durations, times


def _quantity(field: Field, term: Term) -> Test:
    if term.value.text == "*" and not term.value.quoted and term.operator in (":", "="):
        return _has_any(field)
    low, high, scale = _bounds(field, term)
    if field.times is not None:
        return _within_times(field, scale, low, high)
    numbers = field.quantities
    assert numbers is not None, field.name

    def test(judgement: Judgement) -> bool:
        for value in numbers(judgement):  # noqa: SIM110
            if low <= value < high:
                return True
        return False

    return test


def _has_any(field: Field) -> Test:
    numbers, times = field.quantities, field.times
    if numbers is not None:
        return lambda judgement: bool(numbers(judgement))
    assert times is not None, field.name
    return lambda judgement: bool(times(judgement))


def _bounds(field: Field, term: Term) -> tuple[int, int, str]:
    """What the operator and the value enclose: from the first number up to, not including, the second."""
    value, operator = term.value, term.operator
    if operator in (":", "=") and ".." in value.text:
        return _range(field, value)
    extent = _extent(field, value, value.text, 0)
    bounds = {
        "<": (-_FOREVER, extent.start),
        "<=": (-_FOREVER, extent.end),
        ">": (extent.end, _FOREVER),
        ">=": (extent.start, _FOREVER),
    }.get(operator, (extent.start, extent.end))
    return *bounds, extent.scale


def _range(field: Field, value: Typed) -> tuple[int, int, str]:
    first, _, last = value.text.partition("..")
    if not first and not last:
        _extent(field, value, value.text, 0)
    behind = len(first) + 2
    low = _extent(field, value, first, 0) if first else None
    high = _extent(field, value, last, behind) if last else None
    if low is not None and high is not None:
        if low.scale != high.scale:
            raise QueryError(
                "Both ends of a range are written alike: two times of day, or two dates with a zone or without.",
                value.columns[behind],
                "an end like the beginning",
            )
        if high.end <= low.start and low.scale != "clock":  # a range of the clock may run over midnight
            raise QueryError("The range ends before it begins.", value.columns[behind], "an end behind the beginning")
    scale = (low or high or Extent("number", 0, 0)).scale
    return low.start if low else -_FOREVER, high.end if high else _FOREVER, scale


def _extent(field: Field, value: Typed, text: str, offset: int) -> Extent:
    found = _READERS[field.kind](text)
    if found is not None:
        return found
    expected = _QUANTITY_WORDS[field.kind]
    sentence = f"`{field.name}` cannot be compared with {quoted(text)}; expected is {expected}."
    raise QueryError(sentence, value.columns[offset], expected)


def _within_times(field: Field, scale: str, low: int, high: int) -> Test:
    times, reader = field.times, quantities.READERS[scale]
    assert times is not None, field.name
    over_midnight = high <= low

    def test(judgement: Judgement) -> bool:
        for text in times(judgement):
            value = reader(text)
            if value is not None and (value >= low or value < high if over_midnight else low <= value < high):
                return True
        return False

    return test

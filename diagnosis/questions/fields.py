"""Compares the variables of a request with the fields of a document, layer by layer of percent-decoding."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import lru_cache

from diagnosis.callers.tenants import plain_name
from diagnosis.reads.read import FieldValue, Scalar
from diagnosis.redaction_marks import is_redaction
from diagnosis.uris.percent import decode, decode_form
from diagnosis.uris.reading import Binding
from diagnosis.uris.templates import Expression, Literal, Template, parse


class Stated(StrEnum):
    """What a document's field says about a variable: r the raw span, v1 decoded once, v2 decoded twice."""

    AGREES = "agrees"  # v1
    CONVERTED = "converted"  # v1, as a number or boolean
    RAW = "raw"  # r, where r is not v1
    TWICE = "twice"  # v2, where v2 is not v1
    ALIAS = "alias"  # v1 up to case, Unicode form, slug or a form decode
    DIFFERS = "differs"
    HIDDEN = "hidden"  # redacted in the log
    SILENT = "silent"  # no field states it


@dataclass(frozen=True, slots=True)
class Statement:
    """What a document states about one variable, and the field that states it ("" where none does)."""

    variable: str
    stated: Stated
    field: str = ""
    value: FieldValue = None


def statements(
    bindings: Mapping[str, Binding], template: Template, fields: Mapping[str, FieldValue]
) -> tuple[Statement, ...]:
    """What a document states about every variable that the URI binds."""
    return tuple(_statement(binding, template, fields) for binding in bindings.values())


def _statement(binding: Binding, template: Template, fields: Mapping[str, FieldValue]) -> Statement:
    name = stating_field(binding.name, template, fields)
    if name is not None:
        stated = compare(binding, fields[name])
        if stated is not Stated.SILENT:
            return Statement(binding.name, stated, name, fields[name])
    if len(template.variables) == 1:
        # Common identity fields are evidence for, never against: a document's id need not be the variable.
        for other in ("id", "name", "slug", "path"):
            stated = compare(binding, fields[other]) if other in fields else Stated.SILENT
            if stated in (Stated.AGREES, Stated.CONVERTED, Stated.RAW):
                return Statement(binding.name, stated, other, fields[other])
    return Statement(binding.name, Stated.SILENT)


def stating_field(variable: str, template: Template, fields: Mapping[str, FieldValue]) -> str | None:
    """The field that states a variable: by its name, else by the literal segment directly before it."""
    for wanted in (variable, literal_before(variable, template)):
        if not wanted:
            continue
        if wanted in fields:
            return wanted
        plain = plain_name(wanted)
        found = next((name for name in fields if plain_name(name) == plain), None)
        if found is not None:
            return found
    return None


def literal_before(variable: str, template: Template) -> str:
    """The literal segment (or scheme) directly before a variable's expression: `policy` of `/policy/{name}`."""
    return _literal_before(variable, template.text, template.dialect)


@lru_cache(maxsize=4096)
def _literal_before(variable: str, text: str, dialect: str) -> str:
    template = parse(text, dialect)
    before = ""
    for part in template.parts:
        if isinstance(part, Expression) and any(each.name == variable for each in part.variables):
            if part.variables[0].name != variable or part.operator in ("?", "&", ";", "#"):
                return ""
            return _last_segment(before, part.operator)
        before = part.text if isinstance(part, Literal) else ""
    return ""


def _last_segment(text: str, operator: str) -> str:
    if operator not in ("/", "."):
        if not text.endswith("/"):
            return ""
        text = text[:-1]
    path = text.rpartition("/")[2]
    if path:
        return path.removesuffix(":")
    scheme, separator, _ = text.partition(":")
    return scheme if separator and not text[len(scheme) + 1 :].strip("/") else ""


def compare(binding: Binding, value: FieldValue) -> Stated:
    """What one field's value says about one variable."""
    if value is None:
        return Stated.SILENT
    if binding.items is not None and not _is_one_value(binding, value):
        return _compare_list(binding.items, value)
    if isinstance(value, tuple):
        return _of_any([_compare_one(binding.raw, each, None) for each in value])
    return _compare_one(binding.raw, value, binding.prefix)


def _is_one_value(binding: Binding, value: FieldValue) -> bool:
    """Whether a comma belongs to the value: `{v}` with a raw comma may be a list or one text."""
    return binding.operator == "" and not isinstance(value, tuple) and "," in binding.raw


def _of_any(found: Sequence[Stated]) -> Stated:
    """A list matches where it contains the value, and differs where it holds only other things."""
    for wanted in (Stated.AGREES, Stated.CONVERTED, Stated.TWICE, Stated.RAW, Stated.ALIAS):
        if wanted in found:
            return wanted
    return Stated.DIFFERS if found else Stated.SILENT


def _compare_list(items: Sequence[str], value: FieldValue) -> Stated:
    """Item by item in order: a list is split first and decoded then (RFC 6570 section 3.2.4)."""
    if not isinstance(value, tuple):
        for joint in ("/", ","):
            if canonical(value) == joint.join(decode(each) for each in items):
                return Stated.AGREES
        return _compare_one("/".join(items), value, None)
    if len(items) != len(value):
        return Stated.DIFFERS
    found = {_compare_one(raw, each, None) for raw, each in zip(items, value, strict=True)}
    if Stated.SILENT in found:
        return Stated.SILENT
    for worst in (Stated.DIFFERS, Stated.HIDDEN, Stated.ALIAS, Stated.TWICE, Stated.RAW, Stated.CONVERTED):
        if worst in found:
            return worst
    return Stated.AGREES


def _compare_one(raw: str, value: Scalar, prefix: int | None) -> Stated:
    if value is None:
        return Stated.SILENT
    once = decode(raw)
    if not isinstance(value, str):
        return Stated.CONVERTED if _converts(once, value) else _compare_text(raw, once, canonical(value))
    if prefix is not None and value.startswith(once):
        return Stated.AGREES  # the prefix hides the rest of the value
    if value != once and is_redaction(value):
        return Stated.HIDDEN
    return _compare_text(raw, once, value)


def _compare_text(raw: str, once: str, text: str) -> Stated:
    if text == once:
        return Stated.AGREES
    if text == raw:
        return Stated.RAW
    if text in twice(raw, once):
        return Stated.TWICE
    return Stated.ALIAS if is_alias(once, text) else Stated.DIFFERS


def twice(raw: str, once: str) -> tuple[str, ...]:
    """The values of a second decode that are not the first: percent, or form where `%2B` gave a plus."""
    found = [decode(once)]
    if "%2b" in raw.lower():
        found.append(decode_form(once))
    return tuple(each for each in found if each != once)


def is_alias(value: str, text: str) -> bool:
    """Equal up to case, Unicode form, a slug's hyphens, or a raw `+` read as a space."""
    return _folded(value) == _folded(text) or value.replace("+", " ") == text


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded.replace(" ", "-").replace("_", "-")


def canonical(value: Scalar) -> str:
    """A field's value as text, as JSON would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _converts(text: str, value: int | float | bool) -> bool:
    """Whether a server would convert the text to this number or boolean (`0012` is 12)."""
    if isinstance(value, bool):
        return text.lower() == canonical(value)
    try:
        number = Decimal(text)
        return number.is_finite() and number == Decimal(repr(value))
    except (InvalidOperation, ValueError):
        return False

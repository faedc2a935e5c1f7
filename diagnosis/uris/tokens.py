"""A template as a small graph of nodes, ready to be laid over a URI.

Nodes stand in an order where each is followed only by nodes before it; node 0 is the end of the URI. Where an
expression may be left out, the node before it is followed by what comes after it, so no node is empty by
itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from diagnosis.uris.characters import (
    NOT_URI,
    RESERVED,
    SEPARATORS,
    UNRESERVED,
    encode_character,
    upper_hex,
)
from diagnosis.uris.templates import Expression, Literal, Template, Variable

Following = tuple[int, ...]

_ATOMS = re.compile(r"((?:%[0-9A-Fa-f]{2})+)|[^%]+|%")
_BETWEEN = {"": ",", "+": ",", "#": ",", ".": ".", "/": "/", ";": ";", "?": "&", "&": "&"}


@dataclass(frozen=True, slots=True)
class Text:
    """Text that must stand in the URI, in any of its spellings; `part` is -1 for an operator's own text."""

    spellings: tuple[str, ...]
    part: int
    following: Following


@dataclass(frozen=True, slots=True)
class Span:
    """The place of a variable's value.

    `strict` are the raw characters the operator can emit, `cuts` those that make the value escape, `stops`
    those that always belong to the expression, `tail_stops` those that begin the query or fragment of this
    template. `split` is what joins the items of a list ("" where the value is none).
    """

    variable: Variable
    operator: str
    part: int
    following: Following
    strict: str = ""
    cuts: str = SEPARATORS
    stops: str = ""
    tail_stops: str = ""
    split: str = ""
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A trailing run of `{?..}{&..}`, read in any order.

    `declared` maps each name to its variable, part and operator. `firsts` are the characters it can begin
    with: "?", "&" after a literal `?`, or "?&" where the `{?..}` may vanish and the `{&..}` stay.
    """

    firsts: str
    declared: dict[str, tuple[Variable, int, str]]
    following: Following
    fragment: bool


Node = Text | Span | Query


@dataclass(frozen=True, slots=True)
class Program:
    """The graph of one template; node 0 is the end and has no entry in `nodes` (None)."""

    nodes: tuple[Node | None, ...]
    entry: Following
    beginning: str
    tail_stops: str


@lru_cache(maxsize=4096)
def program(template: Template) -> Program:
    """The graph of a template."""
    return _Builder(template).build()


class _Builder:
    """Builds from the end of the template, so that what follows a node is always known."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.nodes: list[Node | None] = [None]
        self.tail = query_tail(template)
        self.fragment = bool(template.parts) and _operator(template.parts[-1]) == "#"

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def build(self) -> Program:
        parts = self.template.parts
        following: Following = (0,)
        end = len(parts)
        stops = ""
        if self.fragment:
            end -= 1
            stops = "#"
            following = self.expression(parts[end], end, following, "")
        if self.tail is not None:
            firsts, end, declared = self.tail
            stops += firsts[0]
            following = (self.add(Query(firsts, declared, following, self.fragment)),)
        all_stops = stops
        for index in range(end - 1, -1, -1):
            part = parts[index]
            if isinstance(part, Literal):
                following = self.literal(part.text, index, following)
                if "?" in part.text:
                    stops = ""  # an "&" before this literal is no parameter of the query
            else:
                following = self.expression(part, index, following, stops)
        atoms = list(_spellings(self.template.fixed_beginning))
        beginning = atoms[0][0] if atoms and len(atoms[0]) == 1 else ""
        return Program(tuple(self.nodes), following, beginning, all_stops)

    def literal(self, text: str, part: int, following: Following) -> Following:
        for spellings in reversed(list(_spellings(text))):
            following = (self.add(Text(spellings, part, following)),)
        return following

    def operator_text(self, text: str, following: Following) -> Following:
        return (self.add(Text((text,), -1, following)),)

    def expression(self, part: Literal | Expression, index: int, following: Following, stops: str) -> Following:
        assert isinstance(part, Expression)
        if part.operator in (";", "?", "&"):
            return self.named(part, index, following, stops)
        return self.listed(part, index, following, stops)

    def span(self, part: Expression, at: int, index: int, following: Following, tail: str, stops: str) -> int:
        variable = part.variables[at]
        operator = part.operator
        if self.template.dialect == "fastmcp" and variable.explode and not operator:
            return self.add(Span(variable, operator, index, following, UNRESERVED + "/", "?#", tail_stops=tail))
        joined = _BETWEEN[operator]
        several = variable.explode or len(part.variables) > 1
        strict = UNRESERVED + (",=" if variable.explode else "," if several else "")
        cuts = SEPARATORS
        split = "" if operator in ("+", "#") else ","
        if variable.explode:
            strict += joined
            cuts = cuts.replace(joined, "")
            stops = ""
            split = joined
        if operator in ("+", "#"):
            strict, cuts = UNRESERVED + RESERVED, ""
        return self.add(Span(variable, operator, index, following, strict, cuts, stops, tail, split))

    def listed(self, part: Expression, index: int, following: Following, tail: str) -> Following:
        """Operators that join bare values.

        Values bind from the left: a value holds the separator only where every variable has one (`complete`),
        and none does where some variable has no value (`partial`).
        """
        separator = _BETWEEN[part.operator]
        count = len(part.variables)
        complete: Following = following
        partial: Following = ()
        for at in range(count - 1, -1, -1):
            if at < count - 1:
                complete = self.operator_text(separator, complete)
                more = self.operator_text(separator, partial) if partial else ()
                partial = (self.span(part, at, index, following + more, tail, separator),)
            complete = (self.span(part, at, index, complete, tail, ""),)
        start = complete + partial
        if part.operator in ("", "+"):
            return start
        return self.operator_text(part.operator, start) + following

    def named(self, part: Expression, index: int, following: Following, tail: str) -> Following:
        """`;name=value` in order, each of which may be missing. Only `?` differs from its separator."""
        separator = _BETWEEN[part.operator]
        later = earliest = following
        for at in range(len(part.variables) - 1, -1, -1):
            variable = part.variables[at]
            if variable.explode:
                values: Following = (self.span(part, at, index, later, tail, ""),)
                begin = ""
            else:
                # After the last variable a `;` begins none of this expression's, so its value may hold one.
                last = part.operator == ";" and at == len(part.variables) - 1
                value = self.span(part, at, index, later, tail, "" if last else separator)
                nothing = self.add(Span(variable, part.operator, index, later, empty=True))
                values = self.operator_text("=", (value,)) + ((nothing,) if part.operator == ";" else ())
                begin = upper_hex(variable.name)
            earliest = self.operator_text(part.operator + begin, values) + earliest
            later = self.operator_text(separator + begin, values) + later if separator != part.operator else earliest
        return earliest


def query_tail(template: Template) -> tuple[str, int, dict[str, tuple[Variable, int, str]]] | None:
    """The trailing run of `{?..}{&..}` (a `{#f}` may follow): first characters, first part, variables.

    A run that starts with `{&..}` counts only after a literal `?`; None where there is no run. Two `{?..}` put two
    `?` into one URI, the first of which is not where a run of any order begins: they are read as they are written.
    """
    parts = template.parts
    end = len(parts)
    if end and _operator(parts[-1]) == "#":
        end -= 1
    begin = end
    while begin and _operator(parts[begin - 1]) in ("?", "&"):
        begin -= 1
        if _operator(parts[begin]) == "?":
            break
    if begin == end:
        return None
    first = _operator(parts[begin])
    before = parts[:begin]
    if any(_operator(part) == "?" for part in before):
        return None
    if first == "&" and not any(isinstance(part, Literal) and "?" in part.text for part in before):
        return None
    declared: dict[str, tuple[Variable, int, str]] = {}
    for index in range(begin, end):
        part = parts[index]
        assert isinstance(part, Expression)
        for variable in part.variables:
            declared.setdefault(upper_hex(variable.name), (variable, index, part.operator))
    later = any(operator == "&" for _, _, operator in declared.values())
    return ("?&" if first == "?" and later else first), begin, declared


def _operator(part: Literal | Expression) -> str:
    return part.operator if isinstance(part, Expression) else "literal"


def _spellings(text: str) -> Iterator[tuple[str, ...]]:
    """A literal as a row of texts with their spellings, neighbours with one spelling joined."""
    for single, group in groupby(_atoms(text), key=lambda atom: len(atom) == 1):
        if single:
            yield ("".join(atom[0] for atom in group),)
        else:
            yield from group


def _atoms(text: str) -> Iterable[tuple[str, ...]]:
    for found in _ATOMS.finditer(text):
        if found[1] is None:
            for character in found[0]:
                yield (character, encode_character(character)) if NOT_URI.match(character) else (character,)
            continue
        try:
            decoded = bytes.fromhex(found[1].replace("%", "")).decode()
        except UnicodeDecodeError:
            yield (found[1].upper(),)
            continue
        for character in decoded:
            encoded = encode_character(character)
            raw_is_illegal = character != "%" and NOT_URI.match(character)
            yield (encoded, character) if raw_is_illegal else (encoded,)

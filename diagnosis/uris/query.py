"""The query at the end of a URI, read as `name=value` pieces against the names that a template declares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from diagnosis.uris.characters import NOT_UNRESERVED, TOLERATED, upper_hex
from diagnosis.uris.reading import Binding, Fit, Offence, Parameter
from diagnosis.uris.templates import Variable
from diagnosis.uris.tokens import Query
from diagnosis.uris.units import beyond_prefix


@dataclass(frozen=True, slots=True)
class QueryReading:
    """What a query says: bound and undeclared parameters, offences, and the fit they allow."""

    bindings: tuple[Binding, ...] = ()
    undeclared: tuple[Parameter, ...] = ()
    offences: tuple[Offence, ...] = ()
    empty_parameters: bool = False
    fit: Fit = Fit.STRICT


@dataclass(frozen=True, slots=True)
class _Piece:
    name: str
    start: int
    value: int  # where the value starts: after the "=", or at the end of the piece
    end: int
    pair: bool  # whether there is a "="


def read_query(uri: str, start: int, end: int, query: Query) -> QueryReading:
    """Read `uri[start:end]`, which is empty or begins with one of the query's first characters."""
    if start == end:
        return QueryReading()
    pieces = list(_pieces(uri, start + 1, end))
    # Fewer pieces than separators: a bare `?`, `&&` or a trailing `&`.
    empty = len(pieces) <= uri.count("&", start + 1, end) or any(piece.value == piece.end for piece in pieces)
    bound: dict[str, Binding] = {}
    undeclared: list[Parameter] = []
    offences: list[Offence] = []
    exploded: dict[str, list[_Piece]] = {}
    pairs = _takes_pairs(pieces, query)
    for piece in pieces:
        known = query.declared.get(upper_hex(piece.name))
        if known is not None and known[0].explode:
            exploded.setdefault(known[0].name, []).append(piece)
            offences.extend(_offences(uri, piece.value, piece.end, known[0].name))
        elif known is not None and known[0].name not in bound:
            variable = known[0]
            bound[variable.name] = _binding(uri, piece, *known)
            offences.extend(_offences(uri, piece.value, piece.end, variable.name))
            offences.extend(_too_long(uri, piece, variable))
        elif known is None and pairs is not None and piece.pair and piece.name:
            exploded.setdefault(pairs.name, []).append(piece)
            offences.extend(_name_offences(uri, piece, pairs.name))
            offences.extend(_offences(uri, piece.value, piece.end, pairs.name))
        else:
            undeclared.append(Parameter(piece.name, uri[piece.value : piece.end], piece.start, piece.end))
            offences.extend(_name_offences(uri, piece, ""))
            offences.extend(_offences(uri, piece.value, piece.end, "", comma=""))
    for name, found in exploded.items():
        bound[name] = _list_binding(uri, found, name, query)
    offences.sort(key=lambda offence: offence.offset)
    bindings = tuple(sorted(bound.values(), key=lambda binding: binding.start))
    return QueryReading(bindings, tuple(undeclared), tuple(offences), empty, _fit(offences))


def _pieces(uri: str, start: int, end: int) -> Iterator[_Piece]:
    """The pieces between `&`, empty ones left out."""
    while start <= end:
        stop = uri.find("&", start, end)
        stop = end if stop < 0 else stop
        if stop > start:
            equals = uri.find("=", start, stop)
            value = stop if equals < 0 else equals + 1
            yield _Piece(uri[start : stop if equals < 0 else equals], start, value, stop, equals >= 0)
        start = stop + 1


def _takes_pairs(pieces: list[_Piece], query: Query) -> Variable | None:
    """The exploded variable that takes undeclared names as keys of its mapping: one with no own pieces."""
    names = {upper_hex(piece.name) for piece in pieces}
    for name, (variable, _, _) in query.declared.items():
        if variable.explode and name not in names:
            return variable
    return None


def _binding(uri: str, piece: _Piece, variable: Variable, part: int, operator: str) -> Binding:
    raw = uri[piece.value : piece.end]
    items = tuple(raw.split(",")) if "," in raw else None
    return Binding(variable.name, operator, piece.value, piece.end, raw, items, variable.prefix, part)


def _list_binding(uri: str, pieces: list[_Piece], name: str, query: Query) -> Binding:
    """A list (`v=1&v=2`) binds its values, a mapping (`k=1&l=2`) its pairs as written."""
    _, part, operator = query.declared[upper_hex(name)]
    own = all(upper_hex(piece.name) == upper_hex(name) for piece in pieces)
    start = pieces[0].value if own else pieces[0].start
    items = tuple(uri[piece.value if own else piece.start : piece.end] for piece in pieces)
    return Binding(name, operator, start, pieces[-1].end, uri[start : pieces[-1].end], items, None, part)


def _offences(uri: str, start: int, end: int, name: str, comma: str = ",") -> Iterator[Offence]:
    for found in NOT_UNRESERVED.finditer(uri, start, end):
        if found[0] != comma:
            yield Offence(found.start(), found[0], name)


def _name_offences(uri: str, piece: _Piece, name: str) -> Iterator[Offence]:
    return _offences(uri, piece.start, piece.start + len(piece.name), name, comma="")


def _too_long(uri: str, piece: _Piece, variable: Variable) -> Iterator[Offence]:
    over = beyond_prefix(uri, piece.value, piece.end, variable.prefix)
    if over is not None:
        yield Offence(over, uri[over], variable.name)


def _fit(offences: list[Offence]) -> Fit:
    if not offences:
        return Fit.STRICT
    if any(offence.character == "#" for offence in offences):
        return Fit.ESCAPED
    return Fit.TOLERATED if all(offence.character in TOLERATED for offence in offences) else Fit.RESIDUE

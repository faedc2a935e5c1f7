"""How a URI reads against a template: the spans of its variables and what does not fit there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from diagnosis.uris.templates import Template


class Fit(IntEnum):
    """How well a URI lies on a template; the first that holds is the fit.

    `STRICT`: every span is what the operator can emit (RFC 6570 section 3.2). `TOLERATED`: the same but for
    `! ' ( ) *`, which encodeURIComponent leaves raw. `RESIDUE`: spans hold further raw characters, but none
    of `/ ? #` in a variable that is one segment. `ESCAPED`: a variable that is one segment holds `/ ? #`.
    """

    STRICT = 0
    TOLERATED = 1
    RESIDUE = 2
    ESCAPED = 3


@dataclass(frozen=True, slots=True)
class Binding:
    """The span of one variable in the URI: `uri[start:end] == raw`.

    `items` are the raw items of a list (exploded, or joined with commas), None for a single value. A variable
    that the URI omits has no binding. `operator` is the expression's operator ("" for simple expansion).
    `part` is the index of the expression in the template's parts.
    """

    name: str
    operator: str
    start: int
    end: int
    raw: str
    items: tuple[str, ...] | None = None
    prefix: int | None = None
    part: int = 0


@dataclass(frozen=True, slots=True)
class Offence:
    """A character of the URI that the template's operator cannot have put there."""

    offset: int
    character: str
    variable: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A `name=value` of the query that the template does not declare; offsets span the whole pair."""

    name: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """One way to lay a URI over a template.

    `literals` are the spans (start, end) of the template's own text, one for each Literal of its parts, in
    order. `bindings` and `offences` stand in the order of the URI. An offence in an undeclared parameter has
    the variable "". `empty_parameters`: the query holds an empty piece or an empty value (`?`, `&&`, a
    trailing `&`, `&x`, `to=`).
    """

    template: Template
    fit: Fit
    bindings: tuple[Binding, ...]
    literals: tuple[tuple[int, int], ...] = ()
    offences: tuple[Offence, ...] = ()
    undeclared: tuple[Parameter, ...] = ()
    empty_parameters: bool = False


@dataclass(frozen=True, slots=True)
class Alignments:
    """Every alignment at the best fit that one template allows, up to a limit.

    `capped` says that there are more than are listed. `exhausted` says that the work limit was reached before
    all readings were looked at: nothing can be concluded from a missing alignment then.
    """

    fit: Fit
    found: tuple[Alignment, ...]
    capped: bool = False
    exhausted: bool = False

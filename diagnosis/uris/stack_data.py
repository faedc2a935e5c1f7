"""What is known of the servers of known SDKs, one row of `stacks.json` for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any
from typing import Literal as Words

import orjson

_STRICT = {"extra": "forbid"}  # for pydantic, with which a test checks the data


@dataclass(frozen=True, slots=True)
class ValueRule:
    """How a matcher takes the values of one kind of expression.

    `refuses` are the raw characters at which it does not match. `empty` and `omitted` say whether it matches an
    empty value, and a URI in which the expression expanded to nothing; None is not established. A `rule` of
    "one segment" takes a value of many segments for one, "unsupported" never matches the expression.
    """

    __pydantic_config__ = _STRICT
    rule: Words["value", "one segment", "unsupported"]
    refuses: str
    empty: bool | None
    omitted: bool | None


@dataclass(frozen=True, slots=True)
class QueryRule:
    """How a matcher takes `{?...}`.

    "lenient": any order, some missing, others ignored; "any order": no others; "in order": no others and in the
    template's order; "all in order": none missing either; "misparsed": it matches and binds the wrong values.
    """

    __pydantic_config__ = _STRICT
    rule: Words["lenient", "any order", "in order", "all in order", "unsupported", "misparsed"]
    empty: bool | None


@dataclass(frozen=True, slots=True)
class Sign:
    """How the message of an error begins and ends that only this stack was seen to send."""

    __pydantic_config__ = _STRICT
    code: int
    begins: str
    ends: str


@dataclass(frozen=True, slots=True)
class Stack:
    """One SDK's server; None and absent keys are not established.

    `basis` is how the facts were learnt: the server was "run", only its matching library was ("library run"), its
    pattern was re-run elsewhere ("simulated"), or its "source" was read. `decodes` counts the layers it takes off
    a value. `values` has a `ValueRule` by operator ("" simple; with `*` exploded; "path*" FastMCP's). `several`:
    matches `{a,b}`. `only_legal`: refuses every character that the operator cannot emit. `cut`: drops the rest of
    the URI from one of these characters on, where the template has no query. `dots`, `controls` (tabs, line ends)
    and `scheme` tell what is rewritten before matching. `shapes` are template shapes by whether the parser refuses
    them. `signatures` and `server_names` are what the stack can be guessed by.
    """

    __pydantic_config__ = _STRICT
    name: str
    basis: Words["run", "library run", "simulated", "source"]
    version: str
    decodes: Words[0, 1] | None
    values: Mapping[str, ValueRule]
    query: QueryRule
    scheme: Words["exact", "lowered", "any case"] | None
    literals: Words["exact", "any case"] | None
    dots: Words["kept", "removed", "removed, encoded too"] | None
    controls: Words["kept", "removed"] | None
    authority_space: Words["kept", "refused"] | None
    bare_percent: Words["kept", "refused"] | None
    only_legal: bool
    several: bool | None
    cut: str
    trailing_slash_ignored: bool
    path_screen: bool | None
    not_found: tuple[int, ...]
    not_found_basis: str
    shapes: Mapping[str, bool]
    signatures: tuple[Sign, ...]
    server_names: tuple[str, ...]

    def __hash__(self) -> int:  # the mappings have none
        return hash(self.name)


@lru_cache(maxsize=1)
def stacks() -> tuple[Stack, ...]:
    """Every known stack, read from the data when first asked for."""
    return tuple(_stack(row) for row in orjson.loads(stacks_text()))


def stacks_text() -> bytes:
    """The data as they are checked in."""
    return files("diagnosis.uris").joinpath("stacks.json").read_bytes()


def _stack(row: dict[str, Any]) -> Stack:
    """One row; pydantic would do the same, and takes longer to load than a small log takes to read."""
    made: dict[str, Any] = {
        "values": {operator: ValueRule(**rule) for operator, rule in row["values"].items()},
        "query": QueryRule(**row["query"]),
        "not_found": tuple(row["not_found"]),
        "signatures": tuple(Sign(**sign) for sign in row["signatures"]),
        "server_names": tuple(row["server_names"]),
    }
    return Stack(**{**row, **made})

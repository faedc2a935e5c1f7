"""The short way for the ordinary case: literals and lone `{v}`, where the next literal ends every value.

Reading such a template from the left never has a choice, so its one strict alignment (or none) is known at
once.
"""

from __future__ import annotations

import re
from functools import lru_cache

from diagnosis.uris.characters import NOT_URI, UNRESERVED
from diagnosis.uris.query import read_query
from diagnosis.uris.reading import Alignment, Binding, Fit
from diagnosis.uris.templates import Expression, Literal, Template
from diagnosis.uris.tokens import Query, program

_SIMPLE = re.compile(r"(?:[A-Za-z0-9\-._~]++|%[0-9A-Fa-f]{2})*+")
_RESERVED = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]++|%[0-9A-Fa-f]{2})*+")
_NO_QUERY = re.compile(r"(?:[A-Za-z0-9\-._~:/#\[\]@!$&'()*+,;=]++|%[0-9A-Fa-f]{2})*+")

Step = str | tuple[str, str, int, re.Pattern[str]]


def plain_reading(uri: str, template: Template) -> Alignment | bool | None:
    """The only strict alignment, None where there is none, False where this way cannot tell."""
    steps = _steps(template)
    if steps is None:
        return False
    sequence, query = steps
    at = 0
    bindings = []
    literals = []
    for step in sequence:
        if isinstance(step, str):
            if not uri.startswith(step, at):
                return None
            literals.append((at, at + len(step)))
            at += len(step)
        else:
            name, operator, part, pattern = step
            found = pattern.match(uri, at)
            assert found is not None
            bindings.append(Binding(name, operator, at, found.end(), found[0], None, None, part))
            at = found.end()
    if at == len(uri):
        return Alignment(template, Fit.STRICT, tuple(bindings), tuple(literals))
    if query is None or uri[at] not in query.firsts:
        return None
    if uri[at] == "&":
        return False
    reading = read_query(uri, at, len(uri), query)
    if reading.fit is not Fit.STRICT:
        return None
    bindings.extend(reading.bindings)
    return Alignment(
        template,
        Fit.STRICT,
        tuple(bindings),
        tuple(literals),
        (),
        reading.undeclared,
        reading.empty_parameters,
    )


@lru_cache(maxsize=4096)
def _steps(template: Template) -> tuple[tuple[Step, ...], Query | None] | None:
    """The template as a row of steps without a choice; None where it has one."""
    graph = program(template)
    query = next((node for node in graph.nodes if isinstance(node, Query)), None)
    if query is not None and ("?" not in query.firsts or query.fragment):
        return None
    end = len(template.parts)
    if query is not None:
        end = min(part for _, part, _ in query.declared.values())
    names = [v.name for part in template.parts if isinstance(part, Expression) for v in part.variables]
    if len(names) != len(set(names)):
        return None
    steps: list[Step] = []
    for index in range(end):
        part = template.parts[index]
        after = template.parts[index + 1] if index + 1 < end else None
        step = _step(part, index, after, query is not None)
        if step is None:
            return None
        steps.append(step)
    return tuple(steps), query


def _step(part: Literal | Expression, index: int, after: Literal | Expression | None, query: bool) -> Step | None:
    if isinstance(part, Literal):
        return None if "%" in part.text or NOT_URI.search(part.text) else part.text
    variable = part.variables[0]
    if len(part.variables) > 1 or variable.explode or variable.prefix is not None:
        return None
    if isinstance(after, Expression):
        return None
    if part.operator == "":
        ended = after is None or (after.text[0] not in UNRESERVED and after.text[0] != "%")
        return (variable.name, "", index, _SIMPLE) if ended else None
    if part.operator == "+" and after is None:
        return variable.name, "+", index, _NO_QUERY if query else _RESERVED
    return None

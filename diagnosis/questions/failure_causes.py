"""Why a read may have failed: the causes that a log cannot tell apart, without those that it rules out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagnosis.questions.facts import Facts
from diagnosis.questions.stack_remarks import guessed_stack, stricter
from diagnosis.uris.path_safety import screen_layers
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Fit
from diagnosis.uris.templates import Expression
from diagnosis.wording import listing, quoted

_INTERNAL_ERROR = -32603  # the code of mcp 2.x and FastMCP where a value does not convert
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_SHOWN = 3  # stacks named in one clause


def causes(facts: Facts) -> tuple[str, ...]:
    """The causes of an error that cannot be told apart, each a short clause; absence comes first.

    Struck is what can be computed to be impossible: a path screen where no value is unsafe as a path, a stricter
    matcher where no known SDK is one, a value that does not convert, a query value that is not omitted.
    """
    return (
        "absence",
        "a refusal by design",
        *_path_screen(facts),
        *_matcher(facts),
        *_conversion(facts),
        *_omitted(facts),
    )


def _path_screen(facts: Facts) -> Iterator[str]:
    reading = facts.reading
    if reading.listed:
        return  # a listed resource binds no variable
    if not reading.alignments or (reading.alignments[0].bindings and not facts.bindings):
        yield "a path screen"  # the values are not known, so nothing can be computed
        return
    exempt = facts.policy.not_paths.get(reading.template or "", ())
    for name, binding in facts.bindings.items():
        if name in exempt:
            continue
        for raw in binding.items if binding.items is not None else (binding.raw,):
            layers = screen_layers(raw)
            if layers.raw is not None or layers.once is not None:
                yield f"a path screen ({quoted(name)} is unsafe as a path)"
                return
            if layers.bait:
                yield f"a path screen after a second decode ({quoted(name)} is unsafe then)"
                return


def _matcher(facts: Facts) -> Iterator[str]:
    reading = facts.reading
    if reading.listed:
        return  # a listed resource is found before any template is tried
    if not reading.alignments:
        yield "a matcher that knows no template for it"
        return
    if reading.fit is Fit.ESCAPED:
        yield "a matcher that splits the URI where a value left its segment"
        return
    guessed = guessed_stack(facts)
    names = [each.stack.name for each in stricter(facts) if guessed is None or each.stack.name == guessed.stack.name]
    if names:
        yield f"a stricter matcher ({listing(names, _SHOWN)} would not match)"


def _conversion(facts: Facts) -> Iterator[str]:
    """A value that is no number, beside the code for it; one that begins like a number is shown."""
    response = facts.read.response
    if response is None or response.failure is None or response.failure.code != _INTERNAL_ERROR:
        return
    values = [decode(each.raw) for each in facts.bindings.values() if each.items is None]
    words = [value for value in values if value and not _NUMBER.fullmatch(value)]
    if words:
        shown = next((f" ({quoted(value)})" for value in words if value[0] in "0123456789"), "")
        yield f"a value that does not convert to the handler's type{shown}"


def _omitted(facts: Facts) -> Iterator[str]:
    """Query values that every reading of the URI leaves out."""
    alignments = facts.reading.alignments
    if facts.reading.listed or not alignments:
        return
    declared = [
        variable.name
        for part in alignments[0].template.parts
        if isinstance(part, Expression) and part.operator in ("?", "&")
        for variable in part.variables
    ]
    bound = {each.name for alignment in alignments for each in alignment.bindings}
    missing = [quoted(name) for name in dict.fromkeys(declared) if name not in bound]
    if missing:
        yield f"an omitted query value without a default ({listing(missing, _SHOWN)})"

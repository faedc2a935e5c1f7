"""What people stated on the screen, beside what the command line and the files say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from diagnosis.case.entries import Entry, StatedCaller, StatedTemplate, standing
from diagnosis.statements import Statements, joined, stated_caller


def with_stated(base: Statements, entries: Iterable[Entry]) -> Statements:
    """Adds the stated callers and templates that stand, marked as stated, with who said so and when.

    They count like `--allow` and `--template`: of one caller everything adds up, and they come before the files.
    Giving the result back as `base` changes nothing.
    """
    every = standing(entries)
    callers = [each for each in every if isinstance(each, StatedCaller)]
    templates = [each for each in every if isinstance(each, StatedTemplate)]
    if not callers and not templates:
        return base
    before = base.policy.principals
    stated = joined(
        (*(each for each in before if each.stated), *(stated_caller(each.who, each.tenants) for each in callers))
    )
    words = (
        *(f"caller {each.who}={','.join(each.tenants)}, by {each.author} at {each.time}" for each in callers),
        *(f"template {each.template}, by {each.author} at {each.time}" for each in templates),
    )
    return replace(
        base,
        policy=replace(base.policy, principals=stated + tuple(each for each in before if not each.stated)),
        templates=tuple(dict.fromkeys((*(each.template for each in templates), *base.templates))),
        stated=tuple(dict.fromkeys((*base.stated, *words))),
    )

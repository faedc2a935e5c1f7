"""`misread explain`: a rule's page, or all rules."""

from __future__ import annotations

from difflib import get_close_matches

import click

from app.careful import CarefulCommand
from app.console import put
from app.examples import example
from app.status import Status
from diagnosis.questions.findings import Rule


@click.command("explain", cls=CarefulCommand)
@click.argument("rule", required=False)
@click.option("--example", "wants_example", is_flag=True, help="Print a trace that shows it, and its clean twin.")
def explain(rule: str | None, wants_example: bool) -> int:
    """Print a rule's page, or all rules."""
    from diagnosis.questions.rules import RULES

    if rule is None and wants_example:
        raise click.UsageError("Name the rule whose example is wanted.")
    if rule is None:
        width = max(len(one.id) for one in RULES)
        put("\n".join(f"{one.id:{width}}  {one.title}" for one in RULES) + "\n")
        return Status.CLEAR
    found = next((one for one in RULES if one.id == rule), None)
    if found is None:
        near = get_close_matches(rule, [one.id for one in RULES], 1, 0.4)
        raise click.UsageError(f"There is no rule {rule}." + (f" Did you mean {near[0]}?" if near else ""))
    put(example(found.id) if wants_example else _page(found))
    return Status.CLEAR


def _page(rule: Rule) -> str:
    kind = rule.finding_class.value if rule.finding_class else "a remark, none of the three classes"
    owner = f"\nOwner: {rule.owner.words}" if rule.owner else ""
    parts = [
        f"{rule.id}\n{rule.title}",
        f"Class: {kind}{owner}\nSeverity: {rule.severity.value}",
        rule.why,
        f"Fix: {rule.fix}" if rule.fix else "",
        f"What it is not: {rule.not_this}" if rule.not_this else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"

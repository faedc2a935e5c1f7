"""How remarks are built: the rule without a class, and the request as its evidence."""

from __future__ import annotations

from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Certainty, Evidence, Remark, Rule, Severity


def remark_rule(name: str, title: str, why: str, fix: str, not_this: str, severity: Severity = Severity.MILD) -> Rule:
    """A rule that raises a remark: no class and no owner."""
    return Rule(id=f"remark/{name}", title=title, severity=severity, why=why, fix=fix, not_this=not_this)


def remark(facts: Facts, rule: Rule, summary: str, certainty: Certainty = Certainty.CERTAIN) -> Remark:
    """A remark whose evidence is the request."""
    return Remark(rule, certainty, summary, (Evidence(facts.read.request, "the request"),), rule.severity)

"""Every rule that can raise a finding or a remark, gathered from beside the code that raises it."""

from __future__ import annotations

from diagnosis.questions import document_rules, q1_segments, q3_principal, remarks, same_traffic
from diagnosis.questions.findings import Rule

RULES: tuple[Rule, ...] = (
    *q1_segments.RULES,
    *document_rules.RULES,
    *q3_principal.RULES,
    *document_rules.REMARKS,
    *remarks.RULES,
    *same_traffic.RULES,
)

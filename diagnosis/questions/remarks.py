"""What is real and worth showing, and none of the three classes: every remark, in the order of reports."""

from __future__ import annotations

from collections.abc import Callable

from diagnosis.questions import path_remarks, record_remarks, stack_remarks, uri_remarks
from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Remark, Rule

REMARKS: tuple[Callable[[Facts], Remark | None], ...] = (
    path_remarks.path_traversal,
    path_remarks.tenant_walk,
    uri_remarks.lenient_encoder,
    uri_remarks.also_explained,
    uri_remarks.undeclared_parameter,
    uri_remarks.empty_parameter,
    uri_remarks.unexpanded_template,
    uri_remarks.typed_encoded_twice,
    uri_remarks.header_uri_differs,
    uri_remarks.late_template,
    stack_remarks.template_not_servable,
    stack_remarks.stricter_matcher,
    record_remarks.public_cache_scope,
    record_remarks.two_principals,
    record_remarks.existence_oracle,
    record_remarks.dead_end,
    record_remarks.policy_differs,
    record_remarks.id_reused,
    record_remarks.id_type_changed,
    record_remarks.extra_response,
    record_remarks.malformed,
    record_remarks.odd_id,
    record_remarks.duplicate_key,
)

RULES: tuple[Rule, ...] = (*path_remarks.RULES, *uri_remarks.RULES, *stack_remarks.RULES, *record_remarks.RULES)

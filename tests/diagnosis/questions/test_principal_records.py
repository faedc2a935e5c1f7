"""Question 3: callers that a record's own principal field names, with what they may see."""

from __future__ import annotations

from typing import Any

import pytest

from diagnosis.questions.judgement import Judgement
from tests.diagnosis.questions.build import Log, remarks, rules, said

REPORT = "report://{tenant}/{month}"
FOREIGN = "report://northwind/2025-10"


def doc(tenant: str) -> dict[str, str]:
    """A report of a tenant."""
    return {"tenant": tenant, "month": "2025-10"}


def recorded(principal: Any, policy: Any = None) -> Judgement:
    """A foreign read whose record names its principal."""
    log = Log(REPORT)
    log.read(FOREIGN, doc("northwind"), principal=principal)
    return log.last(policy)


@pytest.mark.parametrize(
    "principal",
    [
        {"id": "ana", "allowed_tenants": ["acme"]},
        {"id": "ana", "tenant": "acme"},
        {"id": "ana", "allowed_tenants": []},
        {"id": "ana", "allowed_tenants": ["acme", "mossgate"]},
    ],
)
def test_a_records_own_principal_makes_it_likely(principal: dict[str, Any]) -> None:
    judged = recorded(principal)
    assert judged.principal.verdict == "not_checked"
    assert judged.principal.certainty == "likely"
    (finding,) = judged.findings
    assert finding.rule.finding_class == "missing-authorization"
    assert finding.certainty == "likely"


@pytest.mark.parametrize(
    "principal", [{"id": "ana", "allowed_tenants": ["northwind"]}, {"id": "a", "tenant": "northwind"}]
)
def test_a_records_own_principal_allows(principal: dict[str, Any]) -> None:
    assert recorded(principal).principal.verdict == "allowed"


@pytest.mark.parametrize("principal", [{"id": "ana"}, "ana"])
def test_a_record_without_tenants(principal: Any) -> None:
    assert said(recorded(principal).principal) == "cannot_tell no-allowed-set"


def test_the_policy_wins_over_a_record_and_says_so() -> None:
    policy = {"principals": [{"id": "ana", "allowed_tenants": ["acme"]}]}
    judged = recorded({"id": "ana", "allowed_tenants": ["northwind"]}, policy)
    assert rules(judged) == ["principal/foreign-tenant certain"]
    assert "policy-differs" in remarks(judged)


def test_the_policy_wins_in_the_other_direction() -> None:
    policy = {"principals": [{"id": "ana", "subjects": ["ana"], "allowed_tenants": ["northwind"]}]}
    judged = recorded({"id": "ana", "allowed_tenants": ["acme"]}, policy)
    assert said(judged.principal) == "allowed inside-allowed"
    assert "policy-differs" in remarks(judged)


def test_an_administrator_only_by_policy() -> None:
    assert recorded({"id": "ana", "allowed_tenants": ["acme"], "admin": True}).principal.verdict != "allowed"


def test_the_principal_belongs_to_the_request() -> None:
    log = Log(REPORT)
    for who, tenant in (("ana", "northwind"), ("bo", "acme")):
        log.read(FOREIGN, doc("northwind"), principal={"id": who, "allowed_tenants": [tenant]})
    assert [judged.principal.verdict for judged in log.judge()] == ["allowed", "not_checked"]


@pytest.mark.parametrize("principal", [{"id": "a", "allowed_tenants": ["[REDACTED]"]}, {"id": "a", "tenant": "***"}])
def test_redacted_tenants_prove_nothing(principal: dict[str, Any]) -> None:
    judged = recorded(principal)
    assert judged.principal.verdict == "cannot_tell"
    assert not judged.findings

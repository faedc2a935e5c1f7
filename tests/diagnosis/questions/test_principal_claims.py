"""Question 3: callers that the log names: claims of a token, and a record's own principal field."""

from __future__ import annotations

from typing import Any

import pytest

from diagnosis.questions.judgement import Judgement
from tests.diagnosis.questions.build import Log, bearer, remarks, rules, said

REPORT = "report://{tenant}/{month}"
OWN, FOREIGN = "report://acme/2025-10", "report://northwind/2025-10"


def doc(tenant: str) -> dict[str, str]:
    """A report of a tenant."""
    return {"tenant": tenant, "month": "2025-10"}


def claimed(comparable: bool = True, policy: Any = None, **claims: Any) -> Judgement:
    """A foreign read by a caller with these claims; an own read before it makes them comparable."""
    token = bearer(**{"sub": "auth0|7", "iss": "https://id.example", "tenant": "acme", **claims})
    log = Log(REPORT)
    if comparable:
        log.read(OWN, doc("acme"), authorization=token)
    log.read(FOREIGN, doc("northwind"), authorization=token)
    return log.last(policy)


def test_a_comparable_claim_makes_it_likely() -> None:
    judged = claimed()
    assert said(judged.principal) == "not_checked outside-allowed-by-claim"
    assert rules(judged) == ["principal/foreign-tenant-by-claim likely"]
    assert "unverified claim" in judged.principal.because + judged.findings[0].summary + judged.findings[0].because


def test_a_claim_that_never_equals_a_tenant_is_incomparable() -> None:
    judged = claimed(comparable=False)
    assert said(judged.principal) == "cannot_tell claim-incomparable"
    assert not judged.findings


def test_a_guid_against_a_slug_is_incomparable() -> None:
    judged = claimed(tenant="7b8a5c1e-0d7c-4f6e-9a53-2f1d6f0c9e11")
    assert said(judged.principal) == "cannot_tell claim-incomparable"


def test_the_read_itself_makes_no_claim_comparable() -> None:
    log = Log(REPORT)
    log.read(OWN, doc("northwind"), authorization=bearer(sub="x", iss="y", tenant="mossgate"))
    assert not log.last().findings


def test_a_claim_comparable_by_a_later_read() -> None:
    token = bearer(sub="auth0|7", iss="i", tenant="acme")
    log = Log(REPORT)
    log.read(FOREIGN, doc("northwind"), authorization=token)
    log.read(OWN, doc("acme"), authorization=token)
    assert rules(log.judge()[0]) == ["principal/foreign-tenant-by-claim likely"]


CLAIM_NAMES = [
    "tid", "tenant", "tenant_id", "org_id", "org", "account", "customer", "workspace", "tenants", "workspaces",
    "allowed_tenants", "https://example.com/tenant",
]  # fmt: skip


@pytest.mark.parametrize("name", CLAIM_NAMES)
def test_names_of_tenant_claims(name: str) -> None:
    value = ["acme"] if name.endswith("s") else "acme"
    token = bearer(sub="auth0|7", iss="i", **{name: value})
    log = Log(REPORT)
    log.read(OWN, doc("acme"), authorization=token)
    log.read(FOREIGN, doc("northwind"), authorization=token)
    assert rules(log.last()) == ["principal/foreign-tenant-by-claim likely"]


def test_a_claim_that_holds_the_tenant_allows_it() -> None:
    log = Log(REPORT)
    log.read(OWN, doc("acme"), authorization=bearer(sub="auth0|7", iss="i", tenant="acme"))
    judged = log.last()
    assert said(judged.principal) == "allowed inside-allowed-by-claim"
    assert judged.principal.certainty == "likely"


ELEVATED = [
    {"act": {"sub": "svc"}},
    {"admin": True},
    {"tenants": ["acme", "*"]},
    {"roles": ["admin"]},
    {"roles": ["support"]},
    {"groups": ["tenant-admin"]},
    {"permissions": ["support"]},
    {"scope": "reports:read reports:admin"},
]


@pytest.mark.parametrize("claims", ELEVATED)
def test_elevated_callers_cannot_be_judged_by_claims(claims: dict[str, Any]) -> None:
    judged = claimed(**({"tenant": None} if "tenants" in claims else {}), **claims)
    assert said(judged.principal) == "cannot_tell elevated"
    assert not judged.findings


def test_the_policy_judges_an_elevated_caller() -> None:
    policy = {"principals": [{"id": "ana", "subjects": ["auth0|7"], "allowed_tenants": ["acme"]}]}
    assert rules(claimed(policy=policy, admin=True)) == ["principal/foreign-tenant certain"]


def test_shared_tenants_are_allowed_whatever_the_claims_say() -> None:
    judged = claimed(policy={"principals": [], "shared_tenants": ["northwind"]})
    assert said(judged.principal) == "allowed shared"


def test_a_claim_of_another_case() -> None:
    token = bearer(sub="auth0|7", iss="i", tenant="acme")
    log = Log(REPORT)
    log.read(OWN, doc("acme"), authorization=token)
    log.read("report://ACME/2025-10", doc("ACME"), authorization=token)
    assert said(log.last().principal) == "cannot_tell case-only"


ORDINARY = [
    {"sub": "admin"},
    {"sub": "support|7"},
    {"admin": False},
    {"roles": ["reader", "administrative-assistant"]},
    {"scope": "admin:read"},
    {"roles": ["supporter"]},
]


@pytest.mark.parametrize("claims", ORDINARY)
def test_ordinary_callers_are_not_elevated(claims: dict[str, Any]) -> None:
    assert rules(claimed(**claims)) == ["principal/foreign-tenant-by-claim likely"]


@pytest.mark.parametrize("claims", [{"client_id": "app"}, {"aud": "acme"}, {"scope": "acme"}])
def test_what_never_is_a_principal(claims: dict[str, Any]) -> None:
    log = Log(REPORT)
    log.read(FOREIGN, doc("northwind"), authorization=bearer(**claims))
    judged = log.last()
    assert judged.principal.verdict == "cannot_tell"
    assert judged.principal.reason in {"no-principal", "no-allowed-set"}
    assert not judged.findings


def test_an_opaque_token_says_nothing_about_tenants() -> None:
    log = Log(REPORT)
    log.read(FOREIGN, doc("northwind"), authorization="Bearer opaque-0123456789abcdef")
    assert said(log.last().principal) == "cannot_tell no-allowed-set"


def test_claims_without_a_tenant_say_nothing_about_tenants() -> None:
    judged = claimed(tenant=None)
    assert said(judged.principal) == "cannot_tell no-allowed-set"


def test_client_info_is_no_principal() -> None:
    log = Log(REPORT)
    log.read(FOREIGN, doc("northwind"))
    assert said(log.last().principal) == "cannot_tell no-principal"


def test_a_session_only_inherits() -> None:
    token = bearer(sub="auth0|7", iss="i", tenant="acme")
    log = Log(REPORT)
    log.read(OWN, doc("acme"), authorization=token)
    log.read(FOREIGN, doc("northwind"))
    judged = log.last()
    assert said(judged.principal) == "cannot_tell inherited-only"
    assert not judged.findings


def test_the_policy_knows_a_subject_and_makes_it_certain() -> None:
    policy = {"principals": [{"id": "ana", "subjects": ["auth0|7"], "allowed_tenants": ["acme"]}]}
    assert rules(claimed(comparable=False, policy=policy)) == ["principal/foreign-tenant certain"]


def test_a_session_of_the_policy_with_the_token_of_somebody_else_is_likely_only() -> None:
    """A session can change hands; the policy itself says that ana has another subject."""
    log = Log(REPORT)
    log.read("report://northwind/2025-10", doc("northwind"), authorization=bearer(sub="bob", iss="i"))
    for subjects, certainty in ((["ana"], "likely"), (["bob"], "certain"), ([], "certain")):
        policy = {"principals": [{"id": "ana", "sessions": ["s1"], "subjects": subjects, "allowed_tenants": ["acme"]}]}
        assert rules(log.last(policy)) == [f"principal/foreign-tenant {certainty}"]


def test_two_subjects_in_one_session_are_a_remark() -> None:
    log = Log(REPORT)
    for subject in ("auth0|7", "auth0|8"):
        log.read(OWN, doc("acme"), authorization=bearer(sub=subject, iss="i", tenant="acme"))
    assert "two-principals" in remarks(log.last())


def test_no_token_is_ever_shown() -> None:
    judged = claimed()
    assert bearer(sub="auth0|7", iss="https://id.example", tenant="acme").split(".")[1] not in repr(judged)

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.callers.authorization import from_authorization, from_record
from diagnosis.callers.credentials import Credential, CredentialSource, TokenLabels


def part(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def bearer(claims: Any, signature: str = "c2VjcmV0LXNpZ25hdHVyZQ") -> str:
    return f"Bearer {part({'alg': 'RS256'})}.{part(claims)}.{signature}"


def claims_of(**claims: Any) -> Credential:
    found = from_authorization(bearer(claims), TokenLabels())
    assert found is not None
    return found


def test_a_jwt_gives_unverified_claims() -> None:
    found = claims_of(sub="auth0|ana", iss="https://idp.example", tenant="acme")
    assert found == Credential(
        CredentialSource.CLAIMS, "auth0|ana", "https://idp.example", ("acme",), "tenant", None, "token-1"
    )


def test_an_unsigned_jwt_is_read_the_same() -> None:
    found = from_authorization(bearer({"sub": "x"}, signature=""), TokenLabels())
    assert found is not None and found.subject == "x"


@pytest.mark.parametrize(
    "claim",
    [
        "tid", "tenant", "tenant_id", "tenantId", "org_id", "org", "organization", "account", "customer",
        "workspace", "tenants", "orgs", "org_ids", "organizations", "accounts", "customers", "workspaces",
        "allowed_tenants", "allowed_orgs", "https://x.example/tenant", "urn:example:tenants", "account_id",
    ],
)  # fmt: skip
def test_claims_that_name_tenants(claim: str) -> None:
    found = claims_of(sub="s", **{claim: "acme"})
    assert (found.tenants, found.tenant_claim) == (("acme",), claim)


@pytest.mark.parametrize("claim", ["aud", "scope", "client_id", "azp", "email", "team", "subtenant", "tenant_name_x"])
def test_claims_that_do_not(claim: str) -> None:
    assert claims_of(sub="s", **{claim: "acme"}).tenants is None


def test_the_allowed_set_wins_over_the_home_tenant() -> None:
    found = claims_of(tenant="home", allowed_tenants=["a", 7], tid="x")
    assert (found.tenants, found.tenant_claim) == (("a", "7"), "allowed_tenants")
    assert claims_of(tenants=[], tenant=None).tenants == ()
    assert claims_of(tenant={"id": 1}, org=True).tenants is None


@pytest.mark.parametrize(
    ("claims", "mark"),
    [
        ({"act": {"sub": "x"}}, "act"),
        ({"admin": True}, "admin: true"),
        ({"isAdmin": True}, "is_admin: true"),
        ({"tenants": ["*"]}, "* among the tenants"),
        ({"roles": ["viewer", "Support"]}, "roles: Support"),
        ({"https://x/groups": "team-admin"}, "groups: team-admin"),
        ({"permissions": ["read", "billing:admin"]}, "permissions: billing:admin"),
        ({"scope": "docs:read docs:admin"}, "scope: docs:admin"),
        ({"scp": ["support"]}, "scope: support"),
        ({"realm_access": {"roles": ["user", "admin"]}}, "roles: admin"),
        ({"resource_access": {"docs": {"roles": ["support"]}}}, "roles: support"),
    ],
)
def test_marks_of_an_elevated_caller(claims: dict[str, Any], mark: str) -> None:
    assert claims_of(sub="s", **claims).elevated == mark


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": "svc-support"},
        {"sub": "admin"},
        {"roles": ["administration-reader", "supporter"]},
        {"scope": "admin:read support/docs"},
        {"admin": False},
        {"admin": "true"},
        {"tenant": "admin"},
        {"realm_access": ["admin"], "resource_access": {"admin": {"roles": ["reader"]}}},
    ],
)
def test_no_mark(claims: dict[str, Any]) -> None:
    assert claims_of(**claims).elevated is None


@pytest.mark.parametrize(
    "header",
    [
        "Bearer opaque", "Bearer a.b.c", "Bearer eyJ.eyJ.", "Basic dXNlcjpwYXNz", "opaque-without-scheme",
        f"Bearer {part([1])}.{part({'sub': 'x'})}.s", f"Bearer {part({})}.{part([1])}.s",
        f"Bearer {part({})}.{part(b'[' * 5000)}.s", "Bearer " + "e" * 100_000, "Bearer \ud83d",
    ],
)  # fmt: skip
def test_anything_else_is_good_for_equality_only(header: str) -> None:
    found = from_authorization(header, TokenLabels())
    assert found == Credential(CredentialSource.TOKEN, None, None, None, None, None, "token-1")


@pytest.mark.parametrize(
    "header", ["", "  ", "Bearer", "Bearer ", "Bearer [REDACTED]", "Bearer ***", "Bearer ....", "<redacted>"]
)
def test_nothing_is_said(header: str) -> None:
    assert from_authorization(header, TokenLabels()) is None


def test_labels_are_equal_for_equal_tokens_and_hold_no_secret() -> None:
    labels = TokenLabels()
    one, two, again = (from_authorization(f"Bearer {text}", labels) for text in ("hunter2", "other", "hunter2"))
    assert one is not None and two is not None and again is not None
    assert (one.label, two.label, again.label) == ("token-1", "token-2", "token-1")
    signed = from_authorization(bearer({"sub": "x"}), labels)
    kept = repr((one, signed, vars(labels)))
    assert "hunter2" not in kept and "c2VjcmV0" not in kept


def test_a_record_names_its_caller() -> None:
    labels = TokenLabels()
    assert from_record("ana", labels) == Credential(CredentialSource.RECORD, "ana", None, None, None, None, "caller-1")
    found = from_record({"id": "u-ada", "allowed_tenants": ["alderfen"], "roles": ["admin"]}, labels)
    assert found == Credential(
        CredentialSource.RECORD, "u-ada", None, ("alderfen",), "allowed_tenants", "roles: admin", "caller-2"
    )


def test_a_single_tenant_of_a_record_is_the_allowed_set() -> None:
    found = from_record({"sub": "svc-4", "tenant": "brackenfold", "scope": "invoices:read"}, TokenLabels())
    assert found is not None and (found.subject, found.tenants) == ("svc-4", ("brackenfold",))


def test_the_subject_of_a_record_has_an_order() -> None:
    found = from_record({"name": "n", "user": "u", "sub": "s", "id": 7}, TokenLabels())
    assert found is not None and found.subject == "7"


def test_a_token_in_a_principal_field_is_not_kept() -> None:
    found = from_record("Bearer hunter2", TokenLabels())
    assert found is not None and found.source is CredentialSource.TOKEN and found.subject is None


@pytest.mark.parametrize("value", [None, 1, True, [], {}, "", {"id": None}, {"email": "a@b"}])
def test_records_that_say_nothing(value: Any) -> None:
    assert from_record(value, TokenLabels()) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda c: st.lists(c) | st.dictionaries(st.text(), c),
)


@given(
    st.text() | JSON,
    st.dictionaries(st.sampled_from(["tenant", "roles", "act", "scope", "sub", "admin"]), JSON),
)
def test_any_value_raises_nothing(value: Any, claims: dict[str, Any]) -> None:
    from_record(value, TokenLabels())
    from_record(claims, TokenLabels())
    from_authorization(bearer(claims), TokenLabels())
    if isinstance(value, str):
        from_authorization(value, TokenLabels())

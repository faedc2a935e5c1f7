"""Question 3: which value of a read is the tenant."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.diagnosis.questions.build import ACME_ONLY, Log, bearer, one, rules, said

FOREIGN = "principal/foreign-tenant certain"

STRONG = ["tenant", "tenant_id", "tenantId", "org", "org_id", "organization", "account", "account_id", "customer",
          "customerId", "workspace", "workspace_id", "Tenant"]  # fmt: skip


@pytest.mark.parametrize("name", STRONG)
def test_strong_names(name: str) -> None:
    judged = one(f"r://{{{name}}}/{{leaf}}", "r://northwind/x", "text", ACME_ONLY)
    assert rules(judged) == [FOREIGN]
    assert judged.tenant_variable == name


@pytest.mark.parametrize(
    "name", ["team", "project", "company", "client", "group", "site", "realm", "namespace", "owner", "user"]
)
def test_weak_names_alone_are_no_tenant(name: str) -> None:
    judged = one(f"r://{{{name}}}/{{leaf}}", "r://northwind/x", "text", ACME_ONLY)
    assert said(judged.principal) == "cannot_tell no-tenant"


@pytest.mark.parametrize("name", ["place", "x", "shelf"])
def test_position_and_authority_are_never_enough(name: str) -> None:
    judged = one(f"r://{{{name}}}/{{leaf}}", "r://northwind/x", "text", ACME_ONLY)
    assert said(judged.principal) == "cannot_tell no-tenant"


def overlapping(reads: int) -> Any:
    """Reads whose team equals the caller's claim, and one that does not."""
    token = bearer(sub="auth0|7", iss="i", tenant="acme")
    log = Log("r://{team}/{leaf}")
    for number in range(reads):
        log.read(f"r://acme/{number}", "text", authorization=token)
    log.read("r://northwind/x", "text", authorization=token)
    return log.last()


def test_a_weak_name_with_overlap_in_two_reads() -> None:
    judged = overlapping(2)
    assert judged.tenant_variable == "team"
    assert rules(judged) == ["principal/foreign-tenant-by-claim likely"]


def test_one_overlap_is_not_enough() -> None:
    assert not overlapping(1).findings


def test_tenant_fields_of_the_policy() -> None:
    policy = {**ACME_ONLY, "tenant_fields": ["team"]}
    assert rules(one("r://{team}/{leaf}", "r://northwind/x", "text", policy)) == [FOREIGN]


def test_tenant_fields_may_name_a_document_field() -> None:
    policy = {**ACME_ONLY, "tenant_fields": ["holder"]}
    assert rules(one("task://{gid}", "task://5", {"gid": "5", "holder": "northwind"}, policy)) == [FOREIGN]
    silent = one("task://{gid}", "task://5", {"gid": "5"}, policy)
    assert silent.principal.verdict == "cannot_tell"


def test_a_document_field_of_a_strong_name_names_the_tenant() -> None:
    judged = one("r://{place}/{leaf}", "r://northwind/x", {"tenant": "northwind", "leaf": "x"}, ACME_ONLY)
    assert rules(judged) == [FOREIGN]


def test_tenant_of_a_variable() -> None:
    template = "r://{place}/{leaf}"
    policy = {**ACME_ONLY, "tenant_of": {template: {"variable": "place"}}}
    assert rules(one(template, "r://northwind/x", "text", policy)) == [FOREIGN]
    assert said(one(template, "r://acme/x", "text", policy).principal) == "allowed inside-allowed"


SRV = "file:///srv/{+path}"


@pytest.mark.parametrize(
    ("uri", "segment", "expected"),
    [
        ("file:///srv/northwind/x", 1, "not_checked outside-allowed"),
        ("file:///srv/acme/x", 1, "allowed inside-allowed"),
        ("file:///srv/eu/acme/x", 2, "allowed inside-allowed"),
        ("file:///srv/acme/northwind/x", 2, "not_checked outside-allowed"),
        ("file:///srv/acme/../northwind/x", 1, "not_checked outside-allowed"),
        ("file:///srv/northwind/../acme/x", 1, "allowed inside-allowed"),
        ("file:///srv/acme%2F..%2Fnorthwind%2Fx", 1, "not_checked outside-allowed"),
        ("file:///srv/acme%2Fx", 1, "allowed inside-allowed"),
    ],
)
def test_tenant_of_a_segment_after_dots_are_resolved(uri: str, segment: int, expected: str) -> None:
    policy = {**ACME_ONLY, "tenant_of": {SRV: {"variable": "path", "segment": segment}}}
    assert said(one(SRV, uri, "text", policy).principal) == expected


def test_tenant_of_a_field() -> None:
    template = "task://{gid}"
    policy = {**ACME_ONLY, "tenant_of": {template: {"field": "holder"}}}
    assert rules(one(template, "task://5", {"gid": "5", "holder": "northwind"}, policy)) == [FOREIGN]


def test_tenant_of_nothing() -> None:
    template = "r://{tenant}/{leaf}"
    policy = {**ACME_ONLY, "tenant_of": {template: None}}
    judged = one(template, "r://northwind/x", "text", policy)
    assert said(judged.principal) == "cannot_tell no-tenant"
    assert not judged.findings


@pytest.mark.parametrize("names", [("tenant", "account"), ("org", "customer")])
def test_two_strong_names_are_asked_about(names: tuple[str, str]) -> None:
    judged = one(f"r://{{{names[0]}}}/{{{names[1]}}}", "r://northwind/x", "text", ACME_ONLY)
    assert said(judged.principal) == "cannot_tell ambiguous-tenant"
    assert not judged.findings


def test_the_policy_decides_between_two_strong_names() -> None:
    policy = {**ACME_ONLY, "tenant_fields": ["account"]}
    assert said(one("r://{tenant}/{account}", "r://x/acme", "text", policy).principal) == "allowed inside-allowed"


def test_a_tenant_learnt_from_overlap_counts_for_reads_before() -> None:
    token = bearer(sub="auth0|7", iss="i", tenant="acme")
    log = Log("r://{team}/{leaf}")
    log.read("r://northwind/x", "text", authorization=token)
    log.read("r://acme/1", "text", authorization=token)
    log.read("r://acme/2", "text", authorization=token)
    assert rules(log.judge()[0]) == ["principal/foreign-tenant-by-claim likely"]


def test_a_query_variable_can_be_the_tenant() -> None:
    assert rules(one("usage://month{?tenant}", "usage://month?tenant=northwind", "text", ACME_ONLY)) == [FOREIGN]


def test_an_omitted_tenant_is_no_tenant() -> None:
    judged = one("usage://month{?tenant}", "usage://month", "text", ACME_ONLY)
    assert judged.principal.verdict == "cannot_tell"
    assert not judged.findings


def test_an_injected_tenant_in_the_document_is_judged() -> None:
    body = {"tenant": "northwind", "month": "2025-10"}
    judged = one("r://{tenant}/{month}", "r://acme/2025-10?tenant=northwind", body, ACME_ONLY)
    assert rules(judged) == [FOREIGN, "segments/smuggled-parameter certain"]


@pytest.mark.parametrize("body", ["Unlike northwind, we sail.", {"peers": [{"tenant": "northwind"}], "a": 1}])
def test_mentions_of_other_tenants_are_innocent(body: Any) -> None:
    judged = one("r://{tenant}/{leaf}", "r://acme/x", body, ACME_ONLY)
    assert said(judged.principal) == "allowed inside-allowed"


def _principal(template: str, uri: str, document: object, allowed: list[str]) -> tuple[str, str]:
    log = Log(template)
    log.read(uri, json.dumps(document))
    answer = log.last({"principals": [{"id": "ana", "sessions": ["s1"], "allowed_tenants": allowed}]}).principal
    return answer.verdict.value, answer.reason


def test_a_tenant_that_is_a_number_may_be_spelled_either_way_in_the_policy() -> None:
    for allowed, verdict in ((["7"], "allowed"), (["007"], "allowed"), (["8"], "not_checked")):
        assert _principal("r://{tenant}/{m}", "r://007/1", {"tenant": 7, "m": 1}, allowed)[0] == verdict


def test_of_two_parameters_with_the_tenants_name_none_is_believed() -> None:
    template, uri = "q://x{?tenant,m}", "q://x?tenant=acme&tenant=northwind"
    assert _principal(template, uri, {"v": 1}, ["acme"]) == ("cannot_tell", "ambiguous-tenant")
    assert _principal(template, uri, {"tenant": "acme"}, ["acme"]) == ("allowed", "inside-allowed")
    assert _principal(template, "q://x?tenant=acme&tenant=acme", {"v": 1}, ["acme"]) == ("allowed", "inside-allowed")


def test_a_document_of_other_tenants_only_clears_nobody() -> None:
    found = _principal("r://{tenant}/{m}", "r://acme/1", {"tenant": ["northwind", "globex"]}, ["acme"])
    assert found == ("cannot_tell", "ambiguous-tenant")

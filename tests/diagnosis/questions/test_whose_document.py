"""Whose document came back, where the answer names more than one tenant or names it oddly."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.diagnosis.questions.build import ACME_ONLY, Log, content, one, remarks, rules, said


def policy(*tenants: str) -> dict[str, Any]:
    return {"principals": [{"id": "ana", "sessions": ["s1"], "allowed_tenants": list(tenants)}]}


REPORT = "report://{tenant}/{month}"
OWN = "report://acme/2025-10"
FOREIGN = ["principal/foreign-tenant certain"]


def test_a_further_response_is_judged_by_its_own_document() -> None:
    log = Log(REPORT)
    number = log.request(OWN)
    log.reply({"id": number, "result": {"contents": [content(OWN, {"tenant": "acme", "month": "2025-10"})]}})
    log.reply({"id": number, "result": {"contents": [content(OWN, {"tenant": "northwind", "month": "2025-10"})]}})
    judged = log.last(ACME_ONLY)
    assert said(judged.principal) == "allowed inside-allowed"
    assert rules(judged) == FOREIGN
    assert {"extra-response", "document-mismatch"} <= set(remarks(judged))


def test_a_redacted_tenant_beside_the_own_one_accuses_nobody() -> None:
    items = [content(OWN, {"tenant": "acme", "month": "2025-10"}), content(OWN, {"tenant": "[REDACTED]"})]
    assert not one(REPORT, OWN, policy=ACME_ONLY, result={"contents": items}).findings


def test_tenant_of_a_path_segment_does_not_hide_the_documents_own_tenant() -> None:
    placed = {**ACME_ONLY, "tenant_of": {"file:///srv/{+path}": {"variable": "path", "segment": 1}}}
    judged = one("file:///srv/{+path}", "file:///srv/acme/a.json", {"tenant": "northwind"}, placed)
    assert rules(judged) == FOREIGN


def test_an_absent_optional_tenant_is_no_second_one() -> None:
    judged = one("report://{tenant}/x{?account}", "report://northwind/x", {"tenant": "northwind"}, ACME_ONLY)
    assert rules(judged) == FOREIGN


@pytest.mark.parametrize("body", ['{"account": 12}', '{"account": 12.0}', '{"account": "0012"}'])
def test_a_number_is_the_tenant_it_was_asked_for_as(body: str) -> None:
    judged = one("bill://{account}", "bill://0012", json.loads(body), policy("0012"))
    assert said(judged.principal) == "allowed inside-allowed"


def test_a_listed_uri_is_not_taken_apart_by_a_template_that_it_escapes() -> None:
    log = Log("docs://{tenant}")
    log.resources("docs://acme/handbook")
    log.read("docs://acme/handbook", {"title": "Handbook"})
    judged = log.last(ACME_ONLY)
    assert said(judged.segments) == "intact listed"
    assert [said(each) for each in judged.answers[1:]] == ["cannot_tell echo-only", "cannot_tell no-tenant"]


def test_a_prefix_is_no_whole_tenant() -> None:
    assert said(one("r://{tenant:3}", "r://acm", "x", ACME_ONLY).principal) == "cannot_tell no-tenant"


@pytest.mark.parametrize("body", ["null", "[]", "{}"])
def test_nothing_was_served(body: str) -> None:
    judged = one(REPORT, "report://northwind/2025-10", body, ACME_ONLY, mime="application/json")
    assert said(judged.principal) == "cannot_tell no-document"


def test_a_tenant_that_stands_twice_is_undecided() -> None:
    body = '{"tenant": "northwind", "month": "2025-10", "tenant": "acme"}'
    judged = one(REPORT, OWN, body, ACME_ONLY, mime="application/json")
    assert [said(each) for each in judged.answers[1:]] == ["cannot_tell lossy", "cannot_tell lossy"]


def test_an_ambiguity_found_later_undoes_nothing() -> None:
    log = Log("docs://{team}/{project}")
    for uri in ("docs://acme/p1", "docs://acme/p2", "docs://northwind/p3"):
        log.read(uri, "text")
    before = [rules(each) for each in log.judge(ACME_ONLY)]
    for uri in ("docs://t1/acme", "docs://t2/acme"):
        log.read(uri, "text")
    assert before[2] == ["principal/foreign-tenant likely"]
    assert [rules(each) for each in log.judge(ACME_ONLY)][:3] == before


def test_a_name_learnt_later_does_not_shadow_the_documents_tenant() -> None:
    log = Log("docs://{project}/{doc}")
    log.read("docs://acme/x", {"project": "acme", "doc": "x", "tenant": "northwind"})
    assert rules(log.last(ACME_ONLY)) == FOREIGN
    log.read("docs://acme/y", "text")
    assert rules(log.judge(ACME_ONLY)[0]) == FOREIGN


def test_an_echo_speaks_where_the_fields_are_silent() -> None:
    judged = one(REPORT, OWN, {"month": "2025-10"}, ACME_ONLY, echo="report://northwind/2025-10")
    assert said(judged.document) == "mismatch differs"


def test_a_repeated_parameter_is_smuggled() -> None:
    judged = one("r://x{?month}", "r://x?month=2025-10&month=2025-11", {"month": "2025-10"})
    assert rules(judged) == ["segments/smuggled-parameter certain"]


def test_a_timeout_is_no_refusal_by_contrast() -> None:
    both = {
        "principals": [
            {"id": "ana", "sessions": ["s1"], "allowed_tenants": ["acme"]},
            {"id": "ben", "sessions": ["s2"], "allowed_tenants": ["northwind"]},
        ]
    }
    log = Log(REPORT)
    log.read("report://northwind/2025-10", error={"code": -32603, "message": "database timeout"})
    log.read("report://northwind/2025-10", "text", session="s2")
    assert said(log.judge(both)[0].principal) == "cannot_tell not-found"


def test_a_document_that_nobody_asked_for_is_a_remark() -> None:
    own = {"tenant": "acme", "month": "2025-10"}
    items = [content(OWN, own), content("report://acme/2025-11", {"tenant": "acme", "month": "2025-11"})]
    judged = one(REPORT, OWN, policy=ACME_ONLY, result={"contents": items})
    assert "document-mismatch" in remarks(judged)
    child = [content(OWN, own), content(f"{OWN}/annex", {"title": "Annex"})]
    assert "document-mismatch" not in remarks(one(REPORT, OWN, policy=ACME_ONLY, result={"contents": child}))

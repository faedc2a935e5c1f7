"""Question 3: the table of verdicts, with a policy that names the caller."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.questions.build import ACME_ONLY, SILENT, Log, content, one, remarks, rules, said

REPORT = "report://{tenant}/{month}"
OWN, FOREIGN = "report://acme/2025-10", "report://northwind/2025-10"


def doc(tenant: str) -> dict[str, str]:
    """A report of a tenant."""
    return {"tenant": tenant, "month": "2025-10"}


def policy(*allowed: str, **more: Any) -> dict[str, Any]:
    """A policy whose caller of session s1 may see `allowed`; `admin` is the caller's, the rest the policy's."""
    caller = {"id": "ana", "sessions": ["s1"], "allowed_tenants": list(allowed), "admin": more.pop("admin", False)}
    return {"principals": [caller], **more}


def test_a_foreign_document_is_a_certain_missing_authorization() -> None:
    judged = one(REPORT, FOREIGN, doc("northwind"), ACME_ONLY)
    assert said(judged.principal) == "not_checked outside-allowed"
    assert rules(judged) == ["principal/foreign-tenant certain"]


def test_the_document_may_be_silent() -> None:
    assert rules(one(REPORT, FOREIGN, "Revenue grew.", ACME_ONLY)) == ["principal/foreign-tenant certain"]


def test_the_own_document_is_allowed() -> None:
    judged = one(REPORT, OWN, doc("acme"), ACME_ONLY)
    assert said(judged.principal) == "allowed inside-allowed"
    assert not judged.findings


def test_allow_words_count_like_a_policy() -> None:
    log = Log(REPORT)
    log.read(FOREIGN, doc("northwind"))
    assert rules(log.last(allow=("acme",))) == ["principal/foreign-tenant certain"]
    assert said(log.last(allow=("s1=acme,northwind",)).principal) == "allowed inside-allowed"


def test_no_answer() -> None:
    assert said(one(REPORT, FOREIGN, SILENT, ACME_ONLY).principal) == "cannot_tell no-answer"


def test_a_cancelled_read_has_no_answer() -> None:
    log = Log(REPORT)
    number = log.request(FOREIGN)
    log.send({"method": "notifications/cancelled", "params": {"requestId": number}})
    assert said(log.last(ACME_ONLY).principal) == "cannot_tell no-answer"


def test_a_late_answer_to_a_cancelled_read_counts_as_delivered() -> None:
    log = Log(REPORT)
    number = log.request(FOREIGN)
    log.send({"method": "notifications/cancelled", "params": {"requestId": number}})
    item = {"uri": FOREIGN, "text": "Revenue grew."}
    log.reply({"id": number, "result": {"contents": [item]}})
    assert rules(log.last(ACME_ONLY)) == ["principal/foreign-tenant certain"]


def test_input_required_is_no_answer() -> None:
    judged = one(REPORT, FOREIGN, policy=ACME_ONLY, result={"resultType": "input_required", "requestState": "x"})
    assert said(judged.principal) == "cannot_tell no-answer"


def test_whole_names_and_never_prefixes() -> None:
    for tenant in ("acme-eu", "acm", "acmes", "not-acme"):
        judged = one(REPORT, f"report://{tenant}/2025-10", doc(tenant), ACME_ONLY)
        assert rules(judged) == ["principal/foreign-tenant certain"]


@pytest.mark.parametrize("tenant", ["ACME", "Acme"])
def test_a_difference_of_case_only(tenant: str) -> None:
    judged = one(REPORT, f"report://{tenant}/2025-10", doc(tenant), ACME_ONLY)
    assert said(judged.principal) == "cannot_tell case-only"
    assert not judged.findings


def test_shared_tenants() -> None:
    judged = one(REPORT, "report://public/2025-10", doc("public"), policy("acme", shared_tenants=["public"]))
    assert said(judged.principal) == "allowed shared"


def test_shared_tenants_need_no_known_caller() -> None:
    nobody = one(REPORT, "report://public/2025-10", doc("public"), {"principals": [], "shared_tenants": ["public"]})
    assert said(nobody.principal) == "allowed shared"
    log = Log(REPORT, session="s2")
    log.read("report://public/2025-10", doc("public"))
    assert said(log.last(policy("acme", shared_tenants=["public"])).principal) == "allowed shared"


def test_a_foreign_document_under_a_shared_uri() -> None:
    judged = one(REPORT, "report://public/2025-10", doc("northwind"), policy("acme", shared_tenants=["public"]))
    assert rules(judged) == ["principal/foreign-tenant certain"]


def test_an_empty_allowed_list_is_known() -> None:
    empty = policy(shared_tenants=["public"])
    assert rules(one(REPORT, OWN, doc("acme"), empty)) == ["principal/foreign-tenant certain"]
    assert said(one(REPORT, "report://public/2025-10", doc("public"), empty).principal) == "allowed shared"


def test_an_administrator_of_the_policy() -> None:
    judged = one(REPORT, FOREIGN, doc("northwind"), policy("acme", admin=True))
    assert said(judged.principal) == "allowed administrator"
    assert not judged.findings


def test_the_received_tenant_goes_before_the_requested_one() -> None:
    judged = one(REPORT, OWN, doc("northwind"), ACME_ONLY)
    assert judged.document.verdict == "mismatch"
    assert rules(judged) == ["principal/foreign-tenant certain"]
    assert "acme" in judged.principal.because
    assert "northwind" in judged.principal.because


def test_an_own_document_under_a_foreign_uri_is_allowed() -> None:
    judged = one(REPORT, FOREIGN, doc("acme"), ACME_ONLY)
    assert said(judged.principal) == "allowed inside-allowed"
    assert "document-mismatch" in remarks(judged)
    assert not judged.findings


@pytest.mark.parametrize("echo", [OWN, FOREIGN])
def test_a_foreign_document_beside_the_own_one(echo: str) -> None:
    items = [content(OWN, doc("acme")), content(echo, doc("northwind"))]
    judged = one(REPORT, OWN, policy=ACME_ONLY, result={"contents": items})
    assert rules(judged) == ["principal/foreign-tenant certain"]


def test_the_tenant_is_decoded_once() -> None:
    encoded = one(REPORT, "report://north%20wind/2025-10", "x", policy("north wind"))
    assert said(encoded.principal) == "allowed inside-allowed"


def test_a_double_decode_may_have_passed_a_check_that_saw_another_tenant() -> None:
    judged = one(REPORT, "report://north%252Fwind/2025-10", doc("north/wind"), policy("north%2Fwind"))
    assert sorted(finding.split()[0] for finding in rules(judged)) == [
        "document/decoded-twice",
        "principal/foreign-tenant",
    ]


def test_all_three_on_one_read() -> None:
    judged = one(REPORT, "report://a b%252Fc/2025-10", doc("a b/c"), ACME_ONLY)
    assert [answer.verdict for answer in judged.answers] == ["escaped", "mismatch", "not_checked"]
    assert len(judged.findings) == 3


@pytest.mark.parametrize("result", [{"contents": []}, {"contents": None}])
def test_success_without_content_is_no_missing_authorization(result: dict[str, Any]) -> None:
    judged = one(REPORT, FOREIGN, policy=ACME_ONLY, result=result)
    assert judged.principal.verdict == "cannot_tell"
    assert not judged.findings


def test_the_essays_two_messages() -> None:
    log = Log(server="", session=None)
    log.read(FOREIGN, doc("northwind"))
    judged = log.last(given=(REPORT,))
    assert [said(answer) for answer in judged.answers] == [
        "intact strict",
        "match fields-agree",
        "cannot_tell no-principal",
    ]
    assert "northwind" in judged.principal.because + judged.principal.missing
    assert rules(log.last(given=(REPORT,), allow=("acme",))) == ["principal/foreign-tenant certain"]


def test_a_session_that_the_policy_does_not_list_is_unknown() -> None:
    log = Log(REPORT, session="s2")
    log.read(FOREIGN, doc("northwind"))
    judged = log.last(ACME_ONLY)
    assert said(judged.principal) == "cannot_tell unknown-session"
    assert not judged.findings


def test_a_policy_that_does_not_know_the_tenants() -> None:
    unknown = {"principals": [{"id": "ana", "sessions": ["s1"], "allowed_tenants": None}]}
    assert said(one(REPORT, FOREIGN, doc("northwind"), unknown).principal) == "cannot_tell no-allowed-set"


def test_no_template_and_no_field() -> None:
    log = Log()
    log.read(FOREIGN)
    assert said(log.last(ACME_ONLY).principal) == "cannot_tell no-template"


def test_no_tenant_variable() -> None:
    assert said(one("note://{item}", "note://5", "text", ACME_ONLY).principal) == "cannot_tell no-tenant"


def test_several_readings_that_differ_in_the_tenant() -> None:
    judged = one("r://{+tenant}{.ext}", "r://acme.x.y", "text", ACME_ONLY)
    assert said(judged.principal) == "cannot_tell several-readings"


def test_a_redacted_tenant() -> None:
    judged = one(REPORT, "report://[REDACTED]/2025-10", "text", ACME_ONLY)
    assert judged.principal.verdict == "cannot_tell"
    assert not judged.findings

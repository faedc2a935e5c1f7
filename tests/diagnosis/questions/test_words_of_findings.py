"""The sentences that every finding of a kind carries."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.questions.build import ACME_ONLY, Log, bearer, one, remarks

REPORT = "report://{tenant}/{month}"
FOREIGN = "report://northwind/2025-10"


def words(judged: Any) -> str:
    """Everything that the findings of a read say, and the pages of their rules."""
    told: list[str] = []
    for finding in judged.findings:
        rule = finding.rule
        told += [finding.summary, finding.because, finding.fix, rule.why, rule.fix, rule.not_this]
    assert told
    return " ".join(told)


ENCODING = ["report://a&b/x", "report://a b/x", "report://a/b/x", "report://a+b/x", "report://{tenant}/x",
            "report://acme/x?tenant=northwind"]  # fmt: skip


@pytest.mark.parametrize("uri", ENCODING)
def test_an_encoding_finding_leaves_question_3_where_it_was(uri: str) -> None:
    assert "Repairing this leaves question 3 where it was." in words(one(REPORT, uri))


DECODES = [
    ({"tenant": "a/b", "month": "x"}, "report://a%252Fb/x"),
    ("some text", "report://a%252Fb/x"),
    ({"tenant": "northwind", "month": "2025-10"}, "report://acme/..%252Fnorthwind%252F2025-10"),
]


@pytest.mark.parametrize(("body", "uri"), DECODES)
def test_a_double_decode_says_what_a_check_saw(body: Any, uri: str) -> None:
    echo = "report://a/b/x" if isinstance(body, str) else uri
    told = words(one(REPORT, uri, body, echo=echo))
    assert "A check placed between the two decodes saw neither what the client sent nor what storage saw." in told


def test_not_checked_says_that_the_policy_may_be_out_of_date() -> None:
    told = words(one(REPORT, FOREIGN, {"tenant": "northwind", "month": "2025-10"}, ACME_ONLY))
    assert "no effective check" in told.replace("*", "")
    assert "policy is out of date" in told


def test_a_claim_is_called_unverified() -> None:
    token = bearer(sub="auth0|7", iss="i", tenant="acme")
    log = Log(REPORT)
    log.read("report://acme/2025-10", authorization=token)
    log.read(FOREIGN, authorization=token)
    assert "unverified claim" in words(log.last())


def test_allowed_is_never_called_checked() -> None:
    judged = one(REPORT, "report://acme/2025-10", {"tenant": "acme"}, ACME_ONLY)
    assert "no check" in judged.principal.because


def test_the_check_and_the_storage_may_have_seen_different_tenants() -> None:
    policy = {"principals": [{"id": "ana", "sessions": ["s1"], "allowed_tenants": ["north%2Fwind"]}]}
    judged = one(REPORT, "report://north%252Fwind/x", {"tenant": "north/wind", "month": "x"}, policy)
    told = words(judged) + judged.principal.because
    assert "the check and the storage may have seen different tenants" in told


def test_distinguishable_errors_are_an_oracle() -> None:
    log = Log(REPORT)
    log.read("report://nowhere/2025-10", error={"code": -32002, "message": "Resource not found"})
    log.read(FOREIGN, error={"code": -32001, "message": "Forbidden"})
    assert "existence-oracle" in remarks(log.last(ACME_ONLY))


def test_every_finding_and_remark_has_evidence() -> None:
    for uri in (*ENCODING, "report://a%252Fb/x", "report://acme/null", "report://acme/..%2Fx"):
        judged = one(REPORT, uri, {"tenant": "a/b"}, ACME_ONLY)
        for each in (*judged.findings, *judged.remarks):
            assert each.evidence, each.rule.id
            assert all(evidence.what for evidence in each.evidence)

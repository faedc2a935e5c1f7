"""What several reads show together, with every count worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from diagnosis.comparison import CheckState, Radii, checks, contrast_pairs, exposures, matrix
from diagnosis.questions.judgement import Judgement
from tests.diagnosis.questions.build import NOT_FOUND, Log

REPORT = "report://{tenant}/{month}"
NORTHWIND = "report://northwind/2025-10"
TWO: dict[str, Any] = {
    "principals": [
        {"id": "ana", "sessions": ["s1"], "allowed_tenants": ["acme"]},
        {"id": "ben", "sessions": ["s2"], "allowed_tenants": ["northwind"]},
    ]
}


def document(tenant: str, month: str = "2025-10") -> dict[str, str]:
    return {"tenant": tenant, "month": month}


def served(log: Log, tenant: str, session: str, month: str = "2025-10", ts: str | None = None) -> None:
    log.read(f"report://{tenant}/{month}", document(tenant, month), session=session, ts=ts)


def refused(log: Log, tenant: str, session: str, ts: str | None = None) -> None:
    log.read(f"report://{tenant}/2025-10", error=NOT_FOUND, session=session, ts=ts)


def both(second: str = "2026-11-02T10:05:00Z") -> list[Judgement]:
    """Northwind's report refused to ana, and served to ben."""
    log = Log(REPORT)
    refused(log, "northwind", "s1", "2026-11-02T10:00:00Z")
    served(log, "northwind", "s2", ts=second)
    return log.judge(TWO)


def test_exposures_group_by_tenant_received_caller_and_template() -> None:
    log = Log(REPORT)
    served(log, "northwind", "s1", "2025-09")
    served(log, "northwind", "s1", "2025-10")
    served(log, "acme", "s1")
    refused(log, "northwind", "s1")
    found = exposures(log.judge(TWO))
    assert [(e.tenant, e.caller, e.template, e.reads) for e in found] == [
        ("northwind", "ana", REPORT, 2),
        ("acme", "ana", REPORT, 1),
    ]
    assert found[0].uris == ("report://northwind/2025-09", NORTHWIND)


def test_the_tenant_received_is_what_was_exposed() -> None:
    log = Log(REPORT)
    log.read("report://acme/2025-10", document("northwind"), session="s1")
    assert [each.tenant for each in exposures(log.judge(TWO))] == ["northwind"]


def test_the_matrix_puts_foreign_cells_first() -> None:
    log = Log(REPORT)
    served(log, "northwind", "s2")
    served(log, "acme", "s1")
    served(log, "northwind", "s1")
    served(log, "northwind", "s1", "2025-09")
    rows = matrix(log.judge(TWO))
    assert [(row.caller, row.basis, row.reads, row.foreign) for row in rows] == [
        ("ana", "principal", (("acme", 1), ("northwind", 2)), ("northwind",)),
        ("ben", "principal", (("northwind", 1),), ()),
    ]


def test_without_principals_the_lopsided_session_comes_first() -> None:
    log = Log(REPORT)
    for month in ("01", "02"):
        served(log, "acme", "s1", month)
        served(log, "northwind", "s1", month)
    for month in ("01", "02", "03"):
        served(log, "acme", "s2", month)
    served(log, "northwind", "s2", "09")
    assert [(row.caller, row.basis) for row in matrix(log.judge())] == [("s2", "session"), ("s1", "session")]


def test_a_contrast_pair_evidences_a_check() -> None:
    judgements = both()
    (pair,) = contrast_pairs(judgements)
    assert (pair.refused.read.session, pair.served.read.session) == ("s1", "s2")
    (check,) = checks(judgements)
    assert (check.template, check.state, check.violations) == (REPORT, CheckState.EVIDENCED, 0)


@pytest.mark.parametrize(
    ("second", "pairs"),
    [("2026-11-02T10:10:00Z", 1), ("2026-11-02T10:10:01Z", 0)],
)
def test_ten_minutes_are_close(second: str, pairs: int) -> None:
    assert len(contrast_pairs(both(second))) == pairs


def test_reads_without_a_time_are_no_pair() -> None:
    log = Log(REPORT)
    refused(log, "northwind", "s1")
    served(log, "northwind", "s2")
    assert contrast_pairs(log.judge(TWO)) == ()


def test_the_same_caller_is_no_contrast() -> None:
    log = Log(REPORT)
    refused(log, "northwind", "s1", "2026-11-02T10:00:00Z")
    served(log, "northwind", "s1", ts="2026-11-02T10:00:01Z")
    assert contrast_pairs(log.judge(TWO)) == ()


def test_a_path_screen_explains_a_refusal() -> None:
    log = Log(REPORT)
    uri = "report://northwind/..%2F2025"
    log.read(uri, error=NOT_FOUND, session="s1", ts="2026-11-02T10:00:00Z")
    log.read(uri, {"tenant": "northwind"}, session="s2", ts="2026-11-02T10:00:01Z")
    assert contrast_pairs(log.judge(TWO)) == ()


def test_a_violation_means_missing_and_both_mean_inconsistent() -> None:
    log = Log(REPORT)
    served(log, "northwind", "s1", ts="2026-11-02T10:00:00Z")
    assert [each.state for each in checks(log.judge(TWO))] == [CheckState.MISSING]
    refused(log, "northwind", "s1", "2026-11-02T10:01:00Z")
    served(log, "northwind", "s2", ts="2026-11-02T10:02:00Z")
    (check,) = checks(log.judge(TWO))
    assert (check.state, check.violations, len(check.pairs)) == (CheckState.INCONSISTENT, 1, 1)


def test_allowed_reads_prove_no_check() -> None:
    log = Log(REPORT)
    served(log, "acme", "s1")
    assert [each.state for each in checks(log.judge(TWO))] == [CheckState.NOT_EVIDENCED]


def test_blast_radius_counts_the_same_defect_and_the_same_cell() -> None:
    log = Log(REPORT, "draft://{tenant}/{month}")
    served(log, "northwind", "s1", "2025-09")  # 0: the finding
    served(log, "northwind", "s1", "2025-10")  # 1: the same defect and cell
    served(log, "acme", "s1")  # 2: allowed
    log.read("draft://northwind/2025-10", document("northwind"), session="s1")  # 3: the cell, another template
    served(log, "acme", "s2")  # 4: the same defect, another caller
    judgements = log.judge(TWO)
    radius = Radii(judgements).of(judgements[0], "principal/foreign-tenant")
    assert radius.same_defect == (1, 4)
    assert radius.same_cell == (1, 3)

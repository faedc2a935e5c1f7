"""Question 3: which errors are refusals, and which cannot be told from absence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.diagnosis.questions.build import ACME_ONLY, NOT_FOUND, Log, judged_file, one, remarks, said

REPORT = "report://{tenant}/{month}"
FOREIGN = "report://northwind/2025-10"
BOTH = {
    "principals": [
        {"id": "ana", "sessions": ["s1"], "allowed_tenants": ["acme"]},
        {"id": "nora", "sessions": ["s2"], "allowed_tenants": ["northwind"]},
    ]
}

WORDS = [
    "Access denied", "Forbidden", "Permission denied", "You are not authorized to read this", "Unauthorized",
    "403 Forbidden", "Not allowed to access this tenant",
]  # fmt: skip


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("code", [-32001, -32603, 0])
def test_explicit_words_are_a_refusal(words: str, code: int) -> None:
    judged = one(REPORT, FOREIGN, policy=ACME_ONLY, error={"code": code, "message": words})
    assert said(judged.principal) == "refused forbidden"
    assert not judged.findings


@pytest.mark.parametrize("code", [401, 403])
def test_http_codes_as_json_rpc_codes(code: int) -> None:
    judged = one(REPORT, FOREIGN, policy=ACME_ONLY, error={"code": code, "message": "error"})
    assert said(judged.principal) == "refused forbidden"


CODES = [
    (-32002, "Resource not found"),
    (-32602, "Unknown resource"),
    (0, "Unknown resource"),
    (-32603, "Internal error"),
    (-32001, "boom"),
    (404, "Not Found"),
    (500, "error"),
]


@pytest.mark.parametrize(("code", "words"), CODES)
def test_any_other_error_is_not_found(code: int, words: str) -> None:
    judged = one(REPORT, FOREIGN, policy=ACME_ONLY, error={"code": code, "message": words})
    assert said(judged.principal) == "cannot_tell not-found"
    assert not judged.findings


NO_REFUSALS = [
    # The phrase is turned round.
    "no permission issues found; internal failure",
    "No permission errors, but the render failed",
    "The tenant is not forbidden; the month is out of range",
    "Failed without access denied; see the log",
    # The operating system, a disk or a database refused the server.
    "disk error: permission denied opening /var/cache/x",
    "Permission denied: '/var/cache/reports/x'",
    "open /srv/reports/x: permission denied",
    "open C:\\\\reports\\\\x: Access is denied.",
    "Permission denied (os error 13)",
    "permission denied for table reports",
    "Access denied for user 'app'@'10.0.0.7'",
    # A limit refused, whoever asked.
    "Access denied: rate limit exceeded",
    "Forbidden: too many requests",
]


@pytest.mark.parametrize("words", NO_REFUSALS)
def test_words_that_refuse_nobody(words: str) -> None:
    judged = one(REPORT, FOREIGN, policy=ACME_ONLY, error={"code": -32603, "message": words})
    assert said(judged.principal) == "cannot_tell not-found"


def test_an_error_that_names_its_cause_lists_no_others() -> None:
    error = {"code": -32603, "message": "Access denied: rate limit exceeded"}
    judged = one(REPORT, FOREIGN, policy=ACME_ONLY, error=error)
    assert "absence" not in judged.principal.because
    assert "rate limit as its cause" in judged.principal.because


STILL_REFUSALS = [
    "Not found? No. Forbidden.",
    "You have no permission to read this",
    "User ana has no permissions for northwind",
    "Access denied: /tenants/northwind",
    "Not allowed to read /northwind/2025-10",
    "Access denied - path outside allowed directories",
    "Forbidden: no permission errors are shown to callers",
    "Unauthorized: token expired",
    "authentication required",
]


@pytest.mark.parametrize("words", STILL_REFUSALS)
def test_words_that_refuse_all_the_same(words: str) -> None:
    judged = one(REPORT, FOREIGN, policy=ACME_ONLY, error={"code": -32001, "message": words})
    assert said(judged.principal) == "refused forbidden"


@pytest.mark.parametrize("uri", ["report://forbidden/2025-10", "report://access%20denied/2025-10"])
def test_words_inside_the_quoted_uri_do_not_count(uri: str) -> None:
    error = {"code": -32602, "message": f"Unknown resource: {uri}", "data": {"uri": uri}}
    assert said(one(REPORT, uri, error=error).principal) == "cannot_tell not-found"


def test_words_beside_the_quoted_uri_do_count() -> None:
    error = {"code": -32602, "message": f"Access denied: {FOREIGN}"}
    assert said(one(REPORT, FOREIGN, policy=ACME_ONLY, error=error).principal) == "refused forbidden"


def test_a_refusal_needs_no_known_caller() -> None:
    judged = one(REPORT, FOREIGN, error={"code": -32001, "message": "Forbidden"})
    assert said(judged.principal) == "refused forbidden"


def test_an_explicit_refusal_of_a_foreign_tenant_is_a_possible_oracle() -> None:
    log = Log(REPORT)
    log.read(FOREIGN, error={"code": -32001, "message": "Forbidden"})
    judged = log.last(ACME_ONLY)
    found = [remark for remark in judged.remarks if remark.rule.id == "remark/existence-oracle"]
    assert [str(remark.certainty) for remark in found] == ["possible"]


def contrast(
    uri: str = FOREIGN,
    policy: Any = BOTH,
    error: Any = NOT_FOUND,
    served: str | None = None,
    session: str = "s2",
    template: str = REPORT,
) -> Any:
    """Nora is served a URI, ana is not."""
    log = Log(template)
    log.templates(template, session=session)
    log.read(served or uri, session=session)
    log.read(uri, error=error)
    return log.last(policy)


def test_a_not_found_by_contrast_is_a_refusal() -> None:
    judged = contrast()
    assert said(judged.principal) == "refused contrast"
    assert not judged.findings


def test_the_contrast_may_come_later() -> None:
    log = Log(REPORT)
    log.templates(REPORT, session="s2")
    log.read(FOREIGN, error=NOT_FOUND)
    log.read(FOREIGN, session="s2")
    assert said(log.judge(BOTH)[0].principal) == "refused contrast"


def apart(refused: str | None, served: str | None, between: int = 0) -> str:
    """Ana is refused at a time, nora is served at another one; so many notifications stand between the two."""
    log = Log(REPORT)
    log.templates(REPORT, session="s2")
    log.read(FOREIGN, error=NOT_FOUND, ts=refused)
    for _ in range(between):
        log.reply({"method": "notifications/resources/list_changed"})
    log.read(FOREIGN, session="s2", ts=served)
    return said(log.judge(BOTH)[0].principal)


@pytest.mark.parametrize(
    ("refused", "served", "reason"),
    [
        ("2026-11-02T10:05:00Z", "2026-11-02T10:15:00Z", "refused contrast"),
        ("2026-11-02T10:15:00Z", "2026-11-02T10:05:00Z", "refused contrast"),
        ("2026-11-02T10:05:00Z", "2026-11-02T12:14:59+02:00", "refused contrast"),
        ("2026-11-02T10:05:00Z", "2026-11-02T10:15:01Z", "cannot_tell not-found"),
        ("2026-11-02T10:15:01Z", "2026-11-02T10:05:00Z", "cannot_tell not-found"),
        ("2026-11-02T10:05:00Z", "2026-11-09T10:05:00Z", "cannot_tell not-found"),
        # Without a zone the times of one capture can still be compared with one another.
        ("2026-11-02 10:05:00", "2026-11-02 10:15:00", "refused contrast"),
        ("2026-11-02 10:05:00", "2026-11-09 10:05:00", "cannot_tell not-found"),
    ],
)
def test_a_contrast_must_lie_close_in_time(refused: str, served: str, reason: str) -> None:
    assert apart(refused, served) == reason


@pytest.mark.parametrize(
    ("times", "between", "reason"),
    [
        # The refusal and its answer stand between the two requests as well.
        ((None, None), 98, "refused contrast"),
        ((None, None), 99, "cannot_tell not-found"),
        (("2026-11-02T10:05:00Z", None), 98, "refused contrast"),
        ((None, "2026-11-02T10:05:00Z"), 99, "cannot_tell not-found"),
        # Where the times can be compared the order counts for nothing.
        (("2026-11-02T10:05:00Z", "2026-11-02T10:05:01Z"), 500, "refused contrast"),
    ],
)
def test_without_times_a_contrast_must_stand_near(times: Any, between: int, reason: str) -> None:
    assert apart(*times, between) == reason


def test_an_empty_result_is_no_contrast() -> None:
    log = Log(REPORT)
    log.read(FOREIGN, error=NOT_FOUND)
    log.read(FOREIGN, session="s2", result={"contents": []})
    assert said(log.judge(BOTH)[0].principal) == "cannot_tell not-found"


@pytest.mark.parametrize(
    "error", [{"code": -32602, "message": "Unknown resource"}, {"code": 0, "message": "Unknown resource: x"}]
)
def test_not_found_varies(error: dict[str, Any]) -> None:
    assert said(contrast(error=error).principal) == "refused contrast"


def test_no_contrast_where_the_policy_does_not_exclude_the_tenant() -> None:
    everyone = {"principals": [{**each, "allowed_tenants": ["acme", "northwind"]} for each in BOTH["principals"]]}
    assert said(contrast(policy=everyone).principal) == "cannot_tell not-found"


def test_no_contrast_without_a_policy() -> None:
    assert said(contrast(policy=None).principal) == "cannot_tell not-found"


def test_no_contrast_where_the_uri_escaped() -> None:
    assert said(contrast("report://north&wind/2025-10").principal) == "cannot_tell not-found"


def test_no_contrast_for_another_uri() -> None:
    assert said(contrast(served="report://northwind/2025-09").principal) == "cannot_tell not-found"


def test_no_contrast_with_an_unknown_caller() -> None:
    assert said(contrast(policy=ACME_ONLY).principal) == "cannot_tell not-found"


def test_no_contrast_with_the_same_caller() -> None:
    same = {"principals": [{"id": "ana", "sessions": ["s1", "s2"], "allowed_tenants": ["acme"]}]}
    assert said(contrast(policy=same).principal) == "cannot_tell not-found"


@pytest.mark.parametrize(
    "uri", ["report://northwind/..", "report://northwind/%2E%2E%2Fx", "report://northwind/..%252Fx"]
)
def test_no_contrast_with_dot_segments_at_any_decode(uri: str) -> None:
    assert said(contrast(uri).principal) == "cannot_tell not-found"


def test_no_contrast_where_the_other_was_refused_too() -> None:
    log = Log(REPORT)
    log.templates(REPORT, session="s2")
    log.read(FOREIGN, session="s2", error=NOT_FOUND)
    log.read(FOREIGN, error=NOT_FOUND)
    assert said(log.last(BOTH).principal) == "cannot_tell not-found"


def archive(tmp_path: Path, status: int, body: Any) -> Any:
    """A HAR with one read that a gateway answered."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": FOREIGN}}
    entry = {
        "startedDateTime": "2026-11-03T09:00:00.000Z",
        "request": {
            "method": "POST",
            "url": "https://mcp.example/mcp",
            "headers": [{"name": "Content-Type", "value": "application/json"}],
            "postData": {"mimeType": "application/json", "text": json.dumps(request)},
        },
        "response": {
            "status": status,
            "headers": [],
            "content": {"mimeType": "application/json", "text": json.dumps(body)},
        },
    }
    place = tmp_path / "trace.har"
    place.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "x"}, "entries": [entry]}}))
    return judged_file(place, given=(REPORT,))[0]


@pytest.mark.parametrize("status", [401, 403])
def test_http_401_and_403_are_refusals(tmp_path: Path, status: int) -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "error"}}
    assert said(archive(tmp_path, status, error).principal) == "refused forbidden"


def test_http_401_with_a_body_that_is_no_json_rpc(tmp_path: Path) -> None:
    assert said(archive(tmp_path, 403, {"error": "insufficient_scope"}).principal) == "refused forbidden"


def test_http_404_is_no_refusal(tmp_path: Path) -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "error"}}
    assert said(archive(tmp_path, 404, error).principal) == "cannot_tell not-found"


def causes(template: str, uri: str) -> str:
    """What the answer to a failed read says."""
    judged = one(template, uri, policy=ACME_ONLY, error=NOT_FOUND)
    assert said(judged.principal) == "cannot_tell not-found"
    assert "existence-oracle" not in remarks(judged)
    return judged.principal.because + judged.principal.missing


def test_a_failed_read_that_fits_lists_its_causes() -> None:
    assert "absen" in causes(REPORT, FOREIGN)
    assert "path screen" in causes("docs://{+path}", "docs://../etc")


def test_causes_that_can_be_computed_are_struck() -> None:
    assert "path screen" not in causes(REPORT, FOREIGN)
    assert "omitted" not in causes(REPORT, FOREIGN)

"""Remarks: what is real and worth showing, and none of the three classes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.diagnosis.questions.build import NOT_FOUND, Log, one, remarks

FILES = "file:///srv/{+path}"


def path_remark(judged: Any, name: str = "path-traversal") -> Any:
    """The remark about a path; None where there is none."""
    return next((each for each in judged.remarks if each.rule.id == f"remark/{name}"), None)


SEVERE = ["../etc/passwd", "..", "a/../../b", "%2E%2E/x", "..%2Fetc", "..%5C..%5Cetc", "a%00b", "%2e%2e%2fetc"]


@pytest.mark.parametrize("value", SEVERE)
def test_a_success_that_leaves_the_start_is_severe(value: str) -> None:
    remark = path_remark(one(FILES, f"file:///srv/{value}"))
    assert remark is not None
    assert remark.severity == "severe"


def test_an_absolute_path_is_likely() -> None:
    for value in ("/etc/passwd", "%2Fetc%2Fpasswd"):
        assert path_remark(one(FILES, f"file:///srv/{value}")).certainty == "likely"


def test_one_letter_and_a_colon_is_only_possible() -> None:
    for value in ("x:y", "C:%5CWindows", "x%3Ay"):
        assert path_remark(one(FILES, f"file:///srv/{value}")).certainty == "possible"


FINE = ["a/../b", "v1.0..v2.0", "HEAD~3..HEAD", "..a", "a..", "...", "a/..", "xy:z", "1:2", "~/x", "a//../b", "a/./b"]


@pytest.mark.parametrize("value", FINE)
def test_paths_that_are_fine(value: str) -> None:
    assert not remarks(one(FILES, f"file:///srv/{value}")) & {"path-traversal", "double-decode-bait"}


@pytest.mark.parametrize("error", [None, NOT_FOUND])
def test_bait_for_a_double_decode_is_shown_even_when_refused(error: Any) -> None:
    judged = one(FILES, "file:///srv/..%252F..%252Fetc", error=error)
    assert "double-decode-bait" in remarks(judged)
    assert not judged.findings


def test_a_path_that_is_none_by_policy() -> None:
    policy = {"principals": [], "not_paths": {FILES: ["path"]}}
    remark = path_remark(one(FILES, "file:///srv/../x", policy=policy))
    assert "exempt by policy" in remark.summary.lower()


def test_a_refused_path_is_consistent_with_a_screen() -> None:
    remark = path_remark(one(FILES, "file:///srv/../etc", error=NOT_FOUND))
    assert remark is None or remark.severity == "mild"


TENANT_OF = {"principals": [], "tenant_of": {FILES: {"variable": "path", "segment": 1}}}


@pytest.mark.parametrize("path", ["acme/../northwind/x", "acme/%2E%2E/northwind/x", "acme%2F..%2Fnorthwind%2Fx",
                                  "acme%252F..%252Fnorthwind%252Fx"])  # fmt: skip
def test_walking_from_one_tenant_to_another(path: str) -> None:
    judged = one(FILES, f"file:///srv/{path}", policy=TENANT_OF)
    assert "tenant-walk" in remarks(judged)
    assert "path-traversal" not in remarks(judged)


@pytest.mark.parametrize("path", ["../northwind/x", "..%2Fnorthwind/x", "..%252Fnorthwind/x"])
def test_walking_out_of_a_tenants_authority(path: str) -> None:
    assert "tenant-walk" in remarks(one("files://{tenant}/{+path}", f"files://acme/{path}"))


@pytest.mark.parametrize("path", ["acme/a/../b", "acme/x", "acme/a/b/../../c"])
def test_walking_inside_one_tenant(path: str) -> None:
    assert "tenant-walk" not in remarks(one(FILES, f"file:///srv/{path}", policy=TENANT_OF))


REPORT = "report://{tenant}/{month}"
URI = "report://acme/2025-10"


def result(**more: Any) -> dict[str, Any]:
    """A successful result."""
    return {"contents": [{"uri": URI, "text": "some text"}], **more}


def test_a_public_cache_scope_on_a_tenants_document() -> None:
    assert "public-cache-scope" in remarks(one(REPORT, URI, result=result(cacheScope="public")))
    assert "public-cache-scope" not in remarks(one(REPORT, URI, result=result(cacheScope="private")))


def test_a_public_cache_scope_without_a_tenant_is_fine() -> None:
    judged = one("note://{item}", "note://5", result={"contents": [], "cacheScope": "public"})
    assert "public-cache-scope" not in remarks(judged)


def test_an_answer_whose_id_changed_its_type() -> None:
    log = Log(REPORT)
    log.request(URI, 9)
    log.reply({"id": "9", "result": result()})
    judged = log.last()
    assert judged.document.reason == "echo-only"
    assert "id-type-changed" in remarks(judged)


def test_ids_of_different_types_are_different() -> None:
    log = Log(REPORT)
    log.request(URI, 7)
    log.request("report://acme/2025-09", "7")
    log.reply({"id": "7", "result": {"contents": [{"uri": "report://acme/2025-09", "text": "x"}]}})
    log.reply({"id": 7, "result": result()})
    for judged in log.judge():
        assert judged.document.reason == "echo-only"
        assert not remarks(judged) & {"id-type-changed", "id-reused", "crossed-response"}


def test_a_servers_request_with_the_same_id_is_no_answer() -> None:
    log = Log(REPORT)
    log.request(URI, 7)
    log.reply({"id": 7, "method": "roots/list"})
    log.send({"id": 7, "result": {"roots": []}})
    log.reply({"id": 7, "result": result()})
    assert log.last().document.reason == "echo-only"


NOT_SERVABLE = [
    ("r://{a}{b}", "r://xy"),
    ("r://{+a}/{+b}", "r://x/y"),
    ("r://{a}/{a}", "r://x/x"),
    ("r://{v:3}", "r://abc"),
    ("r://x{?v*}", "r://x?v=1"),
    ("r://{a", "r://x"),
]


@pytest.mark.parametrize(("template", "uri"), NOT_SERVABLE)
def test_a_template_that_a_known_matcher_refuses(template: str, uri: str) -> None:
    assert "template-not-servable" in remarks(one(template, uri))


@pytest.mark.parametrize("template", ["r://{a}/{b}", "r://{a}/{+b}", "r://x{?v}", "r://{a}"])
def test_a_template_that_all_matchers_serve(template: str) -> None:
    log = Log(template)
    log.read("r://x")
    assert "template-not-servable" not in remarks(log.last())


def test_a_dead_end() -> None:
    log = Log()
    log.resources(URI)
    log.read(URI, error=NOT_FOUND)
    assert "dead-end" in remarks(log.last())


def test_a_dead_end_is_of_this_session() -> None:
    log = Log()
    log.resources(URI)
    log.read(URI, error=NOT_FOUND, session="s2")
    assert "dead-end" not in remarks(log.last())


def test_no_dead_end_where_it_was_served_or_never_listed() -> None:
    log = Log(REPORT)
    log.read("report://acme/2025-09", error=NOT_FOUND)
    log.resources(URI)
    log.read(URI)
    assert not any("dead-end" in remarks(judged) for judged in log.judge())

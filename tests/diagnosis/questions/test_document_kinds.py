"""Question 2: which values of which documents state what was asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.diagnosis.questions.build import Log, content, one, remarks, said

DOCS = "docs://{space}/{name}"
URI = "docs://ops/plan"
FIND = "find://items{?q,limit}"

TYPED = [
    ("item://{number}", "item://12", {"number": 12}, "match fields-agree"),
    ("item://{number}", "item://0012", {"number": 12}, "match fields-agree"),
    ("item://{number}", "item://13", {"number": 12}, "mismatch differs"),
    ("item://{number}", "item://12a", {"number": 12}, "mismatch differs"),
    ("item://{open}", "item://true", {"open": True}, "match fields-agree"),
    ("item://{open}", "item://false", {"open": True}, "mismatch differs"),
    ("item://{year}", "item://2025", {"year": "2025"}, "match fields-agree"),
    ("item://{price}", "item://1.50", {"price": 1.5}, "match fields-agree"),
]


@pytest.mark.parametrize(("template", "uri", "body", "expected"), TYPED)
def test_typed_values_are_compared_by_value(template: str, uri: str, body: Any, expected: str) -> None:
    assert said(one(template, uri, body).document) == expected


def test_a_converted_value_is_noted() -> None:
    assert "convert" in one("item://{number}", "item://0012", {"number": 12}).document.because


TREE = "tree://root{/p*}"
LISTS = [
    ("tree://root/a/b", ["a", "b"], "match fields-agree"),
    ("tree://root/a/b%2Fc", ["a", "b/c"], "match fields-agree"),
    ("tree://root/a/b%2Fc", ["a", "b", "c"], "mismatch decoded-before-split"),
    ("tree://root/a/b", ["b", "a"], "mismatch differs"),
    ("tree://root/a/b", "a/b", "match fields-agree"),
    ("tree://root/a/b", "a/c", "mismatch differs"),
]


@pytest.mark.parametrize(("uri", "field", "expected"), LISTS)
def test_an_exploded_variable_is_a_list(uri: str, field: Any, expected: str) -> None:
    assert said(one(TREE, uri, {"p": field}).document) == expected


def test_an_item_decoded_twice_is_a_double_decode() -> None:
    assert said(one(TREE, "tree://root/a/b%252Fc", {"p": ["a", "b/c"]}).document) == "mismatch decoded-twice"


@pytest.mark.parametrize(("field", "verdict"), [(["x", "plan"], "match"), (["x", "y"], "mismatch")])
def test_a_list_field_matches_if_it_contains_the_value(field: list[str], verdict: str) -> None:
    assert one(DOCS, URI, {"name": field}).document.verdict == verdict


def test_an_omitted_query_variable_is_never_compared() -> None:
    judged = one(FIND, "find://items?q=a", {"q": "a", "limit": 10})
    assert said(judged.document) == "match fields-agree"


def test_a_query_variable_that_is_present_is_compared() -> None:
    assert said(one(FIND, "find://items?q=a&limit=5", {"q": "a", "limit": 10}).document) == "mismatch differs"


def test_undeclared_parameters_are_never_compared() -> None:
    judged = one(FIND, "find://items?q=a&lang=en", {"q": "a", "lang": "de"})
    assert said(judged.document) == "match fields-agree"


SEVERAL = [
    ({"path": "a/b", "ext": "tar.gz"}, "match fields-agree"),
    ({"path": "a/b.tar", "ext": "gz"}, "match fields-agree"),
    ({"path": "a/b", "ext": "gz"}, "cannot_tell several-readings"),
    ({"path": "elsewhere", "ext": "gz"}, "cannot_tell several-readings"),
]


@pytest.mark.parametrize(("body", "expected"), SEVERAL)
def test_several_strict_readings_are_never_a_mismatch(body: Any, expected: str) -> None:
    judged = one("file:///{+path}{.ext}", "file:///a/b.tar.gz", body)
    assert judged.segments.verdict == "intact"
    assert said(judged.document) == expected
    assert "document-mismatch" not in remarks(judged)


IDENTITY = [
    ("by name", DOCS, URI, {"name": "plan"}, "match fields-agree"),
    ("by name", DOCS, URI, {"name": "other"}, "mismatch differs"),
    ("one key", DOCS, URI, {"doc": {"name": "plan", "space": "ops"}}, "match fields-agree"),
    ("one key", DOCS, URI, {"doc": {"name": "other"}}, "mismatch differs"),
    ("nested", DOCS, URI, {"doc": {"name": "other"}, "rev": 7}, "cannot_tell echo-only"),
    ("deeper", DOCS, URI, {"a": {"b": {"name": "other"}}}, "cannot_tell echo-only"),
    (
        "literal",
        "kb://team/{team}/policy/{x}",
        "kb://team/a/policy/on-call",
        {"policy": "on-call"},
        "match fields-agree",
    ),
    ("literal", "kb://team/{team}/policy/{x}", "kb://team/a/policy/on-call", {"policy": "other"}, "mismatch differs"),
    ("scheme", "task://{gid}", "task://5", {"task": "5"}, "match fields-agree"),
    ("scheme", "task://{gid}", "task://5", {"task": "6"}, "mismatch differs"),
    ("only for", "task://{gid}", "task://5", {"id": "5"}, "match fields-agree"),
    ("only for", "task://{gid}", "task://5", {"slug": "5"}, "match fields-agree"),
    ("only for", "task://{gid}", "task://5", {"path": "5"}, "match fields-agree"),
    ("only for", "task://{gid}", "task://5", {"id": "6"}, "cannot_tell echo-only"),
    ("only for", "task://{gid}", "task://5", {"name": "Renew"}, "cannot_tell echo-only"),
    ("two variables", "docs://{a}/{b}", "docs://x/y", {"id": "y"}, "cannot_tell echo-only"),
    ("substring", DOCS, URI, {"title": "the plan of ops"}, "cannot_tell echo-only"),
]


@pytest.mark.parametrize(("how", "template", "uri", "body", "expected"), IDENTITY)
def test_identity_fields(how: str, template: str, uri: str, body: Any, expected: str) -> None:
    assert said(one(template, uri, body).document) == expected, how


FORMATS = [
    ("text/markdown", "---\nspace: ops\nname: plan\n---\n# Other\nname: other\n", "match fields-agree"),
    ("text/markdown", "---\nspace: ops\nname: other\n---\n# plan\n", "mismatch differs"),
    ("text/markdown", "# plan\n\nname: other\n", "cannot_tell echo-only"),
    ("application/yaml", "space: ops\nname: plan\npeers:\n  - other\n", "match fields-agree"),
    ("application/yaml", "space: ops\nname: other\n", "mismatch differs"),
    ("text/csv", "space,name,rate\nops,plan,1\nops,plan,2\n", "match fields-agree"),
    ("text/csv", "space,name\nops,other\nops,other\n", "mismatch differs"),
    ("application/json; charset=utf-8", '{"name": "other"}', "mismatch differs"),
    ("application/json", '\ufeff{"name": "plan"}', "match fields-agree"),
    ("text/x-yaml", "name: other\n", "mismatch differs"),
    ("text/plain", '{"name": "other"}', "mismatch differs"),
    ("text/csv", "rate,name\n1,other\n2,plan\n", "cannot_tell echo-only"),
    ("text/plain", "Dear team, name: other, space: hr.\n", "cannot_tell echo-only"),
]


@pytest.mark.parametrize(("mime", "text", "expected"), FORMATS)
def test_formats_that_state_fields(mime: str, text: str, expected: str) -> None:
    assert said(one(DOCS, URI, text, mime=mime).document) == expected


def test_a_textual_blob_is_decoded() -> None:
    body = json.dumps({"name": "other"}).encode()
    assert said(one(DOCS, URI, body, mime="application/json").document) == "mismatch differs"


def test_a_blob_is_base64_and_not_percent_encoding() -> None:
    body = json.dumps({"name": "a%2Fb"}).encode()
    assert said(one(DOCS, "docs://ops/a%252Fb", body, mime="application/json").document) == "match fields-agree"


UNREADABLE = {"cannot_tell no-document", "cannot_tell unreadable-document"}


@pytest.mark.parametrize(
    "item",
    [
        content(URI, b"\x89PNG\r\n", "image/png"),
        content(URI, json.dumps({"name": "other"}).encode(), "image/png"),
        {"uri": URI, "mimeType": "application/json", "blob": "!!!not base64!!!"},
        content(URI, ""),
        {"uri": URI, "mimeType": "application/json", "text": '{"name": "oth'},
        {"uri": URI, "mimeType": "application/json", "text": None},
        {"uri": URI},
    ],
)
def test_documents_that_say_nothing(item: dict[str, Any]) -> None:
    judged = one(DOCS, URI, result={"contents": [item]})
    assert said(judged.document) in UNREADABLE
    assert not judged.findings


@pytest.mark.parametrize("result", [{"contents": []}, {"contents": None}, {}])
def test_empty_contents_are_no_document(result: dict[str, Any]) -> None:
    judged = one(DOCS, URI, result={**result, "_meta": {}})
    assert said(judged.document) == "cannot_tell no-document"


@pytest.mark.parametrize("mark", ["[REDACTED]", "***", "<masked>"])
def test_a_redacted_field_proves_nothing(mark: str) -> None:
    judged = one(DOCS, URI, {"name": mark})
    assert said(judged.document) == "cannot_tell lossy"
    assert "document-mismatch" not in remarks(judged)


def test_a_redacted_body_proves_nothing() -> None:
    judged = one(DOCS, URI, "[REDACTED]", mime="application/json")
    assert judged.document.verdict == "cannot_tell"


def test_another_media_type_of_the_same_uri_is_legal() -> None:
    items = [content(URI, b"%PDF", "application/pdf"), content(URI, {"name": "plan"})]
    assert said(one(DOCS, URI, result={"contents": items}).document) == "match fields-agree"


def test_fields_of_children_are_the_childrens() -> None:
    items = [content(f"kit://mooring/{leaf}", {"name": leaf}) for leaf in ("a", "b")]
    judged = one("kit://{name}/", "kit://mooring/", result={"contents": items})
    assert said(judged.document) == "cannot_tell sub-resources"
    assert "document-mismatch" not in remarks(judged)


def test_later_content_under_the_same_uri_is_no_mismatch() -> None:
    log = Log(DOCS)
    log.read(URI, {"name": "plan", "rev": 1})
    log.read(URI, {"name": "plan", "rev": 2})
    assert [said(judged.document) for judged in log.judge()] == ["match fields-agree"] * 2

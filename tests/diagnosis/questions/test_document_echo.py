"""Question 2: the echo, rung by rung, where no field speaks."""

from __future__ import annotations

import pytest

from tests.diagnosis.questions.build import Log, one, remarks, rules, said

DOCS = "docs://{space}/{name}"

LADDER = [
    # an echo that is the request, after what never changes its meaning
    (DOCS, "docs://ops/plan", "docs://ops/plan", "cannot_tell echo-only"),
    (DOCS, "docs://ops/a b", "docs://ops/a%20b", "cannot_tell echo-only"),
    (DOCS, "docs://ops/a%20b", "docs://ops/a b", "cannot_tell echo-only"),
    (DOCS, "docs://ops/caf%C3%A9", "docs://ops/caf\u00e9", "cannot_tell echo-only"),
    (DOCS, "docs://ops/a%2fb", "docs://ops/a%2Fb", "cannot_tell echo-only"),
    (DOCS, "docs://ops/%7Ex", "docs://ops/~x", "cannot_tell echo-only"),
    ("DOCS://{space}/{name}", "DOCS://ops/x", "docs://ops/x", "cannot_tell echo-only"),
    ("files://{+path}", "files://h/a/../b", "files://h/b", "cannot_tell echo-only"),
    ("http://{+path}", "http://HOST:80/a", "http://host/a", "cannot_tell echo-only"),
    ("http://{+path}", "http://host", "http://host/", "cannot_tell echo-only"),
    # one layer lost
    (DOCS, "docs://ops/a%2Fb", "docs://ops/a/b", "cannot_tell echo-only"),
    (DOCS, "docs://ops/a%26b", "docs://ops/a&b", "cannot_tell echo-only"),
    (DOCS, "docs://ops/a%252Fb", "docs://ops/a%2Fb", "cannot_tell echo-ambiguous"),
    # two layers lost
    (DOCS, "docs://ops/a%252Fb", "docs://ops/a/b", "mismatch echo-decoded-twice"),
    # one layer added
    (DOCS, "docs://ops/a%2Fb", "docs://ops/a%252Fb", "mismatch double-encode"),
    # form, Unicode form, near
    (DOCS, "docs://ops/a+b", "docs://ops/a%20b", "cannot_tell alias"),
    (DOCS, "docs://ops/caf%C3%A9", "docs://ops/cafe%CC%81", "cannot_tell alias"),
    (DOCS, "docs://ops/Plan", "docs://ops/plan", "cannot_tell alias"),
    (DOCS, "docs://Ops/plan", "docs://ops/plan", "cannot_tell alias"),
    (DOCS, "docs://ops/plan", "docs://ops/plan/", "cannot_tell alias"),
    (DOCS, "docs://ops/plan", "docs://ops//plan", "cannot_tell alias"),
    ("file:///{+path}", "file:///c%3A/x", "file:///C:/x", "cannot_tell alias"),
    # without a prefix of the scheme or the host
    ("gw+docs://{space}/{name}", "gw+docs://ops/plan", "docs://ops/plan", "cannot_tell alias"),
    ("ui://{panel}", "ui://north_panel.html", "ui://panel.html", "cannot_tell alias"),
    # different
    (DOCS, "docs://ops/plan", "docs://ops/budget", "mismatch differs"),
    (DOCS, "docs://ops/plan", "docs://hr/plan", "mismatch differs"),
]


@pytest.mark.parametrize(("template", "uri", "echo", "expected"), LADDER)
def test_the_ladder_without_fields(template: str, uri: str, echo: str, expected: str) -> None:
    assert said(one(template, uri, echo=echo).document) == expected


def test_two_layers_lost_in_the_echo_are_a_likely_double_decode() -> None:
    judged = one(DOCS, "docs://ops/a%252Fb", echo="docs://ops/a/b")
    assert rules(judged) == ["document/echo-decoded-twice likely"]


@pytest.mark.parametrize(
    ("uri", "echo"),
    [(uri, echo) for _, uri, echo, expected in LADDER if expected != "mismatch echo-decoded-twice"],
)
def test_no_other_rung_is_a_double_decode(uri: str, echo: str) -> None:
    templates = tuple(dict.fromkeys(template for template, *_ in LADDER))
    assert not [rule for rule in rules(one(templates, uri, echo=echo)) if rule.startswith("document/")]


@pytest.mark.parametrize(
    ("template", "uri", "echo", "name"),
    [
        (DOCS, "docs://ops/a%2Fb", "docs://ops/a%252Fb", "double-encode"),
        (DOCS, "docs://ops/plan", "docs://ops/budget", "document-mismatch"),
        ("files://{+path}", "files://h/a/../b", "files://h/b", "dot-segments-removed"),
    ],
)
def test_rungs_that_carry_a_remark(template: str, uri: str, echo: str, name: str) -> None:
    judged = one(template, uri, echo=echo)
    assert name in remarks(judged)
    assert "document-mismatch" not in remarks(judged) or name == "document-mismatch"


def test_three_slashes_and_two_differ() -> None:
    judged = one("file://{+path}", "file:///srv/a", echo="file://srv/a")
    assert said(judged.document) != "cannot_tell echo-only"


def test_an_encoded_percent_sign_is_never_decoded_while_normalising() -> None:
    judged = one(DOCS, "docs://ops/a%2541", echo="docs://ops/a%41")
    assert said(judged.document) == "cannot_tell echo-ambiguous"


@pytest.mark.parametrize("echo", [None, "", 7, "not a uri"])
def test_a_missing_or_senseless_echo_is_a_remark(echo: object) -> None:
    item = {"mimeType": "text/plain", "text": "some text", **({} if echo is None else {"uri": echo})}
    judged = one(DOCS, "docs://ops/plan", result={"contents": [item]})
    assert judged.document.verdict == "cannot_tell"
    assert not judged.findings
    assert remarks(judged)


@pytest.mark.parametrize("echo", ["docs://[REDACTED]/plan", "docs://***/plan", "[REDACTED]"])
def test_a_redacted_echo_proves_nothing(echo: str) -> None:
    judged = one(DOCS, "docs://ops/plan", echo=echo)
    assert judged.document.verdict == "cannot_tell"
    assert "document-mismatch" not in remarks(judged)


def test_only_children_are_sub_resources() -> None:
    log = Log("kit://{name}/")
    items = [{"uri": f"kit://mooring/{leaf}", "mimeType": "text/plain", "text": "x"} for leaf in ("a.md", "b.md")]
    log.read("kit://mooring/", result={"contents": items})
    judged = log.last()
    assert said(judged.document) == "cannot_tell sub-resources"
    assert "document-mismatch" not in remarks(judged)


def test_children_beside_the_requested_uri_are_legal() -> None:
    items = [{"uri": uri, "mimeType": "text/plain", "text": "x"} for uri in ("docs://ops/plan", "docs://ops/plan/a")]
    judged = one(DOCS, "docs://ops/plan", result={"contents": items})
    assert judged.document.verdict == "cannot_tell"
    assert "document-mismatch" not in remarks(judged)


def error(uri: str) -> dict[str, object]:
    """A not-found that names what the server looked for."""
    return {"code": -32602, "message": "Unknown resource", "data": {"uri": uri}}


def test_an_error_that_lost_one_layer() -> None:
    judged = one(DOCS, "docs://ops/a%2Fb", error=error("docs://ops/a/b"))
    assert said(judged.document) == "cannot_tell no-document"
    assert "echo-decoded" in remarks(judged)
    assert not judged.findings


def test_an_error_that_lost_two_layers() -> None:
    judged = one(DOCS, "docs://ops/a%252Fb", error=error("docs://ops/a/b"))
    assert said(judged.document) == "cannot_tell no-document"
    assert rules(judged) == ["document/echo-decoded-twice possible"]


def test_an_error_that_copied_the_request() -> None:
    judged = one(DOCS, "docs://ops/a%252Fb", error=error("docs://ops/a%252Fb"))
    assert said(judged.document) == "cannot_tell no-document"
    assert "echo-decoded" not in remarks(judged)
    assert not judged.findings

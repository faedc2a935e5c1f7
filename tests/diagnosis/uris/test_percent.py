"""Layers of encoding and the ladder for echoes; the rows come from hand and from observed servers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.uris.characters import encode_value
from diagnosis.uris.percent import (
    Rung,
    children,
    decode,
    decode_bytes_ok,
    decode_form,
    has_double,
    illegal_characters,
    path_normal,
    prefix_removed,
    rung,
)


def test_decode_takes_one_layer() -> None:
    assert decode("a%252Fb") == "a%2Fb"
    assert decode("a%2fb+c%") == "a/b+c%"
    assert decode("caf%C3%A9 é") == "café é"
    assert decode("caf%E9") == "caf\ufffd"
    assert decode_form("a+b%2Bc") == "a b+c"
    assert decode_bytes_ok("caf%C3%A9%") and not decode_bytes_ok("caf%E9")


@given(st.text())
def test_decode_undoes_encode(text: str) -> None:
    assert decode(encode_value(text)) == text


def test_has_double() -> None:
    assert has_double("a%252Fb") and has_double("%25ff")
    assert not has_double("a%25b") and not has_double("100%25") and not has_double("%252")


def test_illegal_characters() -> None:
    assert illegal_characters("d://a b/%2F%zz\té{x}") == (
        (5, " "),
        (11, "%"),
        (14, "\t"),
        (15, "é"),
        (16, "{"),
        (18, "}"),
    )
    assert [c for _, c in illegal_characters('"<>\\^`{|}')] == list('"<>\\^`{|}')
    assert illegal_characters("x://[::1]/a!$&'()*+,;=:@?b#c%20-._~") == ()
    assert illegal_characters("%4") == ((0, "%"),)


LADDER = [
    ("report://northwind/2025-10", "report://northwind/2025-10", Rung.BYTE_EQUAL),
    ("docs://team/a b/policy/x", "docs://team/a%20b/policy/x", Rung.FILL_EQUAL),
    ("docs://team/café/policy/x", "docs://team/caf%C3%A9/policy/x", Rung.FILL_EQUAL),
    ("docs://t/a%20b", "docs://t/a b", Rung.FILL_EQUAL),
    ("docs://t/100%", "docs://t/100%25", Rung.FILL_EQUAL),
    ("docs://team/caf%c3%a9/policy/x", "docs://team/caf%C3%A9/policy/x", Rung.CASE_NORMAL),
    ("REPORT://northwind/1", "report://northwind/1", Rung.CASE_NORMAL),
    ("docs://team/%7Ex", "docs://team/~x", Rung.CASE_NORMAL),
    ("http://HOST:80/a", "http://host/a", Rung.PATH_NORMAL),
    ("http://host", "http://host/", Rung.PATH_NORMAL),
    ("file:///repo/a/../b", "file:///repo/b", Rung.PATH_NORMAL),
    ("file:///repo/%2E%2E/etc", "file:///etc", Rung.PATH_NORMAL),
    ("x://h/a\tb", "x://h/ab", Rung.CONTROL_STRIPPED),
    ("x://h/a\n", "x://h/a", Rung.CONTROL_STRIPPED),
    ("docs://t/on-call%2Fesc", "docs://t/on-call/esc", Rung.ONE_LAYER_LOST),
    ("docs://t/a%252Fb", "docs://t/a%2Fb", Rung.ONE_LAYER_LOST),
    ("docs://t/Platform%20%26%20Ops", "docs://t/Platform & Ops", Rung.ONE_LAYER_LOST),
    ("docs://t/Platform%20%26%20Ops", "docs://t/Platform%20&%20Ops", Rung.ONE_LAYER_LOST),
    ("docs://t/a%2Bb", "docs://t/a+b", Rung.ONE_LAYER_LOST),
    ("docs://t/..%252F..%252Fetc", "docs://t/../../etc", Rung.TWO_LAYERS_LOST),
    ("docs://t/a%2520b", "docs://t/a b", Rung.TWO_LAYERS_LOST),
    ("docs://t/a%25252Fb", "docs://t/a/b", Rung.TWO_LAYERS_LOST),
    ("docs://t/a%2Fb", "docs://t/a%252Fb", Rung.ONE_LAYER_ADDED),
    ("docs://t/a'b", "docs://t/a%27b", Rung.RESERVED_ADDED),
    ("docs://t/a+b", "docs://t/a b", Rung.FORM_OR_UNICODE),
    ("docs://t/a+b", "docs://t/a%20b", Rung.FORM_OR_UNICODE),
    ("docs://t/cafe%CC%81", "docs://t/caf%C3%A9", Rung.FORM_OR_UNICODE),
    ("report://Northwind/1", "report://northwind/1", Rung.NEAR),
    ("x://host", "x://host/", Rung.NEAR),
    ("docs://t/x/", "docs://t/x", Rung.NEAR),
    ("x://h/a//b", "x://h/a/b", Rung.NEAR),
    ("urn:isbn:1", "urn:ISBN:1", Rung.NEAR),
    ("file:///C:/x", "file:///c%3A/x", Rung.NEAR),
    ("file:///C%3A/x", "file:///C:/x", Rung.NEAR),
    ("file:///c:/x", "file:///c%3A/x", Rung.NEAR),
    ("file:///ab%3A/x", "file:///ab:/x", Rung.ONE_LAYER_LOST),
    ("x://h:80/a", "x://h/a", Rung.DIFFERENT),
    ("file:///C|/x", "file:///C:/x", Rung.DIFFERENT),
    ("file:///x", "file://x", Rung.DIFFERENT),
    ("x:///", "x://", Rung.DIFFERENT),
    ("report://northwind/2025-10", "report://contoso/2025-10", Rung.DIFFERENT),
    ("report://northwind/2025-10", "", Rung.DIFFERENT),
]


@pytest.mark.parametrize(("request_uri", "echo", "expected"), LADDER)
def test_ladder(request_uri: str, echo: str, expected: Rung) -> None:
    assert rung(request_uri, echo) is expected


@pytest.mark.parametrize("kept", ["%2F", "%3F", "%23", "%25"])
def test_normalising_never_decodes_what_cuts(kept: str) -> None:
    assert path_normal(f"x://h/a{kept}b") == f"x://h/a{kept}b"
    assert path_normal(f"x://h/..{kept}b") == f"x://h/..{kept}b"


@given(st.text(alphabet="aA/.:%25Fé# ?", max_size=12), st.text(alphabet="aA/.:%25Fé# ?", max_size=12))
def test_normal_forms_are_stable_and_equal_texts_are_byte_equal(one: str, other: str) -> None:
    assert path_normal(path_normal("x://h/" + one)) == path_normal("x://h/" + one)
    assert (rung(one, other) is Rung.BYTE_EQUAL) == (one == other)


def test_children() -> None:
    assert children("file:///dir", "file:///dir/a.txt")
    assert children("file:///dir/", "file:///dir/a/b")
    assert not children("file:///dir", "file:///dir")
    assert not children("file:///dir", "file:///dir/")
    assert not children("file:///dir", "file:///dir-evil/a")
    assert not children("file:///dir", "file:///dir/../x/a")
    assert not children("x://a?q=1", "x://a?q=1/b")


def test_prefix_removed() -> None:
    assert prefix_removed("alpha+file:///p/main.rs", "file:///p/main.rs")
    assert prefix_removed("ui://north_panel.html", "ui://panel.html")
    assert prefix_removed("docs://mount/team/x", "docs://team/x")
    assert not prefix_removed("report://northwind/1", "report://wind/1")
    assert not prefix_removed("report://acme-corp/1", "report://corp/1")
    assert not prefix_removed("docs://a/b/team/x", "docs://team/x")
    assert not prefix_removed("docs://team/x", "docs://team/x")
    assert not prefix_removed("docs://team/x", "")
    assert not prefix_removed("docs://team/x", "docs://")

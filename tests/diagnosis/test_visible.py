from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diagnosis.visible import shorten, unvisible, visible, visible_bytes

TEXTS = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\\u{}1b\x1b\u0301\n`|")))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("report://northwind/2025-10", "report://northwind/2025-10"),
        ("a\x1b[31mb", "a\\u{1b}[31mb"),
        ("one\ntwo\tthree", "one\\u{a}two\\u{9}three"),
        ("\u009b\u202e\u200b\ud800\U000e0041", "\\u{9b}\\u{202e}\\u{200b}\\u{d800}\\u{e0041}"),
        (
            "\u115f\u3164\u2800\ufe0f\u034f\U000e0100",
            "\\u{115f}\\u{3164}\\u{2800}\\u{fe0f}\\u{34f}\\u{e0100}",
        ),
        ("non\u00a0breaking", "non\\u{a0}breaking"),
        ("C:\\users\\u", "C:\\users\\u"),
        ("\\u{1b}", "\\\\u{1b}"),
        ("\\\x1b", "\\\\\\u{1b}"),
        ("\\\\u{", "\\\\\\\\u{"),
        ("café 東京", "café 東京"),
        ("e" + "\u0301" * 6, "e" + "\u0301" * 4 + "\\u{301}\\u{301}"),
        ("\u0301x", "\\u{301}x"),
        ("", ""),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert unvisible(shown) == text


@given(TEXTS)
@example("\\" * 3 + "\x1b" + "\\" * 2 + "u{1b}")
@example("\x1b\u0301\u0301")
def test_everything_is_printable_and_comes_back(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert unvisible(shown) == text


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)).filter(lambda text: "\\u{" not in text))
def test_printable_ascii_stays(text: str) -> None:
    assert visible(text) == text


@given(st.binary())
def test_bytes_come_back(data: bytes) -> None:
    shown = visible_bytes(data)
    assert shown.isprintable()
    assert unvisible(shown).encode("utf-8", "surrogateescape") == data


def test_a_text_that_visible_did_not_make() -> None:
    with pytest.raises(ValueError, match="not a text"):
        unvisible("\\u{zz}")


@pytest.mark.parametrize(
    ("text", "cells", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("abcdef", 1, "…"),
        ("abcdef", 0, ""),
        ("東京都", 6, "東京都"),
        ("東京都", 5, "東京…"),
        ("東京都", 4, "東…"),
        ("e\u0301e\u0301", 2, "e\u0301e\u0301"),
    ],
)
def test_shorten(text: str, cells: int, short: str) -> None:
    assert shorten(text, cells) == short

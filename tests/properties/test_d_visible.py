"""(d) What is shown of a text is printable, stays itself when it is shown again, and is shown of no other text.

That it can be turned back is asserted in `tests/diagnosis/test_visible.py`.
"""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from diagnosis.visible import visible
from tests.properties.strategies import HOSTILE, thorough

CLOSE = st.text(alphabet="\\u{}1b\x1b\u0301a", max_size=9) | HOSTILE


@thorough(300)
@given(CLOSE, CLOSE)
@example("\x1b", "\\u{1b}")
@example("\\\x1b", "\\\\u{1b}")
def test_two_texts_never_look_the_same(one: str, other: str) -> None:
    assert visible(one).isprintable()
    assert (visible(one) == visible(other)) == (one == other)


@thorough(100)
@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)).filter(lambda text: "\\u{" not in text))
def test_printable_ascii_is_shown_as_it_is(text: str) -> None:
    assert visible(visible(text)) == visible(text) == text

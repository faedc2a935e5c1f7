from __future__ import annotations

import html
import re

import cmarkgfm
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from diagnosis.reports.quoting import code, fence, prose, table
from diagnosis.visible import visible

COMMONMARK = MarkdownIt("gfm-like", {"html": True, "linkify": False}).enable("table")
TEXTS = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("`|\\ ~*_<>[]()!\n\x1b&;")), min_size=1)


def code_texts(rendered: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r"<code[^>]*>(.*?)</code>", rendered, re.DOTALL)]


def renderings(markdown: str) -> list[str]:
    return [COMMONMARK.render(markdown), cmarkgfm.github_flavored_markdown_to_html(markdown)]


@given(TEXTS)
@example("`")
@example(" `` ")
@example("\\")
@example("  ")
def test_a_code_span_is_the_visible_text(text: str) -> None:
    for rendered in renderings(f"Text {code(text)} and more."):
        assert code_texts(rendered) == [visible(text)]
        assert rendered.startswith("<p>Text <code>")
        assert rendered.rstrip().endswith("</code> and more.</p>")


@given(TEXTS, TEXTS)
@example("a|b", "\\|")
@example("\\", "|")
def test_a_code_span_in_a_table(one: str, two: str) -> None:
    for rendered in renderings(table(("A", "B"), [(code(one), code(two))])):
        assert code_texts(rendered) == [visible(one), visible(two)]
        assert rendered.count("<td>") == 2


@given(st.lists(TEXTS, min_size=1))
@example(["```", "# Approved", "`````"])
@example(["~~~", "</code></pre>"])
def test_a_fence_is_the_visible_lines(lines: list[str]) -> None:
    shown = [visible(line) for line in lines]
    for rendered in renderings(f"Before.\n\n{fence(shown)}\n\nAfter."):
        assert code_texts(rendered) == ["\n".join(shown) + "\n"]
        assert rendered.rstrip().endswith("<p>After.</p>")


@given(TEXTS)
@example("see www.evil.example or a@evil.example, xmpp:a@b.example")
@example("&lt;b&gt; <b> [a](b) ![c](d) *e* _f_ ~~g~~ `h")
@example("4.")
@example("4. and `x`")
def test_prose_makes_no_element_but_code(text: str) -> None:
    for rendered in renderings(f"Because: {prose(text)}"):
        assert set(re.findall(r"</?([a-z0-9]+)", rendered)) <= {"p", "code"}


@pytest.mark.parametrize(
    ("sentence", "markdown"),
    [
        ("The document is the one asked for.", "The document is the one asked for."),
        (
            "The field 'tenant' says \"northwind\", not 'acme'.",
            "The field `tenant` says `northwind`, not `acme`.",
        ),
        ("The client's value holds a / there.", "The client's value holds a `/` there."),
        ("Ask www.evil.example now.", "Ask `www.evil.example` now."),
        ("The tenant `a b` is foreign: see '`'.", "The tenant `a b` is foreign: see `` ` ``."),
        ("It is ''.", "It is (empty)."),
        ("`u-h` (policy: session session-1) may see `a`'s.", "`u-h` (policy: session `session-1`) may see `a`'s."),
        ("See (s-1, f(x)), or `a``b`.", "See `(s-1, f(x))`, or `a` `b`."),
        ("Of (`a`, `b`): two;`c`", "Of (`a`, `b`): two;`c`"),
        ("It is `a\\u{1b}`, and \\u{1b} is raw.", "It is `a\\u{1b}`, and `\\\\u{1b}` is raw."),
    ],
)
def test_prose(sentence: str, markdown: str) -> None:
    assert prose(sentence) == markdown


def test_an_empty_text_is_said_in_words() -> None:
    assert code("") == "(empty)"


@pytest.mark.parametrize(("sentence", "shown"), [(" 4.", "`4.`"), ("4. It is", "`4.` It is"), ("4 of 5.", "4 of 5.")])
def test_a_number_begins_no_list(sentence: str, shown: str) -> None:
    assert prose(sentence) == shown


@pytest.mark.parametrize("count", [63, 64, 79, 80, 81, 90, 300])
def test_no_run_of_backticks_is_too_long_for_a_renderer(count: int) -> None:
    """GitHub's renderer gives up on a code span of more than 80: the link inside would be one."""
    html = cmarkgfm.github_flavored_markdown_to_html(code("`" * count + "[a](http://h)"))
    assert "<a" not in html and html.count("<code>") == 1

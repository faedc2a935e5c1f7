"""Fuzz target: any text in a code span, a table, a fence and a sentence is inert in two renderers."""

from __future__ import annotations

import html
import re
import sys

import atheris
import cmarkgfm
from markdown_it import MarkdownIt

with atheris.instrument_imports(include=["diagnosis"]):
    from diagnosis.reports.quoting import code, fence, prose, table
    from diagnosis.visible import unvisible, visible

MARKDOWN_IT = MarkdownIt("gfm-like", {"html": True, "linkify": False})
CODE = re.compile(r"<code[^>]*>(.*?)</code>", re.DOTALL)


def check(data: bytes) -> None:
    """Raises where a renderer makes more of the text than code."""
    text = data.decode("utf-8", "surrogateescape")
    shown = visible(text)
    assert shown.isprintable() and unvisible(shown) == text
    if not text:
        return
    markdown = "\n\n".join([f"Text {code(text)} end.", table(("A", "B"), [(code(text), "b")]), fence([shown])])
    for render in (MARKDOWN_IT.render, cmarkgfm.github_flavored_markdown_to_html):
        rendered = render(markdown)
        assert [html.unescape(each) for each in CODE.findall(rendered)] == [shown, shown, shown + "\n"], rendered
        assert rendered.count("<td>") == 2, rendered
        assert set(re.findall(r"</?([a-zA-Z0-9]+)", render(prose(text)))) <= {"p", "code"}, prose(text)


if __name__ == "__main__":
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()

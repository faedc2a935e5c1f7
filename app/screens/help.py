"""Keys and glyphs; made from the table of keys and the legend."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult

from app.keys import KEYS
from app.screens.page import Page
from app.widgets.answers import QUESTIONS
from app.widgets.glyphs import LEGEND, LETTERS, SEVERE_REMARK, state_glyph
from app.widgets.lines import line
from app.widgets.plain import Line
from app.widgets.text_lines import Paragraph, TextLines, paragraph
from diagnosis.query.fields import FIELDS

_KEY = 12


class HelpScreen(Page):
    """All keys, by the place where they work."""

    def body(self) -> ComposeResult:
        """One pane of text."""
        yield TextLines(list(help_paragraphs()))


def help_paragraphs() -> Iterable[Paragraph]:
    """The whole help."""
    yield paragraph(("The three columns", "title"))
    for question, words in enumerate(QUESTIONS):
        yield paragraph(f"  {question + 1}  {words}  {LETTERS[question]}, {LETTERS[question].lower()}", indent=5)
    yield paragraph("")
    for one, words in LEGEND:
        glyphs: list[Line] = [line(" ", state_glyph(question, one)) for question in range(3)]
        if len({glyph[1].text for glyph in glyphs}) == 1:
            glyphs = [line("   "), line("  "), glyphs[0][1:]]
        yield Paragraph([*(piece for glyph in glyphs for piece in glyph), *line(f"  {words}")], indent=9)
    yield paragraph((f"  {SEVERE_REMARK}", "strong"), "      left of the number: a severe remark", indent=9)
    yield paragraph("  While a capture is being read, answers are drawn dim: they may still change.", indent=2)
    for place in dict.fromkeys(key.where for key in KEYS):
        yield paragraph("")
        yield paragraph((f"Keys {place}", "title"))
        for key in KEYS:
            if key.where == place:
                yield paragraph((f"  {key.shown:<{_KEY}}", "strong"), key.words, indent=_KEY + 2)
    yield paragraph("")
    yield paragraph(("The filter", "title"))
    yield paragraph(
        "  Terms as field:value, joined by a space (and), or, not and parentheses; a bare word is part of the URI."
    )
    yield paragraph("  field~pattern takes a regular expression; numbers and times also take < > <= >= and a..b.")
    for field in FIELDS:
        yield paragraph((f"  {field.name:<{_KEY}}", "strong"), field.words, indent=_KEY + 2)
    yield paragraph("")
    yield paragraph("  Most terminals select text with the mouse while Shift (or Option) is held.", indent=2)

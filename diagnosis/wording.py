"""Our sentences with log text in them: quoted so that the text stays text wherever the sentence is shown."""

from __future__ import annotations

from collections.abc import Iterable

from diagnosis.visible import visible

QUOTE_LIMIT = 200  # characters of log text inside one sentence


def quoted(text: str) -> str:
    """Log text between backticks, printable and without a backtick of its own.

    A sentence with such quotes is inert as Markdown too: each quote is one whole code span.
    """
    cut = text if len(text) <= QUOTE_LIMIT else text[:QUOTE_LIMIT] + "…"
    return "`" + (visible(cut).replace("`", r"\u{60}") or " ") + "`"


def listing(parts: Iterable[str], limit: int = 8) -> str:
    """Words joined as a sentence joins them; past the limit only their number is said."""
    words = list(parts)
    if len(words) > limit:
        words = [*words[:limit], f"{len(words) - limit} more"]
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


_CHARACTER_WORDS = {" ": "a space", "\t": "a tab", "\n": "a newline", "`": "a backtick"}


def characters(found: Iterable[str]) -> str:
    """A listing of single characters, each named once."""
    return listing(_CHARACTER_WORDS.get(each) or quoted(each) for each in dict.fromkeys(found))

"""Text for places that have a markup of their own: printable ASCII alone, and for chats nothing that calls anybody."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from diagnosis.visible import visible

_WIDTH = 80
_NAME_LIMIT = 60
# The macros that would end the block of Jira's wiki text that this text is pasted into.
_UNWANTED = re.compile(r"[^ -~]|\{(?=(?i:code|noformat)[:}])")
# Mentions, channels, links, code and entities of the usual chats; emphasis is left, for names have `_` in them.
_CALLS = re.compile(r"[<>&@#|`\[\]]|:(?=//)|(?<=w)\.(?=\S)")


def plain(text: str) -> str:
    """Returns any text as one line of printable ASCII that ends no block of Jira's; all else is `\\u{...}`."""
    return _UNWANTED.sub(_escape, visible(text))


def chat(text: str) -> str:
    """Returns a name of the log between quotes, in which nothing is a mention, a link or a mark-up of a chat."""
    shown = plain(text)
    return '"' + _CALLS.sub(_escape, shown if len(shown) <= _NAME_LIMIT else shown[:_NAME_LIMIT] + "...") + '"'


def _escape(found: re.Match[str]) -> str:
    return f"\\u{{{ord(found[0]):x}}}"


def wrapped(text: str, indent: int = 0) -> str:
    """Returns words in lines of 80 columns; a word that is longer stays whole, for a cut URI is another URI."""
    return _filled(text, " " * indent, " " * indent)


def fields(pairs: Iterable[tuple[str, str]], indent: int = 2) -> Iterator[str]:
    """Yields `name: text` in lines of 80 columns; what does not fit goes on below, further in."""
    for name, text in pairs:
        yield _filled(f"{name}: {text}", " " * indent, " " * (indent + 4))


def _filled(text: str, first: str, other: str) -> str:
    return textwrap.fill(
        plain(text),
        _WIDTH,
        initial_indent=first,
        subsequent_indent=other,
        break_long_words=False,
        break_on_hyphens=False,
    )

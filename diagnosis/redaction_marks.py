"""Marks of facts that a log does not hold as they were sent; such facts prove nothing."""

from __future__ import annotations

import re

_MARKS = frozenset({"redacted", "removed", "masked", "filtered", "scrubbed", "hidden"})


def is_redaction(text: str) -> bool:
    """Whether a whole value was replaced by a mark such as `[REDACTED]`, `***` or `<masked>`."""
    bare = text.strip().strip("[]<>(){}*").lower()
    return bare in _MARKS or (not bare and "***" in text)


def holds_redaction(uri: str) -> bool:
    """Whether part of a URI was replaced by a mark in brackets, or by asterisks (one alone may stand in a URI).

    A word alone is a mark only as `REDACTED` in capitals: `removed` and `redacted` may be names.
    """
    return _IN_URI.search(uri) is not None


_IN_URI = re.compile(
    r"\*\*\*|(?<![A-Za-z0-9])(?-i:REDACTED)(?![A-Za-z0-9])|(?:[\[<{(]|%5b|%3c|%7b)(?:"
    + "|".join(sorted(_MARKS))
    + ")(?:[\\]>})]|%5d|%3e|%7d)",
    re.IGNORECASE,
)

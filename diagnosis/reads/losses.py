"""Marks of facts that a log does not hold as they were sent; such facts prove nothing."""

from __future__ import annotations

import re

_MARKS = frozenset({"redacted", "removed", "masked", "filtered", "scrubbed", "hidden"})


def is_redaction(text: str) -> bool:
    """Whether a whole value was replaced by a mark such as `[REDACTED]`, `***` or `<masked>`."""
    bare = text.strip().strip("[]<>(){}*").lower()
    return bare in _MARKS or (not bare and "***" in text)


def holds_redaction(uri: str) -> bool:
    """Whether part of a URI was replaced by a mark; an asterisk alone may stand in a URI.

    A word alone is a mark only as `REDACTED` in capitals: `removed` and `redacted` may be names.
    """
    lowered = uri.lower()
    bracketed = any(f"{left}{mark}{right}" in lowered for mark in _MARKS for left, right in _BRACKETS)
    return bracketed or "***" in uri or _CAPITALS.search(uri) is not None


_BRACKETS = (("[", "]"), ("<", ">"), ("%5b", "%5d"), ("%3c", "%3e"), ("{", "}"), ("%7b", "%7d"))
_CAPITALS = re.compile(r"(?<![A-Za-z0-9])REDACTED(?![A-Za-z0-9])")

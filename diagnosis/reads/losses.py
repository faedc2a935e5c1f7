"""Marks of facts that a log does not hold as they were sent; such facts prove nothing."""

from __future__ import annotations

_MARKS = frozenset({"redacted", "removed", "masked", "filtered", "scrubbed", "hidden"})


def is_redaction(text: str) -> bool:
    """Whether a whole value was replaced by a mark such as `[REDACTED]`, `***` or `<masked>`."""
    bare = text.strip().strip("[]<>(){}*").lower()
    return bare in _MARKS or (not bare and "***" in text)


def holds_redaction(uri: str) -> bool:
    """Whether part of a URI was replaced by a mark; an asterisk alone may stand in a URI."""
    lowered = uri.lower()
    return "***" in uri or any(f"{left}{mark}{right}" in lowered for mark in _MARKS for left, right in _BRACKETS)


_BRACKETS = (("[", "]"), ("<", ">"), ("%5b", "%5d"), ("{", "}"))

"""The characters that a stretch of URI text stands for: `%C3%A9` is one (what the N of `{v:N}` counts)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TAIL = "%[89ABab][0-9A-Fa-f]"
UNIT = re.compile(
    f"%[CDcd][0-9A-Fa-f]{_TAIL}|%[Ee][0-9A-Fa-f](?:{_TAIL}){{2}}|%[Ff][0-7](?:{_TAIL}){{3}}|%[0-9A-Fa-f]{{2}}|.",
    re.DOTALL,
)


def units(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The spans (start, end) of the single characters of `text[start:end]`."""
    for found in UNIT.finditer(text, start, len(text) if end is None else end):
        yield found.span()


def beyond_prefix(text: str, start: int, end: int, prefix: int | None) -> int | None:
    """Where `text[start:end]` goes beyond `prefix` characters; None where it does not."""
    if prefix is None or end - start <= prefix:
        return None
    for count, (at, _) in enumerate(units(text, start, end)):
        if count == prefix:
            return at
    return None

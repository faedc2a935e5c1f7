"""Whether an error refuses the caller in so many words; codes alone say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from diagnosis.reads.read import Failure, Response
from diagnosis.uris.percent import decode

# Words by which servers refuse a caller. Ours, and searched outside the quoted URI only.
_WORDS = re.compile(
    r"\b(?:forbidden|unauthori[sz]ed|not\s+authori[sz]ed|access\s+(?:is\s+)?denied|permission\s+(?:is\s+)?denied|"
    r"denied\s+access|not\s+permitted|not\s+allowed\s+to|insufficient\s+(?:permissions?|scope|privileges?)|"
    r"lacks?\s+permissions?|no\s+permission|may\s+not\s+(?:see|read|access)|authentication\s+required|"
    r"authorization\s+(?:required|failed))\b",
    re.IGNORECASE,
)
_SYSTEM = re.compile(r"\b(?:EACCES|EPERM|errno)\b", re.IGNORECASE)
_CODES = frozenset({401, 403})


# What a caller can tell errors apart by: code and wording, with the names that it asked for left out.
Signature = tuple[int | None, str]


def signature(failure: Failure, names: tuple[str, ...]) -> Signature:
    """An error without the URI and the values of its request, so that two errors can be compared."""
    message = failure.message
    for name in sorted({*names, *map(decode, names)}, key=len, reverse=True):
        message = _without(message, name)
    return failure.code, message


_NOT_FOUND = re.compile(
    r"\b(?:not\s+found|no\s+such|unknown\s+(?:resource|uri|document)|(?:does\s+not|doesn't)\s+exist)\b", re.IGNORECASE
)


def is_not_found(failure: Failure) -> bool:
    """Whether an error says that the resource does not exist: -32002, or in words."""
    return failure.code == -32002 or _NOT_FOUND.search(failure.message) is not None


def _without(message: str, name: str) -> str:
    """The message without a name where it stands as a whole word; `a` is not taken out of `access`."""
    start = message.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        if (start and message[start - 1].isalnum()) or message[end : end + 1].isalnum():
            start = message.find(name, start + 1)
        else:
            message = message[:start] + message[end:]
            start = message.find(name, start)
    return message


def is_refusal(response: Response, uri: str, values: Iterable[str] = ()) -> bool:
    """Whether an error response refuses the caller: 401 or 403 (HTTP or JSON-RPC), or explicit wording.

    Words that only repeat the URI or one of its `values` refuse nobody.
    """
    failure = response.failure
    if failure is None:
        return False
    if failure.code in _CODES or response.http_status in _CODES:
        return True
    message = failure.message
    if _SYSTEM.search(message):
        return False  # the operating system refused the server, not the server the caller
    names = {uri, decode(uri), failure.uri or uri, *(each for each in values if _WORDS.search(each))}
    for name in sorted(names, key=len, reverse=True):
        message = message.replace(name, " ") if name else message
    return _WORDS.search(message) is not None

"""Whether an error refuses the caller in so many words; codes alone say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from diagnosis.reads.read import Failure, Read, Response
from diagnosis.uris.percent import decode

# Words by which servers refuse a caller. Ours, and searched outside the quoted URI only.
_WORDS = re.compile(
    r"\b(?:forbidden|unauthori[sz]ed|not\s+authori[sz]ed|access\s+(?:is\s+)?denied|permission\s+(?:is\s+)?denied|"
    r"denied\s+access|not\s+permitted|not\s+allowed\s+to|insufficient\s+(?:permissions?|scope|privileges?)|"
    r"lacks?\s+permissions?|no\s+permissions?(?!\s+(?:\w+\s+)?(?:issues?|problems?|errors?|checks?|needed|required))|"
    r"may\s+not\s+(?:see|read|access)|authentication\s+required|authorization\s+(?:required|failed))\b",
    re.IGNORECASE,
)
# "not forbidden", "no access denied errors": a word before the phrase turns it round.
_NEGATED = re.compile(r"(?:\b(?:no|not|never|without|neither|nor)|n't)\s+$", re.IGNORECASE)
# What the operating system, its disks or a database said to the server, and not the server to the caller.
_SYSTEM = re.compile(
    r"""\b(?:EACCES|EPERM|errno|os\s+error|PermissionError|i/o\s+error|java\.nio\.file)\b
    |\bdisk\s+(?:error|full|failure|fault|quota|i/o|cache)\b
    |\bfile\s?system\s+(?:error|permissions?|fault|is)\b|\bread-only\s+file\s?system\b
    |\bpermission\s+(?:is\s+)?denied\W+(?:while\s+|when\s+)?(?:open|read|writ|creat|delet|access)ing\s+['"]?(?:/|[a-z]:\\)
    |\bpermission\s+(?:is\s+)?denied\W+(?:/(?:var|tmp|etc|usr|opt|home|root|srv|mnt|proc|dev|run|private)/|[a-z]:\\)
    |\b(?:open|openat|stat|lstat|mkdir|read|write|unlink|remove|rename|scandir|exec)\s+['"]?(?:/|\./|[a-z]:\\)
        [^\s:]*['"]?:\s+(?:permission|access\s+is)\s+denied
    |\bpermission\s+denied\s+(?:for|on)\s+(?:table|relation|schema|sequence|function|database|view)\b
    |\baccess\s+denied\s+for\s+user\s+'[^']*'@""",
    re.IGNORECASE | re.VERBOSE,
)
_RATE_LIMIT = re.compile(
    r"\b(?:rate[\s-]?limit(?:s|ed|ing)?|too\s+many\s+requests|throttl(?:ed|ing)|(?:request|api)\s+quota|quota\s+exceeded)\b",
    re.IGNORECASE,
)
_CODES = frozenset({401, 403})

# Words by which servers say that they do not know who asks: nobody has looked at the tenant then.
_CREDENTIAL = (
    r"(?:(?:access|bearer|auth|id|refresh|api)[\s_-]+)?"
    r"(?:tokens?|credentials?|api[\s_-]?keys?|session|jwt|login|signature)"
)
_LACKING = (
    r"(?:expired|missing|invalid|required|revoked|malformed|rejected|not\s+(?:valid|provided|present|found)|unknown)"
)
_UNAUTHENTICATED = re.compile(
    rf"""\b(?:unauthenticated|not\s+authenticated|authentication\s+(?:is\s+)?(?:required|failed|needed)
    |authorization\s+(?:header\s+)?(?:is\s+)?(?:required|missing)|(?:please\s+)?(?:log|sign)[\s-]?in(?:\s+(?:again|first|required))
    |{_CREDENTIAL}\s+(?:(?:has|have|is|was|are)\s+)?(?:been\s+)?{_LACKING}
    |{_LACKING}\s+{_CREDENTIAL}|no\s+{_CREDENTIAL})\b""",
    re.IGNORECASE | re.VERBOSE,
)
_BARE_401 = re.compile(r"[\W\d]*(?:error\W+|http\W+\d*\W*)?unauthori[sz]ed\W*", re.IGNORECASE)


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
    message = _own_words(failure, uri, values)
    if _has_another_cause(message):
        return False
    return any(not _NEGATED.search(message, 0, found.start()) for found in _WORDS.finditer(message))


class Unreached(StrEnum):
    """Why a refusal says nothing of the tenant: the server never came to compare it with the caller."""

    NOT_AUTHENTICATED = "not-authenticated"
    ANOTHER_CAUSE = "another-cause"


def unreached(read: Read, values: Iterable[str] = ()) -> Unreached | None:
    """Why a refused read says nothing of a check of the tenant; None where it may have been one.

    401 says that the caller is not known (RFC 9110, section 15.5.2), as do words about a token or a login.
    """
    response = read.response
    failure = response.failure if response is not None else None
    statuses = {response.http_status if response is not None else None, read.http.status if read.http else None}
    if 401 in statuses or (failure is not None and failure.code == 401):
        return Unreached.NOT_AUTHENTICATED
    if failure is None:
        return None
    message = _own_words(failure, read.uri or "", values)
    if _UNAUTHENTICATED.search(message) or _BARE_401.fullmatch(message):
        return Unreached.NOT_AUTHENTICATED
    return Unreached.ANOTHER_CAUSE if _has_another_cause(message) else None


def names_another_cause(failure: Failure, uri: str, values: Iterable[str] = ()) -> bool:
    """Whether an error says itself that a file system, a database or a rate limit is its cause."""
    return _has_another_cause(_own_words(failure, uri, values))


def _has_another_cause(message: str) -> bool:
    """Whether a file system, a database or a rate limit refused: whoever had asked would have got this error."""
    return _SYSTEM.search(message) is not None or _RATE_LIMIT.search(message) is not None


def _own_words(failure: Failure, uri: str, values: Iterable[str]) -> str:
    """The message without the URI, and without those of its values that could be taken for the server's words."""
    message = failure.message
    meant = (_WORDS, _SYSTEM, _RATE_LIMIT, _UNAUTHENTICATED)
    names = {uri, decode(uri), failure.uri or uri, *(v for v in values if any(words.search(v) for words in meant))}
    for name in sorted(names, key=len, reverse=True):
        message = message.replace(name, " ") if name else message
    return message

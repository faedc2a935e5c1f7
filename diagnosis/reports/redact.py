"""Hides secrets, e-mail addresses and session ids, each value behind a label of its own.

A label keeps what a reader needs: equal values have equal labels, and a URI keeps its shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import unquote

from diagnosis.visible import visible

Mask = Callable[[str], str]

_SECRET_NAMES = frozenset(
    (
        *("access_token", "accesskey", "api-key", "api_key", "apikey", "assertion"),
        *("auth", "auth_token", "authorization", "bearer", "client_secret", "code"),
        *("credential", "credentials", "id_token", "jwt", "key", "password"),
        *("passwd", "passphrase", "private_key", "pwd", "refresh_token", "samlrequest"),
        *("samlresponse", "secret", "session_token", "sessionid", "sid", "sig"),
        *("sign", "signature", "token", "x-amz-credential", "x-amz-security-token", "x-amz-signature"),
        *("x-api-key", "x-goog-credential", "x-goog-signature"),
    )
)
_NAME = re.compile(r"([^=&;?#/]+)=")
_VALUE_END = re.compile(r"[&;#]|\Z")
# The signature of a JWT is the credential; its header and claims are evidence. The guard in front makes every
# word start only once, which keeps the search linear.
_JWT = re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)")
# Tokens that tell what they are by their first letters, wherever they stand.
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_-])"
    r"(?:gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[a-z]-[A-Za-z0-9-]{10,}|sk-[A-Za-z0-9_-]{20,}|(?:AKIA|ASIA)[A-Z0-9]{16})"
)
# An escaped octet directly before the address (`%20ana@...`) is no part of it.
_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._+-])((?<=%)[0-9A-Fa-f]{2})?([A-Za-z0-9._+-]+(?:@|%(?:25)*40)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)"
)
# A shorter value may stand in a sentence by accident and is replaced as a whole word only.
_LONG_ENOUGH = 4


class Labels:
    """Hands out `[secret-1]`, `session-2`, `[email-1]`: the same one for the same value, counted per kind."""

    def __init__(self) -> None:
        self._given: dict[str, dict[str, str]] = {}

    def of(self, kind: str, value: str) -> str:
        """Returns the label of a value; a new value gets the next number."""
        known = self._given.setdefault(kind, {})
        if value not in known:
            number = len(known) + 1
            known[value] = f"session-{number}" if kind == "session" else f"[{kind}-{number}]"
        return known[value]

    def counts(self) -> dict[str, int]:
        """How many different values of each kind have got a label."""
        return {kind: len(known) for kind, known in sorted(self._given.items())}


def secret_spans(uri: str) -> list[tuple[int, int]]:
    """Returns the spans of a URI that hold a password, a token or a signature, in order, without overlap."""
    spans = [*_userinfo(uri), *_parameters(uri)]
    for start, end in (
        *(jwt.span(1) for jwt in _JWT.finditer(uri)),
        *(token.span() for token in _TOKEN.finditer(uri)),
    ):
        if not any(start < other_end and other_start < end for other_start, other_end in spans):
            spans.append((start, end))
    return sorted(spans)


def mask_uri(uri: str, labels: Labels) -> str:
    """Returns the URI with a label in the place of each secret; a URI without any comes back unchanged."""
    out: list[str] = []
    at = 0
    for start, end in secret_spans(uri):
        out += (uri[at:start], labels.of("secret", uri[start:end]))
        at = end
    return "".join((*out, uri[at:]))


def mask_secrets(uri: str | None, labels: Labels) -> Mask:
    """Returns a function that hides the secrets of this URI in any sentence about it, decoded or not."""
    hidden: dict[str, str] = {}
    for start, end in secret_spans(uri or ""):
        raw = uri[start:end] if uri else ""
        label = labels.of("secret", raw)
        once = unquote(raw)
        for form in (raw, once, unquote(once)):
            hidden.setdefault(form, label)
            hidden.setdefault(visible(form), label)  # as sentences quote it
    if not hidden:
        return lambda text: text
    return lambda text: replace_values(_without_beginnings(text, hidden), hidden.items())


def mask_tokens(text: str, labels: Labels) -> str:
    """Returns a text that is no URI, such as a tenant's name, with a label in the place of each known token."""
    return _TOKEN.sub(lambda found: labels.of("secret", found[0]), text)


def mask_emails(text: str, labels: Labels) -> str:
    """Returns the text with a label in the place of each e-mail address, also a percent-encoded one."""
    if "@" not in text and "40" not in text:
        return text
    return _EMAIL.sub(lambda found: (found[1] or "") + labels.of("email", _plain(found[2])), text)


def blot_uri(uri: str, labels: Labels) -> str:
    """Returns the URI with secrets and e-mail addresses covered, character for character.

    Every offset into the URI stays good, which a drawing of it against its template needs. The cover is made
    of characters that may stand anywhere and never looks like a fault itself.
    """
    spans = [(start, end, labels.of("secret", uri[start:end])) for start, end in secret_spans(uri)]
    for found in _EMAIL.finditer(uri):
        if not any(start < found.end(2) and found.start(2) < end for start, end, _ in spans):
            spans.append((*found.span(2), labels.of("email", _plain(found[2]))))
    for start, end, label in spans:
        uri = uri[:start] + label.strip("[]").ljust(end - start, "~")[: end - start] + uri[end:]
    return uri


def replace_values(text: str, values: Iterable[tuple[str, str]]) -> str:
    """Replaces values by their labels, the longest first; a value below four characters as a word only."""
    for value, label in sorted(values, key=lambda pair: -len(pair[0])):
        if value and value in text:
            text = text.replace(value, label) if len(value) >= _LONG_ENOUGH else replace_word(text, value, label)
    return text


def replace_word(text: str, word: str, label: str) -> str:
    """Replaces a word where no letter, digit, `-` or `_` touches it."""
    out: list[str] = []
    at = 0
    while (found := text.find(word, at)) >= 0:
        end = found + len(word)
        alone = not _touches(text[found - 1 : found]) and not _touches(text[end : end + 1])
        out.append(text[at:found] + (label if alone else word))
        at = end
    return "".join((*out, text[at:]))


def _without_beginnings(text: str, hidden: Mapping[str, str]) -> str:
    """Hides the beginning of a value where a long quote was cut, in front of its ellipsis."""
    pieces = text.split("…")
    for index, piece in enumerate(pieces[:-1]):
        for value, label in hidden.items():
            beginning = next((n for n in range(len(value) - 1, _LONG_ENOUGH - 1, -1) if piece.endswith(value[:n])), 0)
            if beginning:
                piece = piece[:-beginning] + label
        pieces[index] = piece
    return "…".join(pieces)


def _touches(neighbour: str) -> bool:
    return neighbour.isalnum() or (neighbour != "" and neighbour in "-_")


def _plain(address: str) -> str:
    return unquote(unquote(address)).lower()


def _userinfo(uri: str) -> list[tuple[int, int]]:
    """The password of `scheme://user:password@host`."""
    scheme = uri.find("://")
    if scheme < 0 or "@" not in uri:
        return []
    start = scheme + 3
    end = min((at for at in (uri.find(mark, start) for mark in "/?#") if at >= 0), default=len(uri))
    host = uri.rfind("@", start, end)
    colon = uri.find(":", start, host) if host >= 0 else -1
    return [(colon + 1, host)] if 0 <= colon < host - 1 else []


def _parameters(uri: str) -> list[tuple[int, int]]:
    """The values of secret names in the query and the fragment; a raw `?` or `=` inside hides nothing."""
    begin = min((at for at in (uri.find("?"), uri.find("#")) if at >= 0), default=-1)
    spans: list[tuple[int, int]] = []
    if begin < 0:
        return spans
    covered = 0
    for name in _NAME.finditer(uri, begin + 1):
        if name.end() < covered or unquote(name[1]).lower() not in _SECRET_NAMES:
            continue
        end = _VALUE_END.search(uri, name.end())
        covered = end.start() if end else len(uri)
        if covered > name.end():
            spans.append((name.end(), covered))
    return spans

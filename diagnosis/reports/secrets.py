"""Finds secrets in log text: by the name beside them, and by the letters that tokens begin with.

Own rules rather than a scanner of source code: they run over every sentence of a report, so each pattern is linear
and starts at most once in a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from urllib.parse import unquote

from diagnosis.reports.secret_names import is_ambiguous, is_cookie, kind_of


class Secret(NamedTuple):
    """Where a secret stands in a text, and of which kind it is."""

    start: int
    end: int
    kind: str


# No letter or digit goes on before it; an escaped octet directly before (`%2F`) is no part of the word.
_WORD_BEGINS = r"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))"


@dataclass(frozen=True, slots=True)
class _Rule:
    """A kind of token that tells what it is by its shape; group 1, where there is one, is the secret part."""

    kind: str
    pattern: re.Pattern[str]


def _rule(kind: str, pattern: str) -> _Rule:
    return _Rule(kind, re.compile(_WORD_BEGINS + pattern))


_RULES = (
    # GitHub, GitLab, Slack, npm, PyPI, Hugging Face, DigitalOcean, SendGrid, Vault, Google OAuth
    _rule("token", r"gh[oprsu]_[A-Za-z0-9]{20,}"),
    _rule("token", r"github_pat_[A-Za-z0-9_]{20,}"),
    _rule("token", r"glpat-[A-Za-z0-9_-]{16,}"),
    _rule("token", r"xox[a-z]-[A-Za-z0-9-]{10,}"),
    _rule("token", r"npm_[A-Za-z0-9]{30,}"),
    _rule("token", r"pypi-AgE[A-Za-z0-9_-]{20,}"),
    _rule("token", r"hf_[A-Za-z0-9]{30,}"),
    _rule("token", r"do[opr]_v1_[0-9a-f]{32,}"),
    _rule("token", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _rule("token", r"hvs\.[A-Za-z0-9_-]{20,}"),
    _rule("token", r"ya29\.[A-Za-z0-9_-]{20,}"),
    # OpenAI and Anthropic, Stripe, AWS, Google
    _rule("key", r"sk-[A-Za-z0-9_-]{20,}"),
    _rule("key", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _rule("key", r"(?:AKIA|ASIA)[A-Z0-9]{15,}"),
    _rule("key", r"AIza[A-Za-z0-9_-]{30,}"),
    # A JWT's signature is the credential, its header and claims are evidence; a JWE has two more parts.
    _rule("signature", r"eyJ[A-Za-z0-9_-]{1,2000}\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)"),
    # Headers, and a private key, which goes on over lines
    _rule("token", r"(?i:bearer|basic|dpop)(?:[ \t+]|%20)+((?=[^ ]{0,60}[0-9=])[A-Za-z0-9._~+/=-]{8,}|[\w.~+/-]{24,})"),
    _rule("key", r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)"),
    # The password of `scheme://user:password@host`
    _Rule("password", re.compile(r"://[^\s/?#@:`]*:([^\s/?#@`]+)@")),
)
# One cheap look decides for nearly every text that none of the rules can fit.
_HINT = re.compile(
    r"gh[oprsu]_|github_pat_|glpat-|xox[a-z]-|npm_|pypi-|hf_|_v1_|SG\.|hvs\.|ya29\.|sk-|k_(?:live|test)_|AKIA|ASIA|AIza"
    r"|eyJ|(?i:bearer|basic|dpop)|-----BEGIN|://[^\s/?#@:`]*:"
)

# What stands between a name and its value; `://` is none. The name is looked for in the characters before it.
_MARK = re.compile(r"(?P<equals>=|%(?:25)*3[Dd])|(?P<colon>:(?!//)\s?)")
_NAME_BEFORE = re.compile(r"([A-Za-z0-9_.\[\]-]+)(\\*[\"'])?\Z")
_LONGEST = 64
_VALUE = re.compile(r"(?:(?!%(?:25)*(?:26|23|3[Bb]))[^\s&;#`\"'<>…])+")
# What is quoted ends with its quote. JSON inside a string has its quotes escaped.
_QUOTED = re.compile(r"([\"'])((?:(?!\1)[^\\]|\\.)*)|(\\+[\"'])((?:(?!\3).)*)", re.DOTALL)
_HEADER = re.compile(r"(?:(?i:bearer|basic|dpop)\s+)?([^\s`\"',;…]+)")
_COOKIE = re.compile(r"([^\r\n`\"…]+)")
# `{token}` stands for a value; `[token-1]` is one that is hidden already.
_NO_VALUE = re.compile(r"\{[+#./;?&]?[A-Za-z0-9_.,%:*]+\}|\[[a-z]+-[0-9]+\][.,:;)]*")

_DELIMITER = re.compile(r"[=&;?#/]")
_VALUE_END = re.compile(r"[&;#]|\Z")
_SPELLED = re.compile(r"(?<![A-Za-z0-9_%.\[\]-])([A-Za-z0-9_%.\[\]-]{1,200})=([^\s&;#`\"'<>…]+)")
_LAYERS = 4  # of percent-encoding that are undone to see what is in a piece
# `scheme://user:password@` as it comes out of a piece: encoded, the password may hold any character.
_ACCOUNT = re.compile(r"://[^/@:]*:([^/@]+)@")
_PIECE = re.compile(r"[^/?#&=;:@\s`\"'<>…]+")


def in_text(text: str) -> tuple[Secret, ...]:
    """Returns the secrets of a sentence or of any other text that is no URI, in order, without overlap."""
    return _remembered_in_text(text) if len(text) <= _REMEMBERED else _in_text(text)


def in_uri(uri: str) -> tuple[Secret, ...]:
    """Returns the passwords, tokens, keys and signatures of a URI, in order, without overlap."""
    return _remembered_in_uri(uri) if len(uri) <= _REMEMBERED else _in_uri(uri)


def _in_text(text: str) -> tuple[Secret, ...]:
    return _apart([*_by_shape(text), *_named(text), *_spelled(text), *_encoded(text)])


def _in_uri(uri: str) -> tuple[Secret, ...]:
    return _apart([*_userinfo(uri), *_parameters(uri), *_by_shape(uri), *_named(uri), *_encoded(uri)])


# Reports say the same sentences, names and URIs again and again; long ones are rare and would hold much memory.
_REMEMBERED = 1000
_remembered_in_text = lru_cache(maxsize=4096)(_in_text)
_remembered_in_uri = lru_cache(maxsize=4096)(_in_uri)


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """Joins what overlaps: all of it is hidden, as the kind of the one that begins first."""
    kept: list[Secret] = []
    for one in sorted(found, key=lambda each: (each.start, -each.end)):
        if kept and one.start < kept[-1].end:
            kept[-1] = kept[-1]._replace(end=max(kept[-1].end, one.end))
        elif one.start < one.end:
            kept.append(one)
    return tuple(kept)


def _by_shape(text: str) -> Iterator[Secret]:
    if not _HINT.search(text):
        return
    for rule in _RULES:
        for found in rule.pattern.finditer(text):
            group = 1 if found.re.groups else 0
            yield Secret(*found.span(group), rule.kind)


def _named(text: str) -> Iterator[Secret]:
    """`password=...` in any text, also with an encoded `=`, and `password: ...` as headers and JSON have it."""
    covered = 0
    for mark in _MARK.finditer(text):
        if mark.start() < covered:  # all of that is hidden already
            continue
        name, quoted = _name_before(text, mark.start())
        kind = kind_of(name)
        if kind is None:
            continue
        # A word of our own sentences is no name, but a member of a JSON object is one.
        value = _QUOTED.match(text, mark.end())
        if value is None and (mark["equals"] or not is_ambiguous(name)):
            value = (_VALUE if mark["equals"] else _COOKIE if is_cookie(name) else _HEADER).match(text, mark.end())
        elif value is not None and not (quoted or mark["equals"] or not is_ambiguous(name)):
            value = None
        if value is None:
            continue
        span = value.span(value.lastindex or 0)
        if not _NO_VALUE.fullmatch(text, *span):
            covered = span[1]
            yield Secret(*span, kind)


def _name_before(text: str, end: int) -> tuple[str, bool]:
    """The name before a mark, and whether it is in quotes; an octet before it (`%2Ftoken=`) is no part of it."""
    found = _NAME_BEFORE.search(text, max(0, end - _LONGEST), end)
    if found is None:
        return "", False
    name = found[1]
    escaped = text[found.start() - 1 : found.start()] == "%" and kind_of(name) is None
    return name[2:] if escaped else name, found[2] is not None


def _userinfo(uri: str) -> Iterator[Secret]:
    """The password of `scheme://user:password@host`, whatever characters it has."""
    scheme = uri.find("://")
    if scheme < 0 or "@" not in uri:
        return
    start = scheme + 3
    end = min((at for at in (uri.find(mark, start) for mark in "/?#") if at >= 0), default=len(uri))
    host = uri.rfind("@", start, end)
    colon = uri.find(":", start, host) if host >= 0 else -1
    if 0 <= colon < host - 1:
        yield Secret(colon + 1, host, "password")


def _parameters(uri: str) -> Iterator[Secret]:
    """The values of secret names, in the query, the fragment or a path segment; a raw `?` inside hides nothing."""
    covered = begins = 0
    for mark in _DELIMITER.finditer(uri):
        name, begins = uri[begins : mark.start()], mark.end()
        if mark[0] != "=" or mark.start() < covered or not name:
            continue
        kind = kind_of(name)
        if kind is None:
            continue
        end = _VALUE_END.search(uri, mark.end())
        covered = end.start() if end else len(uri)
        if not _NO_VALUE.fullmatch(uri, mark.end(), covered):
            yield Secret(mark.end(), covered, kind)


def _spelled(text: str) -> Iterator[Secret]:
    """`to%6ben=...` in any text: a secret's name that is percent-encoded."""
    if "%" not in text or "=" not in text:
        return
    for found in _SPELLED.finditer(text):
        kind = kind_of(found[1])
        if kind is not None and not _NO_VALUE.fullmatch(found[2]):
            yield Secret(*found.span(2), kind)


def _encoded(text: str) -> Iterator[Secret]:
    """The whole of a piece in which a token or a secret's name comes to light only when it is decoded."""
    if "%" not in text:
        return
    for piece in _PIECE.finditer(text):
        if "%" not in piece[0]:
            continue
        plain, shown = _shown_in(piece[0]), piece[0]
        for _ in range(_LAYERS):
            before, shown = shown, unquote(shown)
            if shown == before:
                break
            found = next((each for each in _found_in(shown) if shown[each.start : each.end] not in plain), None)
            if found is not None:
                yield Secret(*piece.span(), found.kind)
                break


def _found_in(text: str) -> Iterator[Secret]:
    account = (Secret(*found.span(1), "password") for found in _ACCOUNT.finditer(text))
    return chain(_by_shape(text), _named(text), account)


def _shown_in(text: str) -> frozenset[str]:
    """The secrets of a piece that need no decoding: where they stand they get the label that they have elsewhere."""
    return frozenset(text[start:end] for start, end, _ in _found_in(text))

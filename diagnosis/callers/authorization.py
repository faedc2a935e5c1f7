"""Reads statements about a caller: an Authorization header, or the principal field of a log record.

Nothing here verifies a signature; claims are what the log says and no more (RFC 7519 section 4 names them).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from diagnosis.callers.credentials import TOKEN_LABELS, Credential, CredentialSource, TokenLabels
from diagnosis.redaction_marks import is_redaction

LONGEST_TOKEN = 64 * 1024
_STRONG = ("tid", "tenant", "tenant_id", "org_id", "org", "organization", "account", "customer", "workspace")
_SUBJECTS = ("id", "sub", "subject", "user", "name")
_RECORD_ISSUERS = ("iss", "issuer")
_ADMIN_FLAGS = ("admin", "is_admin", "administrator")
_ELEVATED_LISTS = ("roles", "role", "groups", "group", "permissions", "permission")
_ELEVATED_WORD = re.compile(r"(?<![A-Za-z0-9])(?:admin|administrator|support)(?![A-Za-z0-9])", re.IGNORECASE)
_SPELLING = re.compile(r"[^a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def from_authorization(header: str, labels: TokenLabels = TOKEN_LABELS) -> Credential | None:
    """What an `Authorization` header value says about the caller; None where it says nothing.

    A bearer JWT gives its claims, unverified. Any other token, a malformed JWT and `Basic` are good for
    equality only.
    A redacted value (`[REDACTED]`, `***`) is nothing: it would make all callers equal.
    """
    scheme, _, rest = header.strip().partition(" ")
    token = rest.strip() or scheme
    if not token or token.lower() in ("bearer", "basic") or _redacted(token):
        return None
    digest = labels.digest(header)
    known = labels.known(digest)
    if known is not None:
        return known
    claims = _claims(token) if len(token) <= LONGEST_TOKEN and scheme.lower() != "basic" else None
    return labels.keep(digest, _from_token(token, claims, labels))


def from_record(value: Any, labels: TokenLabels = TOKEN_LABELS) -> Credential | None:
    """What a record's own principal field says: a name, or an object with an id and perhaps tenants.

    A text that is an Authorization value (`Bearer ...`) is read as one. Other types say nothing.
    """
    if isinstance(value, str):
        if value[:7].lower() == "bearer " or value[:6].lower() == "basic ":
            return from_authorization(value, labels)
        if not value or is_redaction(value):
            return None
        return Credential(CredentialSource.RECORD, value, None, None, None, None, labels.name("caller", value))
    if not isinstance(value, Mapping):
        return None
    subject = _first_text(value, _SUBJECTS)
    issuer = _first_text(value, _RECORD_ISSUERS)
    claim, tenants = _tenants(value)
    if subject is None and tenants is None:
        return None
    label = labels.name("caller", f"{issuer}\n{subject}\n{tenants}" if subject is None or issuer else subject)
    return Credential(CredentialSource.RECORD, subject, issuer, tenants, claim, _elevated(value, tenants), label)


def _from_token(token: str, claims: Mapping[str, Any] | None, labels: TokenLabels) -> Credential:
    label = labels.name("token", token)
    if claims is None:
        return Credential(CredentialSource.TOKEN, None, None, None, None, None, label)
    claim, tenants = _tenants(claims)
    return Credential(
        CredentialSource.CLAIMS,
        _first_text(claims, ("sub",)),
        _first_text(claims, ("iss",)),
        tenants,
        claim,
        _elevated(claims, tenants),
        label,
    )


def _claims(token: str) -> Mapping[str, Any] | None:
    """The payload of a JWT in compact form (RFC 7515 section 7.1); None where `token` is no such thing."""
    parts = token.split(".")
    if len(parts) != 3 or not isinstance(_part(parts[0]), dict):
        return None
    payload = _part(parts[1])
    return payload if isinstance(payload, dict) else None


def _part(text: str) -> Any:
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        return orjson.loads(data)
    except (binascii.Error, ValueError):
        return None


def _redacted(token: str) -> bool:
    return "redacted" in token.lower() or not token.strip("*.•xX[]<> ")


def _first_text(value: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        found = value.get(key)
        if isinstance(found, str) and found and not is_redaction(found):
            return found
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
    return None


def _tenants(value: Mapping[str, Any]) -> tuple[str | None, tuple[str, ...] | None]:
    """The claim that names tenants, and its values. Several such claims: the one that states the allowed set.

    A claim without usable values (`null`, an object) says nothing; an empty list says "none".
    """
    best: tuple[int, str, tuple[str, ...]] | None = None
    for key, stated in value.items():
        rank = _rank(key)
        values = _whole(stated) if rank is not None else None
        if rank is not None and values is not None and (best is None or rank < best[0]):
            best = (rank, key, values)
    return (best[1], best[2]) if best else (None, None)


def _rank(key: str) -> int | None:
    """How well a claim's name says "the tenants of this caller": 0 is best, None is not at all."""
    namespaced = "/" in key or ":" in key
    word = _word(key)
    allowed = word.startswith("allowed_")
    word = word.removeprefix("allowed_")
    if word not in _NAMES:
        return None
    return (0 if allowed else 10) + _NAMES[word] + (100 if namespaced else 0)


def _names() -> dict[str, int]:
    """Every spelling of a tenant claim: plurals before singulars, in the order of `_STRONG`."""
    names: dict[str, int] = {}
    for position, name in enumerate(_STRONG):
        bare = name.removesuffix("_id")
        for plural in (f"{name}s", f"{bare}_ids", f"{bare}s"):
            names.setdefault(plural, 0)
        for singular in (name, f"{bare}_id"):
            names.setdefault(singular, 1 + min(position, 8))
    return names


_NAMES = _names()


def _whole(value: Any) -> tuple[str, ...] | None:
    """The texts of a value that is nothing but texts; a list with an object in it is not understood, so unknown."""
    if isinstance(value, list) and any(isinstance(each, bool) or not isinstance(each, str | int) for each in value):
        return None
    return _texts(value)


def _texts(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return (value,) if value else None
    if isinstance(value, int) and not isinstance(value, bool):
        return (str(value),)
    if not isinstance(value, list):
        return None
    return tuple(str(each) for each in value if isinstance(each, str | int) and not isinstance(each, bool))


def _elevated(value: Mapping[str, Any], tenants: tuple[str, ...] | None) -> str | None:
    """The mark that makes the caller more than an ordinary member of the tenants, as a person is shown it."""
    if value.get("act"):
        return "act"
    if tenants and "*" in tenants:
        return "* among the tenants"
    for key, stated in (*value.items(), *_of_realms(value)):
        word = _word(key)
        if word in _ADMIN_FLAGS and stated is True:
            return f"{word}: true"
        if word in _ELEVATED_LISTS:
            for text in _texts(stated) or ():
                if _ELEVATED_WORD.search(text):
                    return f"{word}: {text[:80]}"
    for scope in _scopes(value):
        if _ELEVATED_WORD.search(re.split(r"[:/.]", scope)[-1]):
            return f"scope: {scope[:80]}"
    return None


def _of_realms(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Keycloak's roles, which stand one and two levels deeper."""
    clients = value.get("resource_access")
    for place in (value.get("realm_access"), *(clients.values() if isinstance(clients, Mapping) else ())):
        if isinstance(place, Mapping):
            yield "roles", place.get("roles")


def _word(key: str) -> str:
    """A claim's name in lower case with underscores, without the namespace before its last part."""
    last = re.split(r"[/:]", key)[-1]
    return _SPELLING.sub("_", _CAMEL.sub("_", last).lower()).strip("_")


def _scopes(value: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for key in ("scope", "scp", "scopes"):
        for text in _texts(value.get(key)) or ():
            found += text.split()
    return found

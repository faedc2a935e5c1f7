"""What a request said about its caller, without the secret itself."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from enum import StrEnum


class CredentialSource(StrEnum):
    """Where the statement about a caller was found, best first."""

    RECORD = "record"
    CLAIMS = "claims"
    TOKEN = "token"


@dataclass(frozen=True, slots=True)
class Credential:
    """A statement about the caller that stands in the log beside a request.

    `record` is the log record's own principal field, written by whoever made the log. `claims` are the
    claims of a bearer JWT and are never verified. `token` is an opaque token, good for equality only.
    `tenants` is None where nothing is said about tenants. `tenant_claim` names the claim or field that
    held them. `elevated` is the mark (`admin: true`, `act`, a role) that makes a claim about tenants
    inconclusive. `label` is a stable name such as `token-1`, by first appearance: equal credentials have
    equal labels, and no secret can be read from it. `borrowed` says, in words, from which other log it was taken
    and by what the two were joined; it is "" where the request's own record says it.
    """

    source: CredentialSource
    subject: str | None
    issuer: str | None
    tenants: tuple[str, ...] | None
    tenant_claim: str | None
    elevated: str | None
    label: str
    borrowed: str = ""


KNOWN_LIMIT = 100_000  # headers whose meaning is remembered; beyond, they are read again
LABEL_LIMIT = 1_000_000  # secrets that have a name of their own, some 150 bytes each


class TokenLabels:
    """Names secrets by their first appearance (`token-1`, `token-2`) and keeps none of them.

    What is kept is a keyed hash whose key lives only as long as this object, so a short secret cannot be
    guessed from it. One object per run gives the same labels for the same captures in the same order.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._ordinals: dict[tuple[str, bytes], int] = {}
        self._known: dict[bytes, Credential] = {}
        self._counts: dict[str, int] = {}
        self.full = False

    def digest(self, secret: str) -> bytes:
        """The keyed hash of `secret`; equal secrets have equal ones."""
        data = secret.encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, key=self._key, digest_size=20).digest()

    def name(self, kind: str, secret: str) -> str:
        """`kind` with the number of the secret among the secrets of that kind."""
        key = (kind, self.digest(secret))
        if key not in self._ordinals:
            if len(self._ordinals) >= LABEL_LIMIT:
                self.full = True
                return f"{kind}-of-many"
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._ordinals[key] = self._counts[kind]
        return f"{kind}-{self._ordinals[key]}"

    def known(self, digest: bytes) -> Credential | None:
        """The credential that was read from the header with this hash before."""
        return self._known.get(digest)

    def keep(self, digest: bytes, credential: Credential) -> Credential:
        """Remembers what the header with this hash said, so that a repeated one is not read again."""
        if len(self._known) >= KNOWN_LIMIT:
            self._known.clear()
        self._known[digest] = credential
        return credential


TOKEN_LABELS = TokenLabels()
"""The labels of this process, for callers that bring none of their own."""

"""What a request said about its caller, without the secret itself."""

from __future__ import annotations

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

    `record` is the log record's own principal field, written by whoever made the log. `claims` are the claims of
    a bearer JWT and are never verified. `token` is an opaque token, good for equality only. `tenants` is None
    where nothing is said about tenants. `tenant_claim` names the claim or field that held them. `elevated` is the
    mark (`admin: true`, `act`, a role) that makes a claim about tenants inconclusive. `label` is a salted hash:
    equal credentials have equal labels, and no secret can be read back from it.
    """

    source: CredentialSource
    subject: str | None
    issuer: str | None
    tenants: tuple[str, ...] | None
    tenant_claim: str | None
    elevated: str | None
    label: str

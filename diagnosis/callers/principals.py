"""Who asked, and how we know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PrincipalSource(StrEnum):
    """Where the knowledge about a caller comes from, best first."""

    STATED = "stated"
    POLICY = "policy"
    RECORD = "record"
    CLAIMS = "claims"
    TOKEN = "token"
    INHERITED = "inherited"


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller of a read.

    `allowed_tenants` is None where it is unknown and empty where the caller may see nothing but shared tenants.
    `how` says in words how we know, for example `policy: session s1` or `unverified claim sub`. `elevated` is the
    mark that makes claims about tenants inconclusive. `subject` is the token's or record's own name for the caller.
    """

    id: str
    source: PrincipalSource
    how: str
    allowed_tenants: tuple[str, ...] | None = None
    shared_tenants: tuple[str, ...] = ()
    admin: bool = False
    elevated: str | None = None
    tenant_claim: str | None = None
    subject: str | None = None

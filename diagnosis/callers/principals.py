"""Who asked, and how we know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePath

from diagnosis.callers.credentials import Credential, CredentialSource
from diagnosis.callers.policy import Policy, PolicyPrincipal
from diagnosis.reads.losses import is_redaction
from diagnosis.reads.read import Read
from diagnosis.wording import quoted


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
    `how` says in words how we know, for example "policy: session `s1`" (log text in it is quoted). `elevated` is the
    mark that makes claims about tenants inconclusive. `subject` is the token's or record's own name for the caller,
    `subjects` are the names that the policy knows it by.
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
    subjects: tuple[str, ...] = ()

    @property
    def by_person(self) -> bool:
        """Whether a person says who this is: in the policy file, or for this run."""
        return self.source in (PrincipalSource.STATED, PrincipalSource.POLICY)

    def may_see(self, tenant: str) -> bool:
        """Whether the tenant is inside the allowed set; whole names only, never prefixes."""
        return self.admin or tenant in (self.allowed_tenants or ()) or tenant in self.shared_tenants


@lru_cache(maxsize=1024)
def capture_stem(path: str) -> str:
    """The name by which a policy speaks of a whole capture: its file name without the last suffix."""
    return PurePath(path).stem


def resolve(read: Read, policy: Policy) -> Principal | None:
    """The caller of a read, by the best source there is; None where nobody says who asked.

    The principal belongs to the request: what the request itself says of its subject is looked up first, then its
    session and capture. A credential that only an earlier request of the session carried stays `inherited`, also
    where the policy lists its subject, because a session can change hands.
    """
    own = read.credential
    found = _by_subject(policy.principals, own) if own else None
    if found is not None and own is not None:
        return _of_policy(found, policy, f"subject {quoted(own.subject or '')}", own)
    named = _by_session(policy.principals, read)
    if named is not None:
        return _of_policy(named[0], policy, named[1], own)
    anybody = next((each for each in policy.principals if "*" in (*each.sessions, *each.subjects)), None)
    if anybody is not None:
        return _of_policy(anybody, policy, "every caller", own)
    if own is not None:
        return _of_credential(own, policy)
    if read.inherited is not None:
        return _inherited(read.inherited, policy)
    return None


def _by_subject(principals: Iterable[PolicyPrincipal], credential: Credential) -> PolicyPrincipal | None:
    subject = credential.subject
    if subject is None:
        return None
    return next((each for each in principals if subject in each.subjects or subject == each.id), None)


def _by_session(principals: Sequence[PolicyPrincipal], read: Read) -> tuple[PolicyPrincipal, str] | None:
    stem = capture_stem(read.capture)
    for name, kind in ((read.session, "session"), (stem, "capture")):
        found = next((each for each in principals if name is not None and name in each.sessions), None)
        if found is not None:
            return found, f"{kind} {quoted(name or '')}"
    return None


def _of_policy(found: PolicyPrincipal, policy: Policy, place: str, own: Credential | None) -> Principal:
    source = PrincipalSource.STATED if found.stated else PrincipalSource.POLICY
    return Principal(
        id=found.id,
        source=source,
        how=f"{'stated by the person' if found.stated else 'policy'}: {place}",
        allowed_tenants=found.allowed_tenants,
        shared_tenants=policy.shared_tenants,
        admin=found.admin,
        subjects=() if "*" in found.subjects else found.subjects,
        subject=own.subject if own else None,
    )


_HOW = {
    CredentialSource.RECORD: (PrincipalSource.RECORD, "the record's own principal field"),
    CredentialSource.CLAIMS: (PrincipalSource.CLAIMS, "unverified claim sub"),
    CredentialSource.TOKEN: (PrincipalSource.TOKEN, "an opaque token, known by its hash only"),
}


def _of_credential(own: Credential, policy: Policy) -> Principal:
    source, how = _HOW[own.source]
    return Principal(
        id=own.subject or own.label,
        source=source,
        how=how,
        allowed_tenants=_kept(own.tenants),
        shared_tenants=policy.shared_tenants,
        elevated=own.elevated,
        tenant_claim=own.tenant_claim,
        subject=own.subject,
    )


def _kept(tenants: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The tenants that a credential names; unknown where the log redacted one of them."""
    return None if tenants is None or any(is_redaction(each) for each in tenants) else tenants


def _inherited(earlier: Credential, policy: Policy) -> Principal:
    found = _by_subject(policy.principals, earlier)
    return Principal(
        id=found.id if found else earlier.subject or earlier.label,
        source=PrincipalSource.INHERITED,
        how="inherited from an earlier request of the session",
        allowed_tenants=found.allowed_tenants if found else _kept(earlier.tenants),
        shared_tenants=policy.shared_tenants,
        admin=bool(found and found.admin),
        elevated=earlier.elevated,
        tenant_claim=earlier.tenant_claim,
        subject=earlier.subject,
    )

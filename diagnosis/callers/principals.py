"""Who asked, and how we know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePath

from diagnosis.callers.credentials import Credential, CredentialSource
from diagnosis.callers.policy import Policy, PolicyPrincipal
from diagnosis.reads.read import Read
from diagnosis.redaction_marks import is_redaction
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
    `subjects` are the names that the policy knows it by. `borrowed` names the other log that says who asked,
    and is "" where this one does.
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
    borrowed: str = ""

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


def places_of(read: Read) -> tuple[tuple[str, str], ...]:
    """What a policy can know the place of a read by, with its kind: the session, then the capture."""
    named = (
        (read.session, "session"),
        (capture_stem(read.capture), "capture"),
        (capture_stem(read.capture_set), "capture"),
    )
    return tuple((name, kind) for name, kind in named if name is not None)


@dataclass(frozen=True, slots=True)
class _Found:
    """A caller that is named, by what in words, and which other log says so ("" where this one does)."""

    principal: PolicyPrincipal
    place: str
    borrowed: str = ""


class _Lines:
    """The callers that one source names, a person for this run or the policy file; looked up, not searched."""

    def __init__(self, principals: Iterable[PolicyPrincipal]) -> None:
        every = tuple(principals)
        self._by_subject: dict[str, PolicyPrincipal] = {}
        self._by_session: dict[str, PolicyPrincipal] = {}
        for each in every:
            for subject in (*each.subjects, each.id):
                self._by_subject.setdefault(subject, each)
            for session in each.sessions:
                self._by_session.setdefault(session, each)
        self.anybody = next((each for each in every if "*" in (*each.sessions, *each.subjects)), None)

    def named(self, read: Read) -> _Found | None:
        """The caller of a read by its subject, else by its session or capture; `"*"` names nobody."""
        own = read.credential
        found = self.of_subject(own) if own else None
        if found is not None and own is not None and not own.borrowed:
            return _Found(found, f"subject {quoted(own.subject or '')}")
        for name, kind in places_of(read):
            if name in self._by_session:
                return _Found(self._by_session[name], f"{kind} {quoted(name)}")
        if found is not None and own is not None:  # another log's word counts less than a line on the session
            return _Found(found, f"subject {quoted(own.subject or '')}, by {own.borrowed}", own.borrowed)
        return None

    def of_subject(self, credential: Credential) -> PolicyPrincipal | None:
        """The caller whose subject a credential names."""
        return None if credential.subject is None else self._by_subject.get(credential.subject)

    def about(self, listed: PolicyPrincipal) -> PolicyPrincipal | None:
        """What is said of a caller that another source lists, by one of its own names."""
        names = (listed.id, *listed.subjects)
        return next((self._by_subject[name] for name in names if name in self._by_subject), None)


class Callers:
    """Says who asked, by the best source there is.

    What a person states for this run comes before the policy file, also where it is said of every caller; of one
    caller, session or capture it comes before what is said of everybody.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._stated = _Lines(each for each in policy.principals if each.stated)
        self._listed = _Lines(each for each in policy.principals if not each.stated)

    def of(self, read: Read) -> Principal | None:
        """The caller of a read; None where nobody says who asked.

        The principal belongs to the request: what the request itself says of its subject is looked up first, then
        its session and capture. A credential that only an earlier request of the session carried stays
        `inherited`, also where the policy lists its subject, because a session can change hands.
        """
        found = self._found(read)
        if found is not None:
            return _of_policy(found, self._policy, read.credential)
        if read.credential is not None:
            return _of_credential(read.credential, self._policy)
        if read.inherited is not None:
            named = self._stated.of_subject(read.inherited) or self._listed.of_subject(read.inherited)
            return _inherited(read.inherited, named, self._policy)
        return None

    def _found(self, read: Read) -> _Found | None:
        stated = self._stated.named(read)
        if stated is not None:
            return stated
        listed = self._listed.named(read)
        said = self._stated.about(listed.principal) if listed is not None else None
        if listed is not None and said is not None:
            place = f"{quoted(listed.principal.id)} of the policy, {listed.place}"
            return _Found(replace(said, subjects=listed.principal.subjects), place, listed.borrowed)
        if self._stated.anybody is not None:
            return _Found(self._stated.anybody, "every caller")
        if listed is None and self._listed.anybody is not None:
            return _Found(self._listed.anybody, "every caller")
        return listed


def resolve(read: Read, policy: Policy) -> Principal | None:
    """The caller of one read under a policy; for many reads make one `Callers`."""
    return Callers(policy).of(read)


def _of_policy(found: _Found, policy: Policy, own: Credential | None) -> Principal:
    said = found.principal
    return Principal(
        id=said.id,
        source=PrincipalSource.STATED if said.stated else PrincipalSource.POLICY,
        how=f"{'stated by the person' if said.stated else 'policy'}: {found.place}",
        allowed_tenants=said.allowed_tenants,
        shared_tenants=policy.shared_tenants,
        admin=said.admin,
        subjects=() if "*" in said.subjects else said.subjects,
        subject=own.subject if own else None,
        borrowed=found.borrowed,
    )


_HOW = {
    CredentialSource.RECORD: (PrincipalSource.RECORD, "the record's own principal field"),
    CredentialSource.CLAIMS: (PrincipalSource.CLAIMS, "unverified claim sub"),
    CredentialSource.TOKEN: (PrincipalSource.TOKEN, "an opaque token, known by its hash only"),
}


def _of_credential(own: Credential, policy: Policy) -> Principal:
    source, how = _HOW[own.source]
    if own.borrowed:
        how = f"another log: {own.borrowed}"
    return Principal(
        id=own.subject or own.label,
        source=source,
        how=how,
        allowed_tenants=_kept(own.tenants),
        shared_tenants=policy.shared_tenants,
        elevated=own.elevated,
        tenant_claim=own.tenant_claim,
        subject=own.subject,
        borrowed=own.borrowed,
    )


def _kept(tenants: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The tenants that a credential names; unknown where the log redacted one of them."""
    return None if tenants is None or any(is_redaction(each) for each in tenants) else tenants


def _inherited(earlier: Credential, found: PolicyPrincipal | None, policy: Policy) -> Principal:
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

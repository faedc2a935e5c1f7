"""Question 3: was a principal check performed? A missing one makes no anomaly, so it shows only when all is known."""

from __future__ import annotations

from diagnosis.callers.principals import Principal, PrincipalSource
from diagnosis.callers.tenants import plain_name
from diagnosis.questions.facts import Facts, subject_contents
from diagnosis.questions.failure_causes import causes
from diagnosis.questions.fields import is_alias, twice
from diagnosis.questions.findings import (
    Answer,
    Certainty,
    Evidence,
    Finding,
    FindingClass,
    Owner,
    Question,
    Rule,
    Severity,
    Verdict,
)
from diagnosis.questions.refusals import is_not_found, is_refusal, names_another_cause
from diagnosis.reads.read import DocumentKind, Loss, Outcome
from diagnosis.reads.responses import CONTENTS_CUT
from diagnosis.redaction_marks import is_redaction
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Fit
from diagnosis.wording import listing, quoted

_FIX = (
    "Compare the session's principal with the tenant in the read handler, on every read, and answer not-found. "
    "Filtering lists, scoping tokens and host-supplied values narrow the input; they do not replace the comparison."
)
_NOT_THIS = (
    "It is no encoding fault: repairing questions 1 and 2 leaves it where it was. A shared cache keyed by URI, "
    "crossed answers or a reused session expose the document just the same, and list filtering proves nothing. The "
    "log shows that no effective check was made, or that the policy is out of date."
)

FOREIGN_TENANT = Rule(
    id="principal/foreign-tenant",
    title="A caller was served another tenant's document",
    severity=Severity.SEVERE,
    why="The read succeeded, and the caller may not see the tenant whose document came back. The one place that "
    "has both facts in scope is the read handler. The check costs one membership test on a claim that is already "
    "in the verified token: about 2 ms beside a render of 180 ms. Where it would need a database round trip the "
    "number is another one, and the thing to argue about is how to get the claim into the token.",
    fix=_FIX,
    not_this=_NOT_THIS,
    finding_class=FindingClass.MISSING_AUTHORIZATION,
    owner=Owner.READ_HANDLER,
)
FOREIGN_TENANT_BY_CLAIM = Rule(
    id="principal/foreign-tenant-by-claim",
    title="A caller was served a tenant that its own log record or unverified claims exclude",
    severity=Severity.SEVERE,
    why="The log itself says which tenants the caller belongs to, in the record's own principal field or in the "
    "unverified claims of its token, and the document that came back is another tenant's.",
    fix=_FIX,
    not_this=_NOT_THIS + " No person has said who the caller is: state it with a policy to make this certain.",
    finding_class=FindingClass.MISSING_AUTHORIZATION,
    owner=Owner.READ_HANDLER,
)

RULES = (FOREIGN_TENANT, FOREIGN_TENANT_BY_CLAIM)


def ask(facts: Facts) -> Answer:
    """Asks whether the caller may see the tenant whose document came back (docs/rules.md, question 3)."""
    read, response = facts.read, facts.read.response
    if response is None or read.outcome is Outcome.NONE:
        status = read.http.status if read.http else None
        if response is None and status in (401, 403):
            return _answer(Verdict.REFUSED, "forbidden", f"HTTP {status} refused the request. {_CONSISTENT}")
        because = "No answer came, so nothing was served." if not read.cancelled else "The read was cancelled."
        return _cannot("no-answer", because, "the response to this read")
    if response.outcome is Outcome.ERROR:
        return _of_error(facts)
    if all(each.document.kind is DocumentKind.EMPTY for each in response.contents):
        return _cannot("no-document", "The answer holds no content, so nothing was served.", "an answer with content")
    if Loss.URI in read.losses or Loss.DOCUMENT in response.losses:
        lost = "URI" if Loss.URI in read.losses else "document"
        return _cannot("lossy", f"The log may not hold the {lost} as it was sent.", "an unaltered capture")
    return _of_success(facts)


_CONSISTENT = "That is consistent with a check and proves none."


def _of_error(facts: Facts) -> Answer:
    response = facts.read.response
    assert response is not None and response.failure is not None
    if is_refusal(response, facts.uri, facts.values):
        return _answer(Verdict.REFUSED, "forbidden", f"The server refused, by its words or its code. {_CONSISTENT}")
    if facts.served_to is not None and _refused_by_contrast(facts):
        because = (
            f"Not found for this caller, whom the policy excludes, while {quoted(facts.served_to)} is served the "
            f"same URI. {_CONSISTENT}"
        )
        return _answer(Verdict.REFUSED, "contrast", because, Certainty.LIKELY)
    if names_another_cause(response.failure, facts.uri, facts.values):
        because = (
            "The error names a file system, a database or a rate limit as its cause, and so says nothing of the "
            "caller. An error is never a missing authorization."
        )
        return _cannot("not-found", because, "an answer that reached the document")
    because = (
        f"The server answered with an error; the log cannot tell these causes apart: {listing(causes(facts))}. An "
        "error is never a missing authorization."
    )
    return _cannot("not-found", because, "the server's own log for this request")


def _refused_by_contrast(facts: Facts) -> bool:
    caller, tenant = facts.caller, facts.tenant.requested
    if caller is None or not caller.by_person or tenant is None or caller.allowed_tenants is None:
        return False
    response = facts.read.response
    if response is None or response.failure is None or not is_not_found(response.failure):
        return False
    intact = facts.reading.listed or facts.reading.fit in (Fit.STRICT, Fit.TOLERATED)
    return intact and not caller.may_see(tenant) and not _dots_at_any_decode(facts.uri)


def _dots_at_any_decode(uri: str) -> bool:
    once = decode(uri)
    return any(_has_dots(text) for text in (uri, once, decode(once)))


def _has_dots(text: str) -> bool:
    return any(segment in (".", "..") for segment in text.replace("\\", "/").split("/"))


def _of_success(facts: Facts) -> Answer:
    caller, tenant = facts.caller, facts.tenant.judged
    if tenant is not None and tenant in facts.policy.shared_tenants and not facts.tenant.beside:
        return _answer(Verdict.ALLOWED, "shared", f"{quoted(tenant)} is shared by the policy.")
    if caller is None:
        return _unknown_caller(facts)
    if facts.tenant.why_not == "ambiguous-tenant":
        because = "Two values of the read name a tenant, and they differ."
        return _cannot("ambiguous-tenant", because, "which of them is the tenant: tenant_of in the policy")
    if caller.admin and caller.by_person:
        because = f"{quoted(caller.id)} is an administrator by policy."
        return _answer(Verdict.ALLOWED, "administrator", because, _sure(caller))
    if tenant is None:
        return _no_tenant(facts)
    if is_redaction(tenant):
        return _cannot("lossy", "The log holds the tenant in a redacted form only.", "an unaltered capture")
    if caller.source is PrincipalSource.INHERITED:
        because = "Only an earlier request of this session named its caller, and a session can change hands."
        return _cannot("inherited-only", because, "who sent this request: a policy line for the session")
    if caller.allowed_tenants is None:
        because = f"Nobody says which tenants {quoted(caller.id)} may see."
        return _cannot("no-allowed-set", because, "the caller's allowed tenants: --allow or a policy file")
    if not caller.may_see(tenant):
        return _outside(facts, caller, tenant)
    further = next((each for each in facts.tenant.beside if not caller.may_see(each)), None)
    if further is not None:
        return _outside(facts, caller, further)
    response = facts.read.response
    if response is not None and CONTENTS_CUT in response.notes:
        return _cannot("lossy", "The answer holds more documents than were looked at.", "the other documents")
    doubt = next((each.document.doubt for each in subject_contents(facts.read) if each.document.doubt), "")
    if doubt:
        return _cannot("lossy", f"Whose document it is was not read to the end: {doubt}.", "the whole document")
    return _inside(caller, tenant)


def _unknown_caller(facts: Facts) -> Answer:
    tenant = facts.tenant.judged
    if facts.policy_names_callers:
        because = (
            "The policy names callers, and none of them by this session, capture or subject: the caller is unknown, "
            "which is never forbidden."
        )
        return _cannot("unknown-session", because, "a policy line for this session")
    if tenant is None:
        return _cannot("no-principal", "Nothing in the log says who asked.", "who asked: --allow or a policy file")
    because = (
        f"Nothing in the log says who asked. If the session's principal may not see {quoted(tenant)}, this is a "
        "missing authorization."
    )
    return _cannot("no-principal", because, "who asked and what they may see: --allow or a policy file")


def _no_tenant(facts: Facts) -> Answer:
    if facts.tenant_differs:
        because = "The URI can be read in several ways, and they do not agree on the tenant."
        return _cannot("several-readings", because, "the way in which the server split the URI")
    if not facts.reading.known and not facts.reading.listed:
        because = "No template was known when the read was sent, so no part of the URI can be told to be a tenant."
        return _cannot("no-template", because, "the server's templates, or tenant_of in the policy")
    because = "Neither the URI nor the document names a tenant that is known to be one."
    return _cannot("no-tenant", because, "which variable or field is the tenant: tenant_of in the policy")


def _inside(caller: Principal, tenant: str) -> Answer:
    because = f"{quoted(tenant)} is among what {quoted(caller.id)} may see. That proves no check in the server."
    if caller.by_person:
        return _answer(Verdict.ALLOWED, "inside-allowed", because, _sure(caller))
    return _answer(Verdict.ALLOWED, "inside-allowed-by-claim", f"{because} {_basis(caller)}", Certainty.LIKELY)


def _sure(caller: Principal) -> Certainty:
    """How sure the policy's word on a caller is.

    That another log's record belongs to the read is an inference. And a session can change hands: where the request
    names a subject that is none of the policy's for this caller, the session alone says who asked.
    """
    another = caller.subject is not None and caller.subjects and caller.subject not in (*caller.subjects, caller.id)
    return Certainty.LIKELY if caller.borrowed or another else Certainty.CERTAIN


def _basis(caller: Principal) -> str:
    if caller.borrowed:
        return f"Who asked stands in another log: {caller.borrowed}. That the two belong together is an inference."
    if caller.source is PrincipalSource.RECORD:
        return "So says the record's own principal field; no person does."
    return f"So says the unverified claim {quoted(caller.tenant_claim or 'tenant')}."


def _outside(facts: Facts, caller: Principal, tenant: str) -> Answer:
    allowed = caller.allowed_tenants or ()
    near = next((each for each in (*allowed, *caller.shared_tenants) if is_alias(each, tenant)), None)
    if near is not None:
        missing = "whether the server takes the two spellings for one tenant"
        because = f"{quoted(tenant)} differs from the allowed {quoted(near)} in"
        if near.casefold() == tenant.casefold():
            return _cannot("case-only", f"{because} case only.", missing)
        return _cannot("alias", f"{because} spelling only.", missing)
    if caller.by_person:
        return _not_checked(facts, caller, tenant, FOREIGN_TENANT, "outside-allowed", _sure(caller))
    if caller.elevated:
        because = f"{quoted(caller.id)} carries {quoted(caller.elevated)}, which may allow what the tenants do not."
        return _cannot("elevated", because, "what the caller may see: a policy line")
    own_words = caller.source is PrincipalSource.RECORD and plain_name(caller.tenant_claim or "") in _OWN_WORDS
    if not own_words and not facts.comparable:
        because = (
            f"The unverified claim {quoted(caller.tenant_claim or 'tenant')} holds {_names(allowed)}, which no other "
            "read shows as a tenant's name, so the two cannot be compared."
        )
        return _cannot("claim-incomparable", because, "how the claim's values are spelled as tenants")
    return _not_checked(facts, caller, tenant, FOREIGN_TENANT_BY_CLAIM, "outside-allowed-by-claim", Certainty.LIKELY)


# In a record's principal field these name what the caller may see; an `org_id` may be a GUID beside a slug.
_OWN_WORDS = frozenset({"tenant", "tenants", "allowedtenant", "allowedtenants"})


def _not_checked(facts: Facts, caller: Principal, tenant: str, rule: Rule, reason: str, certainty: Certainty) -> Answer:
    response = facts.read.response
    assert response is not None
    may = _names((*(caller.allowed_tenants or ()), *caller.shared_tenants)) or "no tenant"
    because = f"{quoted(caller.id)} ({caller.how}) may see {may} and was served {quoted(tenant)}."
    requested, received = facts.tenant.requested, facts.tenant.received
    doubt = "" if certainty is Certainty.CERTAIN else _basis(caller)
    if received is None and (facts.reading.typed is not None or facts.tenant.learnt):
        certainty = Certainty.LIKELY
        basis = "what was typed before" if facts.reading.typed is not None else "values that other reads share"
        doubt = f"{doubt} Which tenant was asked for rests on {basis}.".strip()
    if requested is not None and received is not None and requested != received:
        because += f" The URI asks for {quoted(requested)}; the document is {quoted(received)}'s"
        binding = facts.bindings.get(facts.tenant.variable or "")
        if binding is not None and caller.may_see(requested) and received in twice(binding.raw, requested):
            because += ": the check and the storage may have seen different tenants"
        because += "."
    evidence: tuple[Evidence, ...] = (
        Evidence(response.seen, f"the answer: a document of {quoted(tenant)}"),
        Evidence(facts.read.request, "the request" if caller.borrowed else "the request, and who sent it"),
    )
    if caller.borrowed and facts.read.named_by is not None:
        evidence = (*evidence, Evidence(facts.read.named_by, "who sent it, as another log has it"))
    finding = Finding(
        rule=rule,
        certainty=certainty,
        summary=because,
        fix=rule.fix,
        evidence=evidence,
        because=doubt,
    )
    return Answer(Question.PRINCIPAL, Verdict.NOT_CHECKED, reason, because, certainty=certainty, findings=(finding,))


def _names(tenants: tuple[str, ...]) -> str:
    return listing(quoted(each) for each in dict.fromkeys(tenants))


def _answer(verdict: Verdict, reason: str, because: str, certainty: Certainty = Certainty.CERTAIN) -> Answer:
    return Answer(Question.PRINCIPAL, verdict, reason, because, certainty=certainty)


def _cannot(reason: str, because: str, missing: str) -> Answer:
    return Answer(Question.PRINCIPAL, Verdict.CANNOT_TELL, reason, because, missing)

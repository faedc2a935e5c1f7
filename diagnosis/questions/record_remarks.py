"""Remarks on who asked and on how requests and responses were recorded and paired."""

from __future__ import annotations

from diagnosis.callers.credentials import CredentialSource
from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Certainty, Evidence, Remark, Severity
from diagnosis.questions.refusals import is_refusal
from diagnosis.questions.remark_parts import remark, remark_rule
from diagnosis.reads.read import EXTRA_CUT, ODD_ID, Loss, Outcome
from diagnosis.reads.responses import RESULT_AND_ERROR
from diagnosis.wording import listing, quoted

PUBLIC_CACHE_SCOPE = remark_rule(
    "public-cache-scope",
    "A tenant's document may be cached for everybody",
    "`cacheScope: public` tells shared caches that they may serve the answer to anyone; a cache that serves it "
    "never meets the server's check.",
    "Answer with `cacheScope: private` wherever the document depends on who asks.",
    "It does not say that a cache served it to anybody.",
    Severity.SEVERE,
)

ID_REUSED = remark_rule(
    "id-reused",
    "One id was open for two URIs at once",
    "Ids must not be reused while a request is open (JSON-RPC 2.0 section 4). The answers were paired in order, "
    "which may be wrong.",
    "Count ids up within a connection.",
    "It does not say which of the two answers is whose.",
)

ID_TYPE_CHANGED = remark_rule(
    "id-type-changed",
    "The answer's id has another type than the request's",
    '`9` and `"9"` are two ids. No other request was open that the answer could belong to.',
    "Pass ids through unchanged, type included.",
    "It does not make the pairing wrong, only weaker.",
)

EXTRA_RESPONSE = remark_rule(
    "extra-response",
    "More than one response came to one request",
    "A request has one response. The first one counts, and every further one is judged as well.",
    "Look for a retry, a duplicated frame or somebody who answers in the server's place.",
    "It does not say which of them the client used.",
    Severity.SEVERE,
)

MALFORMED = remark_rule(
    "malformed",
    "The request or its result is not what the protocol asks for",
    "A read needs `params.uri` and an id that is a string or an integer, and its result a list of contents (MCP "
    "schema, `ReadResourceRequest`, `RequestId`).",
    "Fix the side that wrote it.",
    "Nothing else can be concluded from the missing part.",
)

DUPLICATE_KEY = remark_rule(
    "duplicate-key",
    "A JSON object names a key twice",
    "Parsers keep the last one and say nothing; a server may have read the other.",
    "Refuse such messages where they enter.",
    "Which of the two the server read is not visible.",
    Severity.SEVERE,
)

POLICY_DIFFERS = remark_rule(
    "policy-differs",
    "The policy and the log's own record disagree about the caller",
    "The policy counts; what the record says of its principal is another subject or other tenants.",
    "Bring the policy up to date, or find out who wrote the record.",
    "It does not say which of the two is right.",
)
TWO_PRINCIPALS = remark_rule(
    "two-principals",
    "A session changed hands",
    "Two subjects sent requests under one session id. A session id is no proof of who asks (MCP, security best "
    "practices), and a server that remembers the first caller serves the second one as the first.",
    "Bind each session to the principal that opened it, and verify the credential on every request.",
    "It does not say that either of them was served what it may not see; question 3 does.",
    Severity.SEVERE,
)
EXISTENCE_ORACLE = remark_rule(
    "existence-oracle",
    "Errors tell a foreign document from an absent one",
    "The caller gets another error for a tenant it may not see than for a document that does not exist, so it can "
    "find out which tenants and documents there are.",
    "Answer a foreign document exactly as an absent one: same code, same words.",
    "The read was refused, and no document left the server.",
)
DEAD_END = remark_rule(
    "dead-end",
    "A listed resource that cannot be read",
    "The server listed exactly this URI to this client and then did not find it.",
    "List resources by the names that the read handler understands, encoded once.",
    "It is not the client's doing: the URI is the server's own.",
)

RULES = (
    PUBLIC_CACHE_SCOPE,
    ID_REUSED,
    ID_TYPE_CHANGED,
    EXTRA_RESPONSE,
    MALFORMED,
    DUPLICATE_KEY,
    POLICY_DIFFERS,
    TWO_PRINCIPALS,
    EXISTENCE_ORACLE,
    DEAD_END,
)


def public_cache_scope(facts: Facts) -> Remark | None:
    """`cacheScope: public` on a document that belongs to a tenant."""
    response, tenant = facts.read.response, facts.tenant.judged
    if response is None or response.cache_scope != "public" or tenant is None:
        return None
    if tenant in facts.policy.shared_tenants or response.outcome is not Outcome.RESULT:
        return None
    evidence = (Evidence(response.seen, "the answer: its cacheScope"),)
    summary = f"A document of {quoted(tenant)} was answered with cacheScope public."
    return Remark(PUBLIC_CACHE_SCOPE, Certainty.CERTAIN, summary, evidence, PUBLIC_CACHE_SCOPE.severity)


def id_reused(facts: Facts) -> Remark | None:
    """The pairing is uncertain."""
    if "id-reused" not in facts.read.doubts:
        return None
    return remark(facts, ID_REUSED, "Another read with this id and another URI was open at the same time.")


def id_type_changed(facts: Facts) -> Remark | None:
    """The pairing needed a second look at the id."""
    if "id-type-changed" not in facts.read.doubts:
        return None
    return remark(facts, ID_TYPE_CHANGED, "The answer carries this request's id with another JSON type.")


def extra_response(facts: Facts) -> Remark | None:
    """Further responses to the same request."""
    extra = facts.read.extra
    if not extra:
        return None
    evidence = tuple(Evidence(each.seen, "a further response") for each in extra[:8])
    summary = f"{len(extra)} further response{'s' if len(extra) > 1 else ''} came to this request."
    if EXTRA_CUT in facts.read.notes:
        summary += " There were more, which were counted and not kept."
    return Remark(EXTRA_RESPONSE, Certainty.CERTAIN, summary, evidence, EXTRA_RESPONSE.severity)


def malformed(facts: Facts) -> Remark | None:
    """A request without a URI, where the log would have kept it, or a result without contents."""
    if facts.read.uri is None and Loss.URI not in facts.read.losses:
        return remark(facts, MALFORMED, "The request has no params.uri.")
    response = facts.read.response
    both = response is not None and RESULT_AND_ERROR in response.notes
    if response is None or (response.malformed is None and not both):
        return None
    what = "it has a result and an error; the result was delivered, so it is judged" if both else response.malformed
    summary = f"The response is malformed: {what}."
    return Remark(MALFORMED, Certainty.CERTAIN, summary, (Evidence(response.seen, "the response"),))


def odd_id(facts: Facts) -> Remark | None:
    """An id that pairs nothing for sure."""
    if ODD_ID not in facts.read.notes:
        return None
    return remark(facts, MALFORMED, "Its id is no string and no integer, so the protocol pairs no answer with it.")


def duplicate_key(facts: Facts) -> Remark | None:
    """A key that stands twice in an object of the request's record, or of its answer's."""
    if "duplicate-key" in facts.read.notes:
        return remark(facts, DUPLICATE_KEY, "An object of the request's record names one key twice.")
    response = facts.read.response
    if response is None or "duplicate-key" not in response.notes:
        return None
    evidence = (Evidence(response.seen, "the response"),)
    summary = "An object of the response's record names one key twice."
    return Remark(DUPLICATE_KEY, Certainty.CERTAIN, summary, evidence, DUPLICATE_KEY.severity)


def policy_differs(facts: Facts) -> Remark | None:
    """What the log says of the caller, against the policy that outranks it."""
    own, caller = facts.read.credential, facts.caller
    if own is None or caller is None or not caller.by_person:
        return None
    if caller.subjects and own.subject is not None and own.subject not in (caller.id, *caller.subjects, "*"):
        says = f"The log names {quoted(own.subject)}, which is no subject of {quoted(caller.id)}."
        return remark(facts, POLICY_DIFFERS, says)
    if own.tenants is None:
        return None
    allowed = caller.allowed_tenants
    if caller.admin or allowed is None or set(own.tenants) <= {*allowed, *caller.shared_tenants}:
        return None
    says = listing(quoted(each) for each in own.tenants)
    return remark(facts, POLICY_DIFFERS, f"The log says that {quoted(caller.id)} belongs to {says}.")


def two_principals(facts: Facts) -> Remark | None:
    """Another subject than the one that spoke in this session before."""
    own, earlier = facts.read.credential, facts.read.inherited
    if own is None or earlier is None or own.source is not earlier.source:
        return None
    if own.source is CredentialSource.TOKEN:
        return None  # an opaque token may have been renewed
    if (own.subject or own.label) == (earlier.subject or earlier.label) and own.issuer == earlier.issuer:
        return None
    before, now = quoted(earlier.subject or earlier.label), quoted(own.subject or own.label)
    return remark(facts, TWO_PRINCIPALS, f"The session spoke for {before} before, and for {now} here.")


def existence_oracle(facts: Facts) -> Remark | None:
    """An explicit refusal of a foreign tenant, or an error that differs from the caller's own not-found."""
    response, caller, tenant = facts.read.response, facts.caller, facts.tenant.requested
    if response is None or response.failure is None or caller is None or tenant is None:
        return None
    if caller.allowed_tenants is None or caller.may_see(tenant):
        return None
    evidence = (Evidence(response.seen, "the error"), Evidence(facts.read.request, "the request"))
    if facts.tells_apart:
        summary = f"{quoted(caller.id)} gets another error for {quoted(tenant)} than for absent documents of its own."
        return Remark(EXISTENCE_ORACLE, Certainty.LIKELY, summary, evidence, EXISTENCE_ORACLE.severity)
    if is_refusal(response, facts.uri, facts.values):
        summary = f"The refusal says that {quoted(tenant)} exists, if absent documents are answered otherwise."
        return Remark(EXISTENCE_ORACLE, Certainty.POSSIBLE, summary, evidence, EXISTENCE_ORACLE.severity)
    return None


def dead_end(facts: Facts) -> Remark | None:
    """A URI of `resources/list` that is answered with an error which refuses nobody."""
    response = facts.read.response
    if not facts.reading.shown or response is None or response.outcome is not Outcome.ERROR:
        return None
    if is_refusal(response, facts.uri, facts.values):
        return None
    return remark(facts, DEAD_END, "The server listed exactly this URI and answers it with an error.")

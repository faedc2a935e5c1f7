"""What is real and worth showing, and none of the three classes: one small function each."""

from __future__ import annotations

from collections.abc import Callable

from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Certainty, Evidence, Remark, Rule, Severity
from diagnosis.questions.path_remarks import RULES as PATH_RULES
from diagnosis.questions.path_remarks import path_traversal, tenant_walk
from diagnosis.reads.read import Outcome
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Fit
from diagnosis.wording import characters, listing, quoted


def _rule(name: str, title: str, why: str, fix: str, not_this: str, severity: Severity = Severity.MILD) -> Rule:
    return Rule(id=f"remark/{name}", title=title, severity=severity, why=why, fix=fix, not_this=not_this)


LENIENT_ENCODER = _rule(
    "lenient-encoder",
    "An encoder left `! ' ( ) *` raw",
    "encodeURIComponent leaves these five characters; RFC 6570 encodes them. No route matcher splits at them.",
    "Expand with an RFC 6570 library where a value may reach a shell or a file name.",
    "It is no under-encoding that changes which resource is matched.",
)
ALSO_EXPLAINED = _rule(
    "also-explained",
    "Another template explains the URI less well",
    "One template explains the URI fully, and by another one a value would have escaped its segments.",
    "Give the two templates different beginnings, so that no URI can be read both ways.",
    "It is no finding: one full explanation suffices.",
)
UNDECLARED_PARAMETER = _rule(
    "undeclared-parameter",
    "A parameter that the template does not declare",
    "The query holds a plain `name=value` that no expression of the template can have put there.",
    "Declare it in the template, or leave it out.",
    "It is no escape: its name is no tenant's and it holds unreserved characters only.",
)
EMPTY_PARAMETER = _rule(
    "empty-parameter",
    "An empty parameter",
    "An empty string, or an undefined value that was concatenated; the server cannot tell the two apart.",
    "Leave undefined values out: form-style expansion does (RFC 6570 section 3.2.8).",
    "`to=` is a legal expansion of an empty string.",
)
UNEXPANDED_TEMPLATE = _rule(
    "unexpanded-template",
    "A value looks like a template that was never filled in",
    "The URI is well formed, but a value in it is an encoded expression, or the name of nothing: `None`, `null`, "
    "`undefined`, `[object Object]`.",
    "Check that every variable has a value before the template is expanded.",
    "Somebody may really have a resource of that name.",
)
HEADER_URI_DIFFERS = _rule(
    "header-uri-differs",
    "The Mcp-Name header names another URI than the request",
    "From MCP 2026-07-28 on the header mirrors `params.uri`. A difference means a hop that rewrites, or a client "
    "that builds the two apart.",
    "Find the hop that changed one of them; servers must refuse such a request.",
    "Which of the two the server used is not visible.",
    Severity.SEVERE,
)
PUBLIC_CACHE_SCOPE = _rule(
    "public-cache-scope",
    "A tenant's document may be cached for everybody",
    "`cacheScope: public` tells shared caches that they may serve the answer to anyone; a cache that serves it "
    "never meets the server's check.",
    "Answer with `cacheScope: private` wherever the document depends on who asks.",
    "It does not say that a cache served it to anybody.",
    Severity.SEVERE,
)
ID_REUSED = _rule(
    "id-reused",
    "One id was open for two URIs at once",
    "Ids must not be reused while a request is open (JSON-RPC 2.0 section 4). The answers were paired in order, which may "
    "be wrong.",
    "Count ids up within a connection.",
    "It does not say which of the two answers is whose.",
)
ID_TYPE_CHANGED = _rule(
    "id-type-changed",
    "The answer's id has another type than the request's",
    '`9` and `"9"` are two ids. No other request was open that the answer could belong to.',
    "Pass ids through unchanged, type included.",
    "It does not make the pairing wrong, only weaker.",
)
LATE_TEMPLATE = _rule(
    "late-template",
    "A template that fits was listed only after the read",
    "What counts as known is what stood before the read; a later listing never clears one.",
    "Give the template with `--template` if the server had it all along.",
    "It does not say that the server lacked the template at the time.",
)
EXTRA_RESPONSE = _rule(
    "extra-response",
    "More than one response came to one request",
    "A request has one response. The first one counts, and every further one is judged as well.",
    "Look for a retry, a duplicated frame or somebody who answers in the server's place.",
    "It does not say which of them the client used.",
    Severity.SEVERE,
)
MALFORMED = _rule(
    "malformed",
    "The request or its result is not what the protocol asks for",
    "A read needs `params.uri`, and its result a list of contents (MCP schema, `ReadResourceRequest`).",
    "Fix the side that wrote it.",
    "Nothing else can be concluded from the missing part.",
)
DUPLICATE_KEY = _rule(
    "duplicate-key",
    "A JSON object names a key twice",
    "Parsers keep the last one and say nothing; a server may have read the other.",
    "Refuse such messages where they enter.",
    "Which of the two the server read is not visible.",
    Severity.SEVERE,
)
POLICY_DIFFERS = _rule(
    "policy-differs",
    "The policy and the log's own record disagree about the caller",
    "The policy counts; what the record says of its principal is another subject or other tenants.",
    "Bring the policy up to date, or find out who wrote the record.",
    "It does not say which of the two is right.",
)

_NOTHING = frozenset({"None", "null", "undefined", "[object Object]", "NaN"})


def _remark(facts: Facts, rule: Rule, summary: str, certainty: Certainty = Certainty.CERTAIN) -> Remark:
    return Remark(rule, certainty, summary, (Evidence(facts.read.request, "the request"),), rule.severity)


def lenient_encoder(facts: Facts) -> Remark | None:
    """`! ' ( ) *` left raw in values."""
    if facts.reading.fit is not Fit.TOLERATED or facts.reading.listed:
        return None
    raw = characters(each.character for each in facts.reading.alignments[0].offences)
    return _remark(facts, LENIENT_ENCODER, f"{raw} stand raw, as encodeURIComponent leaves them.")


def also_explained(facts: Facts) -> Remark | None:
    """A strict explanation by one template beside an escape by another."""
    if not facts.reading.also or facts.reading.fit not in (Fit.STRICT, Fit.TOLERATED):
        return None
    others = listing(quoted(text) for text in facts.reading.also)
    return _remark(facts, ALSO_EXPLAINED, f"By {others} a value would have left its segment.")


def undeclared_parameter(facts: Facts) -> Remark | None:
    """Extra plain parameters; those that are more than that are a finding already."""
    if not facts.reading.alignments or not facts.reading.alignments[0].undeclared:
        return None
    names = listing(quoted(each.name) for each in facts.reading.alignments[0].undeclared)
    return _remark(facts, UNDECLARED_PARAMETER, f"The template does not declare {names}.")


def empty_parameter(facts: Facts) -> Remark | None:
    """`to=`, a bare `?`, `&&` or a trailing `&`."""
    if not facts.reading.alignments or not facts.reading.alignments[0].empty_parameters:
        return None
    return _remark(facts, EMPTY_PARAMETER, "The query holds an empty parameter.")


def unexpanded_template(facts: Facts) -> Remark | None:
    """Values that are an encoded expression or the name of nothing."""
    spans = [each.raw for each in facts.bindings.values()] or facts.uri.split("/")
    for raw in spans:
        value = decode(raw)
        expression = raw != value and value.startswith("{") and value.endswith("}")
        if value in _NOTHING or expression:
            return _remark(facts, UNEXPANDED_TEMPLATE, f"A value is {quoted(value)}.", Certainty.LIKELY)
    return None


def header_uri_differs(facts: Facts) -> Remark | None:
    """The second witness of the URI (MCP 2026-07-28) disagrees with the first."""
    name = facts.read.http.mcp_name if facts.read.http else None
    if name is None or facts.read.uri is None or name == facts.read.uri:
        return None
    return _remark(facts, HEADER_URI_DIFFERS, f"Mcp-Name is {quoted(name)}; params.uri is {quoted(facts.uri)}.")


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
    return _remark(facts, ID_REUSED, "Another read with this id and another URI was open at the same time.")


def id_type_changed(facts: Facts) -> Remark | None:
    """The pairing needed a second look at the id."""
    if "id-type-changed" not in facts.read.doubts:
        return None
    return _remark(facts, ID_TYPE_CHANGED, "The answer carries this request's id with another JSON type.")


def late_template(facts: Facts) -> Remark | None:
    """A template that would explain the URI, listed too late to count."""
    if facts.reading.late is None:
        return None
    text = quoted(facts.reading.late.template.text)
    return _remark(facts, LATE_TEMPLATE, f"{text} was listed only after this read.")


def extra_response(facts: Facts) -> Remark | None:
    """Further responses to the same request."""
    extra = facts.read.extra
    if not extra:
        return None
    evidence = tuple(Evidence(each.seen, "a further response") for each in extra[:8])
    summary = f"{len(extra)} further response{'s' if len(extra) > 1 else ''} came to this request."
    return Remark(EXTRA_RESPONSE, Certainty.CERTAIN, summary, evidence, EXTRA_RESPONSE.severity)


def malformed(facts: Facts) -> Remark | None:
    """A request without a URI, or a result without contents."""
    if facts.read.uri is None:
        return _remark(facts, MALFORMED, "The request has no params.uri.")
    response = facts.read.response
    if response is None or response.malformed is None:
        return None
    summary = f"The response is malformed: {response.malformed}."
    return Remark(MALFORMED, Certainty.CERTAIN, summary, (Evidence(response.seen, "the response"),))


def duplicate_key(facts: Facts) -> Remark | None:
    """A key that stands twice in an object of the request's record, or of its answer's."""
    if "duplicate-key" in facts.read.notes:
        return _remark(facts, DUPLICATE_KEY, "An object of the request's record names one key twice.")
    response = facts.read.response
    if response is None or "duplicate-key" not in response.notes:
        return None
    evidence = (Evidence(response.seen, "the response"),)
    summary = "An object of the response's record names one key twice."
    return Remark(DUPLICATE_KEY, Certainty.CERTAIN, summary, evidence, DUPLICATE_KEY.severity)


def policy_differs(facts: Facts) -> Remark | None:
    """The record's own principal field against the policy that outranks it."""
    own, caller = facts.read.credential, facts.caller
    if own is None or caller is None or not caller.by_person or own.tenants is None:
        return None
    allowed = caller.allowed_tenants
    if caller.admin or allowed is None or set(own.tenants) <= {*allowed, *caller.shared_tenants}:
        return None
    says = listing(quoted(each) for each in own.tenants)
    return _remark(facts, POLICY_DIFFERS, f"The log says that {quoted(caller.id)} belongs to {says}.")


REMARKS: tuple[Callable[[Facts], Remark | None], ...] = (
    path_traversal,
    tenant_walk,
    lenient_encoder,
    also_explained,
    undeclared_parameter,
    empty_parameter,
    unexpanded_template,
    header_uri_differs,
    public_cache_scope,
    id_reused,
    id_type_changed,
    late_template,
    extra_response,
    malformed,
    duplicate_key,
    policy_differs,
)

RULES = (
    *PATH_RULES,
    LENIENT_ENCODER,
    ALSO_EXPLAINED,
    UNDECLARED_PARAMETER,
    EMPTY_PARAMETER,
    UNEXPANDED_TEMPLATE,
    HEADER_URI_DIFFERS,
    PUBLIC_CACHE_SCOPE,
    ID_REUSED,
    ID_TYPE_CHANGED,
    LATE_TEMPLATE,
    EXTRA_RESPONSE,
    MALFORMED,
    DUPLICATE_KEY,
    POLICY_DIFFERS,
)

"""Remarks on how a URI was written: encoders, leftover expressions, parameters, templates that come late."""

from __future__ import annotations

from diagnosis.questions.document_rules import DOUBLE_ENCODE
from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Certainty, Evidence, Remark, Severity
from diagnosis.questions.q1_segments import is_extra
from diagnosis.questions.remark_parts import remark, remark_rule
from diagnosis.uris.characters import encode_value
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Fit
from diagnosis.wording import characters, listing, quoted

LENIENT_ENCODER = remark_rule(
    "lenient-encoder",
    "An encoder left `! ' ( ) *` raw",
    "encodeURIComponent leaves these five characters; RFC 6570 encodes them. No route matcher splits at them.",
    "Expand with an RFC 6570 library where a value may reach a shell or a file name.",
    "It is no under-encoding that changes which resource is matched.",
)

ALSO_EXPLAINED = remark_rule(
    "also-explained",
    "Another template explains the URI less well",
    "One template explains the URI fully, and by another one a value would have escaped its segments.",
    "Give the two templates different beginnings, so that no URI can be read both ways.",
    "It is no finding: one full explanation suffices.",
)

UNDECLARED_PARAMETER = remark_rule(
    "undeclared-parameter",
    "A parameter that the template does not declare",
    "The query holds a plain `name=value` that no expression of the template can have put there.",
    "Declare it in the template, or leave it out.",
    "It is no escape: its name is no tenant's and it holds unreserved characters only.",
)

EMPTY_PARAMETER = remark_rule(
    "empty-parameter",
    "An empty parameter",
    "An empty string, or an undefined value that was concatenated; the server cannot tell the two apart.",
    "Leave undefined values out: form-style expansion does (RFC 6570 section 3.2.8).",
    "`to=` is a legal expansion of an empty string.",
)

UNEXPANDED_TEMPLATE = remark_rule(
    "unexpanded-template",
    "A value looks like a template that was never filled in",
    "The URI is well formed, but a value in it is an encoded expression, or the name of nothing: `None`, `null`, "
    "`undefined`, `[object Object]`.",
    "Check that every variable has a value before the template is expanded.",
    "Somebody may really have a resource of that name.",
)

HEADER_URI_DIFFERS = remark_rule(
    "header-uri-differs",
    "The Mcp-Name header names another URI than the request",
    "From MCP 2026-07-28 on the header mirrors `params.uri`. A difference means a hop that rewrites, or a client "
    "that builds the two apart.",
    "Find the hop that changed one of them; servers must refuse such a request.",
    "Which of the two the server used is not visible.",
    Severity.SEVERE,
)

LATE_TEMPLATE = remark_rule(
    "late-template",
    "A template that fits was listed only after the read",
    "What counts as known is what stood before the read; a later listing never clears one.",
    "Give the template with `--template` if the server had it all along.",
    "It does not say that the server lacked the template at the time.",
)

RULES = (
    LENIENT_ENCODER,
    ALSO_EXPLAINED,
    UNDECLARED_PARAMETER,
    EMPTY_PARAMETER,
    UNEXPANDED_TEMPLATE,
    HEADER_URI_DIFFERS,
    LATE_TEMPLATE,
)

_NOTHING = frozenset({"None", "null", "undefined", "[object Object]", "NaN"})


def lenient_encoder(facts: Facts) -> Remark | None:
    """`! ' ( ) *` left raw in values."""
    if facts.reading.fit is not Fit.TOLERATED or facts.reading.listed:
        return None
    raw = characters(each.character for each in facts.reading.alignments[0].offences)
    return remark(facts, LENIENT_ENCODER, f"{raw} stand raw, as encodeURIComponent leaves them.")


def also_explained(facts: Facts) -> Remark | None:
    """A strict explanation by one template beside an escape by another."""
    if not facts.reading.also or facts.reading.fit not in (Fit.STRICT, Fit.TOLERATED):
        return None
    others = listing(quoted(text) for text in facts.reading.also)
    return remark(facts, ALSO_EXPLAINED, f"By {others} a value would have left its segment.")


def undeclared_parameter(facts: Facts) -> Remark | None:
    """Extra plain parameters; those that are more than that are a finding already."""
    if not facts.reading.alignments:
        return None
    undeclared = facts.reading.alignments[0].undeclared
    if not undeclared or not all(is_extra(facts, each) for each in undeclared):
        return None
    names = listing(quoted(each.name) for each in undeclared)
    return remark(facts, UNDECLARED_PARAMETER, f"The template does not declare {names}.")


def empty_parameter(facts: Facts) -> Remark | None:
    """`to=`, a bare `?`, `&&` or a trailing `&`."""
    if not facts.reading.alignments or not facts.reading.alignments[0].empty_parameters:
        return None
    return remark(facts, EMPTY_PARAMETER, "The query holds an empty parameter.")


def unexpanded_template(facts: Facts) -> Remark | None:
    """Values that are an encoded expression or the name of nothing."""
    spans = [each.raw for each in facts.bindings.values()] or facts.uri.split("/")
    for raw in spans:
        value = decode(raw)
        expression = raw != value and value.startswith("{") and value.endswith("}")
        if value in _NOTHING or expression:
            return remark(facts, UNEXPANDED_TEMPLATE, f"A value is {quoted(value)}.", Certainty.LIKELY)
    return None


def header_uri_differs(facts: Facts) -> Remark | None:
    """The second witness of the URI (MCP 2026-07-28) disagrees with the first."""
    name = facts.read.http.mcp_name if facts.read.http else None
    if name is None or facts.read.uri is None or name == facts.read.uri:
        return None
    return remark(facts, HEADER_URI_DIFFERS, f"Mcp-Name is {quoted(name)}; params.uri is {quoted(facts.uri)}.")


def late_template(facts: Facts) -> Remark | None:
    """A template that would explain the URI, listed too late to count."""
    if facts.reading.late is None:
        return None
    text = quoted(facts.reading.late.template.text)
    return remark(facts, LATE_TEMPLATE, f"{text} was listed only after this read.")


def typed_encoded_twice(facts: Facts) -> Remark | None:
    """A value that a person typed, found in the URI with one layer of encoding more than it needs."""
    for typed in facts.typed[:1]:
        for name, value in typed.values:
            binding = facts.bindings.get(name)
            once = encode_value(value)
            if binding is not None and once != value and binding.raw == encode_value(once):
                summary = (
                    f"{quoted(name)} was typed as {quoted(value)}, which expands to {quoted(once)}; the URI holds one "
                    "layer more, if this read came from that form."
                )
                evidence = (Evidence(facts.read.request, "the request"), Evidence(typed.seen, "what was typed"))
                return Remark(DOUBLE_ENCODE, Certainty.LIKELY, summary, evidence, DOUBLE_ENCODE.severity)
    return None

"""Question 1: did the URI escape its segments? Under-encoding is the client's, or a hop's before the capture."""

from __future__ import annotations

from diagnosis.callers.tenants import is_strong, plain_name
from diagnosis.questions.encoders import bare_bytes, fingerprint
from diagnosis.questions.facts import Facts
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
from diagnosis.reads.read import Loss
from diagnosis.redaction_marks import holds_redaction
from diagnosis.uris.alignment import expected
from diagnosis.uris.percent import decode, illegal_characters
from diagnosis.uris.reading import Alignment, Fit, Offence, Parameter
from diagnosis.wording import characters, listing, quoted

_FIX = (
    "Expand the template with an RFC 6570 library instead of substituting strings. "
    "Repairing this leaves question 3 where it was."
)
_NOT_THIS = (
    "It does not say who wrote the value: behind a hop that decodes, the client may be innocent. "
    "It says nothing about the server's own decoding, nor about whether the caller may see the document."
)


def _rule(name: str, title: str, severity: Severity, why: str) -> Rule:
    return Rule(
        id=f"segments/{name}",
        title=title,
        severity=severity,
        why=why,
        fix=_FIX,
        not_this=_NOT_THIS,
        finding_class=FindingClass.UNDER_ENCODING,
        owner=Owner.CLIENT,
    )


EXTRA_SEPARATOR = _rule(
    "extra-separator",
    "A value brought its own separator",
    Severity.SEVERE,
    "A `/`, `?` or `#` stands inside a value whose template gives it one segment. A matcher splits before it "
    "compares, so the number of segments decides which resource is looked up, or that none is (RFC 6570 section "
    "3.2.2 encodes all three).",
)
SMUGGLED_PARAMETER = _rule(
    "smuggled-parameter",
    "A value brought a parameter of its own",
    Severity.SEVERE,
    "An unescaped `&`, `?` or `=` inside a value starts a query parameter that the template does not declare; a "
    "server that reads parameters leniently lets it override what the path says.",
)
RAW_RESERVED = _rule(
    "raw-reserved",
    "A value kept reserved punctuation",
    Severity.MILD,
    "Simple expansion percent-encodes everything outside letters, digits and `-._~`. The value was never "
    "expanded, but its segment still compares as one piece: a lookup miss rather than another resource.",
)
ILLEGAL_CHARACTER = _rule(
    "illegal-character",
    "The URI holds a character that no URI may hold",
    Severity.MILD,
    "Spaces, controls, letters beyond ASCII, quotes, braces and a `%` without two hex digits are never raw in a "
    "URI (RFC 3986 section 2). No expansion of any template can leave one, so none was made.",
)
FORM_ENCODED = _rule(
    "form-encoded",
    "A space or plus was written as `+`",
    Severity.MILD,
    "Form encoding writes a space as `+`; RFC 6570 writes a space as `%20` and a plus as `%2B`. A server that "
    "decodes a URI keeps the plus, and finds nothing or another name.",
)
UNEXPANDED = _rule(
    "unexpanded",
    "The template was sent as it stands",
    Severity.MILD,
    "Braces are never raw in a URI (RFC 3986 section 2); an expression of the template reached the wire.",
)

RULES = (EXTRA_SEPARATOR, SMUGGLED_PARAMETER, RAW_RESERVED, ILLEGAL_CHARACTER, FORM_ENCODED, UNEXPANDED)

_SEPARATORS = frozenset("/?#")


def ask(facts: Facts) -> Answer:
    """Asks whether the URI escaped its segments (docs/rules.md, question 1)."""
    uri = facts.read.uri
    if uri is None:
        return _cannot("no-uri", "The request names no URI.", "the request's URI")
    if Loss.URI in facts.read.losses or holds_redaction(uri):
        return _cannot("lossy", "The log does not hold the URI as it was sent.", "an unaltered capture")
    reading = facts.reading
    if reading.listed:
        return _intact("listed", "The URI is, byte for byte, one that the server listed in resources/list.")
    if reading.alignments:
        return _aligned(facts, reading.alignments[0])
    illegal = tuple(Offence(offset, character, "") for offset, character in illegal_characters(uri))
    if illegal:
        return _escaped(facts, _illegal_rule(uri, illegal), illegal, None)
    if not reading.known:
        late = " A template that fits was listed only after the read." if reading.late else ""
        return _cannot(
            "no-template",
            "No template was known when the read was sent, and reserved characters prove nothing without one." + late,
            "the server's templates: a resources/templates/list answer, or --templates FILE",
        )
    return _unexplained(facts)


def _unexplained(facts: Facts) -> Answer:
    reading = facts.reading
    if reading.exhausted:
        because = "There are more templates, or one takes more steps, than the limit allows: it was not evaluated."
        return _cannot("no-template-explains", because, "the template that is meant: --template")
    place = ""
    if reading.departure is not None:
        template, offset = reading.departure
        place = f" It leaves {quoted(template)} at character {offset + 1}."
    return _cannot(
        "no-template-explains",
        f"None of the {reading.known} known templates explains the URI.{place}",
        "the template that the server matches this URI with",
    )


def _aligned(facts: Facts, alignment: Alignment) -> Answer:
    brought = tuple(each for each in alignment.undeclared if not is_extra(facts, each))
    grave = any(_is_grave(facts, each) for each in brought)
    if brought and (grave or alignment.fit is not Fit.ESCAPED):
        offences = tuple(Offence(each.start - 1, facts.uri[each.start - 1], "") for each in brought)
        return _escaped(facts, SMUGGLED_PARAMETER if grave else RAW_RESERVED, offences, alignment, brought)
    if alignment.fit in (Fit.STRICT, Fit.TOLERATED):
        text = quoted(alignment.template.text)
        tolerated = alignment.fit is Fit.TOLERATED
        left = " but for `! ' ( ) *`, which encodeURIComponent leaves raw" if tolerated else ""
        blind = "" if "%" in facts.uri else " No value needed encoding, so this says nothing about the encoder."
        blind += f" {odd}" if (odd := bare_bytes(facts.uri)) else ""
        return _intact("strict", f"Every value is what {text} can expand to{left}.{blind}")
    return _escaped(facts, _rule_of(facts, alignment), alignment.offences, alignment)


def is_extra(facts: Facts, parameter: Parameter) -> bool:
    """Whether an undeclared parameter is a mere extra: a plain `name=value` whose name is no tenant's."""
    if _is_repeated(facts, parameter):
        return False
    is_pair = parameter.end - parameter.start > len(parameter.name)
    plain = "%" not in parameter.name and _plain(parameter.name + parameter.value)
    return is_pair and plain and not _is_tenant_name(facts, parameter.name)


def _is_grave(facts: Facts, parameter: Parameter) -> bool:
    """Whether an undeclared parameter can change what is served, or shows that a value was cut in two."""
    return _is_repeated(facts, parameter) or _is_tenant_name(facts, parameter.name) or " " in decode(parameter.name)


def _is_repeated(facts: Facts, parameter: Parameter) -> bool:
    """Whether it is a second value of a declared parameter that takes one: the server may read either."""
    return any(parameter.name in each.template.variables for each in facts.reading.alignments[:1])


def _is_tenant_name(facts: Facts, name: str) -> bool:
    stated = {plain_name(each) for each in facts.policy.tenant_fields}
    return is_strong(name) or plain_name(name) in stated


def _plain(text: str) -> bool:
    """Only unreserved characters and percent triplets (RFC 3986 section 2.3)."""
    return not illegal_characters(text) and all(c.isalnum() or c in "-._~%" for c in text)


def _rule_of(facts: Facts, alignment: Alignment) -> Rule:
    characters = {each.character for each in alignment.offences}
    if characters & _SEPARATORS and alignment.fit is Fit.ESCAPED:
        return SMUGGLED_PARAMETER if _brings_tenant(facts, alignment) else EXTRA_SEPARATOR
    if characters == {"+"}:
        return FORM_ENCODED
    offset_of_illegal = {offset for offset, _ in illegal_characters(facts.uri)}
    illegal = tuple(each for each in alignment.offences if each.offset in offset_of_illegal)
    return _illegal_rule(facts.uri, illegal) if illegal else RAW_RESERVED


def _brings_tenant(facts: Facts, alignment: Alignment) -> bool:
    """Whether the only separator is a `?` that starts a parameter with the tenant's name."""
    separators = [each for each in alignment.offences if each.character in _SEPARATORS]
    if {each.character for each in separators} != {"?"}:
        return False
    query = facts.uri[separators[0].offset + 1 :]
    names = [pair.partition("=")[0] for pair in query.split("&") if "=" in pair]
    return any(_is_tenant_name(facts, name) for name in names)


def _illegal_rule(uri: str, offences: tuple[Offence, ...]) -> Rule:
    braces = [each for each in offences if each.character == "{"]
    return UNEXPANDED if any("}" in uri[each.offset :] for each in braces) else ILLEGAL_CHARACTER


def _intact(reason: str, because: str) -> Answer:
    return Answer(Question.SEGMENTS, Verdict.INTACT, reason, because)


def _cannot(reason: str, because: str, missing: str) -> Answer:
    return Answer(Question.SEGMENTS, Verdict.CANNOT_TELL, reason, because, missing)


def _escaped(
    facts: Facts,
    rule: Rule,
    offences: tuple[Offence, ...],
    alignment: Alignment | None,
    smuggled: tuple[Parameter, ...] = (),
) -> Answer:
    because = _because(facts, offences, alignment, smuggled)
    certainty = Certainty.LIKELY if _is_plus_only(offences) else Certainty.CERTAIN
    doubt = "A server may document `+` as a plain character." if certainty is Certainty.LIKELY else ""
    right = expected(alignment, facts.uri) if alignment and not smuggled and _is_unique(facts) else None
    fix = f"{rule.fix} The same values expand to {quoted(right)}." if right else rule.fix
    finding = Finding(
        rule=rule,
        certainty=certainty,
        summary=because,
        fix=fix,
        evidence=(Evidence(facts.read.request, f"the request; owner: {Owner.CLIENT.words}"),),
        because=doubt,
    )
    name = rule.id.partition("/")[2]
    return Answer(Question.SEGMENTS, Verdict.ESCAPED, name, because, certainty=certainty, findings=(finding,))


def _is_plus_only(offences: tuple[Offence, ...]) -> bool:
    return {each.character for each in offences} == {"+"}


def _is_unique(facts: Facts) -> bool:
    return len(facts.reading.alignments) == 1 or facts.reading.fit is not Fit.ESCAPED


def _because(
    facts: Facts, offences: tuple[Offence, ...], alignment: Alignment | None, smuggled: tuple[Parameter, ...]
) -> str:
    if smuggled:
        names = listing(quoted(each.name) for each in smuggled)
        return f"The query brings {names}, which the template does not declare."
    if alignment is None:
        raw = characters(each.character for each in offences)
        return f"{raw} may not stand raw in any URI, so no template was expanded."
    count = len(facts.reading.alignments)
    if facts.reading.fit is Fit.ESCAPED and count > 1:
        many = f"at least {count}" if facts.reading.capped else str(count)
        return (
            f"The URI has more separators than {quoted(alignment.template.text)} puts there; it can be read in {many} "
            "ways, so no value can be blamed."
        )
    places = []
    for variable in dict.fromkeys(each.variable for each in offences):
        own = characters(each.character for each in offences if each.variable == variable)
        places.append(f"{own} raw in {quoted(variable)}" if variable else f"{own} raw")
    because = f"The value was not expanded: {listing(places)}."
    if any(each.character == "," for each in offences) and alignment.fit is Fit.RESIDUE:
        because += " With a comma, the value may also be a list."
    looks = fingerprint(facts.uri, alignment)
    because += f" {looks}" if looks else ""
    if facts.reading.typed is not None:
        because += " Of several ways to read it, this one holds the values typed before, if it came from that form."
    return because

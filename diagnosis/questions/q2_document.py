"""Question 2: does the document match the request? Two witnesses, the echo and the fields, neither trusted alone."""

from __future__ import annotations

from collections.abc import Mapping

from diagnosis.questions.echo import ask_echo, echo_of_error, remarks_beside_fields
from diagnosis.questions.document_rules import (
    CROSSED_RESPONSE,
    DECODED_ACROSS_SEGMENTS,
    DECODED_BEFORE_SPLIT,
    DECODED_TWICE,
    DOCUMENT_MISMATCH,
    DOT_SEGMENTS_REMOVED,
    DOUBLE_ENCODE,
    NOT_DECODED,
)
from diagnosis.questions.facts import Facts, document_fields, subject_contents
from diagnosis.questions.fields import Stated, Statement, compare, stating_field, statements
from diagnosis.questions.findings import Answer, Certainty, Evidence, Finding, Question, Remark, Rule, Severity, Verdict
from diagnosis.wording import listing, quoted
from diagnosis.reads.read import DocumentKind, FieldValue, Outcome
from diagnosis.uris.alignment import align
from diagnosis.uris.path_safety import resolve_dots
from diagnosis.uris.percent import Rung, decode, has_double, rung
from diagnosis.uris.reading import Alignment, Binding, Fit

_GOOD = (Stated.AGREES, Stated.CONVERTED)


def ask(facts: Facts) -> Answer:
    """Asks whether the document that came back is the one requested (docs/rules.md, question 2)."""
    read, response = facts.read, facts.read.response
    if read.uri is None:
        return _cannot("no-variables", "The request names no URI to compare with.", "the request's URI")
    if response is None or read.outcome is Outcome.NONE:
        why = f": {read.no_answer.value}" if read.no_answer else ""
        return _cannot("no-answer", f"No answer is in this capture{why}.", "the response to this read")
    if response.outcome is Outcome.ERROR:
        return echo_of_error(facts)
    if response.malformed or not response.contents:
        because = f"The result holds no document: {response.malformed or 'its contents are empty'}."
        return _cannot("no-document", because, "a response with a document")
    if response.losses or read.losses:
        because = f"The log did not keep what was sent ({listing((*read.losses, *response.losses))})."
        return _cannot("lossy", because, "an unaltered capture")
    crossed = _crossed(facts)
    if crossed is not None:
        return crossed
    return _by_fields(facts) or ask_echo(facts)


# Crossed answers: looked at first, so that no decode is blamed for them


def _crossed(facts: Facts) -> Answer | None:
    """An answer that belongs to another read that was open at the same time, and not to this one."""
    if not facts.partners or facts.read.response is None:
        return None
    echoes = {content.uri for content in facts.read.response.contents} - {None}
    fields = document_fields(facts.read)
    if facts.uri in echoes or _agrees_with_all(facts.bindings, fields, facts.reading.alignments):
        return None
    for partner in facts.partners:
        other = partner.read
        if other.uri == facts.uri:
            continue
        if other.uri in echoes or (fields and _agrees_with_all(partner.bindings, fields, partner.alignments)):
            because = f"The answer is the one to {quoted(other.uri or '')}, which was open at the same time."
            evidence = (*_answer_evidence(facts), Evidence(other.request, "the read that the answer belongs to"))
            remark = Remark(CROSSED_RESPONSE, Certainty.LIKELY, because, evidence, CROSSED_RESPONSE.severity)
            return _mismatch("differs", because, remarks=(remark,), certainty=Certainty.LIKELY)
    return None


def _agrees_with_all(
    bindings: Mapping[str, Binding], fields: Mapping[str, FieldValue], alignments: tuple[Alignment, ...]
) -> bool:
    if not bindings or not alignments:
        return False
    stated = statements(bindings, alignments[0].template, fields)
    return all(each.stated in _GOOD for each in stated)


# Fields: they count decodes absolutely


def _by_fields(facts: Facts) -> Answer | None:
    """The answer by the document's own fields; None where none of them speaks."""
    fields = document_fields(facts.read)
    if not fields or not facts.reading.alignments:
        return None
    first = facts.reading.alignments[0]
    stated = tuple(each for each in statements(facts.bindings, first.template, fields))
    speaking = tuple(each for each in stated if each.stated is not Stated.SILENT)
    if len(facts.reading.alignments) > 1 and _unbound(facts):
        return _several(facts, fields, speaking)
    return _of_statements(facts, stated, speaking, fields) if speaking else None


def _unbound(facts: Facts) -> bool:
    names = {each.name for alignment in facts.reading.alignments for each in alignment.bindings}
    return bool(names - set(facts.bindings))


def _several(facts: Facts, fields: Mapping[str, FieldValue], agreed: tuple[Statement, ...]) -> Answer | None:
    """Several readings of one URI: a match if one of them agrees with every field, never a mismatch."""
    if facts.reading.fit is Fit.ESCAPED:
        return None
    spoke = bool(agreed)
    for alignment in facts.reading.alignments:
        stated = statements({each.name: each for each in alignment.bindings}, alignment.template, fields)
        speaking = tuple(each for each in stated if each.stated is not Stated.SILENT)
        spoke = spoke or bool(speaking)
        if speaking and all(each.stated in _GOOD for each in speaking):
            return _match(facts, stated, speaking)
    if not spoke:
        return None
    because = "The URI can be read in several ways, and no reading agrees with every field of the document."
    return _cannot("several-readings", because, "the way in which the server split the URI")


def _of_statements(
    facts: Facts, stated: tuple[Statement, ...], speaking: tuple[Statement, ...], fields: Mapping[str, FieldValue]
) -> Answer:
    kinds = {each.stated for each in speaking}
    if Stated.HIDDEN in kinds and not kinds & {Stated.TWICE, Stated.DIFFERS}:
        named = listing(quoted(each.field) for each in speaking if each.stated is Stated.HIDDEN)
        return _cannot("lossy", f"The log holds {named} in a redacted form only.", "an unaltered capture")
    if Stated.DIFFERS in kinds:
        moved = _moved(facts, fields, speaking)
        return moved or _differs(facts, speaking)
    if Stated.TWICE in kinds:
        return _decoded_twice(facts, speaking)
    if Stated.ALIAS in kinds:
        alias = next(each for each in speaking if each.stated is Stated.ALIAS)
        because = (
            f"The document's {quoted(alias.field)} is {quoted(_shown(alias.value))}: the requested value in another "
            "spelling. An alias or a lookup rule gives that, and so does a wrong lookup."
        )
        return _cannot("alias", because, "whether the server treats the two spellings as one name")
    if Stated.RAW in kinds and _echo_gained(facts):
        because = "The document's fields hold undecoded text and the echo gained a layer: something encoded again."
        remark = Remark(DOUBLE_ENCODE, Certainty.CERTAIN, because, _answer_evidence(facts), DOUBLE_ENCODE.severity)
        return _mismatch("double-encode", because, remarks=(remark,))
    return _match(facts, stated, speaking)


def _echo_gained(facts: Facts) -> bool:
    contents = subject_contents(facts.read)
    return any(each.uri is not None and rung(facts.uri, each.uri) is Rung.ONE_LAYER_ADDED for each in contents)


def _match(facts: Facts, stated: tuple[Statement, ...], speaking: tuple[Statement, ...]) -> Answer:
    said = listing(quoted(each.field) for each in speaking)
    silent = [each.variable for each in stated if each.stated is Stated.SILENT]
    because = f"The document's {said} {'agrees' if len(speaking) == 1 else 'agree'} with the request."
    if any(each.stated is Stated.CONVERTED for each in speaking):
        because += " A value was converted to a number or boolean."
    if silent:
        because += f" It does not state {listing(quoted(each) for each in silent)}."
    if not any(has_double(facts.bindings[e.variable].raw) for e in speaking if e.variable in facts.bindings):
        because += " One decode leaves nothing to decode here, so this says nothing about the decoder."
    remarks = remarks_beside_fields(facts)
    raw = [each for each in speaking if each.stated is Stated.RAW]
    if raw:
        summary = f"The document's {listing(quoted(each.field) for each in raw)} holds the text as sent, undecoded."
        remarks = (*remarks, Remark(NOT_DECODED, Certainty.CERTAIN, summary, _answer_evidence(facts)))
    return Answer(Question.DOCUMENT, Verdict.MATCH, "fields-agree", because, remarks=remarks)


def _decoded_twice(facts: Facts, speaking: tuple[Statement, ...]) -> Answer:
    twice = next(each for each in speaking if each.stated is Stated.TWICE)
    raw = facts.bindings[twice.variable].raw
    because = (
        f"{quoted(twice.variable)} was sent as {quoted(raw)}; one decode gives {quoted(decode(raw))}, but the "
        f"document's {quoted(twice.field)} is {quoted(_shown(twice.value))}, which is the value after two."
    )
    finding = _finding(facts, DECODED_TWICE, Certainty.CERTAIN, because, twice.field)
    return _mismatch("decoded-twice", because, (finding,), remarks_beside_fields(facts))


def _differs(facts: Facts, speaking: tuple[Statement, ...]) -> Answer:
    wrong = next(each for each in speaking if each.stated is Stated.DIFFERS)
    because = (
        f"The document's {quoted(wrong.field)} is {quoted(_shown(wrong.value))}, which is no decoding of the "
        f"requested {quoted(wrong.variable)}."
    )
    if facts.reading.fit is Fit.ESCAPED or any(a.undeclared for a in facts.reading.alignments):
        because += " The URI escaped its segments, which explains it."
    else:
        because += " The cause is not known: an alias, a gateway, a cache, crossed answers or a wrong lookup."
    remark = Remark(DOCUMENT_MISMATCH, Certainty.CERTAIN, because, _answer_evidence(facts), DOCUMENT_MISMATCH.severity)
    return _mismatch("differs", because, remarks=(remark, *remarks_beside_fields(facts)))


# A decode before the split moves values between variables


def _moved(facts: Facts, fields: Mapping[str, FieldValue], speaking: tuple[Statement, ...]) -> Answer | None:
    """Reads the URI again as a server would that decodes the whole of it, once and then twice, and resolves dots."""
    if facts.reading.fit is Fit.ESCAPED:
        return None
    named = {each.field for each in speaking}
    once = decode(facts.uri)
    if _reads_as(facts, resolve_dots_of(facts.uri), fields, named):
        because = "The document is the one that the URI names once its dot segments are removed."
        remark = Remark(
            DOT_SEGMENTS_REMOVED, Certainty.CERTAIN, because, _answer_evidence(facts), DOT_SEGMENTS_REMOVED.severity
        )
        return Answer(
            Question.DOCUMENT, Verdict.MATCH, "fields-agree", because, certainty=Certainty.LIKELY, remarks=(remark,)
        )
    if any(_reads_as(facts, text, fields, named) for text in (once, resolve_dots_of(once))):
        because = "The document is the one that the URI names when all of it is decoded before it is split."
        remark = Remark(
            DECODED_BEFORE_SPLIT, Certainty.LIKELY, because, _answer_evidence(facts), DECODED_BEFORE_SPLIT.severity
        )
        return _mismatch("decoded-before-split", because, remarks=(remark,), certainty=Certainty.LIKELY)
    twice = decode(once)
    if twice != once and any(_reads_as(facts, text, fields, named) for text in (twice, resolve_dots_of(twice))):
        because = "The document is the one that the URI names when all of it is decoded twice before it is split."
        field = min(named)
        finding = _finding(facts, DECODED_ACROSS_SEGMENTS, Certainty.LIKELY, because, field)
        return _mismatch("decoded-across-segments", because, (finding,), certainty=Certainty.LIKELY)
    return None


def resolve_dots_of(uri: str) -> str:
    """The URI with its dot segments resolved, the authority included: in custom schemes it may be a variable."""
    scheme, colon, rest = uri.partition(":")
    slashes = rest[: len(rest) - len(rest.lstrip("/"))]
    return scheme + colon + slashes + resolve_dots(rest[len(slashes) :])


def _reads_as(facts: Facts, text: str, fields: Mapping[str, FieldValue], named: set[str]) -> bool:
    """Whether some template reads this text, already decoded, into exactly what the named fields say."""
    if text == facts.uri:
        return False
    template = facts.reading.alignments[0].template
    found = align(text, template)
    if found is None or found.fit is Fit.ESCAPED:
        return False
    return any(_says(alignment, fields, named) for alignment in found.found)


def _says(alignment: Alignment, fields: Mapping[str, FieldValue], named: set[str]) -> bool:
    said = set()
    for binding in alignment.bindings:
        field = stating_field(binding.name, alignment.template, fields)
        if field is None or field not in named:
            continue
        # The text is decoded already: the span itself must be the field's value.
        if compare(binding, fields[field]) not in (Stated.AGREES, Stated.CONVERTED, Stated.RAW):
            return False
        said.add(field)
    return said == named


# Small parts


def _shown(value: FieldValue) -> str:
    return ", ".join(str(each) for each in value) if isinstance(value, tuple) else str(value)


def _answer_evidence(facts: Facts) -> tuple[Evidence, ...]:
    response = facts.read.response
    answer = () if response is None else (Evidence(response.seen, "the answer"),)
    return (*answer, Evidence(facts.read.request, "the request"))


def _finding(facts: Facts, rule: Rule, certainty: Certainty, summary: str, field: str) -> Finding:
    response = facts.read.response
    assert response is not None
    doubt = "" if certainty is Certainty.CERTAIN else "The fields fit only when the URI is read across its segments."
    return Finding(
        rule=rule,
        certainty=certainty,
        summary=summary,
        fix=rule.fix,
        evidence=(
            Evidence(response.seen, f"the answer: the document's own {quoted(field)}"),
            Evidence(facts.read.request, "the request"),
        ),
        because=doubt,
    )


def _cannot(reason: str, because: str, missing: str) -> Answer:
    return Answer(Question.DOCUMENT, Verdict.CANNOT_TELL, reason, because, missing)


def _mismatch(
    reason: str,
    because: str,
    findings: tuple[Finding, ...] = (),
    remarks: tuple[Remark, ...] = (),
    certainty: Certainty = Certainty.CERTAIN,
) -> Answer:
    return Answer(
        Question.DOCUMENT, Verdict.MISMATCH, reason, because, certainty=certainty, findings=findings, remarks=remarks
    )

"""Question 2: does the document match the request? Two witnesses, the echo and the fields, neither trusted alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from diagnosis.questions.across_segments import ask_across
from diagnosis.questions.crossed import ask_crossed
from diagnosis.questions.document_answers import cannot_tell, finding, match, mismatch, remark
from diagnosis.questions.document_rules import (
    CASE_CHANGED,
    DECODED_TWICE,
    DOCUMENT_MISMATCH,
    DOUBLE_ENCODE,
    NOT_DECODED,
)
from diagnosis.questions.echo import ask_echo, echo_of_error, remarks_beside_fields
from diagnosis.questions.facts import Facts, document_fields, other_fields, subject_contents
from diagnosis.questions.fields import Stated, Statement, statements
from diagnosis.questions.findings import Answer, Certainty, Remark
from diagnosis.reads.read import FieldValue, Loss, Outcome
from diagnosis.redaction_marks import holds_redaction
from diagnosis.uris.alignment import align
from diagnosis.uris.percent import Rung, children, decode, has_double, rung
from diagnosis.uris.reading import Fit
from diagnosis.uris.templates import Template
from diagnosis.wording import listing, quoted

_GOOD = (Stated.AGREES, Stated.CONVERTED)


def ask(facts: Facts) -> Answer:
    """Asks whether the document that came back is the one requested (docs/rules.md, question 2)."""
    read, response = facts.read, facts.read.response
    if read.uri is None:
        return cannot_tell("no-variables", "The request names no URI to compare with.", "the request's URI")
    if response is None or read.outcome is Outcome.NONE:
        why = f": {read.no_answer.value}" if read.no_answer else ""
        return cannot_tell("no-answer", f"No answer is in this capture{why}.", "the response to this read")
    if response.outcome is Outcome.ERROR:
        return echo_of_error(facts)
    if response.malformed or not response.contents:
        because = f"The result holds no document: {response.malformed or 'its contents are empty'}."
        return cannot_tell("no-document", because, "a response with a document")
    if Loss.URI in read.losses or Loss.DOCUMENT in response.losses or holds_redaction(read.uri):
        lost = "document" if Loss.DOCUMENT in response.losses else "URI"
        because = f"The log may not hold the {lost} as it was sent."
        return cannot_tell("lossy", because, "an unaltered capture")
    return ask_crossed(facts) or _by_fields(facts) or ask_echo(facts)


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
    return cannot_tell("several-readings", because, "the way in which the server split the URI")


def _of_statements(
    facts: Facts, stated: tuple[Statement, ...], speaking: tuple[Statement, ...], fields: Mapping[str, FieldValue]
) -> Answer:
    kinds = {each.stated for each in speaking}
    if Stated.HIDDEN in kinds and not kinds & {Stated.TWICE, Stated.DIFFERS}:
        named = listing(quoted(each.field) for each in speaking if each.stated is Stated.HIDDEN)
        return cannot_tell("lossy", f"The log holds {named} in a redacted form only.", "an unaltered capture")
    if Stated.DIFFERS in kinds:
        return ask_across(facts, fields, {each.field for each in speaking}) or _differs(facts, speaking)
    if Stated.TWICE in kinds:
        return _decoded_twice(facts, speaking)
    if Stated.ALIAS in kinds:
        alias = next(each for each in speaking if each.stated is Stated.ALIAS)
        because = (
            f"The document's {quoted(alias.field)} is {quoted(_shown(alias.value))}: the requested value in another "
            "spelling. An alias or a lookup rule gives that, and so does a wrong lookup."
        )
        missing = "whether the server treats the two spellings as one name"
        return cannot_tell("alias", because, missing, _case_changed(facts, alias))
    if Stated.RAW in kinds and _echo_gained(facts):
        because = "The document's fields hold undecoded text and the echo gained a layer: something encoded again."
        return mismatch("double-encode", because, remarks=(remark(facts, DOUBLE_ENCODE, because),))
    return _match(facts, stated, speaking)


def _case_changed(facts: Facts, alias: Statement) -> tuple[Remark, ...]:
    asked, got = decode(facts.bindings[alias.variable].raw), _shown(alias.value)
    if asked.casefold() != got.casefold():
        return ()
    return (remark(facts, CASE_CHANGED, f"{quoted(asked)} was asked for and {quoted(got)} came back."),)


def _echo_gained(facts: Facts) -> bool:
    contents = subject_contents(facts.read)
    return any(each.uri is not None and rung(facts.uri, each.uri) is Rung.ONE_LAYER_ADDED for each in contents)


def _match(facts: Facts, stated: tuple[Statement, ...], speaking: tuple[Statement, ...]) -> Answer:
    doubt = next((each.document.doubt for each in subject_contents(facts.read) if each.document.doubt), "")
    if doubt:
        return cannot_tell("lossy", f"The document may say something else to another reader: {doubt}.", "its source")
    elsewhere = _echoed_elsewhere(facts, stated)
    if elsewhere is not None:
        return elsewhere
    said = listing(quoted(each.field) for each in speaking)
    silent = [each.variable for each in stated if each.stated is Stated.SILENT]
    because = f"The document's {said} {'agrees' if len(speaking) == 1 else 'agree'} with the request."
    if any(each.stated is Stated.CONVERTED for each in speaking):
        because += " A value was converted to a number or boolean."
    if silent:
        because += f" It does not state {listing(quoted(each) for each in silent)}."
    if not any(has_double(facts.bindings[e.variable].raw) for e in speaking if e.variable in facts.bindings):
        because += " One decode leaves nothing to decode here, so this says nothing about the decoder."
    remarks = (*remarks_beside_fields(facts), *_other_documents(facts, facts.reading.alignments[0].template))
    raw = [each for each in speaking if each.stated is Stated.RAW]
    if raw:
        summary = f"The document's {listing(quoted(each.field) for each in raw)} holds the text as sent, undecoded."
        remarks = (*remarks, remark(facts, NOT_DECODED, summary))
    return match(because, remarks)


def _echoed_elsewhere(facts: Facts, stated: tuple[Statement, ...]) -> Answer | None:
    """A mismatch where the echo names another value for a variable that no field of the document states."""
    silent = {each.variable for each in stated if each.stated is Stated.SILENT}
    echoes = [each.uri for each in subject_contents(facts.read) if each.uri and each.uri != facts.uri]
    if not silent or not echoes or Loss.ECHO in (facts.read.response.losses if facts.read.response else ()):
        return None
    for echo in echoes:
        found = align(echo, facts.reading.alignments[0].template)
        if found is None or len(found.found) != 1 or rung(facts.uri, echo) is not Rung.DIFFERENT:
            continue
        for binding in found.found[0].bindings:
            asked = facts.bindings.get(binding.name)
            if binding.name in silent and asked is not None and decode(asked.raw) != decode(binding.raw):
                because = (
                    f"The echo {quoted(echo)} names {quoted(binding.raw)} where {quoted(asked.raw)} was asked for, and "
                    f"no field of the document states {quoted(binding.name)}."
                )
                return mismatch("differs", because, remarks=(remark(facts, DOCUMENT_MISMATCH, because),))
    return None


def _other_documents(facts: Facts, first: Template) -> tuple[Remark, ...]:
    """A further document of the same URI that does not state what the request asked for."""
    for fields in other_fields(facts.read, subject_contents(facts.read)):
        wrong = next((e for e in statements(facts.bindings, first, fields) if e.stated is Stated.DIFFERS), None)
        if wrong is not None:
            shown = quoted(_shown(wrong.value))
            because = f"A further document of the answer has {shown} as its {quoted(wrong.field)}."
            return (remark(facts, DOCUMENT_MISMATCH, because),)
    stranger = next((uri for uri in _further_uris(facts) if rung(facts.uri, uri) is Rung.DIFFERENT), None)
    if stranger is None:
        return ()
    because = f"The answer also holds {quoted(stranger)}, which is neither the requested URI nor under it."
    return (remark(facts, DOCUMENT_MISMATCH, because),)


def _further_uris(facts: Facts) -> Iterator[str]:
    """The URIs of the answer beside the requested one that are none of its children."""
    contents = facts.read.response.contents if facts.read.response else ()
    if any(each.uri == facts.uri for each in contents):
        yield from (each.uri for each in contents if each.uri and not children(facts.uri, each.uri))


def _decoded_twice(facts: Facts, speaking: tuple[Statement, ...]) -> Answer:
    twice = next(each for each in speaking if each.stated is Stated.TWICE)
    raw = facts.bindings[twice.variable].raw
    because = (
        f"{quoted(twice.variable)} was sent as {quoted(raw)}; one decode gives {quoted(decode(raw))}, but the "
        f"document's {quoted(twice.field)} is {quoted(_shown(twice.value))}, which is the value after two."
    )
    what = f"the document's own {quoted(twice.field)}"
    raised = finding(facts, DECODED_TWICE, Certainty.CERTAIN, because, what)
    return mismatch("decoded-twice", because, (raised,), remarks_beside_fields(facts))


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
    remarks = (remark(facts, DOCUMENT_MISMATCH, because), *remarks_beside_fields(facts))
    return mismatch("differs", because, remarks=remarks)


def _shown(value: FieldValue) -> str:
    return ", ".join(str(each) for each in value) if isinstance(value, tuple) else str(value)

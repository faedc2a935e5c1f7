"""Answers that belong to another read: looked for first, so that no decode is blamed for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from diagnosis.questions.document_answers import mismatch, remark
from diagnosis.questions.document_rules import CROSSED_RESPONSE
from diagnosis.questions.facts import Facts, Partner, document_fields
from diagnosis.questions.fields import Stated, statements
from diagnosis.questions.findings import Answer, Certainty, Evidence, Remark
from diagnosis.reads.read import FieldValue
from diagnosis.uris.reading import Alignment, Binding
from diagnosis.wording import quoted


def ask_crossed(facts: Facts) -> Answer | None:
    """The answer where the response is another open read's: its echo, or every variable of that read, says so.

    None where the response is this read's own by its echo or its fields, or where no read was open beside it.
    """
    if not facts.partners or facts.read.response is None:
        return None
    echoes = {content.uri for content in facts.read.response.contents} - {None}
    fields = document_fields(facts.read)
    if facts.uri in echoes or _states_all(facts.bindings, facts.reading.alignments, fields):
        return None
    for partner in facts.partners:
        if partner.read.uri != facts.uri and _is_answer_to(partner, echoes, fields):
            because = f"The answer is the one to {quoted(partner.read.uri or '')}, which was open at the same time."
            found = _with_partner(remark(facts, CROSSED_RESPONSE, because, Certainty.LIKELY), partner)
            return mismatch("differs", because, remarks=(found,), certainty=Certainty.LIKELY)
    return None


def crossed_error(facts: Facts) -> Remark | None:
    """The same for an error: it names the URI of another read that was open at the same time."""
    response = facts.read.response
    named = response.failure.uri if response is not None and response.failure is not None else None
    if named is None or named == facts.uri:
        return None
    partner = next((each for each in facts.partners if each.read.uri == named), None)
    if partner is None:
        return None
    because = f"The error names {quoted(named)}, which was open at the same time."
    return _with_partner(remark(facts, CROSSED_RESPONSE, because, Certainty.LIKELY), partner)


def _with_partner(found: Remark, partner: Partner) -> Remark:
    other = Evidence(partner.read.request, "the read that the answer belongs to")
    return replace(found, evidence=(*found.evidence, other))


def _is_answer_to(partner: Partner, echoes: set[str | None], fields: Mapping[str, FieldValue]) -> bool:
    return partner.read.uri in echoes or _states_all(partner.bindings, partner.alignments, fields)


def _states_all(
    bindings: Mapping[str, Binding], alignments: tuple[Alignment, ...], fields: Mapping[str, FieldValue]
) -> bool:
    """Whether the document states every variable of a read, and all as that read asked for them."""
    if not bindings or not alignments or not fields:
        return False
    stated = statements(bindings, alignments[0].template, fields)
    return all(each.stated in (Stated.AGREES, Stated.CONVERTED) for each in stated)

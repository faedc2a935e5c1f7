"""Decodes before the split: reads the URI again as a server would that decodes the whole of it first."""

from __future__ import annotations

from collections.abc import Mapping, Set

from diagnosis.questions.document_answers import finding, match, mismatch, remark
from diagnosis.questions.document_rules import DECODED_ACROSS_SEGMENTS, DECODED_BEFORE_SPLIT, DOT_SEGMENTS_REMOVED
from diagnosis.questions.facts import Facts
from diagnosis.questions.fields import Stated, compare, stating_field
from diagnosis.questions.findings import Answer, Certainty
from diagnosis.questions.path_remarks import PATH_TRAVERSAL
from diagnosis.reads.read import FieldValue
from diagnosis.uris.alignment import align
from diagnosis.uris.path_safety import resolve_uri_dots
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Alignment, Fit

_CLIMBS = "Decoded twice, the URI holds dot segments that lead to another document."
_DOUBT = "The fields fit only when the URI is read across its segments."


def ask_across(facts: Facts, fields: Mapping[str, FieldValue], stated: Set[str]) -> Answer | None:
    """The answer where the `stated` fields fit the URI only after dots are resolved, or one or two whole decodes.

    None where they fit none of these. An escaped URI is not looked at: question 1 explains what differs there.
    """
    if facts.reading.fit is Fit.ESCAPED:
        return None
    uri = facts.uri
    if _reads_as(facts, (resolve_uri_dots(uri),), fields, stated):
        because = "The document is the one that the URI names once its dot segments are removed."
        return match(because, (remark(facts, DOT_SEGMENTS_REMOVED, because),), Certainty.LIKELY)
    once = decode(uri)
    if _reads_as(facts, (once, resolve_uri_dots(once)), fields, stated):
        because = "The document is the one that the URI names when all of it is decoded before it is split."
        found = remark(facts, DECODED_BEFORE_SPLIT, because, Certainty.LIKELY)
        return mismatch("decoded-before-split", because, remarks=(found,), certainty=Certainty.LIKELY)
    twice = decode(once)
    if twice != once and _reads_as(facts, (twice, resolve_uri_dots(twice)), fields, stated):
        because = "The document is the one that the URI names when all of it is decoded twice before it is split."
        what = "the document's own fields"
        raised = finding(facts, DECODED_ACROSS_SEGMENTS, Certainty.LIKELY, because, what, _DOUBT)
        climbs = () if resolve_uri_dots(twice) == twice else (remark(facts, PATH_TRAVERSAL, _CLIMBS, Certainty.LIKELY),)
        return mismatch("decoded-across-segments", because, (raised,), climbs, Certainty.LIKELY)
    return None


def _reads_as(facts: Facts, texts: tuple[str, ...], fields: Mapping[str, FieldValue], stated: Set[str]) -> bool:
    """Whether the template reads one of the texts, decoded already, into exactly what the stated fields say."""
    for text in texts:
        if text == facts.uri:
            continue
        found = align(text, facts.reading.alignments[0].template)
        if found is not None and found.fit is not Fit.ESCAPED and any(_says(a, fields, stated) for a in found.found):
            return True
    return False


def _says(alignment: Alignment, fields: Mapping[str, FieldValue], stated: Set[str]) -> bool:
    said = set()
    for binding in alignment.bindings:
        field = stating_field(binding.name, alignment.template, fields)
        if field is None or field not in stated:
            continue
        # The text is decoded already: the span itself must be the field's value, not one more decoding of it.
        stated_as = compare(binding, fields[field])
        if stated_as not in ((Stated.RAW,) if "%" in binding.raw else (Stated.AGREES, Stated.CONVERTED)):
            return False
        said.add(field)
    return said == stated

"""What the echoed URI says where no field of the document speaks: net layers only, and often nothing at all."""

from __future__ import annotations

import re

from diagnosis.questions.crossed import crossed_error
from diagnosis.questions.document_answers import cannot_tell, finding, mismatch, remark
from diagnosis.questions.document_rules import (
    CASE_CHANGED,
    DOCUMENT_MISMATCH,
    DOT_SEGMENTS_REMOVED,
    DOUBLE_ENCODE,
    ECHO_DECODED,
    ECHO_DECODED_TWICE,
    ECHO_SENSELESS,
    GATEWAY_PREFIX,
)
from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Answer, Certainty, Finding, Question, Remark, Verdict
from diagnosis.reads.read import DocumentKind, Loss
from diagnosis.redaction_marks import holds_redaction
from diagnosis.uris.percent import Rung, children, has_double, prefix_removed, rung
from diagnosis.wording import quoted

_EQUAL = (
    Rung.BYTE_EQUAL,
    Rung.FILL_EQUAL,
    Rung.CASE_NORMAL,
    Rung.PATH_NORMAL,
    Rung.CONTROL_STRIPPED,
    Rung.RESERVED_ADDED,
)
_EMPTY = (DocumentKind.EMPTY, DocumentKind.BINARY)


_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")  # RFC 3986 section 3.1


def ask_echo(facts: Facts) -> Answer:
    """The answer by the echo alone: the item that is closest to the request speaks for all."""
    assert facts.read.response is not None
    echoes = [each.uri for each in facts.read.response.contents if each.uri]
    if Loss.ECHO in facts.read.response.losses:
        return _nothing_to_compare(facts, "This kind of log does not keep the URI that the answer echoes", ())
    if not echoes:
        noted = remark(facts, ECHO_SENSELESS, "No item of the answer names its URI.")
        return _nothing_to_compare(facts, "The answer echoes no URI", (noted,))
    found, echo = min(((rung(facts.uri, each), each) for each in echoes), key=lambda pair: pair[0])
    if found in _EQUAL:
        remarks: tuple[Remark, ...] = ()
        if found is Rung.PATH_NORMAL and "/." in facts.uri:
            remarks = (remark(facts, DOT_SEGMENTS_REMOVED, f"The echo is {quoted(echo)}."),)
        return _nothing_to_compare(facts, "The echo equals the request, which most frameworks copy", remarks)
    if all(children(facts.uri, each) for each in echoes):
        because = "Every item lies under the requested URI, as the answer for a collection does."
        return cannot_tell("sub-resources", because, "what the collection should hold")
    return _unequal(facts, found, echo)


def _unequal(facts: Facts, found: Rung, echo: str) -> Answer:
    shown = quoted(echo)
    if holds_redaction(echo):
        return cannot_tell("lossy", f"The log holds the echo in a redacted form: {shown}.", "an unaltered capture")
    if found in (Rung.NEAR, Rung.FORM_OR_UNICODE):
        because = f"The echo {shown} is the request in another spelling: a lookup rule, or another resource."
        found_case: tuple[Remark, ...] = ()
        if facts.uri.casefold() == echo.casefold():
            found_case = (remark(facts, CASE_CHANGED, f"The echo {shown} differs in case only."),)
        return cannot_tell("alias", because, "whether the server treats the two spellings as one name", found_case)
    if found is Rung.ONE_LAYER_LOST:
        noted = remark(facts, ECHO_DECODED, f"The echo {shown} is the request decoded once.")
        ambiguous = has_double(facts.uri)
        because = f"The echo {shown} has lost one layer of encoding" + (
            ": one decode written out raw, or two decodes and one encode." if ambiguous else ", which decides nothing."
        )
        reason = "echo-ambiguous" if ambiguous else "echo-only"
        return cannot_tell(reason, because, "a field of the document that names it", (noted,))
    if found is Rung.TWO_LAYERS_LOST:
        because = f"The echo {shown} is the request decoded twice."
        raised = _decoded_twice(facts, because, Certainty.LIKELY, "Only the echo says so; no field of the document.")
        return mismatch("echo-decoded-twice", because, findings=(raised,), certainty=Certainty.LIKELY)
    if found is Rung.ONE_LAYER_ADDED:
        because = f"The echo {shown} has one layer of encoding more than the request."
        return mismatch("double-encode", because, remarks=(remark(facts, DOUBLE_ENCODE, because),))
    if prefix_removed(facts.uri, echo):
        because = f"The echo {shown} is the request without its prefix, as a gateway passes it back."
        return cannot_tell("alias", because, "the gateway's rule for names", (remark(facts, GATEWAY_PREFIX, because),))
    if not _SCHEME.match(echo):
        noted = remark(facts, ECHO_SENSELESS, f"The echo {shown} is no URI.")
        return _nothing_to_compare(facts, "What the answer echoes is no URI", (noted,))
    because = f"The echo is {shown}, which is not the requested URI."
    return mismatch("differs", because, remarks=(remark(facts, DOCUMENT_MISMATCH, because),))


def _nothing_to_compare(facts: Facts, start: str, remarks: tuple[Remark, ...]) -> Answer:
    response = facts.read.response
    assert response is not None
    kinds = {each.document.kind for each in response.contents}
    whys = "; ".join(dict.fromkeys(each.document.why for each in response.contents if each.document.why))
    if kinds <= {DocumentKind.UNREADABLE}:
        return cannot_tell("unreadable-document", f"{start}, and {whys}.", "the document in a readable form", remarks)
    if kinds <= set(_EMPTY):
        return cannot_tell("no-document", f"{start}, and there is no text to compare: {whys}.", "a document", remarks)
    if facts.reading.known and not facts.bindings and not facts.reading.listed:
        because = f"{start}, and the URI binds no variable that a document could state."
        return cannot_tell("no-variables", because, "a template that the URI fits in one way", remarks)
    why = f" ({whys})" if whys else ""
    because = f"{start}, and no field of the document states a value of the request{why}."
    return cannot_tell("echo-only", because, "a field of the document that names it", remarks)


def echo_of_error(facts: Facts) -> Answer:
    """The answer where an error came: there is no document, but `error.data.uri` may show a decode."""
    response = facts.read.response
    assert response is not None and response.failure is not None
    because = "The server answered with an error, so there is no document."
    echo = response.failure.uri
    found = rung(facts.uri, echo) if echo is not None else None
    findings: tuple[Finding, ...] = ()
    remarks: tuple[Remark, ...] = ()
    crossed = crossed_error(facts)
    if crossed is not None:
        remarks = (crossed,)
    elif echo is not None and found is Rung.ONE_LAYER_LOST:
        remarks = (remark(facts, ECHO_DECODED, f"The error names {quoted(echo)}, the request decoded once."),)
    elif echo is not None and found is Rung.TWO_LAYERS_LOST:
        summary = f"The error names {quoted(echo)}, the request decoded twice."
        doubt = "An error text is built for people; it need not be what the lookup used."
        findings = (_decoded_twice(facts, summary, Certainty.POSSIBLE, doubt),)
    return Answer(
        Question.DOCUMENT,
        Verdict.CANNOT_TELL,
        "no-document",
        because,
        "a successful answer to the same URI",
        findings=findings,
        remarks=remarks,
    )


def remarks_beside_fields(facts: Facts) -> tuple[Remark, ...]:
    """What the echo adds where the fields decide: only that it disagrees."""
    assert facts.read.response is not None
    echoes = [each.uri for each in facts.read.response.contents if each.uri]
    if Loss.ECHO in facts.read.response.losses:
        return ()
    if not echoes:
        return (remark(facts, ECHO_SENSELESS, "No item of the answer names its URI; the fields decide."),)
    found, echo = min(((rung(facts.uri, each), each) for each in echoes), key=lambda pair: pair[0])
    if found in _EQUAL or found in (Rung.NEAR, Rung.FORM_OR_UNICODE) or holds_redaction(echo):
        return ()
    shown = f"The echo is {quoted(echo)}; the fields decide."
    if found in (Rung.ONE_LAYER_LOST, Rung.TWO_LAYERS_LOST):
        return (remark(facts, ECHO_DECODED, shown),)
    if found is Rung.ONE_LAYER_ADDED:
        return (remark(facts, DOUBLE_ENCODE, shown),)
    return (remark(facts, ECHO_SENSELESS, shown),)


def _decoded_twice(facts: Facts, summary: str, certainty: Certainty, doubt: str) -> Finding:
    return finding(facts, ECHO_DECODED_TWICE, certainty, summary, "the URI it echoes", doubt)

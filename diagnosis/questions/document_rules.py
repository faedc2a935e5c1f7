"""The rules of question 2: double decodes, and what else makes a document differ from its request."""

from __future__ import annotations

from diagnosis.questions.findings import FindingClass, Owner, Rule, Severity

_DECODE_FIX = (
    "Decode exactly once, at one named layer, and treat the value as data from there on. "
    "A check placed between the two decodes saw neither what the client sent nor what storage saw."
)
_DECODE_NOT_THIS = (
    "It is not the client's doing: whatever it sent, one decode too many was made. No URI parser removes a layer "
    "from a custom scheme's URI, so this is no normalisation. Other reads of the server do not inherit the finding."
)


def _decode(name: str, title: str, why: str) -> Rule:
    return Rule(
        id=f"document/{name}",
        title=title,
        severity=Severity.SEVERE,
        why=why,
        fix=_DECODE_FIX,
        not_this=_DECODE_NOT_THIS,
        finding_class=FindingClass.DOUBLE_DECODE,
        owner=Owner.BETWEEN,
    )


DECODED_TWICE = _decode(
    "decoded-twice",
    "A value was decoded twice before it was looked up",
    "The document names itself by the value that two decodes of the request give. `%252F` is a legal name with a "
    "literal `%2F` in it; the second decode makes it a separator that no check on the request has seen.",
)
ECHO_DECODED_TWICE = _decode(
    "echo-decoded-twice",
    "The echoed URI has lost two layers of encoding",
    "The URI in the answer is the request decoded twice. The echo shows net layers only, so this is likely and not "
    "certain: a document's own field would decide.",
)
DECODED_ACROSS_SEGMENTS = _decode(
    "decoded-across-segments",
    "Two decodes moved a value into another segment",
    "The document is the one that the request names only when the whole URI is decoded twice and then split. The "
    "check, if there was one, compared a tenant that storage never saw.",
)

RULES = (DECODED_TWICE, ECHO_DECODED_TWICE, DECODED_ACROSS_SEGMENTS)


def _remark(name: str, title: str, severity: Severity, why: str, fix: str, not_this: str) -> Rule:
    return Rule(id=f"remark/{name}", title=title, severity=severity, why=why, fix=fix, not_this=not_this)


DOCUMENT_MISMATCH = _remark(
    "document-mismatch",
    "The document is not the one requested, and no decode explains it",
    Severity.SEVERE,
    "A field of the document, or the echoed URI, names something else than the request does.",
    "Rule out, in this order: crossed answers, an alias such as `latest` or `me`, a gateway's prefix, a shared "
    "cache, a wrong lookup.",
    "It is no double decode: none of the request's decodings gives that value.",
)
CROSSED_RESPONSE = _remark(
    "crossed-response",
    "The answer belongs to another read",
    Severity.SEVERE,
    "The echo or every field of the document is that of another read which was open at the same time.",
    "Pair answers with requests by connection and exact id; look for a shared writer or a reused id.",
    "It is no double decode, and the other read's own answer may be the one that is missing here.",
)
DECODED_BEFORE_SPLIT = _remark(
    "decoded-before-split",
    "The URI was decoded before it was split into segments",
    Severity.SEVERE,
    "The document is the one that the URI names when all of it is decoded first: an encoded separator became one.",
    "Split the URI first and decode each value after that (RFC 3986 section 2.4).",
    "It is one decode at the wrong place, not two.",
)
DOT_SEGMENTS_REMOVED = _remark(
    "dot-segments-removed",
    "Dot segments were removed on the way",
    Severity.MILD,
    "The answer is for the URI after `.` and `..` segments are resolved; URL types do that (RFC 3986 section 5.2.4).",
    "Keep the URI as a plain string until the template is matched, and refuse `..` in values that are paths.",
    "It is no decode. Whether the resolved value may be read is question 3's matter.",
)
NOT_DECODED = _remark(
    "not-decoded",
    "The server looked the value up as it was sent, still encoded",
    Severity.MILD,
    "The document names itself by the encoded text. Five SDK stacks hand the raw value to the handler.",
    "Decode each value once, in the matcher or in the handler, and not in both.",
    "It is no fault by itself; it becomes a double decode when the SDK starts decoding and the handler still does.",
)
DOUBLE_ENCODE = _remark(
    "double-encode",
    "Something encoded the URI once more",
    Severity.MILD,
    "The answer carries one layer of percent-encoding more than the request.",
    "Encode each value once, where the template is expanded.",
    "It is the mirror of a double decode: lookups miss, and no other document is reached.",
)
ECHO_DECODED = _remark(
    "echo-decoded",
    "The echoed URI has lost a layer of encoding",
    Severity.MILD,
    "The answer builds its URI from decoded values and does not encode them again.",
    "Copy the request's URI into the answer, or expand the template again.",
    "One lost layer is no double decode; only a document's own field could show one.",
)
ECHO_SENSELESS = _remark(
    "echo-senseless",
    "The answer names no URI, or none that has to do with the request",
    Severity.MILD,
    "Every item of `contents` must carry the URI it is for (MCP schema, `ResourceContents.uri`).",
    "Copy the request's URI into each item that answers for it.",
    "The document's own fields decide here, not the echo.",
)
GATEWAY_PREFIX = _remark(
    "gateway-prefix",
    "The echo is the request without a prefix",
    Severity.MILD,
    "A gateway that namespaces its servers adds a prefix to each URI and passes the server's own URI back.",
    "Let the gateway put its prefix back into the answer.",
    "No decode removes a prefix.",
)
CASE_CHANGED = _remark(
    "case-changed",
    "The answer spells the name in another case",
    Severity.MILD,
    "The document or the echo is the request but for upper and lower case; names in URIs are compared with case "
    "(RFC 3986 section 6.2.2.1 folds it in scheme and host only).",
    "Answer with the name as it is stored, and refuse other spellings.",
    "Whether the two spellings are one resource is the server's rule, which the log does not show.",
)

REMARKS = (
    DOCUMENT_MISMATCH,
    CROSSED_RESPONSE,
    DECODED_BEFORE_SPLIT,
    DOT_SEGMENTS_REMOVED,
    NOT_DECODED,
    DOUBLE_ENCODE,
    ECHO_DECODED,
    ECHO_SENSELESS,
    GATEWAY_PREFIX,
    CASE_CHANGED,
)

"""One finding of the Markdown report: the three answers, the drawn URI, the evidence, the fix."""

from __future__ import annotations

from collections.abc import Iterable

from diagnosis.comparison import Radii, Radius
from diagnosis.questions.findings import Evidence, FindingClass, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.grouping import FindingGroup, caller_of
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, fence, prose, table
from diagnosis.reports.redact import Mask
from diagnosis.uris.lane import lane, lane_rows
from diagnosis.visible import visible

QUESTIONS = (
    "1. Did the URI escape its segments?",
    "2. Does the document match?",
    "3. Was a principal check performed?",
)

_SAME_LISTED = 20
_ENCODING = "Repairing this leaves question 3 where it was."
_TWO_DECODES = "A check placed between the two decodes saw neither what the client sent nor what storage saw."
_NO_CHECK = "There was no effective check, or the policy is out of date."
# A URI of megabytes is drawn up to here; the evidence has all of it.
_LANE_LIMIT = 4000


def finding_section(number: int, group: FindingGroup, masking: Masking, radii: Radii) -> str:
    """Returns a section for the first finding of a group, and a list of the places of the others."""
    judgement, finding = group.found[0]
    mask = masking.of(judgement)
    rule = finding.rule
    why = f", because: {prose(mask(finding.because))}" if finding.because else ""
    parts = [
        f"### Finding {number}: {rule.id}",
        f"What was seen: {prose(mask(finding.summary))}",
        "\n".join(
            [
                f"- Class: {rule.finding_class.value if rule.finding_class else ''}, {rule.severity.value}",
                f"- Certainty: {finding.certainty.value}{why}",
                f"- Owner: {rule.owner.words if rule.owner else ''}",
                *_against_baseline(group),
                *_who_and_what(judgement, masking, mask),
            ]
        ),
        _drawn(judgement, masking),
        _answers(judgement, mask),
        _evidence(finding.evidence, mask),
        f"Fix: {prose(mask(finding.fix))}",
        f"What this is not: {prose(rule.not_this)}" if rule.not_this else "",
        # A rule's own words may say these already.
        *(
            sentence
            for sentence in _standing_sentences(judgement, rule.finding_class)
            if sentence not in finding.fix and sentence not in rule.not_this
        ),
        f"Fingerprint: {code(finding.fingerprint)}" if finding.fingerprint else "",
        _who_else(radii.of(judgement, rule.id)),
        _others(group),
    ]
    return "\n\n".join(part for part in parts if part)


def place(judgement: Judgement) -> str:
    """Where the request of a read stands, as `file:line` in code."""
    span = judgement.read.request.span
    return code(f"{span.capture}:{span.line}")


def _against_baseline(group: FindingGroup) -> Iterable[str]:
    marks = [finding.new for _, finding in group.found]
    if None not in marks:
        yield f"- New since the baseline: {sum(map(bool, marks))} of {len(marks)} such findings"


def _who_and_what(judgement: Judgement, masking: Masking, mask: Mask) -> Iterable[str]:
    read = judgement.read
    caller, is_session = caller_of(judgement)
    yield f"- Caller: {code(masking.caller(caller, is_session=is_session))}{_how(judgement, mask)}"
    identity = f"request id {code(mask(repr_id(read.request_id)))}, session {code(masking.session(read.session))}"
    at = f", at {code(read.time)} ({read.time_basis})" if read.time else ""
    yield f"- Read: {identity}{at}, answered with {_outcome(judgement)}"
    if judgement.template is not None:
        yield f"- Template: {code(judgement.template)}"
    if judgement.tenants:
        tenants = ", ".join(code(mask(tenant)) for tenant in judgement.tenants)
        yield f"- Tenants asked for and received: {tenants}"


def _how(judgement: Judgement, mask: Mask) -> str:
    caller = judgement.caller
    if caller is None:
        return ", nobody says who asked"
    known = f", known from {prose(mask(caller.how))}"
    if caller.allowed_tenants is None:
        return f"{known}; what it may see is unknown"
    tenants = ", ".join(code(mask(tenant)) for tenant in caller.allowed_tenants) or "nothing but shared tenants"
    return f"{known}; may see {tenants}"


def repr_id(request_id: object) -> str:
    """A request id with its type to be seen: `7`, `"7"`, `true`, `null`."""
    if request_id is None or isinstance(request_id, bool):
        return {None: "null", True: "true", False: "false"}[request_id]
    return f'"{request_id}"' if isinstance(request_id, str) else str(request_id)


def _outcome(judgement: Judgement) -> str:
    failure = judgement.read.response.failure if judgement.read.response else None
    if failure is not None:
        return f"an error, code {code(repr_id(failure.code))}"
    return {"result": "a result", "error": "an error", "none": "nothing"}[judgement.read.outcome.value]


def _drawn(judgement: Judgement, masking: Masking) -> str:
    """The URI against its template; only the URI where no template explains it."""
    uri = judgement.read.uri
    if uri is None:
        return "The request holds no URI."
    rows: list[tuple[str, str]] = []
    if judgement.readings and len(uri) <= _LANE_LIMIT:
        covered, reading = masking.drawing(uri, judgement.readings[0])
        rows = list(lane_rows(lane(covered, reading, _other_echo(judgement, masking)), visible))
    if not rows:
        shown = masking.uri(uri)
        rows = [
            (
                "request",
                visible(shown[:_LANE_LIMIT]) + (" ... (cut here)" if len(shown) > _LANE_LIMIT else ""),
            )
        ]
    expected = judgement.expected
    if expected is not None and expected != uri and len(expected) <= _LANE_LIMIT and "expected" not in dict(rows):
        rows.append(("expected", visible(masking.uri(expected))))
    width = max(len(label) for label, _ in rows)
    note = f"One of {len(judgement.readings)} readings.\n\n" if len(judgement.readings) > 1 else ""
    return note + fence(f"{label:{width}}  {text}" for label, text in rows)


def _other_echo(judgement: Judgement, masking: Masking) -> str | None:
    """The URI that came back, where it is not the one that was sent."""
    contents = judgement.read.response.contents if judgement.read.response else ()
    echo = contents[0].uri if contents else None
    return None if echo is None or echo == judgement.read.uri else masking.uri(echo)[:_LANE_LIMIT]


def _answers(judgement: Judgement, mask: Mask) -> str:
    return table(
        ("Question", "Answer", "Reason", "Because"),
        (
            (question, code(answer.verdict.value), code(answer.reason), prose(mask(answer.because)))
            for question, answer in zip(QUESTIONS, judgement.answers, strict=True)
        ),
    )


def _evidence(evidence: Iterable[Evidence], mask: Mask) -> str:
    return table(
        ("Evidence", "Line", "Byte", "Length", "Inside", "What is to be seen there", "SHA-256"),
        (
            (
                code(one.seen.span.capture),
                str(one.seen.span.line),
                str(one.seen.span.offset),
                str(one.seen.span.length),
                code(" / ".join(one.seen.span.layers)) if one.seen.span.layers else "the record itself",
                prose(mask(one.what)),
                code(one.seen.sha256),
            )
            for one in evidence
        ),
    )


def _standing_sentences(judgement: Judgement, kind: FindingClass | None) -> Iterable[str]:
    if kind is FindingClass.DOUBLE_DECODE:
        yield _TWO_DECODES
    if kind in (FindingClass.UNDER_ENCODING, FindingClass.DOUBLE_DECODE):
        yield _ENCODING
    if kind is FindingClass.MISSING_AUTHORIZATION:
        yield f"{_NO_CHECK} {_ruled_out(judgement)}"


def _ruled_out(judgement: Judgement) -> str:
    segments = {
        Verdict.INTACT: "Question 1 rules out under-encoding: the URI is clean on the wire.",
        Verdict.ESCAPED: "Question 1 has a fault of its own, which does not explain the missing check away.",
    }.get(judgement.segments.verdict, "Question 1 is undecided and rules nothing out.")
    document = {
        Verdict.MATCH: "Question 2 rules out a double decode: the document is the one that was asked for.",
        Verdict.MISMATCH: "Question 2 found another document than was asked for; the exposure is the same.",
    }.get(judgement.document.verdict, "Question 2 is undecided and rules nothing out.")
    return f"{segments} {document}"


def _others(group: FindingGroup) -> str:
    others = group.found[1:]
    if not others:
        return ""
    places = ", ".join(place(judgement) for judgement, _ in others[:_SAME_LISTED])
    rest = len(others) - _SAME_LISTED
    more = f", and {rest} more" if rest > 0 else ""
    return f"The same rule, template and caller in {len(others)} further reads: {places}{more}."


def _who_else(radius: Radius) -> str:
    """The blast radius of a finding in one line; nothing where it stands alone."""
    if not radius.same_defect and not radius.same_cell:
        return ""
    times = f", from {code(radius.first)} to {code(radius.last or radius.first)}" if radius.first else ""
    return (
        f"Who else: {len(radius.same_defect)} other reads of this template have this defect; "
        f"{len(radius.same_cell)} other reads served this caller the same tenant{times}."
    )

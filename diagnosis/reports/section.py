"""One finding of the Markdown report: the three answers, the drawn URI, the evidence, the fix."""

from __future__ import annotations

from collections.abc import Iterable

from diagnosis.comparison import Radii, Radius
from diagnosis.questions.findings import Evidence, Finding
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.choices import Reviews
from diagnosis.reports.drawing import LADDER, LADDER_WITHOUT, drawn_rows, excerpt, ladder_rows, repr_id
from diagnosis.reports.grouping import FindingGroup, caller_of
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, fence, prose, table
from diagnosis.reports.redact import Mask
from diagnosis.reports.reviewed import DISAGREE, Ruling, in_short, review_of, rulings
from diagnosis.reports.rulings import standing_sentences, still_open

QUESTIONS = (
    "1. Did the URI escape its segments?",
    "2. Does the document match?",
    "3. Was a principal check performed?",
)

_SAME_LISTED = 20


def finding_section(number: int, group: FindingGroup, masking: Masking, radii: Radii, reviews: Reviews) -> str:
    """Returns a section for the first finding of a group, and a list of the places of the others."""
    judgement, finding = group.found[0]
    mask = masking.of(judgement)
    rule = finding.rule
    why = f", because: {prose(mask(finding.because))}" if finding.because else ""
    parts = [
        f"### Finding {number}: {rule.id}",
        _reviewed(finding, masking, reviews),
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
        _ladder(judgement, mask),
        _answers(judgement, mask),
        _evidence(judgement, finding.evidence, masking, mask),
        f"Fix: {prose(mask(finding.fix))}",
        f"What this is not: {prose(rule.not_this)}" if rule.not_this else "",
        # A rule's own words may say these already.
        *(
            sentence
            for sentence in standing_sentences(judgement, rule.finding_class)
            if sentence not in finding.fix and sentence not in rule.not_this
        ),
        _next(judgement, finding, mask),
        f"Fingerprint: {code(finding.fingerprint)}" if finding.fingerprint else "",
        _who_else(radii.of(judgement, rule.id)),
        _others(group, reviews),
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
    yield f"- Caller: {code(masking.caller(caller, is_session=is_session))}{_how(judgement, masking, mask)}"
    identity = f"request id {code(mask(repr_id(read.request_id)))}, session {code(masking.session(read.session))}"
    at = f", at {code(masking.text(read.time))} ({read.time_basis})" if read.time else ""
    yield f"- Read: {identity}{at}, answered with {_outcome(judgement)}"
    if judgement.template is not None:
        yield f"- Template: {code(masking.uri(judgement.template, judgement))}"
    if judgement.tenants:
        tenants = ", ".join(code(masking.tenant(tenant)) for tenant in judgement.tenants)
        yield f"- Tenants asked for and received: {tenants}"


def _how(judgement: Judgement, masking: Masking, mask: Mask) -> str:
    caller = judgement.caller
    if caller is None:
        return ", nobody says who asked"
    known = f", known from {prose(mask(caller.how))}"
    if caller.allowed_tenants is None:
        return f"{known}; what it may see is unknown"
    tenants = (
        ", ".join(code(masking.tenant(tenant)) for tenant in caller.allowed_tenants) or "nothing but shared tenants"
    )
    return f"{known}; may see {tenants}"


def _outcome(judgement: Judgement) -> str:
    failure = judgement.read.response.failure if judgement.read.response else None
    if failure is not None:
        return f"an error, code {code(repr_id(failure.code))}"
    return {"result": "a result", "error": "an error", "none": "nothing"}[judgement.read.outcome.value]


def _drawn(judgement: Judgement, masking: Masking) -> str:
    """The URI against its template; only the URI where no template explains it."""
    rows = drawn_rows(judgement, masking)
    if not rows:
        return "The request holds no URI."
    width = max(len(label) for label, _ in rows)
    note = f"One of {len(judgement.readings)} readings.\n\n" if len(judgement.readings) > 1 else ""
    return note + fence(f"{label:{width}}  {text}" for label, text in rows)


def _ladder(judgement: Judgement, mask: Mask) -> str:
    rows = ladder_rows(judgement, mask)
    if not rows:
        return ""
    return table(
        LADDER,
        (
            (words if cell is None else code(cell) for cell, words in zip(row, LADDER_WITHOUT, strict=True))
            for row in rows
        ),
    )


def _answers(judgement: Judgement, mask: Mask) -> str:
    return table(
        ("Question", "Answer", "Reason", "Because"),
        (
            (question, code(answer.verdict.value), code(answer.reason), prose(mask(answer.because)))
            for question, answer in zip(QUESTIONS, judgement.answers, strict=True)
        ),
    )


def _evidence(judgement: Judgement, evidence: Iterable[Evidence], masking: Masking, mask: Mask) -> str:
    return table(
        ("Evidence", "Line", "Byte", "Length", "Inside", "What is to be seen there", "Excerpt", "SHA-256"),
        (
            (
                code(one.seen.span.capture),
                str(one.seen.span.line),
                str(one.seen.span.offset),
                str(one.seen.span.length),
                code(mask(" / ".join(one.seen.span.layers))) if one.seen.span.layers else "the record itself",
                prose(mask(one.what)),
                prose(excerpt(judgement.read, one.seen, masking, judgement)) or "of another read",
                code(one.seen.sha256),
            )
            for one in evidence
        ),
    )


def _reviewed(finding: Finding, masking: Masking, reviews: Reviews) -> str:
    """What reviewers decided and noted, where a case file was given."""
    mask = masking.typed
    review = review_of(finding.fingerprint, reviews)
    if review is None or not (rulings(review) or review.notes):
        return ""
    said = [f"- Review: {_ruling(each, mask)}" for each in rulings(review)]
    if review.contradicted:
        said = [f"- Review: {DISAGREE}", *said]
    notes = [f"- Note{_by(note.author, mask)}: {code(mask(note.text))}" for note in review.notes]
    return "\n".join([*(said or [f"- Review: {code(str(review.state))}"]), *notes])


def _ruling(ruling: Ruling, mask: Mask) -> str:
    why = f", because: {code(mask(ruling.reason))}" if ruling.reason else ""
    return f"{code(ruling.word)}{_by(ruling.author, mask)}{why}"


def _by(author: str, mask: Mask) -> str:
    return f" by {code(mask(author))}" if author else ""


def _next(judgement: Judgement, finding: Finding, mask: Mask) -> str:
    found = list(still_open(judgement, finding))
    return "To rule out next:\n\n" + "\n".join(f"- {prose(mask(each))}" for each in found) if found else ""


def _others(group: FindingGroup, reviews: Reviews) -> str:
    others = group.found[1:]
    if not others:
        return ""
    places = ", ".join(place(judgement) + _decided(finding, reviews) for judgement, finding in others[:_SAME_LISTED])
    rest = len(others) - _SAME_LISTED
    more = f", and {rest} more" if rest > 0 else ""
    return f"The same rule, template and caller in {len(others)} further reads: {places}{more}."


def _decided(finding: Finding, reviews: Reviews) -> str:
    said = in_short(review_of(finding.fingerprint, reviews))
    return f" (review: {code(said)})" if said else ""


def _who_else(radius: Radius) -> str:
    """The blast radius of a finding in one line; nothing where it stands alone."""
    if not radius.same_defect and not radius.same_cell:
        return ""
    times = f", from {code(radius.first)} to {code(radius.last or radius.first)}" if radius.first else ""
    return (
        f"Who else: {len(radius.same_defect)} other reads of this template have this defect; "
        f"{len(radius.same_cell)} other reads served this caller the same tenant{times}."
    )

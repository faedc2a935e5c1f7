"""One finding of the plain text report."""

from __future__ import annotations

from collections.abc import Iterator

from diagnosis.questions.findings import Finding
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.ascii import fields, plain, wrapped
from diagnosis.reports.choices import Reviews
from diagnosis.reports.drawing import LADDER, LADDER_WITHOUT, drawn_rows, excerpt, ladder_rows
from diagnosis.reports.grouping import FindingGroup, caller_of
from diagnosis.reports.masking import Masking
from diagnosis.reports.reviewed import DISAGREE, Ruling, review_of, rulings
from diagnosis.reports.rulings import standing_sentences, still_open

_SAME_LISTED = 20


def place(judgement: Judgement) -> str:
    """Where the request of a read stands, as `file:line`."""
    span = judgement.read.request.span
    return f"{span.capture}:{span.line}"


def finding_lines(number: int, group: FindingGroup, masking: Masking, reviews: Reviews) -> Iterator[str]:
    """Yields the lines of the first finding of a group, and the places of the others."""
    judgement, finding = group.found[0]
    mask, rule = masking.of(judgement), finding.rule
    caller, is_session = caller_of(judgement)
    yield from ("", f"  Finding {number}: {rule.id}")
    yield from _review(finding, masking, reviews)
    yield wrapped(mask(finding.summary), 4)
    because = f", because: {mask(finding.because)}" if finding.because else ""
    about = [
        ("class", f"{rule.finding_class.value if rule.finding_class else ''}, {rule.severity.value}"),
        ("certainty", f"{finding.certainty.value}{because}"),
        ("owner", rule.owner.words if rule.owner else ""),
        ("caller", masking.caller(caller, is_session=is_session)),
        ("session", masking.session(judgement.read.session)),
    ]
    yield from fields(about, 4)
    yield from _drawn(judgement, masking)
    yield from fields(
        (
            (f"question {at}, {answer.verdict.value} ({answer.reason})", mask(answer.because))
            for at, answer in enumerate(judgement.answers, 1)
        ),
        4,
    )
    yield from _evidence(judgement, finding, masking)
    yield from fields([("fix", mask(finding.fix))], 4)
    yield from _rulings(judgement, finding, masking)
    others = [place(each) for each, _ in group.found[1:]]
    if others:
        more = f" and {len(others) - _SAME_LISTED} more" if len(others) > _SAME_LISTED else ""
        yield from fields([("also at", ", ".join(others[:_SAME_LISTED]) + more)], 4)
    yield from fields([("fingerprint", finding.fingerprint)] if finding.fingerprint else [], 4)


def _review(finding: Finding, masking: Masking, reviews: Reviews) -> Iterator[str]:
    review = review_of(finding.fingerprint, reviews)
    if review is None:
        return
    said = [_ruling(each) for each in rulings(review)]
    if review.contradicted:
        said = [DISAGREE, *said]
    if not said and review.notes:
        said = [str(review.state)]
    yield from fields((("review", masking.typed(each)) for each in said), 4)
    yield from fields((("note", masking.typed(f"{note.author}: {note.text}")) for note in review.notes), 4)


def _ruling(ruling: Ruling) -> str:
    by = f" by {ruling.author}" if ruling.author else ""
    return f"{ruling.word}{by}" + (f", because: {ruling.reason}" if ruling.reason else "")


def _drawn(judgement: Judgement, masking: Masking) -> Iterator[str]:
    """The URI under its template, not wrapped: its columns belong together. Then its values, decode by decode."""
    rows = [(label, plain(text)) for label, text in drawn_rows(judgement, masking)]
    if any(not text.isascii() for _, text in drawn_rows(judgement, masking)):
        rows = [row for row in rows if row[0]]  # escapes have moved the columns, and marks would point at nothing
    width = max((len(label) for label, _ in rows), default=0)
    yield from (f"    {label:{width}}  {text}" for label, text in rows)
    for row in ladder_rows(judgement, masking.of(judgement)):
        rungs = (words if cell is None else cell for cell, words in zip(row[1:], LADDER_WITHOUT[1:], strict=True))
        told = "; ".join(f"{head.lower()} {rung}" for head, rung in zip(LADDER[1:], rungs, strict=True))
        yield from fields([(f"value of {row[0]}", told)], 4)


def _evidence(judgement: Judgement, finding: Finding, masking: Masking) -> Iterator[str]:
    mask = masking.of(judgement)
    for one in finding.evidence:
        span = one.seen.span
        inside = f", inside {mask(' / '.join(span.layers))}" if span.layers else ""
        at = f"{span.capture} line {span.line}, byte {span.offset}, length {span.length}{inside}"
        said = excerpt(judgement.read, one.seen, masking, judgement)
        yield from fields([("evidence", f"{at}: {mask(one.what)}")], 4)
        yield from fields([("excerpt", said)] if said else [], 8)


def _rulings(judgement: Judgement, finding: Finding, masking: Masking) -> Iterator[str]:
    """What is ruled out and what is not; a rule's own words may say some of it already."""
    mask, rule = masking.of(judgement), finding.rule
    if rule.not_this:
        yield from fields([("what it is not", rule.not_this)], 4)
    for sentence in standing_sentences(judgement, rule.finding_class):
        if sentence not in finding.fix and sentence not in rule.not_this:
            yield wrapped(sentence, 4)
    yield from fields((("to rule out next", mask(each)) for each in still_open(judgement, finding)), 4)

"""What every form of a comparison says: the standing sentences, and what stands for a subject."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from diagnosis.after_fix.before_after import Status, Subject
from diagnosis.after_fix.comparison import Comparison
from diagnosis.questions.findings import FindingClass
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.redact import Mask
from diagnosis.reports.tally import is_all_read

SCOPE = "This holds for the reads listed here. What was not read again proves nothing."


def standing(comparison: Comparison) -> Iterator[str]:
    """Yields the sentences that a reader must not miss beside the opening one."""
    yield SCOPE
    kinds = {(each.kind, each.status) for each in comparison.subjects}
    fixed = (FindingClass.UNDER_ENCODING, Status.GONE) in kinds
    left = {(FindingClass.MISSING_AUTHORIZATION, status) for status in Status if status is not Status.GONE}
    if fixed and kinds & left:
        yield "A repaired encoding does nothing about who may read: question 3 is answered by the read handler alone."
    for word, diagnosis in (("BEFORE", comparison.before), ("AFTER", comparison.after)):
        if not is_all_read(diagnosis):
            yield f"Not everything of {word} was read, so more may be in it."
        elif not diagnosis.judgements:
            yield f"{word} holds no resources/read request."
    yield from dict.fromkeys((*comparison.before.limits, *comparison.after.limits))


def rules_of(subject: Subject) -> tuple[str, ...]:
    """The ids of the rules that the subject's reads broke, before and after."""
    reads = (*subject.before, *(each.judgement for each in subject.after))
    found = (one.rule for read in reads for one in read.findings)
    return tuple(dict.fromkeys(rule.id for rule in found if rule.finding_class is subject.kind))


def hidden(subject: Subject, mask_of: Callable[[Judgement], Mask]) -> str:
    """The subject's `because` with what the masks of all its reads hide; it may quote any of them."""
    text = subject.because
    reads = (*subject.before, *(each.judgement for each in subject.after))
    for read in {each.read.uri: each for each in reads}.values():
        text = mask_of(read)(text)
    return text

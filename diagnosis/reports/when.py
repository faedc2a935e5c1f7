"""The section of the incident report that says when it happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diagnosis.questions.findings import Severity
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.drawing import excerpt
from diagnosis.reports.events import Event, events
from diagnosis.reports.grouping import caller_of
from diagnosis.reports.limits import ROWS, rest
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, prose, table
from diagnosis.reports.tally import counted_as, remarks_of


def timeline_section(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """The requests, answers and findings of the reads that need a person, by time; nothing where there is none."""
    chosen = [judgement for judgement in judgements if _matters(judgement)]
    if not chosen:
        return
    found, left_out = events(chosen)
    yield "## Timeline"
    yield "Reads with a finding or a severe remark, by time in UTC. The timeline export has all reads."
    if found:
        yield table(
            ("Time", "What", "Caller", "Said", "Where"),
            (_row(event, masking) for event in found[:ROWS]),
        )
        yield from rest(len(found), "events")
    if left_out:
        yield f"{counted_as(left_out, 'event')} of these reads left out, because no time in UTC is known for them."


def _matters(judgement: Judgement) -> bool:
    return bool(judgement.findings) or any(one.severity is Severity.SEVERE for one in remarks_of(judgement))


def _row(event: Event, masking: Masking) -> tuple[str, ...]:
    judgement, span = event.judgement, event.seen.span
    caller, is_session = caller_of(judgement)
    if event.finding is not None:
        said = code(event.finding.rule.id)
    else:
        said = prose(excerpt(judgement.read, event.seen, masking, judgement))
    return (
        code(event.time.removesuffix("+00:00") + "Z"),
        event.kind.value,
        code(masking.caller(caller, is_session=is_session)),
        said,
        code(f"{span.capture}:{span.line}"),
    )

"""The timeline: one JSON line for each request, answer and finding, as Timesketch and its kind import them.

`datetime`, `timestamp_desc` and `message` are what such tools ask for; all other fields are flat and optional. What has
no time in UTC cannot stand on a timeline and is counted on the last line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from diagnosis.diagnosis import Diagnosis
from diagnosis.reports import asked
from diagnosis.reports.choices import DEFAULT, LOUD, Choices
from diagnosis.reports.drawing import excerpt, repr_id
from diagnosis.reports.events import Event, Kind, events
from diagnosis.reports.grouping import caller_of
from diagnosis.reports.masking import Masking
from diagnosis.reports.reviewed import in_short
from diagnosis.reports.tally import counted_as, is_partial
from diagnosis.reports.version import version
from diagnosis.visible import visible

# Where no event has a time, the summary still needs one, and the beginning of Unix time is plainly no event.
_STANDS = "This line is no event; no event has a time, so it stands at the beginning of 1970."
_NO_TIME = "1970-01-01T00:00:00.000000+00:00"


def render(diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT) -> str:
    """Returns JSON lines by time, ASCII only, the same for the same diagnosis; `now` is not used.

    The last line is no event: it stands at the time of the last one and says what was left out and what was hidden.
    """
    judgements = diagnosis.shown()
    masking = Masking(judgements, choices.redaction)
    found, left_out = events(judgements)
    lines = [_line(event, masking, choices) for event in found]
    lines.append(_summary(diagnosis, found, left_out, masking))
    return "".join(json.dumps(line, ensure_ascii=True) + "\n" for line in lines)


def _line(event: Event, masking: Masking, choices: Choices) -> dict[str, object]:
    judgement, span = event.judgement, event.seen.span
    caller, is_session = caller_of(judgement)
    line: dict[str, object] = {
        "datetime": event.time,
        "timestamp_desc": event.kind.value,
        "message": _message(event, masking),
        "data_type": f"misread:{event.kind.name.lower()}",
        "caller": visible(masking.caller(caller, is_session=is_session)),
        "session": visible(masking.session(judgement.read.session)),
        "request_id": visible(masking.text(repr_id(judgement.read.request_id))),
        "uri": visible(masking.uri(judgement.read.uri or "", judgement)),
        "template": visible(masking.uri(judgement.template or "", judgement)),
        "tenant": visible(masking.tenant(judgement.tenants[-1])) if judgement.tenants else "",
        "outcome": judgement.read.outcome.value,
        **{answer.question.value: f"{answer.verdict.value} {visible(answer.reason)}" for answer in judgement.answers},
        "time_basis": visible(judgement.read.time_basis),
        "capture": visible(span.capture),
        "line": span.line,
        "byte_offset": span.offset,
        "byte_length": span.length,
        "sha256": event.seen.sha256,
    }
    return {**line, **_of_finding(event, masking, choices)}


def _message(event: Event, masking: Masking) -> str:
    """One sentence; a place that another read owns says no more than what kind of event it is."""
    if event.finding is not None:
        return f"{event.finding.rule.id}: {visible(masking.of(event.judgement)(event.finding.summary))}"
    said = excerpt(event.judgement.read, event.seen, masking, event.judgement)
    return visible(said if event.kind is Kind.REQUEST else f"answered with {said}")


def _of_finding(event: Event, masking: Masking, choices: Choices) -> dict[str, object]:
    finding = event.finding
    if finding is None:
        return {}
    review = choices.reviews(finding.fingerprint)
    rule = finding.rule
    return {
        "rule": rule.id,
        "class": rule.finding_class.value if rule.finding_class else "",
        "severity": rule.severity.value,
        "certainty": finding.certainty.value,
        "owner": rule.owner.value if rule.owner else "",
        "fingerprint": finding.fingerprint,
        "review": in_short(review) or (str(review.state) if review else ""),
    }


def _summary(diagnosis: Diagnosis, found: Sequence[Event], left_out: int, masking: Masking) -> dict[str, object]:
    partial = is_partial(diagnosis)
    words = [
        *([LOUD] if masking.redaction.off else []),
        f"misread {version()}: end of this export, {counted_as(len(found), 'event')}.",
        f"{counted_as(left_out, 'event')} left out, because no time in UTC is known for them.",
        *(["Reading was stopped before the end of a capture; what comes after is not here."] if partial else []),
        *asked.about_shown(diagnosis),
        f"Redacted: {masking.summary()}.",
        "This line is no event; it stands at the time of the last one." if found else _STANDS,
    ]
    return {
        "datetime": found[-1].time if found else _NO_TIME,
        "timestamp_desc": "Export summary",
        "message": " ".join(words),
        "data_type": "misread:summary",
        "events": len(found),
        "events_left_out": left_out,
        "partial": partial,
    }

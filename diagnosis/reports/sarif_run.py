"""How a run went, for a SARIF log: what was read, what could not be, and what stays undecided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import Question
from diagnosis.questions.judgement import Judgement
from diagnosis.reports import asked
from diagnosis.reports.choices import LOUD
from diagnosis.reports.masking import Masking
from diagnosis.reports.sarif_parts import Json, artifact_location, message, region
from diagnosis.reports.tally import counted_as, is_partial, tally

_NOTIFICATIONS = {
    "cannot-tell": "Answers that the log does not decide",
    "changed": "A capture changed while it was read",
    "limit": "A limit was reached, and what lies past it is not known",
    "not-read": "A file that was not read",
    "not-shown": "Reads outside of what was asked for",
    "partial": "Reading was stopped before the end",
    "redaction": "What was replaced by labels",
    "unreadable": "A line that could not be read",
}


def notification_descriptors() -> list[Json]:
    """Every kind of notification that a run may hold (3.19.24)."""
    return [{"id": name, "shortDescription": message(text)} for name, text in _NOTIFICATIONS.items()]


def artifacts(diagnosis: Diagnosis) -> list[Json]:
    """The captures with the size and the hash of the whole file on disk, compressed as it is (3.24)."""
    return [
        {
            "location": artifact_location(facts.path),
            "length": facts.size,
            "roles": ["analysisTarget"],
            **({"hashes": {"sha-256": facts.sha256}} if facts.sha256 else {}),
            "properties": {
                "format": facts.format,
                "lines": facts.lines,
                "messages": facts.messages,
                "reads": facts.reads,
                "unreadable": facts.unreadable,
                "readToTheEnd": not facts.partial,
            },
        }
        for facts in diagnosis.captures
    ]


def invocation(diagnosis: Diagnosis, judgements: Sequence[Judgement], masking: Masking) -> Json:
    """3.20: successful only where every file was read whole, and every line of it."""
    whole = not (
        is_partial(diagnosis)
        or diagnosis.refusals
        or diagnosis.problems
        or any(facts.unreadable or facts.changed for facts in diagnosis.captures)
    )
    return {
        "executionSuccessful": whole,
        "toolExecutionNotifications": list(_notifications(diagnosis, judgements, masking)),
    }


def _notifications(diagnosis: Diagnosis, judgements: Sequence[Judgement], masking: Masking) -> Iterator[Json]:
    if is_partial(diagnosis):
        yield _notification("partial", "error", "Reading was stopped before the end; this holds for what was read.")
    for facts in diagnosis.captures:
        if facts.changed:
            yield _notification("changed", "error", "This capture changed while it was read.", facts.path)
    for sentence in diagnosis.limits:
        yield _notification("limit", "warning", sentence)
    for sentence in asked.about_shown(diagnosis):
        yield _notification("not-shown", "warning", sentence)
    for refusal in diagnosis.refusals:
        yield _notification("not-read", "error", masking.text(refusal.sentence), refusal.path)
    captures = {facts.path: number for number, facts in enumerate(diagnosis.captures)}
    for skipped in diagnosis.problems:
        span = skipped.span
        place = {
            "artifactLocation": artifact_location(span.capture, captures.get(span.capture)),
            "region": region(span),
        }
        told = _notification("unreadable", "warning", masking.text(skipped.why))
        yield {**told, "locations": [{"physicalLocation": place}]}
    more = sum(facts.unreadable for facts in diagnosis.captures) - len(diagnosis.problems)
    if more > 0:
        yield _notification("unreadable", "warning", f"{counted_as(more, 'further line')} could not be read.")
    counted = tally(judgements)
    for question in Question:
        if counted.cannot_tell[question]:
            answers = counted_as(counted.cannot_tell[question], "answer")
            yield _notification(
                "cannot-tell", "note", f"Question {question.value}: {answers} of {counted.reads} cannot be told."
            )
    if masking.redaction.off:
        yield _notification("redaction", "warning", LOUD)
    else:
        yield _notification("redaction", "note", f"Redacted: {masking.summary()}. Documents are left out.")


def _notification(name: str, level: str, text: str, path: str | None = None) -> Json:
    told: Json = {
        "descriptor": {"id": name, "index": list(_NOTIFICATIONS).index(name)},
        "level": level,
        "message": message(text),
    }
    if path is not None:
        told["locations"] = [{"physicalLocation": {"artifactLocation": artifact_location(path)}}]
    return told

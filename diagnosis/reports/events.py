"""What happened when: the requests, answers and findings of reads whose times are known in UTC."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from diagnosis.questions.findings import Finding
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Seen

# RFC 3339 in UTC as captures give it; the fraction may have any number of digits.
_UTC = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z")


class Kind(StrEnum):
    """What an event is, in the words that a timeline shows beside its time."""

    REQUEST = "Request sent"
    ANSWER = "Answer received"
    FINDING = "Finding"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `time` is RFC 3339 in UTC with six digits; `seen` is its place in the capture.

    `finding` is set for a finding only; it stands at the time of the answer, or of the request without one.
    """

    time: str
    kind: Kind
    judgement: Judgement
    seen: Seen
    finding: Finding | None = None


def in_utc(time: str | None) -> str | None:
    """Returns a time as RFC 3339 in UTC with six digits and a numeric zone; None for what is no such time.

    Digits beyond microseconds are cut off: timeline tools keep no more.
    """
    found = _UTC.fullmatch(time or "")
    if found is None:
        return None
    try:
        datetime.fromisoformat(found[1])
    except ValueError:
        return None
    return f"{found[1]}.{(found[2] or '')[:6]:0<6}+00:00"


def events(judgements: Iterable[Judgement]) -> tuple[list[Event], int]:
    """Returns every event with a known time, by time and then in log order, and how many events have none."""
    found: list[Event] = []
    left_out = 0
    for judgement in judgements:
        for time, kind, seen, finding in _of(judgement):
            if time is None:
                left_out += 1
            else:
                found.append(Event(time, kind, judgement, seen, finding))
    return sorted(found, key=lambda event: event.time), left_out


def _of(judgement: Judgement) -> Iterator[tuple[str | None, Kind, Seen, Finding | None]]:
    read, response = judgement.read, judgement.read.response
    # A time of another shape is the log's own clock; putting it between known times would be a guess.
    asked = in_utc(read.time)
    answered = in_utc(response.time) if response is not None else None
    yield asked, Kind.REQUEST, read.request, None
    if response is not None:
        yield answered, Kind.ANSWER, response.seen, None
    for finding in judgement.findings:
        seen = finding.evidence[0].seen if finding.evidence else read.request
        yield answered or asked, Kind.FINDING, seen, finding

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from diagnosis.questions.findings import Question, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Outcome
from diagnosis.reports.events import in_utc
from diagnosis.reports.timeline import render
from tests.diagnosis.reports import build


def lines_of(*judgements: object, **more: object) -> list[dict[str, Any]]:
    rendered = render(build.diagnosis(*judgements, **more))
    assert rendered.isascii() and rendered.endswith("\n")
    return [json.loads(line) for line in rendered.splitlines()]


def answered(judgement: Judgement, time: str | None) -> Judgement:
    """The same read, answered at another time than it was sent."""
    assert judgement.read.response is not None
    return replace(judgement, read=replace(judgement.read, response=replace(judgement.read.response, time=time)))


def test_request_answer_and_finding() -> None:
    read = answered(build.foreign(time="2025-10-01T00:00:01.5Z"), "2025-10-01T00:00:02Z")
    request, answer, finding, summary = lines_of(read)
    assert (request["datetime"], request["timestamp_desc"]) == ("2025-10-01T00:00:01.500000+00:00", "Request sent")
    assert request["message"] == "resources/read, id `41`, uri `report://northwind/2025-10`"
    assert (answer["datetime"], answer["timestamp_desc"]) == ("2025-10-01T00:00:02.000000+00:00", "Answer received")
    assert (
        answer["message"] == "answered with uri `report://northwind/2025-10`, json document of 20 bytes, left out here"
    )
    assert (finding["datetime"], finding["timestamp_desc"]) == ("2025-10-01T00:00:02.000000+00:00", "Finding")
    assert finding["message"] == "principal/foreign-tenant: A document of northwind was served."
    assert finding["class"] == "missing-authorization" and finding["owner"] == "read handler"
    assert (request["line"], request["byte_offset"], answer["line"]) == (1, 100, 2)
    assert (request["caller"], request["session"], request["tenant"]) == ("ana", "session-1", "northwind")
    assert request["principal"] == "not_checked outside-allowed"
    assert (summary["events"], summary["events_left_out"]) == (3, 0)
    assert summary["datetime"] == "2025-10-01T00:00:02.000000+00:00"


def test_every_line_is_flat_and_has_what_tools_ask_for() -> None:
    for line in lines_of(build.foreign(time="2025-10-01T00:00:00Z"), build.judgement(1)):
        assert datetime.fromisoformat(line["datetime"]).utcoffset() is not None
        assert line["timestamp_desc"] and line["message"]
        assert all(isinstance(value, str | int) for value in line.values())


def test_sorted_by_time_and_stable() -> None:
    times = ["2025-10-01T00:00:03Z", "2025-10-01T00:00:01Z", "2025-10-01T00:00:03.000Z", "2025-10-01T00:00:02.9Z"]
    found = lines_of(*(build.judgement(n, time=time, outcome=Outcome.NONE) for n, time in enumerate(times)))
    assert [line["line"] for line in found[:-1]] == [3, 7, 1, 5]


def test_reads_without_a_time_are_counted_on_the_last_line() -> None:
    *events, summary = lines_of(build.judgement(0, time="2025-10-01T00:00:00Z"), build.foreign(1), build.judgement(2))
    assert len(events) == 2
    assert (summary["events"], summary["events_left_out"]) == (2, 5)
    assert "5 events left out, because no time in UTC is known for them." in summary["message"]
    assert "This line is no event" in summary["message"]


def test_a_log_without_times() -> None:
    (summary,) = lines_of(build.foreign(0), partial=True)
    assert summary["datetime"] == "1970-01-01T00:00:00.000000+00:00"
    assert "no event has a time, so it stands at the beginning of 1970." in summary["message"]
    assert "Reading was stopped before the end" in summary["message"] and summary["partial"] is True


def test_a_finding_without_an_answer_stands_at_its_request() -> None:
    raw = build.answer(Question.SEGMENTS, Verdict.ESCAPED, findings=(build.finding(build.RAW),))
    sent = build.judgement(time="2025-10-01T00:00:01Z", outcome=Outcome.NONE, segments=raw)
    assert [line["timestamp_desc"] for line in lines_of(sent)[:-1]] == ["Request sent", "Finding"]


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        ("2025-10-01T00:00:00Z", "2025-10-01T00:00:00.000000+00:00"),
        ("2025-10-01T00:00:00.123456789Z", "2025-10-01T00:00:00.123456+00:00"),
        ("2025-10-01 00:00:00", None),
        ("2025-10-01T00:00:00+02:00", None),
        ("2025-13-41T00:00:00Z", None),
        ("2025-10-01T00:00:00Z\n", None),
        ("+12.5s", None),
        ("", None),
        (None, None),
    ],
)
def test_times(time: str | None, shown: str | None) -> None:
    assert in_utc(time) == shown


def test_the_same_diagnosis_gives_the_same_bytes() -> None:
    diagnosis = build.diagnosis(build.foreign(0, time="2025-10-01T00:00:00Z"), build.undecided(1))
    assert render(diagnosis) == render(diagnosis)

"""What a whole export hides: ids of sessions in any text, names under aliases, and the template of a drawing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from diagnosis.reports import REPORTS, Report
from diagnosis.reports.choices import Choices, Redaction
from diagnosis.reports.json import masked
from diagnosis.reports.known import Known
from diagnosis.reports.masking import Masking
from tests.diagnosis.reports import build

NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
READ_BY_PEOPLE = [each for each in REPORTS if each.name != "json"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("locked by sess-AAAA1111.", ["sess-AAAA1111"]),
        ("notes://sess-aaaa1111/a?x=SESS-AAAA1111", ["sess-AAAA1111", "sess-AAAA1111"]),
        ("notes://x%2Fsess-AAAA1111/a", ["sess-AAAA1111"]),
        ("x?m=sess%2FAA%2B11%3D%3D&b", ["sess/AA+11=="]),
        ("x?m=sess%252FAA%252B11%253D%253D&b", ["sess/AA+11=="]),
        ("sess-AAAA11112 xsess-AAAA1111", []),
        ("", []),
    ],
)
def test_known_values_are_found_plain_and_encoded(text: str, found: list[str]) -> None:
    assert [value for _, _, value in Known(["sess-AAAA1111", "sess/AA+11=="]).find(text)] == found


def test_of_very_many_values_each_is_found_as_a_word() -> None:
    known = Known(f"session-of-{number:05}" for number in range(10_000))
    assert list(known.find("by session-of-00017, 9")) == [(3, 19, "session-of-00017")]
    assert list(Known([]).find("by a%20b")) == []


def test_the_id_of_another_session_is_hidden_wherever_it_stands() -> None:
    first = build.foreign(0, session="sess-AAAA1111", time="2025-10-01T00:00:00Z")
    second = build.foreign(1, session="sess-BBBB2222", uri="report://northwind/sess-AAAA1111")
    masking = Masking([first, second])
    assert [masking.session(each) for each in ("sess-AAAA1111", "sess-BBBB2222")] == ["session-1", "session-2"]
    assert masking.of(second)("locked by sess-AAAA1111") == "locked by session-1"
    assert masking.text('{"x":"sess-AAAA1111"') == '{"x":"session-1"'
    assert masking.uri("report://northwind/sess-AAAA1111", second) == "report://northwind/session-1"
    for report in READ_BY_PEOPLE:
        assert "AAAA1111" not in report.render(build.diagnosis(first, second), NOW)


def test_a_session_with_the_name_of_a_tenant_or_of_a_label_stays() -> None:
    reads = [build.foreign(number, session=name) for number, name in enumerate(("northwind", "session-2", "s-71"))]
    masking = Masking(reads)
    masking.session("northwind")
    text = "northwind's report, session-2, s-71"
    assert masking.text(text) == text


@pytest.mark.parametrize("report", READ_BY_PEOPLE, ids=lambda each: each.name)
def test_a_template_with_a_secret_is_never_drawn(report: Report) -> None:
    template, uri = (
        "https://svc:hunter2@files.example/{tenant}/{name}",
        "https://svc:hunter2@files.example/northwind/a/b",
    )
    rendered = report.render(
        build.diagnosis(build.foreign(uri=uri, template=template, time="2025-10-01T00:00:00Z")), NOW
    )
    assert "hunter2" not in rendered


def test_aliases_hide_names_in_any_spelling_and_any_text() -> None:
    read = build.foreign(template="report://{tenant}/{month}", time="2025-10-01T00:00:00Z")
    masking = Masking([read], Redaction(aliases=True))
    assert masking.tenant("northwind") == "tenant-1"
    for text in ("northwind", "NORTHWIND", "nor%74hwind", "nor%2574hwind"):
        assert masking.text(f"about {text}: no") == "about tenant-1: no"
        assert masking.uri(f"report://{text}/2025-10") == "report://tenant-1/2025-10"
    assert masking.text("northwinds") == "northwinds"


@pytest.mark.parametrize("report", REPORTS, ids=lambda each: each.name)
def test_aliases_without_redaction_are_as_loud(report: Report) -> None:
    read = build.foreign(uri="docs://northwind/x?token=abc", time="2025-10-01T00:00:00Z")
    choices = Choices(redaction=Redaction(secrets=False, people=False, aliases=True))
    rendered = report.render(build.diagnosis(read), NOW, choices)
    assert "NOT REDACTED" in rendered
    assert "northwind" not in rendered


def test_what_a_person_typed_has_no_session_however_short() -> None:
    read = build.foreign(session="s-71", uri="report://northwind/s-71", template="report://{tenant}/{month}")
    masking = Masking([read])
    assert masking.typed("session:s-71 and seen in s-71") == "session:session-1 and seen in session-1"
    assert masking.text("s-71") == "s-71"  # in a log it may be any value


def test_a_secret_with_a_comma_is_hidden_in_a_list_too() -> None:
    hidden = {"a": "x?password=abc,TAIL"}
    mask = Masking([build.foreign(uri="docs://x?password=abc,TAIL")]).of
    read = build.foreign(uri="docs://x?password=abc,TAIL")
    assert masked({"a": ["x?password=abc", "TAIL"], "b": ["c", "d"]}, mask(read)) == {
        "a": ["x?password=[password-1]"],
        "b": ["c", "d"],
    }
    assert masked({"a": hidden["a"]}, mask(read)) == {"a": "x?password=[password-1]"}


def test_the_logs_own_time_is_masked_like_any_text() -> None:
    read = build.foreign(time="Bearer CANARYts0123456789abc")
    for report in REPORTS:
        assert "CANARY" not in report.render(build.diagnosis(read), NOW)

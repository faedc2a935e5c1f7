"""No export gives away by default what was planted in a log: credentials, addresses, sessions, foreign documents."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from diagnosis import diagnose, load_statements
from diagnosis.case import Case
from diagnosis.questions.findings import Verdict
from diagnosis.reports import REPORTS, Report
from diagnosis.reports.choices import NO_REDACTION, Choices, Redaction
from tests.diagnosis.reports import build

ROOT = Path(__file__).parents[2]
NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
JWT = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.CANARYsignature"

# Text of a log, and what of it must stand nowhere.
PLANTED = [
    ("ghp_CANARYgithub0123456789abcdefABCDEF01", "CANARY"),
    ("docs://a%2Fghp_CANARYgithub0123456789abcdefABCDEF01", "CANARY"),
    ("docs://a/ghp%5FCANARYgithub0123456789abcdefABCDEF01/x", "CANARY"),
    ("docs://a/ghp%255FCANARYgithub0123456789abcdefABCDEF01/x", "CANARY"),
    ("the key xoxb-1111111111-CANARYslack and AKIACANARYCANARY123", "CANARY"),
    ("sk-proj-CANARYopenai0123456789abcdefghij", "CANARY"),
    ("AIzaCANARYgoogle0123456789abcdefghijklm", "CANARY"),
    ("https://u:CANARYpassw0rd@h.example/x", "CANARY"),
    ("db postgres://svc:CANARYpassw0rd@db.example/x failed", "CANARY"),
    ("docs://a?access_token=CANARYtoken&b=1", "CANARY"),
    ("docs://a?to%6ben=CANARYtoken", "CANARY"),
    ("docs://a;token=CANARYtoken/x", "CANARY"),
    ("docs://a%3Faccess_token%3DCANARYtoken%26b%3D1", "CANARY"),
    ("docs://a#id_token=%43%41%4E%41%52%59token", "%43%41%4E%41%52%59"),
    ("Authorization: Bearer CANARYbearer0123456789", "CANARY"),
    ('{"password": "CANARYpassword", "client_secret":"CANARYsecret"}', "CANARY"),
    ("Cookie: CANARYcookie=1", "CANARY"),
    ("-----BEGIN PRIVATE KEY-----\nCANARYpem\n-----END PRIVATE KEY-----", "CANARY"),
    (JWT, "CANARY"),
    (f"docs://{JWT}/x", "CANARY"),
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda each: each.name)
@pytest.mark.parametrize(("text", "canary"), PLANTED, ids=range(len(PLANTED)))
def test_a_credential_anywhere_in_a_log_is_in_no_export(report: Report, text: str, canary: str) -> None:
    rendered = report.render(build.everywhere(text, "ours"), NOW)
    assert canary not in rendered
    assert canary.lower() not in rendered.lower()


@pytest.mark.parametrize("report", [each for each in REPORTS if each.name != "json"], ids=lambda each: each.name)
@pytest.mark.parametrize("text", ["canary.person@contoso.example", "a canary.person%40contoso.example b"])
def test_addresses_are_labels_where_people_read(report: Report, text: str) -> None:
    assert "canary" not in report.render(build.everywhere(text, "ours"), NOW)


@pytest.mark.parametrize("report", [each for each in REPORTS if each.name != "json"], ids=lambda each: each.name)
def test_session_ids_are_labels_where_people_read(report: Report) -> None:
    read = build.foreign(session="CANARYsession-1868a90c", time="2025-10-01T00:00:00Z", caller=None)
    rendered = report.render(build.diagnosis(read), NOW)
    assert "CANARY" not in rendered
    assert "session-1" in rendered or report.name == "sarif"


@pytest.mark.parametrize("way", ["allow", "policy", "case"])
def test_a_caller_that_is_named_by_a_session_has_the_label_of_the_session(way: str, tmp_path: Path) -> None:
    name = "CANARYsession-1868a90c"
    capture = tmp_path / "capture.jsonl"
    capture.write_text((ROOT / "sample_traces" / "all-three.jsonl").read_text().replace("s-71", name))
    statements = load_statements(allow=[f"{name}=acme"] if way == "allow" else [])
    if way == "policy":  # as `misread policy` writes it, filled in
        policy = tmp_path / "policy.json"
        policy.write_text(json.dumps({"principals": [{"id": name, "sessions": [name], "allowed_tenants": ["acme"]}]}))
        statements = load_statements(str(policy))
    case = Case("ana")
    if way == "case":
        case.state_caller(name, ["acme"])
        statements = case.statements(statements)
    diagnosis = diagnose([str(capture)], statements)
    assert [each.principal.verdict for each in diagnosis.judgements].count(Verdict.NOT_CHECKED) == 1
    for report in REPORTS:
        rendered = report.render(diagnosis, NOW, Choices(reviews=case.state_of))
        assert report.name == "json" or "CANARY" not in rendered, report.name


@pytest.mark.parametrize("report", REPORTS, ids=lambda each: each.name)
def test_each_export_says_what_it_removed(report: Report) -> None:
    uri = f"docs://northwind/{PLANTED[0][0]}?password=hunter22"
    rendered = report.render(build.diagnosis(build.foreign(uri=uri, time="2025-10-01T00:00:00Z")), NOW)
    if report.name == "json":
        assert json.loads(rendered)["redaction"]["removed"] == {"password": 1, "token": 1}
    else:
        assert "edacted: 1 password, 1 token" in rendered or report.name == "chat"


@pytest.mark.parametrize("report", REPORTS, ids=lambda each: each.name)
def test_an_export_without_redaction_is_loud(report: Report) -> None:
    uri = f"docs://northwind/{PLANTED[0][0]}"
    diagnosis = build.diagnosis(build.foreign(uri=uri, time="2025-10-01T00:00:00Z"))
    rendered = report.render(diagnosis, NOW, Choices(redaction=NO_REDACTION))
    if report.name == "json":
        assert json.loads(rendered)["redaction"] == {"secrets": False, "aliases": False, "removed": {}}
    assert "NOT REDACTED" in rendered
    assert "NOT REDACTED" not in report.render(diagnosis, NOW)
    if report.name != "chat":  # there is no URI in a chat
        assert PLANTED[0][0] in rendered


@pytest.mark.parametrize("report", REPORTS, ids=lambda each: each.name)
def test_aliases_take_the_place_of_tenants_and_callers(report: Report) -> None:
    read = build.foreign(time="2025-10-01T00:00:00Z", session="s-9", template="report://{tenant}/{month}")
    plain, hidden = (
        report.render(build.diagnosis(read), NOW, Choices(redaction=redaction))
        for redaction in (Redaction(), Redaction(aliases=True))
    )
    assert "northwind" in plain and "northwind" not in hidden
    assert "ana" in plain and not any(word in hidden.split() for word in ("ana", "`ana`", '"ana"', '"ana",'))
    assert "tenant-1" in hidden and "caller-1" in hidden


def test_equal_values_have_equal_labels_across_reads() -> None:
    uris = (f"docs://x?token={value}" for value in ("abc", "def", "abc", "%61bc"))
    diagnosis = build.diagnosis(*(build.judgement(number, uri=uri) for number, uri in enumerate(uris)))
    reads = json.loads(next(each for each in REPORTS if each.name == "json").render(diagnosis, NOW))["reads"]
    labels = ["[token-1]", "[token-2]", "[token-1]", "[token-1]"]
    assert [read["uri"] for read in reads] == [f"docs://x?token={label}" for label in labels]


# A read of another tenant's document, of which nothing but the field that disagrees may be told

TRACE = [
    {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "report://northwind/2025-10"}},
    {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "contents": [
                {
                    "uri": "report://northwind/2025-10",
                    "mimeType": "application/json",
                    "text": json.dumps(
                        {"tenant": "contoso", "month": "2025-10", "iban": "CANARYiban", "sum": 123456.78}
                    ),
                }
            ]
        },
    },
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda each: each.name)
def test_a_foreign_document_is_left_out(tmp_path: Path, report: Report) -> None:
    capture = tmp_path / "trace.jsonl"
    capture.write_text("".join(json.dumps(line) + "\n" for line in TRACE))
    statements = load_statements(allow=["acme"], templates=["report://{tenant}/{month}"])
    diagnosis = diagnose([str(capture)], statements)
    assert diagnosis.judgements[0].findings
    rendered = report.render(diagnosis, NOW)
    assert "CANARY" not in rendered and "123456" not in rendered and "iban" not in rendered

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.ledger import Refusal
from diagnosis.questions.findings import Certainty, Evidence, Question, Remark, Verdict
from diagnosis.questions.rules import RULES
from diagnosis.reports.choices import Choices
from diagnosis.reports.sarif import render
from diagnosis.reports.sarif_parts import file_uri, message
from tests.diagnosis.reports import build

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0-subset.json").read_text(encoding="utf-8"))


def log_of(*judgements: object, choices: Choices | None = None, **more: object) -> dict[str, Any]:
    """The log, checked against the published schema."""
    rendered = render(build.diagnosis(*judgements, **more), None, choices or Choices())
    assert rendered.isascii()
    loaded: dict[str, Any] = json.loads(rendered)
    jsonschema.Draft4Validator(SCHEMA).validate(loaded)
    return loaded


def run_of(*judgements: object, **more: Any) -> dict[str, Any]:
    (run,) = log_of(*judgements, **more)["runs"]
    found: dict[str, Any] = run
    return found


def test_the_schema_notices_what_does_not_belong() -> None:
    log = log_of(build.foreign())
    log["runs"][0]["results"][0]["certainty"] = "certain"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_a_foreign_read() -> None:
    run = run_of(build.foreign())
    (result,) = run["results"]
    assert result["ruleId"] == "principal/foreign-tenant"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "principal/foreign-tenant"
    assert result["level"] == "error"
    assert result["message"] == {"text": "A document of northwind was served."}
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "trace.jsonl", "index": 0},
        "region": {"startLine": 1, "byteOffset": 100, "byteLength": 80},
    }
    assert location["message"] == {"text": "the request"}
    assert result["partialFingerprints"] == {"misread/v1": f"{1:064x}"}
    properties = result["properties"]
    assert {name: properties[name] for name in ("class", "owner", "severity", "certainty", "subject", "caller")} == {
        "class": "missing-authorization",
        "owner": "read handler",
        "severity": "severe",
        "certainty": "certain",
        "subject": "subject",
        "caller": "ana",
    }
    assert properties["questions"]["principal"] == {"verdict": "not_checked", "reason": "outside-allowed"}
    assert not {"baselineState", "suppressions", "guid"} & set(result)
    assert run["artifacts"][0]["hashes"] == {"sha-256": "ab" * 32}
    assert run["automationDetails"] == {"id": "misread/"}


def test_levels_and_further_evidence() -> None:
    raw = build.finding(build.RAW)
    evidence = (Evidence(build.seen(1), "the request"), Evidence(build.seen(2, "trace.jsonl", "a", "b"), "the answer"))
    remark = Remark(build.NOT_DECODED, Certainty.CERTAIN, "Never decoded.", evidence)
    alone = Remark(build.NOT_DECODED, Certainty.LIKELY, "Never decoded, likely.")
    escaped = build.answer(Question.SEGMENTS, Verdict.ESCAPED, findings=(raw,))
    mild, note, bare = run_of(build.judgement(segments=escaped, remarks=(remark, alone)))["results"]
    assert (mild["level"], note["level"], bare["level"]) == ("warning", "note", "note")
    assert note["properties"]["class"] == "remark" and "partialFingerprints" not in note
    assert [each["id"] for each in note["relatedLocations"]] == [1]
    assert note["relatedLocations"][0]["logicalLocations"] == [{"fullyQualifiedName": "a / b"}]
    assert bare["locations"][0]["physicalLocation"]["region"]["startLine"] == 1


def test_every_rule_is_described_also_where_it_found_nothing() -> None:
    rules = run_of()["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.id for rule in RULES]
    for described, rule in zip(rules, RULES, strict=True):
        text = described["help"]["text"].replace("{{", "{").replace("}}", "}")
        for sentence in (rule.why, rule.fix, rule.not_this):
            assert sentence.replace("`", "'") in text
        assert "helpUri" not in described


def review(state: str, *, suppresses: bool = False) -> Any:
    author = "" if state == "new" else "eve"
    said = SimpleNamespace(
        state=state, reason="known `bug`", author=author, suppresses=suppresses, notes=(), contradicted=False
    )
    return Choices(reviews=lambda fingerprint: said if fingerprint == f"{1:064x}" else None)


@pytest.mark.parametrize(
    ("choices", "status"),
    [
        (review("dismissed", suppresses=True), "accepted"),
        (review("dismissed"), "underReview"),
        (review("confirmed"), "rejected"),
    ],
)
def test_reviews_become_suppressions(choices: Choices, status: str) -> None:
    first, second = run_of(build.foreign(0), build.foreign(1), choices=choices)["results"]
    assert first["suppressions"] == [{"kind": "external", "status": status, "justification": "known `bug`"}]
    assert "suppressions" not in second


def test_an_open_review_says_nothing() -> None:
    assert "suppressions" not in run_of(build.foreign(), choices=review("new"))["results"][0]


def notes(run: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Kind, level and text of each notification."""
    descriptors = run["tool"]["driver"]["notifications"]
    found = run["invocations"][0]["toolExecutionNotifications"]
    assert all(descriptors[one["descriptor"]["index"]]["id"] == one["descriptor"]["id"] for one in found)
    return [(one["descriptor"]["id"], one["level"], one["message"]["text"]) for one in found]


def test_a_whole_run() -> None:
    run = run_of(build.undecided(0), build.judgement(1))
    assert run["invocations"][0]["executionSuccessful"] is True
    assert notes(run) == [
        ("cannot-tell", "note", "Question principal: 1 answer of 2 cannot be told."),
        ("redaction", "note", "Redacted: nothing. Documents are left out."),
    ]
    assert "redactionTokens" not in run


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"partial": True}, ("partial", "error")),
        ({"captures": (build.facts(partial=True),)}, ("partial", "error")),
        ({"captures": (build.facts(changed=True),)}, ("changed", "error")),
        ({"captures": (build.facts(unreadable=1),)}, ("unreadable", "warning")),
        ({"problems": (build.unreadable(7),)}, ("unreadable", "warning")),
        ({"refusals": (Refusal("b.zip", "missing", "There is no b.zip."),)}, ("not-read", "error")),
    ],
)
def test_a_run_that_is_not_whole_is_no_success(more: dict[str, Any], expected: tuple[str, str]) -> None:
    run = run_of(build.judgement(), **more)
    assert run["invocations"][0]["executionSuccessful"] is False
    assert expected in [(kind, level) for kind, level, _ in notes(run)]


def test_a_problem_has_its_place() -> None:
    (one, _) = run_of(problems=(build.unreadable(7),))["invocations"][0]["toolExecutionNotifications"]
    assert one["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "trace.jsonl", "index": 0},
        "region": {"startLine": 7, "byteOffset": 700, "byteLength": 10},
    }


def test_labels_are_named_as_redaction_tokens() -> None:
    assert run_of(build.foreign(uri="docs://x?token=abcdef"))["redactionTokens"] == ["[token-1]"]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("logs/a b.jsonl", "logs/a%20b.jsonl"),
        ("a:b?c#d%.log", "a%3Ab%3Fc%23d%25.log"),
        ("/var/log/é.log", "/var/log/%C3%A9.log"),
        ("//host/x", "/.//host/x"),
        ("a.zip!b.jsonl", "a.zip%21b.jsonl"),
        ("bad\udcff.log", "bad%FF.log"),
        ("odd\ud800.log", "odd%ED%A0%80.log"),
    ],
)
def test_names_of_files(path: str, uri: str) -> None:
    assert file_uri(path) == uri


@given(st.text(min_size=1))
def test_a_name_stays_a_path(path: str) -> None:
    uri = file_uri(path)
    split = urlsplit(uri)
    assert (split.scheme, split.netloc, split.query, split.fragment) == ("", "", "", "")
    assert unquote_to_bytes(split.path.removeprefix("/.") if path.startswith("//") else split.path) == path.encode(
        "utf-8", "surrogatepass"
    )


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("[](){}0`\\ "))))
def test_a_message_is_plain_text(text: str) -> None:
    shown = message(text)["text"]
    assert not re.search(r"\]\(", shown)
    assert "`" not in shown
    assert shown
    # What is left after pairs of braces are taken for single ones is no placeholder.
    assert "{" not in shown.replace("{{", "") and "}" not in shown.replace("}}", "")


def test_hostile_text_stays_text() -> None:
    log = log_of(*build.everywhere("docs://a/[x](https://evil.example) {0} \x1b[0m\u202e").judgements)
    for result in log["runs"][0]["results"]:
        assert "](" not in result["message"]["text"] and "{{0}}" in result["message"]["text"]


def test_nothing_depends_on_the_time() -> None:
    diagnosis = build.diagnosis(build.foreign(time="2025-10-01T00:00:00Z"), build.undecided(1))
    first = render(diagnosis, datetime(2025, 1, 1, tzinfo=UTC))
    assert first == render(diagnosis, datetime(2030, 1, 1, tzinfo=UTC)) == render(diagnosis)

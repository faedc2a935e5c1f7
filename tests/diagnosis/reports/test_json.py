from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diagnosis.questions.findings import Certainty, Question, Remark, Verdict
from diagnosis.reads.read import Outcome
from diagnosis.reports import schema
from diagnosis.reports.json import encoded, render
from diagnosis.statements import Statements
from tests.diagnosis.reports import build

ROOT = Path(__file__).parents[3]


def report_of(*judgements: object, **more: object) -> dict:  # type: ignore[type-arg]
    rendered = render(build.diagnosis(*judgements, **more))
    assert rendered.isascii()
    loaded = json.loads(rendered)
    # The documented shape: every field, in its order, and nothing beside.
    shaped = schema.Report.model_validate(loaded).model_dump(by_alias=True)
    assert json.dumps(shaped) == json.dumps(loaded)
    return loaded


def test_the_checked_in_schema_is_current() -> None:
    assert (ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8") == schema.schema_text()


def test_a_foreign_read() -> None:
    report = report_of(build.foreign(time="2025-10-01T00:00:00Z"))
    (read,) = report["reads"]
    assert list(report) == [
        *("schema", "notice", "tool", "captures", "reads", "exposures"),
        *("inputs", "problems", "summary", "redaction"),
    ]
    assert report["notice"] is None
    assert read["principal"] == {"id": "ana", "source": "policy", "allowed_tenants": ["acme"]}
    assert read["questions"]["principal"]["verdict"] == "not_checked"
    assert read["span"] == {"file": "trace.jsonl", "line": 1}
    assert read["answer_span"] == {"file": "trace.jsonl", "line": 2}
    (finding,) = read["findings"]
    assert finding["class"] == "missing-authorization"
    assert finding["owner"] == "read handler"
    assert finding["evidence"] == [
        {
            "file": "trace.jsonl",
            "line": 1,
            "offset": 100,
            "length": 80,
            "layers": [],
            "sha256": f"{1:064x}",
            "what": "the request",
        }
    ]
    assert report["summary"]["findings"] == {
        "under-encoding": 0,
        "double-decode": 0,
        "missing-authorization": 1,
    }
    (exposure,) = report["exposures"]
    assert (exposure["tenant"], exposure["caller"], exposure["reads"]) == ("northwind", "ana", 1)


@pytest.mark.parametrize("request_id", [41, "41", 41.0, True, None, 2**70, "a\x1b"])
def test_request_ids_keep_their_json_type(request_id: object) -> None:
    (read,) = report_of(build.judgement(request_id=request_id))["reads"]
    assert read["request_id"] == request_id
    assert type(read["request_id"]) is type(request_id)


def test_an_endless_request_id_is_told_in_words() -> None:
    (read,) = report_of(build.judgement(request_id=float("inf")))["reads"]
    assert read["request_id"] == "inf"


@pytest.mark.parametrize(
    "uri", ["docs://a/\ud800", "docs://a/\x1b[0m\n\u202e", "docs://a/%2f%2F//../", "東://京", None]
)
def test_uris_are_exact(uri: str | None) -> None:
    (read,) = report_of(build.judgement(uri=uri))["reads"]
    assert read["uri"] == uri


def test_secrets_of_a_uri_are_masked_everywhere() -> None:
    found = build.finding(build.RAW, summary="The value tok-12345 holds a raw comma.", what="token=tok-12345")
    escaped = build.answer(Question.SEGMENTS, Verdict.ESCAPED, because="See tok-12345.", findings=(found,))
    rendered = render(build.diagnosis(build.judgement(uri="http://h/x?token=tok-12345&m=1", segments=escaped)))
    assert "tok-12345" not in rendered
    assert '"uri": "http://h/x?token=[token-1]&m=1"' in rendered
    assert json.loads(rendered)["redaction"] == {"secrets": True, "aliases": False, "removed": {"token": 1}}


def test_remarks_stand_once() -> None:
    remark = Remark(build.NOT_DECODED, Certainty.CERTAIN, "Never decoded.")
    matched = build.answer(Question.DOCUMENT, Verdict.MATCH, remarks=(remark,))
    (read,) = report_of(build.judgement(document=matched, remarks=(remark,)))["reads"]
    assert [one["rule"] for one in read["remarks"]] == ["remark/not-decoded"]


def test_an_unanswered_read_without_a_session() -> None:
    (read,) = report_of(build.judgement(outcome=Outcome.NONE, session=None))["reads"]
    assert (read["outcome"], read["answer_span"], read["session"]) == ("none", None, None)
    assert read["principal"] is None


def test_inputs_problems_and_counts() -> None:
    report = report_of(
        build.undecided(),
        problems=(build.unreadable(7),),
        statements=Statements(policy_path="p.json", stated=("--allow acme",)),
        partial=True,
    )
    assert report["inputs"]["policy"] == "p.json"
    assert report["inputs"]["stated"] == ["--allow acme"]
    assert report["inputs"]["partial"] is True
    assert report["problems"] == [{"file": "trace.jsonl", "line": 7, "offset": 700, "reason": "This is not JSON."}]
    assert report["summary"]["cannot_tell"] == {"segments": 0, "document": 0, "principal": 1}


@given(
    st.recursive(
        st.text() | st.integers() | st.booleans() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@example("\ud800")
@example({"a": [], "b": {}, "\x7f": "\x00\x1b\u202e\U0001f600"})
@example(2**70)
def test_both_encoders_write_the_same(value: object) -> None:
    assert encoded(value) == json.dumps(value, indent=2)


def test_the_same_diagnosis_gives_the_same_bytes() -> None:
    diagnosis = build.diagnosis(build.foreign(0), build.undecided(1))
    assert render(diagnosis) == render(diagnosis)

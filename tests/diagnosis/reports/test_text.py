from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.questions.findings import Certainty, Question, Remark, Verdict
from diagnosis.reports.ascii import plain
from diagnosis.reports.text import render
from diagnosis.statements import Statements
from diagnosis.uris.alignment import align
from diagnosis.uris.templates import parse
from tests.diagnosis.reports import build


def test_whose_documents_went_to_whom_stands_first() -> None:
    lines = render(build.diagnosis(build.foreign(0), build.judgement(1, caller=build.ana()))).splitlines()
    at = lines.index("WHOSE DOCUMENTS WENT TO WHOM")
    assert at == 3
    assert " ".join(line.strip() for line in lines[at + 1 : at + 3]) == (
        "northwind to ana: 2 reads through report://{tenant}/{month}; OUTSIDE what the caller may see"
    )


def test_the_sections_in_order() -> None:
    remark = Remark(build.NOT_DECODED, Certainty.CERTAIN, "Never decoded.")
    rendered = render(build.diagnosis(build.foreign(), build.undecided(1, remarks=(remark,))))
    assert [
        line.partition(" (")[0] for line in rendered.splitlines() if line.isupper() or line.startswith("REMARKS")
    ] == [
        "WHOSE DOCUMENTS WENT TO WHOM",
        "CAPTURES",
        "SUMMARY",
        "FINDINGS",
        "WHAT COULD NOT BE TOLD",
        "REMARKS",
        "PROBLEMS IN THE INPUT",
        "INPUTS",
    ]


def test_a_finding_has_all_its_parts() -> None:
    uri = "docs://team/Platform & Ops"
    found = align(uri, parse("docs://team/{team}"))
    assert found is not None
    rendered = render(build.diagnosis(build.foreign(uri=uri, template="docs://team/{team}", readings=found.found[:1])))
    for line in (
        "  Finding 1: principal/foreign-tenant",
        "    A document of northwind was served.",
        "    class: missing-authorization, severe",
        "    certainty: certain",
        "    owner: read handler",
        "    caller: ana",
        "    session: session-1",
        "    template  docs://team/{team}",
        "    request   docs://team/Platform & Ops",
        "                          --------^^^---",
        "    expected  docs://team/Platform%20%26%20Ops",
        "    question 1, intact (strict): So it is.",
        "    question 3, not_checked (outside-allowed): ana may not see it.",
        "    evidence: trace.jsonl line 1, byte 100, length 80: the request",
        "        excerpt: resources/read, id `41`, uri `docs://team/Platform & Ops`",
        f"        {1:064x}",
    ):
        assert line in rendered.splitlines(), line


def test_nothing_found_and_much_undecided() -> None:
    rendered = render(build.diagnosis(build.undecided(), statements=Statements(stated=("--allow s1=acme",))))
    assert "  None. That says nothing about the answers below that the log does not decide." in rendered
    assert "  principal, no-principal: 1 read\n    why: Nobody says who asked.\n" in rendered
    assert "    missing: Who asked: a policy file would say.\n" in rendered
    assert "  stated by the person: --allow session-1=acme\n" in rendered
    assert "PARTIAL" not in rendered
    assert "PARTIAL: reading was stopped" in render(build.diagnosis(partial=True))


def test_remarks_and_problems_have_their_places() -> None:
    remark = Remark(build.NOT_DECODED, Certainty.CERTAIN, "Never decoded.")
    rendered = render(build.diagnosis(build.judgement(3, remarks=(remark,)), problems=(build.unreadable(7),)))
    assert "  remark/not-decoded, mild: 1 read, first trace.jsonl:7\n    Never decoded.\n" in rendered
    assert "  trace.jsonl:7, byte 700: This is not JSON.\n" in rendered


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("{}nofrmatcde:`\n "))))
def test_it_is_ascii_and_ends_no_block(text: str) -> None:
    rendered = render(build.everywhere(text))
    assert rendered.isascii()
    assert all(line.isprintable() for line in rendered.split("\n"))
    for block in ("{noformat", "{code"):
        assert f"{block}}}" not in rendered.lower() and f"{block}:" not in rendered.lower()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("東 é", "\\u{6771} \\u{e9}"),
        ("{NoFormat}", "\\u{7b}NoFormat}"),
        ("{code:x}", "\\u{7b}code:x}"),
        ("{codes}", "{codes}"),
    ],
)
def test_plain(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_marks_that_an_escape_has_moved_are_left_out() -> None:
    uri = "docs://team/é & b"
    found = align(uri, parse("docs://team/{team}"))
    assert found is not None
    rendered = render(build.diagnosis(build.foreign(uri=uri, readings=found.found[:1])))
    assert "    request   docs://team/\\u{e9} & b\n" in rendered
    assert "^" not in rendered


def test_the_same_diagnosis_gives_the_same_bytes() -> None:
    diagnosis = build.diagnosis(build.foreign(0), build.undecided(1))
    assert render(diagnosis) == render(diagnosis)


def test_reasons_are_not_lost_among_many_findings() -> None:
    said = build.answer(Question.PRINCIPAL, Verdict.NOT_CHECKED, findings=(build.finding(build.FOREIGN),))
    reads = [build.judgement(n, principal=said, template=f"report://{n}/{{month}}") for n in range(150)]
    rendered = render(build.diagnosis(*reads))
    assert rendered.count("  Finding ") == 100
    assert "  50 further groups of findings; the JSON report has all." in rendered


def test_past_80_columns_is_only_the_drawn_uri_or_one_word_on_its_own_line() -> None:
    uri = "docs://team/" + "a-very-long-name-" * 8 + "Platform & Ops"
    found = align(uri, parse("docs://team/{team}"))
    assert found is not None
    rendered = render(build.diagnosis(build.foreign(uri=uri, template="docs://team/{team}", readings=found.found[:1])))
    long = [line for line in rendered.splitlines() if len(line) > 80]
    drawn = [line for line in long if line.split()[0] in ("request", "expected") or not set(line) - set(" -^")]
    words = [line.split() for line in long if line not in drawn]
    assert len(drawn) == 3
    assert words and all(len(each) == 1 for each in words)

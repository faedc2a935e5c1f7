from __future__ import annotations

import pytest

from diagnosis.callers.principals import Principal, PrincipalSource
from diagnosis.questions.findings import Certainty, Question, Verdict
from diagnosis.reports.ascii import chat
from diagnosis.reports.chat import render
from diagnosis.reports.version import version
from tests.diagnosis.reports import build


def test_five_lines() -> None:
    diagnosis = build.diagnosis(build.foreign(0), build.undecided(1), build.judgement(2))
    assert render(diagnosis).splitlines() == [
        'Exposed: documents of "northwind" to "ana" (1 read).',
        "Findings: missing-authorization 1 (owner: read handler); 1 severe.",
        "Cannot tell: segments 0, document 0, principal 1, of 3; clean: 1 (allowed proves no check).",
        'Read: 3 reads in "trace.jsonl"; read to the end; unreadable: 0 lines, 0 files.',
        f"By misread {version()}; redacted: nothing. The markdown report has the evidence.",
    ]


def test_nobody_exposed_is_not_said_to_be_safe() -> None:
    first, second, *_ = render(build.diagnosis(build.undecided(0), build.judgement(1))).splitlines()
    assert first == "Exposed: nobody is known to have got a stranger's document; 1 read undecided."
    assert second == "Findings: none."


def test_the_most_exposed_come_first_and_the_rest_is_counted() -> None:
    reads = [build.foreign(n, caller=Principal(f"u{n % 5}", PrincipalSource.POLICY, "policy", ())) for n in range(6)]
    assert render(build.diagnosis(*reads)).splitlines()[0] == (
        'Exposed: documents of "northwind" to "u0" (2 reads), "northwind" to "u1" (1 read), '
        '"northwind" to "u2" (1 read) and 2 more.'
    )


def test_what_is_not_certain_is_said() -> None:
    said = build.answer(Question.PRINCIPAL, Verdict.NOT_CHECKED, certainty=Certainty.LIKELY)
    first = render(build.diagnosis(build.foreign(0), build.judgement(1, principal=said))).splitlines()[0]
    assert first.endswith("; 1 certain, 1 likely.")


def test_hostile_names_and_a_stopped_load() -> None:
    captures = tuple(build.facts(f"a\x1b{n}.jsonl", unreadable=1, partial=True) for n in range(5))
    line = render(build.diagnosis(captures=captures)).splitlines()[3]
    assert line == (
        'Read: 0 reads in "a\\u{1b}0.jsonl", "a\\u{1b}1.jsonl", "a\\u{1b}2.jsonl" and 2 more; PARTIAL; '
        "unreadable: 5 lines, 0 files."
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("acme_corp-2", '"acme_corp-2"'),
        ("<!channel> @here", '"\\u{3c}!channel\\u{3e} \\u{40}here"'),
        ("[x](https://evil.example)", '"\\u{5b}x\\u{5d}(https\\u{3a}//evil.example)"'),
        ("www.evil.example", '"www\\u{2e}evil.example"'),
        ("a\n`b`", '"a\\u{a}\\u{60}b\\u{60}"'),
        ("東", '"\\u{6771}"'),
        ("{code}", '"\\u{7b}code}"'),
        ("x" * 80, '"' + "x" * 60 + '..."'),
    ],
)
def test_a_name_calls_nobody(name: str, shown: str) -> None:
    assert chat(name) == shown


def test_always_five_lines_of_ascii() -> None:
    rendered = render(build.everywhere("a\n\r\u2028b <!channel> @here\n"))
    assert rendered.count("\n") == 5 and rendered.isascii()
    assert "<" not in rendered and "@" not in rendered

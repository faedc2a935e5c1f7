"""Where it is not certain which answer belongs to a read, the read says so; nothing is chosen in silence."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis import Diagnosis, diagnose
from diagnosis.reports import REPORTS
from tests.bad_inputs.own import answer, ask, lines

NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
IDS, URIS = (1, 2), ("docs://a/1", "docs://a/2", "docs://a/3")
STEPS = st.lists(
    st.tuples(st.sampled_from(("ask", "answer")), st.sampled_from(IDS), st.sampled_from(URIS)), min_size=1, max_size=10
)
Step = tuple[str, int, str]


def doubtful(steps: list[Step]) -> tuple[set[int], set[int]]:
    """The slow truth, by the line of each request: reads open beside another URI of their id, and reads that got a
    further answer, which belongs to the last request of its id."""
    open_reads: dict[int, list[tuple[int, str]]] = {number: [] for number in IDS}
    asked: dict[int, list[int]] = {number: [] for number in IDS}
    rivals, further = set(), set()
    for line, (kind, number, uri) in enumerate(steps, 1):
        if kind == "ask":
            for other, other_uri in open_reads[number]:
                if other_uri != uri:
                    rivals |= {line, other}
            open_reads[number].append((line, uri))
            asked[number].append(line)
        elif open_reads[number]:
            open_reads[number].pop(0)
        elif asked[number]:
            further.add(asked[number][-1])
    return rivals, further


def rules(diagnosis: Diagnosis, name: str) -> set[int]:
    return {
        one.read.request.span.line
        for one in diagnosis.judgements
        if any(each.rule.id == f"remark/{name}" for each in one.remarks)
    }


def opened(folder: Path, data: bytes) -> Diagnosis:
    path = folder / "log.jsonl"
    path.write_bytes(data)
    return diagnose([str(path)])


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_every_read_says_what_is_doubtful(tmp_path_factory: pytest.TempPathFactory, steps: list[Step]) -> None:
    records = [ask(number, uri) if kind == "ask" else answer(number, uri) for kind, number, uri in steps]
    # An id that is lower than the first begins a new conversation where nothing else tells them apart.
    records = [json.dumps({"session": "s", "message": each}) for each in records]
    diagnosis = opened(tmp_path_factory.mktemp("steps"), lines(*records))
    rivals, further = doubtful(steps)
    assert rules(diagnosis, "id-reused") == rivals
    assert rules(diagnosis, "extra-response") == further


@pytest.mark.parametrize("number", [True, False, None, 1.0, 0.5, [1], {"a": 1}, "absent"], ids=str)
def test_an_id_of_a_wrong_type(tmp_path: Path, number: Any) -> None:
    request, told = ask(number), answer(number)
    if number == "absent":
        del request["id"], told["id"]
    diagnosis = opened(tmp_path, lines(request, told))
    assert rules(diagnosis, "malformed") == {1}


@pytest.mark.parametrize("number", [0, -1, 2**53 + 1, 2**64, "", "1", "\u00e9"], ids=str)
def test_every_other_id_is_none_of_a_wrong_type(tmp_path: Path, number: Any) -> None:
    diagnosis = opened(tmp_path, lines(ask(number), answer(number)))
    assert [len(one.remarks) for one in diagnosis.judgements] == [0]


def test_ids_that_python_takes_for_equal_are_not(tmp_path: Path) -> None:
    numbers = (1, 1.0, "1", True)
    uris = [f"docs://a/{index}" for index in range(4)]
    asked = [ask(number, uri) for number, uri in zip(numbers, uris, strict=True)]
    told = [answer(number, uri) for number, uri in zip(numbers, uris, strict=True)]
    diagnosis = opened(tmp_path, lines(*asked, *reversed(told)))
    found = [one.read.response.seen.span.line for one in diagnosis.judgements if one.read.response is not None]
    assert found == [8, 7, 6, 5]


@pytest.mark.parametrize("report", [each for each in REPORTS if each.name in ("json", "markdown", "text")])
def test_a_report_names_it(tmp_path: Path, report: Any) -> None:
    data = lines(ask(1, URIS[0]), ask(1, URIS[1]), answer(1, URIS[0]), answer(1, URIS[1]), answer(1, URIS[2]))
    text = report.render(opened(tmp_path, data), NOW)
    assert "remark/id-reused" in text and "remark/extra-response" in text


def test_an_answer_that_belongs_to_no_read_is_said_to_be_there(tmp_path: Path) -> None:
    diagnosis = opened(tmp_path, lines(ask(1), answer(1), answer(9)))
    assert any("belong to no read" in sentence for sentence in diagnosis.limits)

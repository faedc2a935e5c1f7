"""A read is never shown as clean unless all three questions were answered; `cannot_tell` is an answer with a reason."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.widgets.glyphs import glyph
from diagnosis import diagnose
from diagnosis.questions.findings import Question, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reports import REPORTS
from diagnosis.reports.tally import is_clean
from tests.diagnosis.reports import build
from tests.promises.logs import SAMPLES, own_files, sample

NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
VERDICTS = {
    Question.SEGMENTS: (Verdict.INTACT, Verdict.ESCAPED, Verdict.CANNOT_TELL),
    Question.DOCUMENT: (Verdict.MATCH, Verdict.MISMATCH, Verdict.CANNOT_TELL),
    Question.PRINCIPAL: (Verdict.ALLOWED, Verdict.NOT_CHECKED, Verdict.REFUSED, Verdict.CANNOT_TELL),
}
CLEAN = (Verdict.INTACT, Verdict.MATCH, Verdict.ALLOWED)


def judged(verdicts: tuple[Verdict, ...]) -> Judgement:
    answers = {
        question.value: build.answer(question, verdict, missing="a fact" if verdict is Verdict.CANNOT_TELL else "")
        for question, verdict in zip(VERDICTS, verdicts, strict=True)
    }
    return replace(build.judgement(), **answers)


@pytest.mark.parametrize("verdicts", tuple(itertools.product(*VERDICTS.values())), ids=lambda each: "-".join(each))
def test_every_combination_of_answers(verdicts: tuple[Verdict, ...]) -> None:
    one = judged(verdicts)
    clean = verdicts == CLEAN
    assert is_clean(one) is clean
    cells = [glyph(number, answer).text for number, answer in enumerate(one.answers)]
    assert [cell == "·" for cell in cells] == [verdict in CLEAN for verdict in verdicts]
    texts = {each.name: each.render(build.diagnosis(one), NOW) for each in REPORTS}
    assert f"{int(clean)} of 1 reads are clean" in texts["markdown"]
    assert f"clean: {int(clean)} (" in texts["text"] and f"clean: {int(clean)} (" in texts["chat"]
    found = json.loads(texts["json"])
    assert tuple(each["verdict"] for each in found["reads"][0]["questions"].values()) == verdicts
    undecided = {
        question.value: int(verdict is Verdict.CANNOT_TELL)
        for question, verdict in zip(VERDICTS, verdicts, strict=True)
    }
    assert found["summary"]["cannot_tell"] == undecided


def check_answers(judgements: list[Judgement]) -> int:
    """Every answer has a reason and says why; one that cannot be told names the fact that is missing."""
    undecided = 0
    for one in judgements:
        assert [answer.question for answer in one.answers] == list(Question)
        for number, answer in enumerate(one.answers):
            assert answer.verdict in VERDICTS[answer.question]
            assert answer.reason and answer.because
            if answer.verdict is Verdict.CANNOT_TELL:
                undecided += 1
                assert answer.missing
                assert glyph(number, answer).text in "?-"
    return undecided


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name: str) -> None:
    check_answers(sample(name).judgements)


@pytest.mark.parametrize("path", own_files(), ids=lambda path: path.name)
def test_hostile_files(path: Path) -> None:
    diagnosis = diagnose([str(path)])
    undecided = check_answers(diagnosis.judgements)
    assert undecided >= len(diagnosis.judgements)  # nobody said who may see what
    assert not any(map(is_clean, diagnosis.judgements))

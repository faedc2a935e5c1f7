"""More templates than are kept: a URI that none of the kept ones explains is not judged."""

from __future__ import annotations

import pytest

import diagnosis.reads.context as context
from tests.diagnosis.questions.build import Log, said


def test_a_template_beyond_the_limit_may_explain_a_uri(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "TEMPLATE_LIMIT", 2)
    log = Log("a://{x}", "b://{x}", "a://{x}/{y}")
    log.read("a://1/2")
    log.read("b://1")
    first, second = log.judge()
    assert said(first.segments) == "cannot_tell no-template-explains"
    assert not first.findings
    assert said(second.segments) == "intact strict"


def test_a_read_is_laid_over_templates_within_a_budget() -> None:
    log = Log(*(f"d://{{+a{n}}}/{{+b}}/{{+c}}/z" for n in range(100)))
    log.read("d://" + "a/" * 4_000 + "z")
    (judged,) = log.judge()
    # 8,005 characters times 8 nodes is 64,040: 1,000,000 is enough for 15 templates, with 64 readings of each.
    assert len(judged.readings) == 15 * 64
    assert said(judged.segments) == "intact strict"
    assert not judged.findings


def test_one_template_that_takes_too_much_is_not_evaluated() -> None:
    log = Log("d://" + "/".join(f"{{v{n}}}" for n in range(200)))
    log.read("d://" + "a/" * 8_000 + "b")
    (judged,) = log.judge()
    assert said(judged.segments) == "cannot_tell no-template-explains"


def test_one_template_accuses_nobody_while_another_was_not_tried() -> None:
    uri = "d://acme/" + "a/" * 8_000 + "end"
    tried, untried = "d://{tenant}/{+path}", "d://" + "/".join(f"{{v{n}}}" for n in range(200))
    alone, both = Log(tried), Log(tried, untried)
    for log in (alone, both):
        log.read(uri, {"tenant": "globex"})
    (certain,), (uncertain,) = alone.judge(), both.judge()
    assert said(certain.segments) == said(uncertain.segments) == "intact strict"
    assert certain.document.verdict == "mismatch"
    assert uncertain.document.verdict == "cannot_tell"
    assert not uncertain.findings

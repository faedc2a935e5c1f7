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

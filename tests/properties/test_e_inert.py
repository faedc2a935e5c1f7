"""(e) The report about any session is inert where it is rendered: nothing but elements of its own."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given

from diagnosis.reports.markdown import render
from tests.diagnosis.reports.test_markdown import ALLOWED, NOW, renderings
from tests.properties.captures import diagnosed
from tests.properties.strategies import conversations, lines, request, thorough


@thorough(80)
@given(conversations())
def test_a_report_holds_its_own_elements_only(session: list[Any]) -> None:
    markdown = render(diagnosed(lines([request("first", "note://a"), *session])), NOW)
    assert all(row.isprintable() for row in markdown.split("\n"))
    for rendered in renderings(markdown):
        assert set(re.findall(r"</?([A-Za-z0-9]+)", rendered)) <= ALLOWED
        assert "<!" not in rendered and "<?" not in rendered
        assert set(re.findall(r"<[a-z0-9]+ ([a-z]+)=", rendered)) <= {"class", "lang"}
        for table in re.findall(r"<table>.*?</table>", rendered, re.DOTALL):
            cells = {len(re.findall(r"<t[hd]>", row)) for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)}
            assert len(cells) == 1
    one, other = ([len(re.findall(f"<{kind}[ >]", each)) for kind in sorted(ALLOWED)] for each in renderings(markdown))
    assert one == other

"""(i) A credential that stands in a session is in no report, and equal labels mean equal values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.reports import REPORTS, Report
from tests.properties.captures import diagnosed
from tests.properties.strategies import HOSTILE, conversations, lines, listing, request, thorough

SECRETS = st.text(alphabet="abcdefABCDEF0123456789", min_size=12, max_size=30).map("CANARY{}".format)
SHAPES = ["?access_token={}", "?a=1&password={}&b=2", "#id_token={}", "/x?api_key={}#y"]


@pytest.mark.parametrize("report", REPORTS, ids=lambda each: each.name)
@thorough(15)
@given(SECRETS, st.sampled_from(SHAPES), HOSTILE, conversations(2))
def test_a_secret_is_in_no_report(report: Report, secret: str, shape: str, around: str, rest: list[Any]) -> None:
    around = around.replace("\n", "").replace("\r", "")
    uri = "note://acme/" + shape.format(secret)
    message = f"{around} Authorization: Bearer {secret}"
    found = diagnosed(
        lines(
            [
                *listing("list", "note://{name}"),
                request("a", uri),
                {"jsonrpc": "2.0", "id": "a", "result": {"contents": [{"uri": uri, "text": message}]}},
                request("b", uri),
                {"jsonrpc": "2.0", "id": "b", "error": {"code": -32002, "message": message, "data": {"uri": uri}}},
                *rest,
            ]
        )
    )
    assert secret not in report.render(found)


@thorough(40)
@given(st.lists(SECRETS, min_size=2, max_size=5), st.lists(st.integers(0, 4), min_size=2, max_size=8))
def test_labels_are_equal_where_values_are(secrets: list[str], order: list[int]) -> None:
    used = [secrets[number % len(secrets)] for number in order]
    found = diagnosed(lines([request(number, f"note://a?token={secret}") for number, secret in enumerate(used, 1)]))
    report = next(each for each in REPORTS if each.name == "json")
    shown = [read["uri"] for read in json.loads(report.render(found))["reads"]]
    assert [shown.index(each) for each in shown] == [used.index(each) for each in used]

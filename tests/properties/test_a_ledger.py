"""(a) Any bytes are read without an exception, and every line is accounted for."""

from __future__ import annotations

import random

from hypothesis import example, given
from hypothesis import strategies as st

from diagnosis import Diagnosis
from diagnosis.reports import REPORTS
from tests.properties.captures import diagnosed
from tests.properties.strategies import conversations, line, lines, request, thorough

NAMES = st.sampled_from(["a.jsonl", "a.log", "a.har", "a.json", "a.yaml", "a.gz", "a.zip", "a"])
START = line(request(1, "note://a")) + b"\n"


def check_sum(found: Diagnosis) -> None:
    for each in found.captures:
        assert each.lines <= each.blank + each.messages + each.other + each.unreadable
    for judgement in found.judgements:
        assert len(judgement.answers) == 3 and all(answer.because for answer in judgement.answers)


@thorough(150)
@given(st.binary(max_size=200), NAMES)
@example(b"", "a.jsonl")
@example(b"\x1f\x8b", "a.gz")
@example(b"PK\x03\x04", "a.zip")
def test_any_bytes(data: bytes, name: str) -> None:
    check_sum(diagnosed(data, name))


@thorough(150)
@given(conversations(), st.integers(0, 2**32), st.integers(0, 8), NAMES)
def test_a_damaged_session_is_read_and_reported(session: list[object], seed: int, wounds: int, name: str) -> None:
    data = bytearray(START + lines(session))
    dice = random.Random(seed)
    for _ in range(wounds):
        at = dice.randrange(len(data) + 1)
        data[at : at + dice.choice([0, 1, 1, 9])] = dice.choice(
            [b"", b"\x00", b"\xff", b"\n", b'"', b"}", b"[", b"\xed\xa0\x80"]
        )
    found = diagnosed(bytes(data), name)
    check_sum(found)
    for report in REPORTS:
        assert "\x1b" not in report.render(found)


@thorough(100)
@given(
    st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")) | conversations(1).map(line), max_size=6)
)
def test_every_line_behind_a_message_is_counted_once(rest: list[bytes]) -> None:
    data = START + b"".join(each + b"\n" for each in rest)
    found = diagnosed(data)
    assert [each.lines for each in found.captures] == [1 + len(rest)]
    check_sum(found)

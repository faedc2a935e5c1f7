"""Ids are reused in production: queue, pair in order, keep what comes twice, and say what is uncertain."""

from __future__ import annotations

import pytest

from diagnosis.captures.message import Message
from diagnosis.reads.context import Context
from diagnosis.reads.pairing import EXTRA_CUT, EXTRA_LIMIT, Pairing
from tests.diagnosis.reads.build import (
    C2S,
    S2C,
    both_ways,
    contents,
    echoes,
    error,
    paired,
    pairing_of,
    read_request,
    request,
    result,
)


def test_the_same_uri_twice_under_one_id_is_harmless() -> None:
    reads = paired([read_request(1), read_request(1), contents(1), contents(1)])
    assert echoes(reads) == ["a://1", "a://1"]
    assert [read.doubts for read in reads] == [(), ()]


def test_different_uris_open_under_one_id_are_both_doubtful() -> None:
    reads = paired([read_request(1, "a://1"), read_request(1, "a://2"), contents(1, "x://1"), contents(1, "x://2")])
    assert echoes(reads) == ["x://1", "x://2"]
    assert [read.doubts for read in reads] == [("id-reused",), ("id-reused",)]


def test_three_under_one_id_are_said_to_be_doubtful_once() -> None:
    reads = paired([read_request(1, f"a://{number}") for number in range(3)])
    assert [read.doubts for read in reads] == [("id-reused",)] * 3


def test_one_id_for_everything_in_turn_is_no_doubt() -> None:
    log = [each for n in range(3) for each in (read_request(1, f"a://{n}"), contents(1, f"a://{n}"))]
    reads = paired(log)
    assert echoes(reads) == ["a://0", "a://1", "a://2"]
    assert [read.doubts for read in reads] == [(), (), ()]
    assert {read.conversation for read in reads} == {1}


TWICE = [read_request(1, "a://1", C2S), contents(1, "b://1", S2C), error(1, direction=S2C), contents(1, "b://2", S2C)]


@pytest.mark.parametrize("log", both_ways(TWICE), ids=["directions", "none"])
def test_the_first_response_counts_and_the_others_are_kept(log: list[Message]) -> None:
    (read,) = paired(log)
    assert echoes([read]) == ["b://1"]
    assert [each.outcome for each in read.extra] == ["error", "result"]
    assert [each.position for each in read.extra] == [3, 4]


def test_a_further_response_belongs_to_the_last_request_of_its_id() -> None:
    log = [
        *(read_request(1, direction=C2S), contents(1, direction=S2C)),
        *(request(1, "tools/list", C2S), result(1, {"tools": []}, S2C)),
        error(1, direction=S2C),
    ]
    (read,) = paired(log)
    assert read.extra == ()


def test_a_flood_of_further_responses_is_cut_and_said_to_be() -> None:
    (read,) = paired([read_request(1), *(contents(1) for _ in range(EXTRA_LIMIT + 1))])
    assert (len(read.extra), read.notes) == (EXTRA_LIMIT, ())
    (read,) = paired([read_request(1), *(contents(1) for _ in range(EXTRA_LIMIT + 200))])
    assert (len(read.extra), read.notes) == (EXTRA_LIMIT, (EXTRA_CUT,))


def test_the_reads_open_at_a_foreign_echo_are_named() -> None:
    log = [read_request(1, "a://1"), read_request(2, "a://2"), read_request(3, "a://3")]
    log += [contents(2, "a://1"), contents(1, "a://1"), contents(3, "a://2")]
    first, second, third = paired(log)
    assert first.beside == ()  # its own echo
    assert set(second.beside) == {0, 2}
    assert set(third.beside) == {0, 1}  # both were answered while it was open


def test_a_read_answered_before_this_one_began_is_not_beside() -> None:
    log = [read_request(1, "a://1"), contents(1, "a://1"), read_request(2, "a://2"), contents(2, "a://1")]
    assert paired(log)[1].beside == ()


def test_numbers_go_on_from_the_captures_before() -> None:
    pairing = Pairing("second.jsonl", Context(), first_number=5, first_position=40)
    (one,), (two,) = pairing.feed(read_request(1, "a://1")), pairing.feed(read_request(2, "a://2"))
    assert [(read.number, read.position) for read in (one, two)] == [(5, 41), (6, 42)]
    (answered,) = pairing.feed(contents(2, "b://"))
    assert (answered.number, answered.beside) == (6, (5,))


def test_every_change_is_handed_out() -> None:
    pairing = pairing_of([])
    assert [read.number for read in pairing.feed(read_request(1, "a://1"))] == [0]
    assert [read.number for read in pairing.feed(read_request(1, "a://2"))] == [0, 1]
    assert [read.number for read in pairing.feed(read_request(1, "a://3"))] == [2]
    assert [read.number for read in pairing.feed(contents(1))] == [0]

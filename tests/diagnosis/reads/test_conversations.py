"""Where one conversation ends and the next begins, and that no answer crosses from one into the other."""

from __future__ import annotations

import pytest

from diagnosis.captures.message import Message
from diagnosis.reads.read import NoAnswer, Read
from tests.diagnosis.reads.build import (
    C2S,
    S2C,
    both_ways,
    contents,
    echoes,
    initialize,
    paired,
    read_request,
    request,
    result,
)


def conversations(reads: list[Read]) -> list[int]:
    return [read.conversation for read in reads]


RECONNECTED = [
    initialize(0, C2S),
    read_request(1, "a://lost", C2S),
    initialize(0, C2S),
    contents(1, "a://lost", S2C),
    read_request(1, "a://1", C2S),
    contents(1, "a://1", S2C),
]


@pytest.mark.parametrize("log", both_ways(RECONNECTED), ids=["directions", "none"])
def test_initialize_begins_a_new_one(log: list[Message]) -> None:
    lost, answered = paired(log)
    assert echoes([lost, answered]) == [None, "a://1"]
    assert lost.no_answer is NoAnswer.NEW_CONVERSATION
    assert conversations([lost, answered]) == [1, 2]
    assert answered.extra == ()


def test_ids_that_are_texts_begin_a_new_one_as_well() -> None:
    log = [
        *(initialize("i1"), result("i1", {"serverInfo": {"name": "reports"}})),
        *(read_request("r1"), contents("r1")),
        *(initialize("i2"), result("i2", {"serverInfo": {"name": "archive"}})),
        *(contents("r1", "b://late"), read_request("r2"), contents("r2")),
    ]
    first, second = paired(log)
    assert conversations([first, second]) == [1, 2]
    assert [first.server, second.server] == ["reports", "archive"]
    assert first.extra == ()


def test_the_first_initialize_begins_nothing_new() -> None:
    assert conversations(paired([initialize(0), read_request(1), contents(1)])) == [1]


def test_discover_begins_a_new_one_after_reads_were_answered() -> None:
    discover = request("d", "server/discover")
    before = paired([discover, read_request("1"), discover, contents("1")])
    assert (conversations(before), echoes(before)) == ([1], ["a://1"])
    after = paired([discover, read_request("1"), contents("1"), read_request("2"), discover, contents("2")])
    assert conversations(after) == [1, 1]
    assert echoes(after) == ["a://1", None]
    assert after[1].no_answer is NoAnswer.NEW_CONVERSATION


def test_ids_that_start_again_begin_a_new_one() -> None:
    log = [
        read_request(5, "a://5"),
        read_request(6, "a://6"),
        read_request(5, "b://5"),
        contents(6),
        contents(5, "b://5"),
    ]
    reads = paired(log)
    assert echoes(reads) == [None, None, "b://5"]
    assert conversations(reads) == [1, 1, 2]
    assert [read.doubts for read in reads] == [(), (), ()]


def test_ids_below_the_first_begin_a_new_one() -> None:
    assert conversations(paired([read_request(5), read_request(6), read_request(2)])) == [1, 1, 2]


@pytest.mark.parametrize("ids", [[1, 1, 1], [0, 1, 1], [5, 7, 6], ["5", "6", "5"], [5.0, 6.0, 5.0]])
def test_other_ids_do_not_start_again(ids: list[object]) -> None:
    assert conversations(paired([read_request(each) for each in ids])) == [1, 1, 1]


def test_the_servers_own_numbers_start_nothing() -> None:
    log = [read_request(5), read_request(6), request(1, "roots/list"), request(1, "ping"), contents(6), contents(5)]
    assert conversations(paired(log)) == [1, 1]


def test_within_a_session_nothing_starts_again() -> None:
    log = [read_request(5, session="s"), read_request(6, session="s"), initialize(5, session="s")]
    assert conversations(paired([*log, read_request(7, session="s")])) == [1, 1, 1]


def test_sessions_are_never_mixed() -> None:
    log = [
        read_request(1, "a://1", C2S, session="s1"),
        read_request(1, "b://1", C2S, session="s2"),
        contents(1, "b://1", S2C, session="s2"),
        contents(1, "b://2", S2C, session="s3"),
    ]
    first, second = paired(log)
    assert echoes([first, second]) == [None, "b://1"]
    assert (first.extra, second.extra, first.doubts) == ((), (), ())


def test_channels_are_never_mixed() -> None:
    log = [read_request(1, channel="one"), contents(1, channel="two"), contents(1, "b://", channel="one")]
    assert echoes(paired(log)) == ["b://"]


def test_another_channels_initialize_ends_nothing_here() -> None:
    log = [initialize(0, channel="one"), read_request(1, channel="one")]
    log += [initialize(0, channel="two"), initialize(0, channel="two"), contents(1, channel="one")]
    assert echoes(paired(log)) == ["a://1"]


def test_reads_of_other_sessions_under_the_same_id_are_beside() -> None:
    """Several clients on one server process: answers can be crossed between them."""
    log = [read_request(1, "a://1", session="s1"), read_request(1, "b://1", session="s2")]
    first, _ = paired([*log, contents(1, "b://1", session="s1"), contents(1, "b://1", session="s2")])
    assert first.beside == (1,)


def test_an_unanswered_read_takes_nothing_from_later_conversations() -> None:
    log = [initialize(0), read_request(1, "a://lost")]
    for number in range(20):
        log += [initialize(0), read_request(1, f"a://{number}"), contents(1, f"a://{number}")]
    lost, *others = paired(log)
    assert (lost.response, lost.extra, lost.no_answer) == (None, (), NoAnswer.NEW_CONVERSATION)
    assert echoes(others) == [f"a://{number}" for number in range(20)]

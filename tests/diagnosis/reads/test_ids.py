"""Which id is whose: JSON types are part of an id, and both sides number their own requests."""

from __future__ import annotations

import pytest

from diagnosis.captures.message import Message
from diagnosis.reads.conversation import id_key, other_type
from tests.diagnosis.reads.build import (
    C2S,
    S2C,
    both_ways,
    contents,
    echoes,
    error,
    message,
    paired,
    read_request,
    request,
    result,
)


def test_an_id_of_each_json_type_is_an_id_of_its_own() -> None:
    ids = (7, "7", 7.0, True, None)
    log = [*(read_request(each, f"a://{each!r}") for each in ids), *(contents(each, f"b://{each!r}") for each in ids)]
    reads = paired(log)
    assert echoes(reads) == ["b://7", "b://'7'", "b://7.0", "b://True", "b://None"]
    assert all(read.doubts == () for read in reads)


def test_ids_past_64_bits_are_told_apart() -> None:
    low, high = 2**64, 2**64 + 1
    reads = paired([read_request(low, "a://low"), read_request(high, "a://high"), contents(high, "a://high")])
    assert echoes(reads) == [None, "a://high"]


def test_an_id_that_is_a_deep_array_is_still_a_key() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert id_key(deep) == ("list", "")
    assert id_key(10**6000) == ("int", "")
    (read,) = paired([read_request(deep)])
    assert (read.request_id, read.uri) == (None, "a://1")


@pytest.mark.parametrize(
    ("value", "retyped"),
    [(9, ("str", "9")), ("9", ("int", "9")), ("-9", ("int", "-9")), ("nine", None), (9.0, None), (True, None)],
)
def test_what_a_gateway_may_make_of_an_id(value: object, retyped: object) -> None:
    assert other_type(id_key(value)) == retyped


def test_a_retyped_answer_is_taken_only_where_nothing_else_fits() -> None:
    (alone,) = paired([read_request(9), contents("9", "b://9")])
    assert (echoes([alone]), alone.doubts) == (["b://9"], ("id-type-changed",))
    number, text = paired([read_request(9, "a://n"), read_request("9", "a://t"), contents("9", "b://t")])
    assert echoes([number, text]) == [None, "b://t"]
    assert number.doubts == text.doubts == ()


def test_a_retyped_id_needs_a_shape_that_fits() -> None:
    (read,) = paired([read_request(9), result("9", {"tools": []})])
    assert read.response is None
    assert read.doubts == ()


SAME_ID = [
    read_request(3, "a://1", C2S),
    request(3, "roots/list", S2C),
    result(3, {"roots": []}, C2S),
    contents(3, "a://1", S2C),
]


@pytest.mark.parametrize("log", both_ways(SAME_ID), ids=["directions", "none"])
def test_a_servers_roots_list_with_the_id_of_an_open_read(log: list[Message]) -> None:
    (read,) = paired(log)
    assert echoes([read]) == ["a://1"]
    assert read.extra == ()


PING = [
    request(3, "ping", S2C),
    read_request(3, "a://1", C2S),
    contents(3, "a://1", S2C),
    result(3, {}, C2S),
]


@pytest.mark.parametrize("log", both_ways(PING), ids=["directions", "none"])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 3, 2), (0, 1, 3, 2), (1, 0, 2, 3)])
def test_a_servers_ping_with_the_id_of_an_open_read(log: list[Message], order: tuple[int, ...]) -> None:
    (read,) = paired([log[place] for place in order])
    assert echoes([read]) == ["a://1"]
    assert read.extra == ()


def test_an_error_is_no_pings_answer_while_a_read_waits() -> None:
    (read,) = paired([request(3, "ping"), read_request(3), error(3), result(3, {})])
    assert echoes([read]) == ["error"]


def test_a_response_from_the_client_answers_no_read() -> None:
    (read,) = paired([read_request(3, direction=C2S), contents(3, direction=C2S)])
    assert read.response is None


def test_a_read_without_an_id_is_a_read() -> None:
    (read,) = paired([message({"method": "resources/read", "params": {"uri": "a://1"}})])
    assert (read.number, read.request_id, read.uri) == (0, None, "a://1")

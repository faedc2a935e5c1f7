"""HTTP captures pair inside the exchange first, and by id within the session second."""

from __future__ import annotations

from typing import Any

from diagnosis.reads.read import NoAnswer
from tests.diagnosis.reads.build import (
    C2S,
    S2C,
    contents,
    echoes,
    exchange,
    message,
    paired,
    read_request,
    request,
    result,
)


def within(number: int, session: str | None = None, url: str = "http://h/mcp") -> dict[str, Any]:
    return {"http": exchange(number, url), "session": session}


def test_the_exchange_decides_before_the_order_does() -> None:
    log = [
        read_request(1, "a://1", C2S, **within(1, "s")),
        read_request(1, "a://2", C2S, **within(2, "s")),
        contents(1, "a://2", S2C, **within(2, "s")),
        contents(1, "a://1", S2C, **within(1, "s")),
    ]
    reads = paired(log)
    assert echoes(reads) == ["a://1", "a://2"]
    assert [read.doubts for read in reads] == [(), ()]


def test_by_id_where_the_answer_came_in_another_exchange() -> None:
    (read,) = paired([read_request(4, direction=C2S, **within(1, "s")), contents(4, direction=S2C, **within(2, "s"))])
    assert echoes([read]) == ["a://1"]


def test_by_id_only_with_a_shape_that_fits() -> None:
    log = [read_request(4, direction=C2S, **within(1, "s")), result(4, {"tools": []}, S2C, **within(2, "s"))]
    assert echoes(paired(log)) == [None]


def test_a_further_answer_of_one_exchange_is_no_other_exchanges_answer() -> None:
    log = [
        read_request(1, "a://lost", C2S, **within(1, "s")),
        read_request(1, "a://2", C2S, **within(2, "s")),
        contents(1, "a://2", S2C, **within(2, "s")),
        contents(1, "a://again", S2C, **within(2, "s")),
    ]
    lost, answered = paired(log)
    assert echoes([lost, answered]) == [None, "a://2"]
    assert [each.contents[0].uri for each in answered.extra] == ["a://again"]


def test_messages_of_the_stream_before_the_answer() -> None:
    for session in ("s", None):
        beside = within(1, session)
        log = [
            read_request(3, direction=C2S, **beside),
            message({"method": "notifications/progress", "params": {"progress": 1}}, S2C, **beside),
            request(3, "sampling/createMessage", S2C, **beside),
            contents(3, direction=S2C, **beside),
        ]
        assert echoes(paired(log)) == ["a://1"]


def test_the_clients_answer_to_the_stream_is_not_the_reads() -> None:
    log = [
        read_request(3, direction=C2S, **within(1, "s")),
        request(3, "roots/list", S2C, **within(1, "s")),
        result(3, {"roots": []}, C2S, **within(2, "s")),
        contents(3, direction=S2C, **within(1, "s")),
    ]
    (read,) = paired(log)
    assert (echoes([read]), read.extra) == (["a://1"], ())


def test_two_clients_without_sessions_that_both_count_from_1() -> None:
    log = []
    for number, (request_id, uri) in enumerate([(1, "a://1"), (1, "b://1"), (2, "a://2"), (2, "b://2")]):
        log.append(read_request(request_id, uri, C2S, **within(number)))
        log.append(contents(request_id, uri, S2C, **within(number)))
    reads = paired(log)
    assert echoes(reads) == ["a://1", "b://1", "a://2", "b://2"]
    assert [(read.doubts, read.extra, read.beside) for read in reads] == [((), (), ())] * 4


def test_without_sessions_an_answer_stays_in_its_exchange() -> None:
    log = [
        read_request(1, "a://1", C2S, **within(1)),
        read_request(1, "a://2", C2S, **within(2)),
        contents(1, "a://2", S2C, **within(2)),
        contents(1, "a://1", S2C, **within(3)),
    ]
    first, second = paired(log)
    assert echoes([first, second]) == [None, "a://2"]
    assert first.no_answer is NoAnswer.SILENT


def test_within_one_exchange_no_answer_is_crossed() -> None:
    log = [
        read_request(1, "a://1", C2S, **within(1, "s")),
        read_request(2, "a://2", C2S, **within(2, "s")),
        contents(2, "a://1", S2C, **within(2, "s")),
    ]
    assert paired(log)[1].beside == ()


def test_an_initialize_inside_http_ends_nothing() -> None:
    log = [
        read_request(1, direction=C2S, **within(1, "s")),
        request(0, "initialize", C2S, **within(2, "s")),
        contents(1, direction=S2C, **within(1, "s")),
    ]
    assert echoes(paired(log)) == ["a://1"]


def test_the_status_of_the_answer_is_kept() -> None:
    (read,) = paired([read_request(1, direction=C2S, **within(1)), contents(1, direction=S2C, **within(1))])
    assert read.response is not None
    assert read.response.http_status == 200

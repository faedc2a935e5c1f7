"""Logs made to be slow: work is counted, never timed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from diagnosis.captures.message import Message
from diagnosis.reads import conversation
from diagnosis.reads.context import Context
from diagnosis.reads.conversation import SCAN_LIMIT, Conversation
from diagnosis.reads.pairing import Pairing
from tests.diagnosis.reads.build import (
    CAPTURE,
    cancelled,
    contents,
    exchange,
    initialize,
    paired,
    read_request,
    request,
)


@pytest.fixture
def shapes_looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    looked: list[str] = []
    real = conversation.fit

    def counting(body: Mapping[str, Any], method: str) -> conversation.Fit:
        looked.append(method)
        return real(body, method)

    monkeypatch.setattr(conversation, "fit", counting)
    return looked


def sizes(pairing: Pairing) -> tuple[int, int]:
    """How many requests still stand in a queue, and how many queues there are."""
    every = [queue for each in pairing._conversations.values() for queue in each.open.values()]
    return sum(map(len, every)), len(every)


def fed(log: Iterable[Message]) -> tuple[Pairing, int]:
    pairing = Pairing(CAPTURE, Context())
    return pairing, sum(len(pairing.feed(each)) for each in log)


def both(questions: Iterable[Message], answers: Iterable[Message]) -> Iterator[Message]:
    yield from questions
    yield from answers


def test_one_id_for_all_hands_each_read_out_a_few_times() -> None:
    _, changes = fed(read_request(1, f"a://{number}") for number in range(1000))
    assert changes == 1001  # the first one is made doubtful by the second, every other one begins so


def test_one_id_for_all_looks_at_one_shape_an_answer(shapes_looked_at: list[str]) -> None:
    log = both((read_request(1, f"a://{n}") for n in range(1000)), (contents(1) for _ in range(1000)))
    pairing, changes = fed(log)
    assert changes == 2001
    assert len(shapes_looked_at) == 1000
    assert sizes(pairing) == (0, 0)


def test_requests_of_another_shape_in_front_are_looked_at_up_to_a_limit(shapes_looked_at: list[str]) -> None:
    pings = (request(1, "ping") for _ in range(1000))
    log = both(both(pings, (read_request(1) for _ in range(1000))), (contents(1) for _ in range(1000)))
    pairing, _ = fed(log)
    assert len(shapes_looked_at) <= 1000 * (SCAN_LIMIT + 1)
    assert all(read.response is not None for read in pairing.reads)


def test_answered_requests_leave_every_queue() -> None:
    log = []
    for number in range(200):
        beside = {"http": exchange(number), "session": "s"}
        log += [read_request(1, f"a://{number}", **beside), contents(1, f"a://{number}", **beside)]
    assert sizes(fed(log)[0]) == (0, 0)


def test_exchanges_without_sessions_leave_nothing() -> None:
    log = (read_request(1, http=exchange(number)) for number in range(200))
    pairing, _ = fed(log)
    assert len(pairing._conversations) == 1  # the last exchange is still open


def test_a_new_conversation_forgets_the_one_before() -> None:
    log = [each for _ in range(200) for each in (initialize(0), read_request(1))]
    pairing, _ = fed(log)
    assert sizes(pairing) == (2, 2)
    assert {len(ids) for ids in pairing._open_by_id.values()} == {1}


def test_reverse_answers_leave_nothing_open() -> None:
    log = both((read_request(n, f"a://{n}") for n in range(500)), (contents(n, "x://") for n in reversed(range(500))))
    pairing, changes = fed(log)
    assert changes == 1000
    assert (sizes(pairing), len(pairing._open_by_id)) == ((0, 0), 0)
    # In this order the reads beside it: the last ones open or answered while it was open.
    assert max(len(read.beside) for read in pairing.reads) <= 3 * SCAN_LIMIT


def test_a_cancellation_of_one_id_for_all_touches_a_few() -> None:
    log = both((read_request(1) for _ in range(500)), (cancelled(1) for _ in range(500)))
    _, changes = fed(log)
    assert changes == 500 + SCAN_LIMIT


def test_the_ends_of_the_open_reads_are_found_at_once() -> None:
    """A plain dict looks through every deleted entry for its first and its last one."""
    assert hasattr(Conversation(1).reads_open, "move_to_end")
    assert hasattr(Pairing(CAPTURE, Context())._open_by_id["any"], "move_to_end")  # type: ignore[index]


def test_only_foreign_echoes_name_neighbours() -> None:
    log = both((read_request(n, f"a://{n}") for n in range(300)), (contents(n, f"a://{n}") for n in range(300)))
    assert {len(read.beside) for read in paired(log)} == {0}

"""Why a read has no answer: the causes are kept apart, and what comes late counts."""

from __future__ import annotations

import pytest

from diagnosis.captures.message import Direction
from diagnosis.reads.read import NoAnswer, Outcome, Read
from tests.diagnosis.reads.build import (
    C2S,
    S2C,
    UNKNOWN,
    cancelled,
    contents,
    echoes,
    error,
    message,
    paired,
    read_request,
    request,
    result,
)


def causes(reads: list[Read]) -> list[NoAnswer | None]:
    return [read.no_answer for read in reads]


def test_the_capture_ends() -> None:
    reads = paired([read_request(1, "a://1"), contents(1), read_request(2, "a://2")])
    assert causes(reads) == [None, NoAnswer.CAPTURE_ENDS]


def test_the_server_was_silent_where_it_answered_later_requests() -> None:
    log = [read_request(1, "a://1"), request(2, "tools/list"), result(2, {"tools": []})]
    assert causes(paired(log)) == [NoAnswer.SILENT]


def test_an_answer_of_the_client_says_nothing_about_the_server() -> None:
    log = [read_request(1), contents(1), read_request(2), request("r", "roots/list"), result("r", {"roots": []})]
    assert causes(paired(log)) == [None, NoAnswer.CAPTURE_ENDS]


def test_a_capture_without_answers() -> None:
    assert causes(paired([read_request(1), read_request(2)])) == [NoAnswer.ANOTHER_FILE] * 2


@pytest.mark.parametrize("direction", [C2S, UNKNOWN])
def test_a_clients_half_of_the_traffic_holds_no_answers(direction: Direction) -> None:
    log = [read_request(1, direction=C2S), result(9, {"roots": []}, direction)]
    assert causes(paired(log)) == [NoAnswer.ANOTHER_FILE]


@pytest.mark.parametrize("direction", [C2S, UNKNOWN])
def test_cancelled_without_an_answer(direction: Direction) -> None:
    read, other = paired([read_request(1), read_request(2), cancelled(1, direction), contents(2)])
    assert (read.cancelled, read.no_answer) == (True, NoAnswer.CANCELLED)
    assert (other.cancelled, other.no_answer) == (False, None)


def test_a_late_answer_to_a_cancelled_read_is_delivered() -> None:
    (read,) = paired([read_request(1), cancelled(1), contents(1)])
    assert (read.cancelled, echoes([read]), read.no_answer) == (True, ["a://1"], None)


def test_a_cancellation_after_the_answer_changes_nothing() -> None:
    (read,) = paired([read_request(1), contents(1), cancelled(1)])
    assert read.cancelled is False


def test_a_server_cancels_its_own_requests_only() -> None:
    log = [read_request(3, direction=C2S), request(3, "sampling/createMessage", S2C), cancelled(3, S2C)]
    assert paired(log)[0].cancelled is False


def test_a_cancellation_means_an_exact_id_in_its_own_session() -> None:
    log = [read_request(1, session="s1"), cancelled("1", session="s1"), cancelled(1, session="s2")]
    assert paired(log)[0].cancelled is False


@pytest.mark.parametrize("params", [None, [], "1", {}, {"requestId": None}, {"requestId": [1]}])
def test_a_senseless_cancellation_cancels_nothing(params: object) -> None:
    (read,) = paired([read_request(1), message({"method": "notifications/cancelled", "params": params})])
    assert read.cancelled is False


def test_other_notifications_change_nothing() -> None:
    log = [
        read_request(1),
        message({"method": "notifications/progress", "params": {"requestId": 1, "progressToken": 1}}),
        message({"method": "notifications/resources/updated", "params": {"uri": "a://1"}}),
        contents(1),
    ]
    (read,) = paired(log)
    assert (read.position, echoes([read]), read.cancelled) == (1, ["a://1"], False)


def test_a_new_conversation_leaves_a_cancelled_read_cancelled() -> None:
    log = [read_request(1), cancelled(1), read_request(2), request(0, "initialize")]
    assert causes(paired(log)) == [NoAnswer.CANCELLED, NoAnswer.NEW_CONVERSATION]


def test_a_question_back_is_no_answer_and_the_retry_has_its_own() -> None:
    log = [
        read_request(1),
        result(1, {"resultType": "input_required", "inputRequests": {"x": {}}, "requestState": "t"}),
        message({"id": 2, "method": "resources/read", "params": {"uri": "a://1", "requestState": "t"}}),
        result(2, {"resultType": "complete", "contents": [{"uri": "a://1", "text": "x"}]}),
    ]
    asked, again = paired(log)
    assert asked.response is not None
    assert (asked.response.complete, asked.outcome, again.outcome) == (False, Outcome.NONE, Outcome.RESULT)
    assert echoes([again]) == ["a://1"]


def test_outcomes() -> None:
    reads = paired([read_request(1), contents(1), read_request(2), error(2), read_request(3)])
    assert [read.outcome for read in reads] == [Outcome.RESULT, Outcome.ERROR, Outcome.NONE]

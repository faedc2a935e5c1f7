"""Without directions an answer's shape says which request it belongs to."""

from __future__ import annotations

import pytest

from diagnosis.captures.message import Direction
from diagnosis.reads import methods
from tests.diagnosis.reads.build import S2C, UNKNOWN, contents, echoes, error, paired, read_request, request, result

LATER = {"resultType": "complete", "ttlMs": 0}  # what every result holds since MCP 2026-07-28


@pytest.mark.parametrize(
    ("method", "own"),
    [
        ("resources/read", {"contents": []}),
        ("resources/templates/list", {"resourceTemplates": []}),
        ("resources/list", {"resources": []}),
        ("tools/list", {"tools": []}),
        ("roots/list", {"roots": []}),
        ("elicitation/create", {"action": "accept"}),
    ],
)
def test_a_results_own_key_shows_its_method(method: str, own: dict[str, object]) -> None:
    assert methods.answers({"result": own}, method)
    assert methods.answers({"result": {**LATER, **own}}, method)
    assert not methods.answers({"result": LATER}, method)
    assert not methods.answers({"result": {**LATER, **own}}, "prompts/list")
    assert not methods.answers({"result": {**LATER, **own}}, "ping")


def test_only_some_methods_are_answered_with_a_question() -> None:
    body = {"result": {"resultType": "input_required", "inputRequests": {}}}
    assert methods.answers(body, "resources/read")
    assert methods.answers(body, "tools/call")
    assert not methods.answers(body, "tools/list")


def test_a_null_error_beside_a_result_is_no_error() -> None:
    body = {"result": {"tools": []}, "error": None}
    assert methods.answers(body, "tools/list")
    assert not methods.answers(body, "resources/read")


def test_an_empty_result_with_a_type_answers_a_ping() -> None:
    assert methods.answers({"result": LATER}, "ping")


@pytest.mark.parametrize("direction", [UNKNOWN, S2C])
def test_one_id_for_everything_is_told_apart_by_shape(direction: Direction) -> None:
    log = [
        request(1, "tools/list"),
        read_request(1, "a://1"),
        contents(1, "a://1", direction),
        result(1, {**LATER, "tools": []}, direction),
        read_request(1, "a://2"),
        contents(1, "a://2", direction),
    ]
    reads = paired(log)
    assert echoes(reads) == ["a://1", "a://2"]
    assert all(read.extra == () for read in reads)


def test_a_method_nobody_knows_takes_no_reads_answer() -> None:
    (read,) = paired([request(3, "tasks/weigh"), read_request(3), contents(3)])
    assert echoes([read]) == ["a://1"]


def test_an_unanswered_request_in_front_stops_nobody() -> None:
    log = [request(1, "tools/call")]
    for number in range(200):
        log += [read_request(1, f"a://{number}"), contents(1, f"a://{number}")]
    assert echoes(paired(log)) == [f"a://{number}" for number in range(200)]


@pytest.mark.parametrize("senseless", [None, 5, "words", [], {}])
def test_a_result_of_no_shape_goes_to_the_only_side_that_waits(senseless: object) -> None:
    (alone,) = paired([read_request(3), result(3, senseless)])
    assert alone.response is not None
    assert alone.response.contents == ()
    assert alone.response.malformed in ("its result is no object", "its result has no list of contents")
    (beside,) = paired([read_request(3), request(3, "roots/list"), result(3, senseless)])
    assert beside.response is None


def test_another_methods_result_is_not_this_reads() -> None:
    (read,) = paired([read_request(3), result(3, {"tools": []})])
    assert read.response is None


def test_with_a_direction_the_id_alone_decides() -> None:
    (read,) = paired([read_request(3), result(3, {"tools": []}, S2C)])
    assert read.response is not None
    assert read.response.malformed == "its result has no list of contents"


def test_an_error_fits_the_oldest_request() -> None:
    first, second = paired([read_request(1, "a://1"), read_request(1, "a://2"), error(1), contents(1, "a://2")])
    assert echoes([first, second]) == ["error", "a://2"]

"""Messages that break the protocol: read as far as they can be, and never a crash."""

from __future__ import annotations

import pytest

from diagnosis.captures.message import Message
from diagnosis.reads.read import DocumentKind, Outcome, Response
from diagnosis.reads.responses import CONTENT_LIMIT, CONTENTS_CUT, MESSAGE_LIMIT, digest, response
from tests.diagnosis.reads.build import S2C, contents, echoes, message, paired, read_request, result


def answered(value: object) -> Response:
    (read,) = paired([read_request(1), result(1, value, S2C)])
    assert read.response is not None
    return read.response


@pytest.mark.parametrize("params", [None, [], ["a://1"], "a://1", 5, {}, {"uri": None}, {"uri": 5}, {"uri": ["a://1"]}])
def test_a_read_without_a_uri(params: object) -> None:
    (read,) = paired([message({"id": 1, "method": "resources/read", "params": params}), contents(1)])
    assert read.uri is None
    assert echoes([read]) == ["a://1"]


def test_a_read_without_params() -> None:
    (read,) = paired([message({"id": 1, "method": "resources/read"})])
    assert read.uri is None


@pytest.mark.parametrize("value", [None, 5, "words", ["x"]])
def test_a_result_that_is_no_object(value: object) -> None:
    assert (answered(value).malformed, answered(value).contents) == ("its result is no object", ())


@pytest.mark.parametrize("value", [None, 5, {}, "words"])
def test_contents_that_are_no_list(value: object) -> None:
    found = answered({"contents": value})
    assert (found.malformed, found.contents) == ("its result has no list of contents", ())


def test_items_that_are_no_objects_hide_none_of_the_others() -> None:
    found = answered({"contents": ["words", {"uri": "a://1", "text": "x"}, None]})
    assert found.malformed == "an item of its contents is no object"
    assert [item.uri for item in found.contents] == ["a://1"]


def test_no_items_are_not_malformed() -> None:
    assert (answered({"contents": []}).malformed, answered({"contents": []}).contents) == (None, ())


def test_parts_of_an_item_with_wrong_types() -> None:
    (item,) = answered({"contents": [{"uri": 5, "mimeType": [], "text": {}, "blob": 7}]}).contents
    assert (item.uri, item.media_type, item.document.kind) == (None, None, DocumentKind.EMPTY)


def test_contents_past_the_limit_are_said_to_be_cut() -> None:
    whole = answered({"contents": [{"uri": "a://1"}] * CONTENT_LIMIT})
    cut = answered({"contents": [{"uri": "a://1"}] * (CONTENT_LIMIT + 1)})
    assert (len(whole.contents), whole.notes) == (CONTENT_LIMIT, ())
    assert (len(cut.contents), cut.notes) == (CONTENT_LIMIT, (CONTENTS_CUT,))


@pytest.mark.parametrize(
    ("error", "code", "words", "uri"),
    [
        ({"code": -32002, "message": "not found", "data": {"uri": "a://1"}}, -32002, "not found", "a://1"),
        ({"code": "-32002", "message": 5, "data": {"uri": 5}}, None, "", None),
        ({"code": True, "message": "x", "data": "a://1"}, None, "x", None),
        ("no", None, "no", None),
        (5, None, "", None),
        ({"message": "x" * 5000}, None, "x" * MESSAGE_LIMIT, None),
    ],
)
def test_errors_of_all_shapes(error: object, code: int | None, words: str, uri: str | None) -> None:
    found = response(message({"id": 1, "error": error}), 1)
    assert found.outcome is Outcome.ERROR
    assert found.failure is not None
    assert (found.failure.code, found.failure.message, found.failure.uri) == (code, words, uri)


def test_a_null_error_beside_a_result_is_none() -> None:
    found = response(message({"id": 1, "error": None, "result": {"contents": [{"uri": "a://1"}]}}), 1)
    assert (found.outcome, found.failure, found.contents[0].uri) == (Outcome.RESULT, None, "a://1")


def test_a_document_beside_an_error_was_delivered() -> None:
    found = response(message({"id": 1, "error": {"code": 1}, "result": {"contents": [{"uri": "a://1"}]}}), 1)
    assert (found.outcome, len(found.contents), found.notes) == (Outcome.RESULT, 1, ("result-and-error",))


def test_an_error_beside_an_empty_result_is_an_error() -> None:
    found = response(message({"id": 1, "error": {"code": 1}, "result": {}}), 1)
    assert (found.outcome, found.contents) == (Outcome.ERROR, ())


def test_scope_and_completeness() -> None:
    found = answered({"contents": [], "cacheScope": "public", "resultType": 5})
    assert (found.cache_scope, found.complete) == ("public", True)


def test_messages_that_are_nothing_at_all_count_as_messages_only() -> None:
    odd: list[Message] = [message({}), message({"method": 5}), message({"id": 1}), message({"method": None, "id": 1})]
    (read,) = paired([*odd, read_request(1)])
    assert (read.number, read.position) == (0, 5)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": "\ud83d", "b": 2}, {"b": 2, "a": "\ud83d"}, True),
        ({"a": 2**70}, {"a": 2**70 + 1}, False),
        ({"a": 1}, {"a": "1"}, False),
    ],
)
def test_digests_ignore_order_and_nothing_else(one: dict[str, object], other: dict[str, object], same: bool) -> None:
    assert (digest(message(one)) == digest(message(other))) is same


def test_a_message_nested_past_every_writer_has_a_digest() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    assert len(digest(message({"result": deep}))) == 64

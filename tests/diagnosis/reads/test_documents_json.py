"""The identity fields of a JSON document: its top level, and nothing deeper."""

from __future__ import annotations

import pytest

from diagnosis.reads.documents import FIELD_LIMIT, JSON_LIMIT, VALUE_LIMIT, document
from diagnosis.reads.read import DocumentKind, FieldValue
from tests.diagnosis.reads.build import as_text


def fields(text: str, media_type: str | None = "application/json") -> dict[str, FieldValue]:
    found = document(text, None, media_type)
    assert found.kind is DocumentKind.JSON
    return dict(found.fields)


def test_values_keep_their_type_and_their_order() -> None:
    found = document('{"b": "x", "a": 1, "c": 1.5, "d": true, "e": null}', None, "application/json")
    assert found.fields == (("b", "x"), ("a", 1), ("c", 1.5), ("d", True), ("e", None))
    assert [type(value) for _, value in found.fields] == [str, int, float, bool, type(None)]
    assert (found.size, found.why) == (50, "")


def test_an_object_with_one_key_is_looked_under() -> None:
    assert fields('{"report": {"tenant": "acme", "month": "2025-10"}}') == {"tenant": "acme", "month": "2025-10"}


def test_nothing_is_looked_under_twice() -> None:
    assert fields('{"data": {"report": {"tenant": "acme"}}}') == {}


def test_beside_another_key_nothing_nested_counts() -> None:
    assert fields('{"report": {"tenant": "acme"}, "page": 1}') == {"page": 1}


def test_one_plain_key_is_a_field() -> None:
    assert fields('{"tenant": "acme"}') == {"tenant": "acme"}


@pytest.mark.parametrize("text", ['[{"tenant": "acme"}]', '"acme"', "12", "true"])
def test_what_is_no_object_names_no_fields(text: str) -> None:
    found = document(text, None, "application/json")
    assert (found.kind, found.fields, found.why) == (
        (DocumentKind.JSON, (), "the JSON is no object, so it names no fields")
    )


@pytest.mark.parametrize("text", ['{"a": {}, "b": [[]]}'])
def test_an_object_without_plain_values_says_so(text: str) -> None:
    found = document(text, None, "application/json")
    assert (found.fields, found.why) == ((), "no plain value stands on top")


def test_lists_of_plain_values_are_kept_and_others_are_not() -> None:
    text = '{"a": ["x", 1, null], "b": [], "c": ["x", ["y"]], "d": ["x", {}], "e": 1}'
    assert fields(text) == {"a": ("x", 1, None), "b": (), "e": 1}


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 18446744073709551616, "x": 1}',
        '{"report": {"id": 18446744073709551616}}',
        '{"id": -18446744073709551616, "x": 1}',
        '{"id": [18446744073709551616], "x": 1}',
    ],
)
def test_integers_past_64_bits_stay_exact(text: str) -> None:
    value = fields(text)["id"]
    exact = value[0] if isinstance(value, tuple) else value
    assert type(exact) is int
    assert abs(exact) == 2**64


def test_an_integer_of_thousands_of_digits_cannot_be_read() -> None:
    assert document('{"id": ' + "9" * 5000 + "}", None, "application/json").kind is DocumentKind.UNREADABLE


def test_half_a_character_pair_survives() -> None:
    assert fields('{"title": "\\ud83d", "tenant": "acme"}') == {"title": "\ud83d", "tenant": "acme"}
    assert fields('{"title": "\ud83d"}') == {"title": "\ud83d"}


def test_the_last_of_two_equal_keys_counts_as_parsers_take_it() -> None:
    assert fields('{"tenant": "acme", "tenant": "globex"}') == {"tenant": "globex"}


@pytest.mark.parametrize("media_type", [None, "text/plain", "text/markdown", "application/octet-stream", "text/html"])
def test_json_under_a_wrong_media_type(media_type: str | None) -> None:
    assert fields(' \n{"tenant": "acme"}', media_type) == {"tenant": "acme"}


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", "Application/JSON", "application/ld+json"])
def test_media_types_that_say_json(media_type: str) -> None:
    assert fields('{"tenant": "acme"}', media_type) == {"tenant": "acme"}


def test_a_byte_order_mark_is_no_part_of_it() -> None:
    assert fields('\ufeff{"tenant": "acme"}') == {"tenant": "acme"}


@pytest.mark.parametrize("text", ['{"tenant": "acme"', "acme", '{"tenant": "acme"} {}', "{'tenant': 'acme'}"])
def test_what_says_json_and_is_none_is_unreadable(text: str) -> None:
    found = document(text, None, "application/json")
    assert (found.kind, found.fields) == (DocumentKind.UNREADABLE, ())
    assert document(text, None, "text/plain").kind is DocumentKind.TEXT


@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_a_document_nested_a_hundred_thousand_deep(bracket: str) -> None:
    assert document(bracket * 100_000, None, "application/json").kind is DocumentKind.UNREADABLE
    closed = '{"a":' * 1500 + "1" + "}" * 1500
    assert document(closed, None, "application/json").kind in (DocumentKind.JSON, DocumentKind.UNREADABLE)


def test_values_and_lists_past_their_limits_are_dropped() -> None:
    kept, huge = "x" * VALUE_LIMIT, "x" * (VALUE_LIMIT + 1)
    value = {"kept": kept, "huge": huge, huge: 1, "list": [huge], "long": [1] * (FIELD_LIMIT + 1), "last": 1}
    assert fields(as_text(value)) == {"kept": kept, "last": 1}


def test_fields_past_the_limit_are_dropped() -> None:
    found = fields(as_text({f"k{number}": number for number in range(FIELD_LIMIT + 10)}))
    assert (len(found), list(found)[-1]) == (FIELD_LIMIT, f"k{FIELD_LIMIT - 1}")


def test_a_document_past_the_limit_is_not_parsed() -> None:
    text = '{"a": "' + "x" * JSON_LIMIT + '"}'
    found = document(text, None, "application/json")
    assert (found.kind, found.size) == (DocumentKind.UNREADABLE, JSON_LIMIT + 9)


@pytest.mark.parametrize("text", ["", " \r\n\t", "\ufeff"])
def test_an_empty_text(text: str) -> None:
    found = document(text, None, "application/json")
    assert (found.kind, found.size) == (DocumentKind.EMPTY, len(text.encode()))


@pytest.mark.parametrize("text", ["null", "[]", "{}", '""'])
def test_json_that_holds_nothing_is_empty(text: str) -> None:
    found = document(text, None, "application/json")
    assert (found.kind, found.why) == (DocumentKind.EMPTY, "the JSON holds nothing")


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ('{"tenant": "northwind", "tenant": "acme"}', "it names `tenant` twice"),
        ('{"report": {"tenant": "northwind", "tenant": "acme"}}', "it names `tenant` twice"),
        ('{"tenant": "acme", "also": {"tenant": "acme"}}', ""),
        ('{"tenant": "acme", "note": "\\"tenant\\""}', ""),
        ("{" + ", ".join(f'"f{n}": {n}' for n in range(257)) + "}", "it has more than 256 fields"),
    ],
)
def test_what_another_reader_may_see_otherwise(text: str, doubt: str) -> None:
    assert document(text, None, "application/json").doubt == doubt

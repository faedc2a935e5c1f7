from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diagnosis.captures.decoding import decode, decode_exactly, first_document, names_each_key_once, plain_message

READ = b'{"jsonrpc":"2.0","id":%s,"method":"resources/read","params":{"uri":"docs://a"}}'


@pytest.mark.parametrize("number", ["18446744073709551616", "18446744073709551617", "-9223372036854775809", "9" * 30])
@pytest.mark.parametrize("method", ["ping", "resources/read"])
def test_ids_past_64_bits_stay_exact(number: str, method: str) -> None:
    decoded = decode(f'{{"jsonrpc":"2.0","id":{number},"method":"{method}"}}'.encode())
    assert decoded.values[0]["id"] == int(number) and type(decoded.values[0]["id"]) is int


def test_a_big_id_in_a_batch_and_in_a_cancellation() -> None:
    big = 2**64 + 1
    batch = decode(b'[{"jsonrpc":"2.0","id":18446744073709551617,"result":{}}]')
    assert batch.values[0][0]["id"] == big
    cancel = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":18446744073709551617}}'
    assert decode(cancel).values[0]["params"]["requestId"] == big


def test_types_of_ids_are_kept() -> None:
    found = [decode(READ % text).values[0]["id"] for text in (b"7", b'"7"', b"7.0", b"true")]
    assert [type(each) for each in found] == [int, str, float, bool]


@pytest.mark.parametrize(
    "text",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a","uri":"docs://b"}}',
        b'{"jsonrpc":"2.0","id":1,"id":2,"method":"resources/read","params":{"uri":"docs://a"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","method":"ping","params":{"uri":"docs://a"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources\\/read","method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\\u0072esour\\u0063es/read","method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"result":{"contents":[]},"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"result":{"\\u0063ontents":[]},"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"a","u\\u0072i":"b"}]}}',
    ],
)
def test_duplicate_keys_about_a_read_are_noted_and_the_last_one_wins(text: bytes) -> None:
    for each in (text, text.decode()):
        decoded = decode(each)
        assert decoded.notes == ("duplicate-key",)
        assert decoded.values == (json.loads(text),)
        assert plain_message(each) is None


def test_two_documents_on_one_line_are_recovered() -> None:
    decoded = decode(READ % b"1" + b" \r\t" + READ % b"2")
    assert [value["id"] for value in decoded.values] == [1, 2] and decoded.notes == ("recovered",)


def test_a_lone_surrogate_is_accepted_and_said() -> None:
    assert decode(b'{"a":"\\ud83d"}').notes == ("lone-surrogate",)
    assert decode_exactly(b'{"a":"\\ud83d\\ude00"}').notes == ()
    assert decode_exactly(b'{"a":"\\\\ud83d"}').notes == ()


def test_a_byte_order_mark_is_no_oddity() -> None:
    assert decode(b"\xef\xbb\xbf" + READ % b"1").values[0]["id"] == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"a":NaN}', "NaN"),
        (b'{"a":-Infinity}', "Infinity"),
        (b"[" * 100_000, "nested too deep"),
        (b"1" * 5000, "too many digits"),
        (b'{"a":"\xff"}', "not UTF-8 (byte 6"),
        (b'{"a":"\xc0\xaf"}', "not UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        (b'{"a":1,}', "not JSON"),
        (b'{"a":"\x01"}', "not JSON"),
        (b"{'a':1}", "not JSON"),
        (b'{"a":1} and more', "text after the JSON"),
        (b'{"a":1}{"b":', "not closed"),
    ],
)
def test_what_is_refused_says_why(text: bytes, reason: str) -> None:
    decoded = decode(text)
    assert decoded.values == () and reason in decoded.reason


@given(st.integers(1, 80))
def test_a_cut_text_is_called_truncated(length: int) -> None:
    text = READ % b"1"
    assert decode(text[: min(length, len(text) - 1)]).truncated


def test_depth_that_only_one_decoder_follows() -> None:
    deep = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":' + b"[" * 1000 + b"]" * 1000 + b"}"
    decoded = decode(deep)
    assert decoded.values[0]["id"] == 1 and decoded.notes == ("duplicates-not-checked",)


def test_the_first_document_of_a_text() -> None:
    decoded, end = first_document('{"a":"é"} { metadata: undefined }'.encode())
    assert decoded.values == ({"a": "é"},) and end == 10
    assert first_document(b'{"a": ')[0].truncated


@given(st.binary(max_size=200))
def test_any_bytes_give_values_or_a_reason(data: bytes) -> None:
    decoded = decode(data)
    assert bool(decoded.values) != bool(decoded.reason)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda c: st.lists(c) | st.dictionaries(st.text(), c),
    max_leaves=8,
)


@given(JSON)
def test_valid_json_is_read_as_the_standard_library_reads_it(value: object) -> None:
    text = json.dumps({"jsonrpc": "2.0", "id": value, "result": {"contents": value}})
    assert decode(text).values == (json.loads(text),)
    assert decode(text.encode()).values == (json.loads(text),)


# Keys and values that look like members from outside, and values that orjson does not keep as they are.
names = st.sampled_from(["a", "b", "a\\\\", '\\"', ":", '\\":', 'x\\":', "\\u0061"]).map('"{}"'.format)
leaves = st.sampled_from(
    [
        "1",
        "true",
        '"x"',
        '":"',
        '"\\":"',
        '"\\\\"',
        '"a\\\\\\":"',
        '" :"',
        "1.5",
        "12345678901234567890",
        '"\\ud83d\\ude00"',
    ]
)
colons = st.sampled_from([":"] * 9 + [" :", ": ", "\t:", ":\n"])


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    members = st.lists(st.tuples(names, colons, inner).map("".join), max_size=4)
    return members.map(lambda each: f"{{{','.join(each)}}}") | st.lists(inner, max_size=3).map(
        lambda each: f"[{','.join(each)}]"
    )


@given(st.recursive(leaves, nested, max_leaves=12))
@example('{"a":1,"a" :2}')
@example('{"a\\\\":1,"a\\\\":2,"b":":"}')
@example('{"a":1,"\\u0061":2}')
@example('{"a":[18446744073709551616]}')
def test_what_needs_no_second_look_would_not_change_by_it(text: str) -> None:
    value = orjson.loads(text)
    for each in (text, text.encode()):
        if names_each_key_once(each, value):
            exact = decode_exactly(each)
            assert not exact.reason and not exact.notes and repr(exact.values) == repr((value,))


@pytest.mark.parametrize("text", [READ % b"1", b'{"jsonrpc":"2.0","id":1,"result":{"contents":[{"text":"a\\":\\n"}]}}'])
def test_an_ordinary_read_and_its_answer_need_no_second_look(text: bytes) -> None:
    assert names_each_key_once(text, orjson.loads(text)) and plain_message(text) == json.loads(text)


def test_what_may_nest_too_deep_for_the_decoder_gets_its_second_look() -> None:
    deep = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":' + b"[" * 1000 + b"]" * 1000 + b"}"
    assert plain_message(deep) is None and decode(deep).notes == ("duplicates-not-checked",)

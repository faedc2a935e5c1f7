from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diagnosis.captures import CAPTURE_FORMATS, Direction, Kind, NotACapture, Sureness, detect, sources
from tests.diagnosis.captures.reading import counts, kinds_by_line, messages, named, read, skipped

ASK = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"docs://a","text":"{}"}]}}'


def test_lines_with_noise_between_them(tmp_path: Path) -> None:
    data = b"Starting\n" + ASK + b"\r\n\n[info] ready\n{ok}\n" + ANSWER + b'\n{"jsonrpc":"2.0","id":2,"me'
    items = read(tmp_path, data)
    first, second = messages(items)
    assert (first.span.line, first.span.offset, first.span.length) == (2, 9, len(ASK) + 1)
    assert (second.span.line, second.span.offset) == (6, 9 + len(ASK) + 2 + 1 + 13 + 5)
    assert first.direction is Direction.UNKNOWN and first.session is None and first.span.layers == ()
    assert [(item.kind, item.span.line) for item in skipped(items)] == [
        (Kind.OTHER, 1),
        (Kind.BLANK, 3),
        (Kind.OTHER, 4),
        (Kind.OTHER, 5),
        (Kind.UNREADABLE, 7),
    ]
    assert skipped(items)[-1].why == "incomplete at the end of the file"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"a":"\xe9"}', "not UTF-8"),
        (b"\0\0\0", "NUL"),
        (b"caf\xe9", "not UTF-8"),
        (b'prefix {"jsonrpc":"2.0","id":2,"method":"ping"}', "behind other text"),
        (ASK[:40] + ASK, "not JSON"),
        (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', "NaN"),
    ],
)
def test_a_lost_message_is_unreadable_and_hides_no_neighbour(tmp_path: Path, line: bytes, why: str) -> None:
    items = read(tmp_path, ASK + b"\n" + line + b"\n" + ANSWER + b"\n")
    (lost,) = skipped(items)
    assert len(messages(items)) == 2 and lost.kind is Kind.UNREADABLE and lost.span.line == 2
    assert why in lost.why and lost.excerpt == line


@pytest.mark.parametrize("line", [b"1", b'"x"', b"null", b"[]", b"{}", b"[[]]", b'{"jsonrpc":"2.0","id":1}'])
def test_json_that_is_no_message_is_other(tmp_path: Path, line: bytes) -> None:
    (other,) = skipped(read(tmp_path, ASK + b"\n" + line + b"\n" + ANSWER + b"\n"))
    assert other.kind is Kind.OTHER


def test_a_quoted_message_is_never_found(tmp_path: Path) -> None:
    inner = rb"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"resources/read\"}"
    data = b'{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"docs://a","text":"' + inner + b'"}]}}\n'
    assert len(messages(read(tmp_path, data))) == 1


def test_a_batch_and_what_stands_beside_its_messages(tmp_path: Path) -> None:
    data = b"[1," + ASK + b",null," + ANSWER + b"]\n"
    items = read(tmp_path, data)
    assert [item.span.layers for item in messages(items)] == [("batch[1]",), ("batch[3]",)]
    assert all("batch" in item.notes and item.span.length == len(data) - 1 for item in messages(items))
    (rest,) = skipped(items)
    assert rest.kind is Kind.OTHER and rest.why.startswith("2 values") and rest.span.layers == ("batch",)


def test_two_documents_on_a_line(tmp_path: Path) -> None:
    first, second = messages(read(tmp_path, ASK + ANSWER + b"\n"))
    assert first.span.layers == ("document[0]",) and second.span.layers == ("document[1]",)
    assert first.notes == second.notes == ("recovered",)


def test_messages_without_a_version_are_possible_and_noted(tmp_path: Path) -> None:
    data = (ASK + b"\n" + ANSWER + b"\n").replace(b'"jsonrpc":"2.0",', b"")
    detection = detect(data)
    assert detection.format.name == "json-rpc"
    assert detection.format.detect(data).sureness is Sureness.POSSIBLE
    assert [item.notes for item in messages(read(tmp_path, data))] == [("no-jsonrpc",)] * 2


def test_an_array(tmp_path: Path) -> None:
    data = b"[\n" + ASK + b",\n\n  " + ANSWER + b" ,{}\n]\n"
    items = read(tmp_path, data)
    assert [(item.span.line, item.span.offset, item.span.layers) for item in messages(items)] == [
        (2, 2, ("[0]",)),
        (4, 2 + len(ASK) + 5, ("[1]",)),
    ]
    assert [(item.kind, item.span.line) for item in skipped(items)] == [(Kind.OTHER, 4)]


def test_an_array_that_was_cut(tmp_path: Path) -> None:
    items = read(tmp_path, b"[\n" + ASK + b",\n" + ANSWER[:30])
    assert len(messages(items)) == 1
    assert [(item.kind, item.why) for item in skipped(items)] == [
        (Kind.UNREADABLE, "incomplete at the end of the file")
    ]


def test_text_and_arrays_behind_an_array(tmp_path: Path) -> None:
    items = read(tmp_path, b"[\n" + ASK + b"\n]\n[\n" + ANSWER + b"\n]\ntail\n")
    assert [item.span.line for item in messages(items)] == [2, 5]
    (rest,) = skipped(items)
    assert (rest.kind, rest.why, rest.span.line) == (Kind.UNREADABLE, "text after the array", 7)


def test_pretty_printed_messages(tmp_path: Path) -> None:
    pretty = b'{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": "ping {"\n}\n'
    cut = b'{\n  "jsonrpc": "2.0",\n'
    items = read(tmp_path, pretty + b"\nnote\n" + cut + pretty)
    assert [(item.span.line, item.span.length) for item in messages(items)] == [
        (1, len(pretty) - 1),
        (10, len(pretty) - 1),
    ]
    assert counts(items) == {"message": 2, "blank": 1, "other": 1, "unreadable": 1}


def test_a_byte_order_mark_on_every_line(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + ASK + b"\n\xef\xbb\xbf" + ANSWER + b"\n"
    assert [item.span.offset for item in messages(read(tmp_path, data))] == [0, len(ASK) + 4]


def test_a_line_over_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK", 100)
    monkeypatch.setattr(sources, "LONGEST_LINE", 500)
    items = read(tmp_path, ASK + b'\n{"' + b"x" * 600 + b"\n" + ANSWER + b"\n")
    (lost,) = skipped(items)
    assert lost.kind is Kind.UNREADABLE and "602 bytes" in lost.why and lost.span.length == 602


def test_what_is_no_capture_says_what_was_looked_for() -> None:
    with pytest.raises(NotACapture) as refused:
        detect(b'{"level":"info","msg":"ready"}\n')
    assert [name for name, _ in refused.value.reasons] == [each.name for each in CAPTURE_FORMATS]
    assert all(why for _, why in refused.value.reasons)


FORMATS = st.sampled_from(["json-rpc", "enveloped", "claude-desktop", "vscode"])
PIECES = st.lists(
    st.binary(max_size=30)
    | st.sampled_from(
        [
            ASK,
            ANSWER,
            b"[" + ASK + b"]",
            b'{"ts":1,"message":' + ASK + b"}",
            b"{",
            b"[",
            b'{"a":',
            b"\0",
            b"\r",
        ]
    ),
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(FORMATS, PIECES)
def test_every_line_of_any_bytes_is_exactly_one_thing(tmp_path: Path, name: str, pieces: list[bytes]) -> None:
    # A first whole line makes json-rpc read lines, not one document.
    data = ASK + b"\n" + b"\n".join(pieces)
    lines = data.split(b"\n")
    expected = len(lines) - (lines[-1] == b"")
    found = kinds_by_line(read(tmp_path, data, name))
    assert sorted(found) == list(range(1, expected + 1))
    assert all(len(kinds) == 1 for kinds in found.values())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from(["json-rpc", "har", "enveloped", "claude-desktop", "vscode"]), st.binary(max_size=300))
def test_any_bytes_raise_nothing(tmp_path: Path, name: str, data: bytes) -> None:
    read(tmp_path, data, name)
    read(tmp_path, b"[" + data, name)
    read(tmp_path, b"{\n" + data, name)
    read(tmp_path, b'{"log":{"entries":[' + data, name)


RUBBISH = st.lists(st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"")), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(RUBBISH, min_size=1, max_size=8), st.sampled_from([b"\n", b"\r\n"]))
def test_rubbish_hides_no_message(tmp_path: Path, gaps: list[list[bytes]], end: bytes) -> None:
    lines: list[bytes] = []
    for number, gap in enumerate(gaps):
        lines += [b'{"jsonrpc":"2.0","id":%d,"method":"resources/read"}' % number, *gap]
    found = messages(read(tmp_path, end.join(lines), "json-rpc"))
    assert [item.body["id"] for item in found] == list(range(len(gaps)))


def test_formats_have_names_and_titles() -> None:
    assert named("json-rpc").title and named("json-rpc").cannot_show

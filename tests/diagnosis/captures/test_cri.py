from __future__ import annotations

from pathlib import Path

from tests.diagnosis.captures.common_session import COMPLETE, SESSION, compact, diagnosed, outcome
from tests.diagnosis.captures.reading import counts, messages, read, skipped

ASK = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
TIME = b"2026-11-30T09:15:02.101000000Z"


def line(text: bytes, state: bytes = b"F", stream: bytes = b"stdout") -> bytes:
    return b" ".join((TIME, stream, state, text)) + b"\n"


def test_a_line_and_its_time(tmp_path: Path) -> None:
    items = read(tmp_path, line(b"up", stream=b"stderr") + line(ASK))
    found = messages(items)[0]
    assert (found.span.line, found.span.offset) == (2, len(line(b"up", stream=b"stderr")))
    assert (found.time, found.time_basis) == (TIME.decode(), "utc")
    assert counts(items) == {"other": 1, "message": 1}


def test_parts_are_joined_by_stream_before_anything_reads_them(tmp_path: Path) -> None:
    at = ASK.index(b"//a") + 1
    data = line(ASK[:at], b"P") + line(b"noise", stream=b"stderr") + line(ASK[at:]) + line(ASK)
    items = read(tmp_path, data)
    assert [item.body["params"]["uri"] for item in messages(items)] == ["docs://a"] * 2
    assert sorted((item.span.line, item.kind.value) for item in skipped(items)) == [(2, "other"), (3, "other")]
    items = read(tmp_path, line(ASK[:9], b"P") + line(ASK[9:at], b"P") + line(ASK[at:]))
    assert counts(items) == {"message": 1}
    assert messages(items)[0].span.length == 3 * len(line(b"")) + len(ASK) - 1


def test_a_first_part_without_its_end_is_unreadable(tmp_path: Path) -> None:
    items = read(tmp_path, line(ASK) + line(ASK[:50], b"P"))
    assert counts(items) == {"message": 1, "unreadable": 1}


def test_a_last_part_without_its_beginning_is_unreadable_where_a_log_begins(tmp_path: Path) -> None:
    """Its beginning stands in the file before this one, which was rotated."""
    tail = ASK[40:]
    items = read(tmp_path, line(tail) + line(ASK) + line(tail))
    assert [(item.span.line, item.kind.value) for item in skipped(items)] == [(1, "unreadable"), (3, "other")]
    items = read(tmp_path, line(b'loaded {"level":"info"}', stream=b"stderr") + line(ASK))
    assert counts(items) == {"other": 1, "message": 1}


def test_lines_that_are_not_the_runtimes(tmp_path: Path) -> None:
    items = read(tmp_path, line(ASK) * 20 + b"\nrotated\nINFO " + ASK + b"\n")
    assert [(item.span.line, item.kind.value) for item in skipped(items)] == [
        (21, "blank"),
        (22, "other"),
        (23, "unreadable"),
    ]


def test_the_common_session(tmp_path: Path) -> None:
    data = b"".join(line(compact(message).encode()) for _, message in SESSION)
    assert [outcome(each) for each in diagnosed(tmp_path, data).judgements] == COMPLETE

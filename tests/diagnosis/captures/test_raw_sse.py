from __future__ import annotations

from pathlib import Path

import pytest

from diagnosis.captures import Direction, Sureness
from diagnosis.captures.raw_sse import RawSse
from tests.diagnosis.captures.reading import counts, kinds_by_line, messages, read, skipped

DONE = b'{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"docs://a","text":"x"}]}}'


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_events_and_where_they_stand(tmp_path: Path, end: bytes) -> None:
    data = end.join((b": keep-alive", b"", b"event: message", b"id: 4", b"data: " + DONE, b"", b"data: hello", b""))
    items = read(tmp_path, data + end)
    found = messages(items)[0]
    assert (found.span.line, found.span.layers, found.direction) == (3, ("sse[0]",), Direction.TO_CLIENT)
    assert data[found.span.offset :].startswith(b"event: message")
    assert kinds_by_line(items) == {
        1: {"other"}, 2: {"blank"}, 3: {"message"}, 6: {"blank"}, 7: {"other"}, 8: {"blank"},
    }  # fmt: skip


def test_data_of_several_lines_and_an_end_without_its_blank_line(tmp_path: Path) -> None:
    half = DONE.index(b',"result"')
    items = read(tmp_path, b"data: " + DONE[:half] + b"\ndata: " + DONE[half:])
    assert counts(items) == {"message": 1}
    items = read(tmp_path, b"data: " + DONE + b"\n\ndata: " + DONE[:-5])
    assert counts(items) == {"message": 1, "blank": 1, "unreadable": 1}
    assert "incomplete at the end" in skipped(items)[-1].why


def test_the_session_of_the_old_transport(tmp_path: Path) -> None:
    data = b"event: endpoint\ndata: /messages/?session_id=5d41\n\nevent: message\ndata: " + DONE + b"\n\n"
    assert messages(read(tmp_path, data))[0].session == "5d41"


def test_a_broken_event_and_a_line_that_is_no_field(tmp_path: Path) -> None:
    data = b"data: " + DONE + b'\n\ndata: {"jsonrpc":}\n\nnoise\n'
    items = read(tmp_path, data)
    assert [(item.span.line, item.kind.value) for item in skipped(items)] == [
        (2, "blank"), (3, "unreadable"), (4, "blank"), (5, "other"),
    ]  # fmt: skip


def test_what_is_no_event_stream() -> None:
    assert RawSse().detect(DONE).sureness is Sureness.NO
    assert RawSse().detect(b"data: hello\n\n").sureness is Sureness.NO

"""A glance at an ordinary message leaves nothing out: whoever takes it whole gets what reading every line gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import Glance, Message, NotACapture, Skipped, glances_of, items_of, open_source, recognise
from diagnosis.captures.message import Direction
from tests.diagnosis.captures.reading import named
from tests.diagnosis.captures.samples import samples

ROOT = Path(__file__).parents[3]
FORMATS = ROOT.parent / "shared" / "formats"

CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}'
ANCHOR = "2026-11-30T09:15:02.101Z [shop] [info] Message from client: "
DONE = '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}'


def record(message: str, **beside: Any) -> str:
    """A compact record of the envelope that `line` writes, with other members in front."""
    more = "".join(f"{json.dumps(key)}:{json.dumps(value)}," for key, value in beside.items())
    return f'{{{more}"ts":"2026-11-30T09:15:02Z","session":"s1","dir":"c2s","msg":{message}}}'


def glances(folder: Path, data: bytes, name: str) -> list[Glance | Message | Skipped]:
    path = folder / "capture"
    path.write_bytes(data)
    with open_source(str(path)) as source:
        return list(glances_of(source, named(name)))


def behind(folder: Path, line: str | bytes, name: str = "enveloped") -> list[Glance | Message | Skipped]:
    """What the second line of a log gives whose first one is ordinary."""
    begin = record(CALL) if name == "enveloped" else f"{ANCHOR}{CALL}"
    line = line if isinstance(line, bytes) else line.encode()
    return glances(folder, begin.encode() + b"\n" + line + b"\n", name)[1:]


@pytest.mark.parametrize(
    ("message", "method", "request_id"),
    [
        (CALL, "tools/call", 7),
        (DONE, None, 7),
        ('{"error":{"code":1,"message":"no"},"id":"7","jsonrpc":"2.0"}', None, "7"),
        ('{"method":"notifications/initialized","jsonrpc":"2.0"}', "notifications/initialized", None),
        ('{"jsonrpc":"2.0","id":7,"result":{"content":"\\n \\u00e9 \\"contents\\": é"}}', None, 7),
        ('{"jsonrpc":"2.0","id":-12345678901234567890,"method":"ping"}', "ping", -12345678901234567890),
    ],
)
def test_an_ordinary_message_is_glanced_at(tmp_path: Path, message: str, method: str, request_id: int) -> None:
    (found,) = behind(tmp_path, record(message))
    assert isinstance(found, Glance)
    assert (found.method, found.request_id, found.line) == (method, request_id, 2)
    assert (found.direction, found.session, found.channel) == (Direction.TO_SERVER, "s1", None)
    (whole,) = found.whole()
    assert isinstance(whole, Message)
    assert (whole.body, whole.record) == (json.loads(message), record(message).encode())
    assert (whole.span.line, whole.span.offset, whole.span.layers) == (2, len(record(CALL)) + 1, ("msg",))


@pytest.mark.parametrize(
    "line",
    [
        # A second member of one name may hide a read, or another id, session or direction.
        record('{"jsonrpc":"2.0","id":7,"method":"resources/read","method":"tools/call"}'),
        record('{"jsonrpc":"2.0","id":7,"id":7,"method":"tools/call"}'),
        record(CALL, session="s2"),
        record(CALL, msg=json.loads(DONE)),
        record('{"jsonrpc":"2.0","id":7,"result":{"contents":[]},"result":{}}'),
        record('{"jsonrpc":"2.0","id":7,"meth\\u006fd":"tools/call"}'),
        # What is no message, or of two kinds, or has an id that a struct cannot hold.
        record('{"jsonrpc":"1.0","id":7,"method":"tools/call"}'),
        record('{"id":7,"method":"tools/call"}'),
        record('{"jsonrpc":"2.0","id":7}'),
        record('{"jsonrpc":"2.0","result":{}}'),
        record('{"jsonrpc":"2.0","id":7,"method":"tools/call","result":{}}'),
        record('{"jsonrpc":"2.0","id":7,"result":{},"error":{}}'),
        record('{"jsonrpc":"2.0","id":null,"method":"tools/call"}'),
        record('{"jsonrpc":"2.0","id":7.0,"method":"tools/call"}'),
        record('{"jsonrpc":"2.0","id":true,"method":"tools/call"}'),
        record('{"jsonrpc":"2.0","id":7,"method":"tools/call","x":1}'),
        # Credentials, losses and messages in two directions of the record say more than a glance does.
        record(CALL, principal="ana"),
        record(CALL, authorization="Bearer x"),
        record(CALL, truncated=True),
        record(CALL, direction="s2c"),
        record(CALL, jsonrpc="2.0"),
        record(CALL).replace('"s1"', "17"),
        record(CALL).replace('"s1"', '"s\\u0031"'),
        # No JSON, or none that any reader would take.
        record(CALL)[:-1],
        record(CALL) + "{}",
        record('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":NaN}}'),
        record('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"\\ud800"}}'),
        record('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"X"}}').encode().replace(b"X", b"\xff"),
        record('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":' + "[" * 2000 + "]" * 2000 + "}"),
        "",
        "text",
    ],
)
def test_what_is_not_ordinary_is_read_whole(tmp_path: Path, line: str | bytes) -> None:
    assert not any(isinstance(each, Glance) for each in behind(tmp_path, line))


def test_keys_that_say_nothing_here_may_come_and_go(tmp_path: Path) -> None:
    more = [record(CALL, level="info", n=n, tags=["a", {"b": None}]) for n in range(3)]
    lines = [record(CALL), *more, record(DONE), record(DONE, n=1), record(DONE, other=1), record(DONE, other=2, n=1)]
    found = glances(tmp_path, "\n".join(lines).encode(), "enveloped")
    assert [isinstance(each, Glance) for each in found] == [False, False, True, True, True, True, False, True]


def test_a_message_in_a_string_is_glanced_at(tmp_path: Path) -> None:
    def line(text: str) -> str:
        return json.dumps({"ts": "2026-11-30T09:15:02Z", "dir": "in", "data": text}, separators=(",", ":"))

    hidden = '{"jsonrpc":"2.0","id":7,"method":"resources/read","method":"tools/call"}'
    texts = [CALL, CALL, DONE + "\n", CALL.replace("x", "é"), hidden, " " + CALL, CALL.replace(",", ", ")]
    found = glances(tmp_path, "\n".join(map(line, texts)).encode(), "enveloped")
    assert [isinstance(each, Glance) for each in found] == [False, True, True, True, False, False, False]


def test_line_breaks_of_windows_are_ordinary(tmp_path: Path) -> None:
    found = glances(tmp_path, "\r\n".join([record(CALL), record(DONE), ""]).encode(), "enveloped")
    assert [type(each) for each in found] == [Message, Glance]


@pytest.mark.parametrize(
    ("text", "ordinary"),
    [
        (CALL, True),
        (DONE + " { metadata: undefined }", True),
        (CALL.replace("x", "é"), True),
        (CALL.replace('"id":7', '"id":7,"id":7'), False),
        (CALL + " and more", False),
        (CALL[:-1], False),
    ],
)
def test_lines_of_claude_desktop(tmp_path: Path, text: str, ordinary: bool) -> None:
    (found,) = behind(tmp_path, f"{ANCHOR}{text}", "claude-desktop")
    assert isinstance(found, Glance) is ordinary
    if isinstance(found, Glance):
        assert (found.method, found.channel, found.direction) == (
            json.loads(text.removesuffix(" { metadata: undefined }")).get("method"),
            "shop",
            Direction.TO_SERVER,
        )


CAPTURES = [
    *sorted((ROOT / "sample_traces").glob("*.*")),
    *(sorted(each for each in FORMATS.iterdir() if each.is_file()) if FORMATS.is_dir() else ()),
]


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.name)
def test_captures_give_the_same_whole(path: Path) -> None:
    same(path)


@pytest.mark.parametrize(("name", "data"), samples())
def test_samples_give_the_same_whole(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    same(path)


def same(path: Path) -> None:
    """Asserts that glances, taken whole, are the items of a capture, where it is one."""
    try:
        with open_source(str(path)) as source:
            capture_format = recognise(source).format
            items = list(items_of(source, capture_format))
        with open_source(str(path)) as source:
            found = list(glances_of(source, capture_format))
    except NotACapture:
        return
    whole = [item for each in found for item in (each.whole() if isinstance(each, Glance) else (each,))]
    assert whole == items

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import Direction
from tests.diagnosis.captures.common_session import COMPLETE, SESSION, compact, diagnosed, outcome
from tests.diagnosis.captures.reading import counts, messages, read, skipped

ASK = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
DONE = '{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"docs://a","text":"x"}]}}'
LINES = ["Host: kb.example\r\n", "authorization: Bearer opaque\r\n", "mcp-session-id: s1\r\n"]


def packet(number: int, **http: Any) -> dict[str, Any]:
    frame = {"frame.number": str(number), "frame.time_epoch": "1796071694.644222000"}
    members = {key.replace("__", "."): value for key, value in http.items()}
    return {"_source": {"layers": {"frame": frame, "http": members}}}


def asked(number: int, body: str) -> dict[str, Any]:
    start = {"POST /mcp": {"http.request.method": "POST"}}
    return packet(number, **start, http__request__line=LINES, http__file_data=body)


def answered(number: int, to: int, body: str) -> dict[str, Any]:
    status = {"HTTP/1.1 200 OK": {"http.response.code": "200"}}
    return packet(number, **status, http__request_in=str(to), http__file_data=body)


def test_an_exchange(tmp_path: Path) -> None:
    stream = f"event: message\r\ndata: {DONE}\r\n\r\n"
    data = json.dumps([asked(6, ASK), answered(10, 6, stream), packet(12)], indent=1).encode()
    items = read(tmp_path, data)
    ask, answer = messages(items)
    assert (ask.direction, answer.direction) == (Direction.TO_SERVER, Direction.TO_CLIENT)
    assert ask.session == answer.session == "s1"
    assert ask.credential is not None and ask.time == "2026-11-30T20:48:14.644222Z"
    assert ask.http is not None and answer.http is not None
    assert (ask.http.number, answer.http.number, answer.http.status) == (6, 6, 200)
    assert (ask.span.line, answer.span.layers) == (2, ("[1]", "http.file_data", "sse[0]"))
    assert counts(items) == {"message": 2, "other": 1}


def test_a_body_as_bytes_in_hex(tmp_path: Path) -> None:
    found = messages(read(tmp_path, json.dumps([asked(6, ASK.encode().hex(":"))]).encode()))
    assert found[0].body["params"]["uri"] == "docs://a"


def test_repeated_keys_hold_all_headers(tmp_path: Path) -> None:
    text = json.dumps([asked(6, ASK)])
    repeated = ",".join(f'"http.request.line": {json.dumps(each)}' for each in LINES)
    data = text.replace(f'"http.request.line": {json.dumps(LINES)}', repeated).encode()
    assert data.count(b"http.request.line") == 3
    found = messages(read(tmp_path, data))[0]
    assert found.session == "s1" and found.credential is not None


@pytest.mark.parametrize("cut", [1, 3, 40])
def test_a_capture_that_was_cut(tmp_path: Path, cut: int) -> None:
    data = json.dumps([asked(6, ASK), asked(7, ASK)]).encode()[:-cut]
    items = read(tmp_path, data)
    assert len(messages(items)) == (2 if cut == 1 else 1)
    assert len(skipped(items)) == (0 if cut == 1 else 1)


def test_a_body_that_is_no_json_and_odd_members(tmp_path: Path) -> None:
    odd: list[Any] = [asked(6, ASK), asked(7, ASK[:40]), packet(8, http__file_data=7, http__request__line=3), 5]
    odd[2]["_source"]["layers"]["frame"] = []
    assert counts(read(tmp_path, json.dumps(odd).encode())) == {"message": 1, "unreadable": 1, "other": 2}


def test_the_common_session(tmp_path: Path) -> None:
    packets: list[dict[str, Any]] = []
    for number, (sent, message) in enumerate(SESSION, 1):
        text = compact(message)
        packets.append(asked(number, text) if sent else answered(number, number - 1, text))
    assert [outcome(each) for each in diagnosed(tmp_path, json.dumps(packets).encode()).judgements] == COMPLETE

from __future__ import annotations

import json
from pathlib import Path

import pytest

from diagnosis.captures import Kind, Message, Sureness, detect
from diagnosis.captures.docker import Docker
from diagnosis.captures.message import Loss
from tests.diagnosis.captures.common_session import COMPLETE, SESSION, compact, diagnosed, outcome
from tests.diagnosis.captures.reading import counts, messages, read, skipped

ASK = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
TIME = "2026-11-30T09:15:02.101000000Z"


def record(text: str, stream: str = "stdout") -> bytes:
    return json.dumps({"log": text, "stream": stream, "time": TIME}).encode()


def log(*records: bytes) -> bytes:
    return b"".join(each + b"\n" for each in records)


def test_a_line_in_its_record(tmp_path: Path) -> None:
    first, second = record("starting\n", "stderr"), record(ASK + "\n")
    items = read(tmp_path, log(first, second))
    assert [type(item) is Message for item in items] == [False, True]
    found = messages(items)[0]
    assert (found.span.line, found.span.offset, found.span.length) == (2, len(first) + 1, len(second))
    assert found.span.layers == ("log", "string")
    assert (found.time, found.time_basis) == (TIME, "utc")
    assert found.body["params"]["uri"] == "docs://a"


def test_a_record_in_two_parts_is_one_message(tmp_path: Path) -> None:
    parts = record(ASK[:60]), record(ASK[60:] + "\n")
    items = read(tmp_path, log(*parts))
    assert counts(items) == {"message": 1}
    span = messages(items)[0].span
    assert (span.line, span.offset, span.length) == (1, 0, len(parts[0]) + 1 + len(parts[1]))


def test_parts_of_two_streams_may_be_interleaved(tmp_path: Path) -> None:
    first, between = record(ASK[:60]), record("noise\n", "stderr")
    items = read(tmp_path, log(first, between, record(ASK[60:] + "\n"), record(ASK + "\n")))
    assert [item.span.line for item in messages(items)] == [1, 4]
    span = messages(items)[0].span
    assert (span.length, span.layers) == (len(first), ("log", "string", "joined[2]"))
    assert sorted(item.span.line for item in skipped(items)) == [2, 3]
    assert {item.kind for item in skipped(items)} == {Kind.OTHER}


def test_a_split_uri_is_never_half_a_uri(tmp_path: Path) -> None:
    at = ASK.index("docs://a") + 6
    found = messages(read(tmp_path, log(record(ASK[:at]), record(ASK[at:] + "\n"))))
    assert [item.body["params"]["uri"] for item in found] == ["docs://a"]


def test_a_part_whose_end_never_came_does_not_swallow_the_next_message(tmp_path: Path) -> None:
    items = read(tmp_path, log(record(ASK[:60]), record(ASK + "\n")), "wrapped-docker")
    assert counts(items) == {"unreadable": 1, "message": 1}
    assert messages(items)[0].span.line == 2
    items = read(tmp_path, log(record(ASK + "\n"), record(ASK[:60])))
    assert counts(items) == {"message": 1, "unreadable": 1}
    assert skipped(items)[0].span.line == 2 and "incomplete" in skipped(items)[0].why


def test_a_character_that_was_split_makes_the_message_lossy(tmp_path: Path) -> None:
    at = ASK.index("docs://a") + 8
    halves = ASK[:at] + "\ufffd", "\ufffd" + ASK[at:] + "\n"
    found = messages(read(tmp_path, log(*map(record, halves))))
    assert found[0].losses == (Loss.URI, Loss.DOCUMENT, Loss.ECHO)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"", "blank"),
        (b"not json", "other"),
        (b'{"a":1}', "other"),
        (record("\n"), "other"),
        (record("")[:-9], "unreadable"),
        (record(ASK[:-4] + "\n"), "unreadable"),
        (record("INFO " + ASK + "\n"), "unreadable"),
        (record("\udcff\n"), "unreadable"),
    ],
)
def test_every_line_is_accounted_for(tmp_path: Path, line: bytes, kind: str) -> None:
    many = [record(ASK + "\n")] * 20
    items = read(tmp_path, log(*many, line, *many))
    assert counts(items) == {"message": 40, kind: 1}
    assert skipped(items)[0].span.line == 21 and not skipped(items)[0].span.layers


def test_what_the_container_writes_is_detected_again(tmp_path: Path) -> None:
    desktop = f"2026-11-30T09:15:02.101Z [kb] [info] Message from client: {ASK}\n"
    found = messages(read(tmp_path, log(record(desktop))))
    assert (found[0].channel, found[0].direction.value) == ("kb", "client->server")
    envelope = json.dumps({"session": "s1", "user": "ana", "payload": ASK})
    found = messages(read(tmp_path, log(record(envelope + "\n"))))
    assert found[0].session == "s1" and found[0].credential is not None
    assert found[0].span.layers == ("log", "string", "payload", "string")
    nested = record(record(ASK + "\n").decode() + "\n")
    assert messages(read(tmp_path, log(nested)))[0].span.layers == ("log", "string", "log", "string")


def test_no_more_than_four_wrappers_are_undone(tmp_path: Path) -> None:
    line = ASK
    for depth in range(1, 7):
        line = record(line + "\n").decode()
        found = counts(read(tmp_path, log(line.encode()), "wrapped-docker"))
        assert found == ({"message": 1} if depth <= 4 else {"unreadable": 1})


def test_chatter_longer_than_the_head_comes_before_the_first_message(tmp_path: Path) -> None:
    chatter = [record(f"tick {number}\n", "stderr") for number in range(3000)]
    items = read(tmp_path, log(*chatter, record(ASK + "\n"), record("bye\n")))
    assert counts(items) == {"other": 3001, "message": 1}
    assert messages(items)[0].span.line == 3001
    assert detect(log(*chatter)[: 64 * 1024]).format.name == "wrapped-docker"


def test_certain_only_with_a_message_inside() -> None:
    assert Docker().detect(log(record("hello\n"))).sureness is Sureness.POSSIBLE
    assert Docker().detect(log(record(ASK + "\n"))).sureness is Sureness.CERTAIN
    assert Docker().detect(ASK.encode()).sureness is Sureness.NO
    quoting = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"log": record(ASK).decode()}})
    assert Docker().detect(quoting.encode()).sureness is Sureness.NO


def test_a_document_that_quotes_json_rpc_is_no_message(tmp_path: Path) -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"contents": [{"uri": "docs://a", "text": ASK}]}}
    assert len(messages(read(tmp_path, log(record(json.dumps(answer) + "\n"))))) == 1


def test_the_common_session(tmp_path: Path) -> None:
    data = log(*(record(compact(message) + "\n") for _, message in SESSION))
    assert [outcome(each) for each in diagnosed(tmp_path, data).judgements] == COMPLETE


def test_parts_without_end_are_given_up_at_the_longest_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diagnosis.captures.parts.LONGEST_LINE", 1000)
    part = record("")
    items = read(tmp_path, log(*[part] * 50, record(ASK + "\n")), "wrapped-docker")
    assert messages(items)[0].body["params"]["uri"] == "docs://a"
    assert all(item.span.length <= 1000 + len(part) for item in skipped(items))

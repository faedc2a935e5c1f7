"""What a hostile capture makes grow is bounded, and the report says where a bound was reached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import run
from diagnosis import gather
from diagnosis.callers import credentials
from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures import parts
from diagnosis.captures.inside import InnerLine
from diagnosis.diagnosis import Diagnosis, diagnose
from diagnosis.reads import context, conversation, pairing
from diagnosis.reads.conversation import ID_LIMIT, id_key
from diagnosis.reports import json as json_report
from diagnosis.reports import markdown

READ = "resources/read"


def log(tmp_path: Path, *messages: tuple[str, dict[str, object]]) -> str:
    """A capture with the messages of sessions, in order; a method makes a request, anything else an answer."""
    path = tmp_path / "log.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for session, body in messages:
            side = "client->server" if "method" in body else "server->client"
            file.write(json.dumps({"dir": side, "session": session, "message": {"jsonrpc": "2.0", **body}}) + "\n")
    return str(path)


def asked(number: int, method: str = READ) -> dict[str, object]:
    return {"id": number, "method": method, "params": {"uri": f"a://{number}"}}


def answered(number: int) -> dict[str, object]:
    return {"id": number, "result": {"contents": [{"uri": f"a://{number}", "text": f'{{"n": {number}}}'}]}}


def limits_said(path: str) -> tuple[Diagnosis, str]:
    diagnosis = diagnose([path])
    said = " ".join(diagnosis.limits)
    assert all(sentence in markdown.render(diagnosis) for sentence in diagnosis.limits)
    return diagnosis, said


def test_reading_ends_with_the_last_read_that_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = log(tmp_path, *(("s", asked(number)) for number in range(5)))
    monkeypatch.setattr(gather, "READ_LIMIT", 3)
    diagnosis, said = limits_said(path)
    assert len(diagnosis.judgements) == 3
    assert diagnosis.partial and diagnosis.captures[0].partial
    assert "Reading ended before the end" in said
    assert run(["report", path]) == 3
    assert "Reading ended before the end" in capfd.readouterr().err


def test_reading_ends_where_the_text_of_reads_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log(tmp_path, *(("s", asked(number)) for number in range(5)))
    monkeypatch.setattr(gather, "TEXT_LIMIT", 10)  # a://0 has five characters: the third read is too much
    diagnosis, said = limits_said(path)
    assert len(diagnosis.judgements) == 3
    assert "Reading ended before the end" in said


def test_unreadable_lines_are_counted_behind_those_that_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(log(tmp_path, ("s", asked(1))))
    twice = '{"dir":"client->server","message":{"jsonrpc":"2.0","id":1,"method":"resources/read","method":"ping"}}\n'
    broken = '{"dir":"client->server","message":{"jsonrpc":"2.0","id":1,"method":"pi\n'
    path.write_text(path.read_text("utf-8") + twice * 4 + broken * 3, "utf-8")
    monkeypatch.setattr(gather, "PROBLEM_LIMIT", 2)
    diagnosis, said = limits_said(str(path))
    assert len(diagnosis.problems) == 2
    assert diagnosis.captures[0].unreadable == 7
    assert "unreadable lines are listed" in said


def test_requests_that_wait_are_forgotten_and_reads_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "_FORGETS", 10)
    monkeypatch.setattr(pairing, "OPEN_LIMIT", 6)
    waiting = [("s", asked(number, "tools/call")) for number in range(1, 30)]
    diagnosis, said = limits_said(log(tmp_path, ("s", asked(0)), *waiting, ("s", answered(0))))
    assert "More waited for answers than is kept" in said
    (judgement,) = diagnosis.judgements
    assert judgement.read.response is not None


def test_nothing_is_forgotten_below_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "_FORGETS", 10)
    monkeypatch.setattr(pairing, "OPEN_LIMIT", 20)
    waiting = [("s", asked(number, "tools/call")) for number in range(20)]
    assert diagnose([log(tmp_path, *waiting)]).limits == ()


def test_conversations_that_are_idle_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "_FORGETS", 1)
    monkeypatch.setattr(pairing, "CONVERSATION_LIMIT", 3)
    pings = [(f"s{number}", asked(number, "ping")) for number in range(10)]
    diagnosis, said = limits_said(log(tmp_path, ("open", asked(77)), *pings, ("open", answered(77))))
    assert "conversations, the oldest were forgotten" in said
    assert diagnosis.judgements[0].read.response is not None, "an open read keeps its conversation"


def test_a_long_id_is_kept_as_its_hash() -> None:
    one, other = "x" * (ID_LIMIT + 1), "x" * ID_LIMIT + "y"
    assert len(id_key(one)[1]) == 64
    assert id_key(one) != id_key(other) and id_key(one) == id_key(str(one))
    assert id_key("x" * ID_LIMIT) == ("str", "x" * ID_LIMIT)
    assert conversation.id_key("\ud800" * (ID_LIMIT + 1))[0] == "str"


def test_listed_text_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "TEXT_LIMIT", 30)
    listed = {"id": 1, "result": {"resources": [{"uri": f"a://{number:05}"} for number in range(9)]}}
    _, said = limits_said(log(tmp_path, ("s", asked(1, "resources/list")), ("s", listed)))
    assert "More was listed than is kept" in said


def test_labels_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "LABEL_LIMIT", 2)
    labels = TokenLabels()
    assert [labels.name("token", secret) for secret in "abca"] == ["token-1", "token-2", "token-of-many", "token-1"]
    assert labels.full


def test_parts_that_wait_are_no_more_than_one_line_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "LONGEST_LINE", 2_000)
    joiner = parts.Joiner("log")
    given = [
        item
        for number in range(20)
        for item in joiner.feed(f"stream-{number}", InnerLine(b"x" * 100, number, 0, b"x" * 100), last=False)
    ]
    assert len(given) == 17, "three parts of 612 bytes are held"
    assert len(list(joiner.rest())) == 3


def test_the_report_in_pieces_is_the_report(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        ("s", asked(1)),
        ("s", answered(1)),
        ("s", {"id": 2, "method": READ, "params": {"uri": "a://\ud800é"}}),
    )
    diagnosis = diagnose([path])
    assert json.loads("".join(json_report.pieces(diagnosis))) == json_report.contents(diagnosis)
    assert json_report.render(diagnosis) == json_report.encoded(json_report.contents(diagnosis)) + "\n"

"""Captures that are one stream: a read is answered where its stream goes on, and nowhere else."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from diagnosis import Diagnosis, diagnose
from diagnosis.options import Join, Options
from diagnosis.reads.read import NoAnswer
from diagnosis.reports.asked import about_sets

SHARED = Path(__file__).resolve().parents[3] / "shared" / "formats"
TEMPLATE = "docs://team/{team}/policy/{name}"


def enveloped(second: int, direction: str, body: dict[str, Any]) -> str:
    record = {"ts": f"2026-11-02T10:00:{second:02}.000Z", "dir": direction, "message": {"jsonrpc": "2.0", **body}}
    return json.dumps(record) + "\n"


def ask(second: int, request_id: int, name: str) -> str:
    params = {"uri": f"docs://team/ops/policy/{name}"}
    return enveloped(second, "client->server", {"id": request_id, "method": "resources/read", "params": params})


def answer(second: int, request_id: int, name: str) -> str:
    text = json.dumps({"team": "ops", "name": name})
    item = {"uri": f"docs://team/ops/policy/{name}", "mimeType": "application/json", "text": text}
    return enveloped(second, "server->client", {"id": request_id, "result": {"contents": [item]}})


def templates(second: int, request_id: int) -> str:
    listed = {"resourceTemplates": [{"uriTemplate": TEMPLATE, "name": "policy"}]}
    return enveloped(second, "client->server", {"id": request_id, "method": "resources/templates/list"}) + enveloped(
        second, "server->client", {"id": request_id, "result": listed}
    )


def written(folder: Path, **files: str | bytes) -> list[str]:
    """Writes files whose names are given with `_` for `.`; returns their paths in the order given."""
    paths = []
    for name, text in files.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        paths.append(str(path))
    return paths


def answers(diagnosis: Diagnosis) -> list[tuple[Any, str, str]]:
    """For each read its id, and the verdicts of the first two questions."""
    return [
        (each.read.request_id, each.segments.verdict.value, each.document.verdict.value)
        for each in diagnosis.judgements
    ]


def order(diagnosis: Diagnosis) -> list[list[str]]:
    return [[Path(path).name for path in each.paths] for each in diagnosis.sets]


OLD = templates(1, 1) + ask(2, 2, "on-call") + answer(3, 2, "on-call") + ask(4, 3, "backup")
NEW = answer(5, 3, "backup") + ask(6, 4, "access") + answer(7, 4, "access")
WHOLE = [(2, "intact", "match"), (3, "intact", "match"), (4, "intact", "match")]


@pytest.mark.parametrize("names", [("a_log_1", "a_log"), ("a_log", "a_log_20261102"), ("a_log_1", "a_log_2")])
def test_the_parts_of_a_rotated_log_are_one_stream_in_the_order_of_their_times(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    paths = written(tmp_path, **{names[0]: OLD, names[1]: NEW})
    for given in (paths, paths[::-1]):
        diagnosis = diagnose(given)
        assert answers(diagnosis) == WHOLE
        assert order(diagnosis) == [[names[0].replace("_", "."), names[1].replace("_", ".")]]
        assert [facts.reads for facts in diagnosis.captures] == [2, 1]
        assert [facts.messages for facts in diagnosis.captures] == [5, 3]


def test_evidence_names_the_part_that_it_stands_in(tmp_path: Path) -> None:
    paths = written(tmp_path, a_log_1=OLD, a_log=NEW)
    read = diagnose(paths).judgements[1].read
    assert read.response is not None
    assert (read.request.span.capture, read.request.span.line) == (paths[0], 5)
    assert (read.response.seen.span.capture, read.response.seen.span.line) == (paths[1], 1)


def test_separate_captures_answer_nothing_of_each_other(tmp_path: Path) -> None:
    paths = written(tmp_path, a_log_1=OLD, a_log=NEW)
    diagnosis = diagnose(paths, options=Options(join=Join.NONE))
    assert [each.read.no_answer for each in diagnosis.judgements] == [None, NoAnswer.CAPTURE_ENDS, None]
    assert diagnosis.judgements[2].segments.reason == "no-template"
    assert diagnosis.sets == []


def test_other_names_are_joined_when_asked_for(tmp_path: Path) -> None:
    paths = written(tmp_path, monday_jsonl=OLD, tuesday_jsonl=NEW)
    assert diagnose(paths).sets == []
    diagnosis = diagnose(paths[::-1], options=Options(join=Join.ALL))
    assert answers(diagnosis) == WHOLE
    assert order(diagnosis) == [["monday.jsonl", "tuesday.jsonl"]]


def test_parts_without_times_are_ordered_by_their_names(tmp_path: Path) -> None:
    def bare(text: str) -> str:
        return "".join(json.dumps(json.loads(line)["message"]) + "\n" for line in text.splitlines())

    diagnosis = diagnose(written(tmp_path, a_jsonl=bare(NEW), a_jsonl_1=bare(OLD)))
    assert answers(diagnosis) == WHOLE
    assert order(diagnosis) == [["a.jsonl.1", "a.jsonl"]]


def test_nothing_is_carried_into_a_part_that_begins_too_early(tmp_path: Path) -> None:
    """Two programs write logs of one name: the second begins before the first one ends."""
    late = ask(30, 9, "late")
    paths = written(tmp_path, a_log_1=OLD + late, a_log=answer(5, 3, "backup") + answer(31, 9, "late"))
    diagnosis = diagnose(paths)
    assert [each.read.no_answer for each in diagnosis.judgements] == [
        None,
        NoAnswer.CAPTURE_ENDS,
        NoAnswer.CAPTURE_ENDS,
    ]
    assert [each.parted for each in diagnosis.sets] == [(paths[1],)]


def test_packed_parts_and_the_members_of_an_archive(tmp_path: Path) -> None:
    packed = written(tmp_path, a_log_1_gz=gzip.compress(OLD.encode()), a_log=NEW)
    assert answers(diagnose(packed)) == WHOLE
    archive = tmp_path / "logs.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("var/a.log", NEW)
        file.writestr("var/a.log.1", OLD)
    diagnosis = diagnose([str(archive)])
    assert answers(diagnosis) == WHOLE
    assert order(diagnosis) == [["a.log.1", "a.log"]]


def desktop(text: str) -> str:
    lines = []
    for line in text.splitlines():
        record = json.loads(line)
        side = "client" if record["dir"] == "client->server" else "server"
        lines.append(f"{record['ts']} [docs] [info] Message from {side}: {json.dumps(record['message'])}\n")
    return "".join(lines)


def test_claude_desktop_counts_its_older_files(tmp_path: Path) -> None:
    old, new = tmp_path / "mcp-server-docs1.log", tmp_path / "mcp-server-docs.log"
    old.write_text(desktop(OLD))
    new.write_text(desktop(NEW))
    diagnosis = diagnose([str(new), str(old)])
    assert answers(diagnosis) == WHOLE
    assert order(diagnosis) == [["mcp-server-docs1.log", "mcp-server-docs.log"]]


def test_the_same_number_in_another_format_is_another_session(tmp_path: Path) -> None:
    first, second = tmp_path / "run1.log", tmp_path / "run.log"
    first.write_text(OLD)
    second.write_text(NEW)
    assert diagnose([str(first), str(second)]).sets == []


def test_an_exchange_of_the_next_part_is_another_exchange(tmp_path: Path) -> None:
    """Exchanges are counted anew in each file, and one session goes through both."""

    def entry(second: int, request_id: int, name: str, echo: str | None) -> dict[str, Any]:
        uri = "docs://team/ops/policy/"
        ask = {"jsonrpc": "2.0", "id": request_id, "method": "resources/read", "params": {"uri": uri + name}}
        item = {"uri": uri + str(echo), "text": json.dumps({"team": "ops", "name": echo})}
        reply = {"jsonrpc": "2.0", "id": request_id, "result": {"contents": [item]}}
        headers = [{"name": "Mcp-Session-Id", "value": "s1"}]
        return {
            "startedDateTime": f"2026-11-02T10:00:{second:02}.000Z",
            "request": {
                "method": "POST",
                "url": "https://h.test/mcp",
                "headers": headers,
                "postData": {"mimeType": "application/json", "text": json.dumps(ask)},
            },
            "response": {
                "status": 200,
                "headers": [],
                "content": {"mimeType": "application/json", "text": json.dumps(reply) if echo else ""},
            },
        }

    def har(*entries: dict[str, Any]) -> str:
        return json.dumps({"log": {"version": "1.2", "creator": {"name": "test"}, "entries": entries}})

    paths = written(tmp_path, x_har_1=har(entry(1, 7, "one", None)), x_har=har(entry(9, 7, "two", "two")))
    reads = [each.read for each in diagnose(paths).judgements]
    assert [(read.uri, read.response is not None) for read in reads] == [
        ("docs://team/ops/policy/one", False),
        ("docs://team/ops/policy/two", True),
    ]


# The two directions of one stream


def directions(messages: Sequence[str]) -> tuple[str, str]:
    """A log as two files: what the client sent, and what it was sent."""
    sent: list[str] = []
    received: list[str] = []
    for line in messages:
        record = json.loads(line)
        (sent if record["dir"] == "client->server" else received).append(json.dumps(record["message"]) + "\n")
    return "".join(sent), "".join(received)


def test_two_directions_pair_by_id(tmp_path: Path) -> None:
    sent, received = directions((OLD + NEW).splitlines())
    noise = "Server is listening\n"
    diagnosis = diagnose(written(tmp_path, p_stdout_log=noise + received, p_stdin_log=sent))
    assert answers(diagnosis) == WHOLE
    assert order(diagnosis) == [["p.stdin.log", "p.stdout.log"]]
    assert [(facts.messages, facts.other, facts.reads) for facts in diagnosis.captures] == [(4, 0, 3), (4, 1, 0)]


def test_names_alone_make_no_pair(tmp_path: Path) -> None:
    """Both files hold both directions: they are two sessions, whatever they are called."""
    diagnosis = diagnose(written(tmp_path, p_in_jsonl=OLD, p_out_jsonl=NEW))
    assert diagnosis.sets == []


def test_an_answer_waits_for_its_request_and_no_longer(tmp_path: Path) -> None:
    """Ids begin anew after a reconnect; each answer belongs to the request of its own conversation."""

    def initialize(request_id: int) -> str:
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
        return enveloped(0, "client->server", {"id": request_id, "method": "initialize", "params": params}) + enveloped(
            0, "server->client", {"id": request_id, "result": {"protocolVersion": "2025-11-25"}}
        )

    log = (
        *(initialize(0) + ask(1, 1, "one") + answer(1, 1, "one") + ask(2, 2, "lost")).splitlines(),
        *(initialize(0) + ask(3, 1, "two") + answer(3, 1, "two") + ask(4, 2, "three")).splitlines(),
        *answer(4, 2, "three").splitlines(),
    )
    sent, received = directions(log)
    paths = written(tmp_path, p_c2s_jsonl=sent, p_s2c_jsonl=received)
    reads = [each.read for each in diagnose(paths).judgements]
    echoes = [read.response.contents[0].uri if read.response else None for read in reads]
    assert [read.uri for read in reads if read.uri in echoes] == [uri for uri in echoes if uri is not None]
    assert [(str(read.uri).rpartition("/")[2], read.no_answer) for read in reads] == [
        ("one", None),
        ("lost", NoAnswer.NEW_CONVERSATION),
        ("two", None),
        ("three", None),
    ]


def test_requests_of_both_sides_under_one_id(tmp_path: Path) -> None:
    log = (
        *ask(1, 1, "one").splitlines(),
        *enveloped(1, "server->client", {"id": 1, "method": "roots/list"}).splitlines(),
        *enveloped(1, "client->server", {"id": 1, "result": {"roots": []}}).splitlines(),
        *answer(2, 1, "one").splitlines(),
    )
    sent, received = directions(log)
    (judgement,) = diagnose(written(tmp_path, p_stdin_jsonl=sent, p_stdout_jsonl=received)).judgements
    assert judgement.read.response is not None
    assert judgement.read.response.contents[0].uri == "docs://team/ops/policy/one"


def test_the_shared_pair_gives_the_verdicts_of_the_common_session() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared samples are not here")
    diagnosis = diagnose([str(SHARED / "stdio_pair_stdout.log"), str(SHARED / "stdio_pair_stdin.log")])
    assert [(each.segments.verdict.value, each.document.verdict.value) for each in diagnosis.judgements] == [
        ("intact", "match"),
        ("escaped", "cannot_tell"),
        ("intact", "mismatch"),
        ("intact", "match"),
    ]


def test_a_sentence_names_eight_of_many_parts(tmp_path: Path) -> None:
    files = {f"a_log_{part}": ask(59 - part, part, "on-call") for part in range(1, 21)}
    diagnosis = diagnose(written(tmp_path, **files))
    (sentence,) = about_sets(diagnosis)
    assert len(diagnosis.sets[0].paths) == 20
    assert sentence.count("a.log.") == 8
    assert "and 12 more" in sentence


@pytest.mark.parametrize("names", [("a_log_4", "a_log"), ("a_log_3", "a_log_1"), ("a_log_2", "a_log")])
def test_nothing_is_carried_over_a_part_that_is_missing(tmp_path: Path, names: tuple[str, str]) -> None:
    """The answer is in a part that nobody sent, and an id of the next part is somebody else's."""
    diagnosis = diagnose(written(tmp_path, **{names[0]: ask(1, 7, "on-call"), names[1]: answer(2, 7, "on-call")}))
    (judgement,) = diagnosis.judgements
    assert judgement.read.response is None
    assert len(diagnosis.sets[0].parted) == 1
    assert any("belong to no read in these captures: 1." in sentence for sentence in diagnosis.limits)


def test_nothing_is_carried_over_a_long_silence(tmp_path: Path) -> None:
    late = answer(2, 7, "on-call").replace("T10:00:", "T10:07:")
    diagnosis = diagnose(written(tmp_path, a_log_1=ask(1, 7, "on-call"), a_log=late))
    assert [each.read.response for each in diagnosis.judgements] == [None]


@pytest.mark.parametrize("day", ["2026-11-01", "2026-11-12"])
def test_directions_of_two_days_are_no_pair(tmp_path: Path, day: str) -> None:
    paths = written(tmp_path, p_in_log=ask(1, 7, "on-call"), p_out_log=answer(2, 7, "x").replace("2026-11-02", day))
    assert diagnose(paths).sets == []


def test_a_word_for_a_direction_in_the_name_of_a_rotated_log(tmp_path: Path) -> None:
    diagnosis = diagnose(written(tmp_path, requests_log_1=OLD, requests_log=NEW))
    assert answers(diagnosis) == WHOLE


def test_one_file_under_two_names_is_read_once(tmp_path: Path) -> None:
    (path,) = written(tmp_path, a_log=OLD)
    (tmp_path / "link.log").symlink_to(path)
    paths = [path, f"{tmp_path}/./a.log", str(tmp_path / "link.log")]
    assert [facts.path for facts in diagnose(paths).captures] == [path]


def test_three_names_for_two_directions_are_no_pair(tmp_path: Path) -> None:
    sent, received = directions((OLD + NEW).splitlines())
    texts = {"p.stdin.log": sent, "p.stdout.log": received, "p.STDOUT.log": received}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    diagnosis = diagnose([str(tmp_path / name) for name in texts])
    assert (len(diagnosis.judgements), diagnosis.sets) == (3, [])


def test_sets_of_one_name_and_two_formats_share_nothing(tmp_path: Path) -> None:
    """A program was replaced by another one that writes to the same log: its templates are not the other's."""
    bare = json.dumps(json.loads(ask(5, 9, "a/b"))["message"]) + "\n"
    paths = written(tmp_path, app_log_4=OLD, app_log_3=NEW, app_log_2=bare, app_log_1=bare.replace("9", "10"))
    diagnosis = diagnose(paths)
    assert len({each.name for each in diagnosis.sets}) == 2
    last = [each for each in diagnosis.judgements if each.read.request_id in (9, 10)]
    assert [each.segments.reason for each in last] == ["no-template", "no-template"]


def test_servers_that_end_in_a_number_are_no_parts_of_a_log(tmp_path: Path) -> None:
    archive = tmp_path / "logs.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("mcp-server-db1.log", desktop(OLD))
        file.writestr("mcp-server-db2.log", desktop(NEW))
    for name, text in (("mcp-server-db1.log", OLD), ("mcp-server-db2.log", NEW)):
        (tmp_path / name).write_text(desktop(text))
    assert diagnose([str(archive)]).sets == []
    assert diagnose([str(tmp_path / f"mcp-server-db{number}.log") for number in (1, 2)]).sets == []

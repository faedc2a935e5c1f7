"""Two captures of the same traffic: each read once, with what both witnesses know, and nothing cleared by either."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from diagnosis import Diagnosis, diagnose
from diagnosis.options import Options
from diagnosis.statements import Statements, load_statements

TEMPLATE = "docs://team/{team}/policy/{name}"
SAME = Options(same_traffic=True)
BASE = "docs://team/ops/policy/"


def line(second: float, direction: str, body: dict[str, Any], **beside: Any) -> str:
    record = {"ts": f"2026-11-02T10:00:{second:06.3f}Z", "dir": direction, **beside}
    return json.dumps({**record, "message": {"jsonrpc": "2.0", **body}}) + "\n"


def listed(second: float) -> str:
    return line(second, "client->server", {"id": 1, "method": "resources/templates/list"}) + line(
        second, "server->client", {"id": 1, "result": {"resourceTemplates": [{"uriTemplate": TEMPLATE, "name": "p"}]}}
    )


def read(second: float, request_id: Any, name: str, document: str | None = None, **params: Any) -> str:
    ask = {"id": request_id, "method": "resources/read", "params": {"uri": BASE + name, **params}}
    asked = line(second, "client->server", ask)
    if document is None:
        return asked
    item = {"uri": BASE + name, "mimeType": "application/json", "text": json.dumps({"team": "ops", "name": document})}
    return asked + line(second + 0.1, "server->client", {"id": request_id, "result": {"contents": [item]}})


def diagnosed(folder: Path, *texts: str, options: Options = SAME, statements: Statements | None = None) -> Diagnosis:
    paths = []
    for number, text in enumerate(texts):
        path = folder / f"{['client', 'server', 'third'][number]}.jsonl"
        path.write_text(text)
        paths.append(str(path))
    return diagnose(paths, statements, options)


def told(diagnosis: Diagnosis) -> list[tuple[Any, str, str, list[str], list[str], int]]:
    """For each read its id, two verdicts, rules of findings and remarks, and how many other witnesses it has."""
    return [
        (
            each.read.request_id,
            each.segments.verdict.value,
            each.document.verdict.value,
            [finding.rule.id for finding in each.findings],
            [remark.rule.id for remark in each.remarks],
            len(each.witnesses),
        )
        for each in diagnosis.judgements
    ]


def test_equal_reads_are_counted_once(tmp_path: Path) -> None:
    log = listed(0) + read(1, 2, "on-call", "on-call") + read(2, 3, "backup", "backup")
    later = listed(0.02) + read(1.02, 2, "on-call", "on-call") + read(2.02, 3, "backup", "backup")
    diagnosis = diagnosed(tmp_path, log, later)
    assert told(diagnosis) == [(2, "intact", "match", [], [], 1), (3, "intact", "match", [], [], 1)]
    assert [Path(each.read.capture).name for each in diagnosis.judgements] == ["client.jsonl"] * 2
    assert [each.read.number for each in diagnosis.judgements] == [0, 1]


def test_a_read_that_one_witness_missed_stays(tmp_path: Path) -> None:
    log = listed(0) + read(1, 2, "on-call", "on-call")
    other = listed(0) + read(1.1, 2, "on-call", "on-call") + read(9, 5, "only-there", "only-there")
    assert [(row[0], row[5]) for row in told(diagnosed(tmp_path, log, other))] == [(2, 1), (5, 0)]


def test_what_one_witness_does_not_hold_the_other_one_says(tmp_path: Path) -> None:
    """A gateway's log has no answers and no templates."""
    gateway = read(1, 2, "on-call") + read(2, 3, "backup")
    server = listed(0) + read(1.01, 2, "on-call", "on-call") + read(2.01, 3, "backup", "backup")
    for texts in ((gateway, server), (server, gateway)):
        assert told(diagnosed(tmp_path, *texts)) == [
            (2, "intact", "match", [], [], 1),
            (3, "intact", "match", [], [], 1),
        ]


@pytest.mark.parametrize("turned", [False, True])
def test_a_hop_that_decodes_is_shown_and_clears_nothing(tmp_path: Path, turned: bool) -> None:
    client = listed(0) + read(1, 2, "on-call%2Fescalation", "on-call/escalation")
    server = listed(0) + read(1.01, 2, "on-call/escalation", "on-call/escalation")
    found = diagnosed(tmp_path, *((server, client) if turned else (client, server)))
    ((_, segments, _, findings, remarks, witnesses),) = told(found)
    assert (segments, findings, witnesses) == ("escaped", ["segments/extra-separator"], 1)
    assert "remark/changed-on-the-way" in remarks
    changed = next(each for each in found.judgements[0].remarks if each.rule.id == "remark/changed-on-the-way")
    assert [Path(each.seen.span.capture).name for each in changed.evidence] == ["client.jsonl", "server.jsonl"]
    # What is drawn against the template is the URI that escaped.
    assert found.judgements[0].read.uri == BASE + "on-call/escalation"


def test_a_finding_of_both_has_the_evidence_of_both(tmp_path: Path) -> None:
    log = listed(0) + read(1, 2, "on-call/escalation", "on-call/escalation")
    (judgement,) = diagnosed(tmp_path, log, log).judgements
    (finding,) = judgement.findings
    assert {Path(each.seen.span.capture).name for each in finding.evidence} == {"client.jsonl", "server.jsonl"}


def test_the_worse_answer_about_the_caller_counts(tmp_path: Path) -> None:
    """Each hop has its own caller: that the inner one may see everything excuses nobody."""
    policy = tmp_path / "policy.json"
    policy.write_text(
        json.dumps(
            {
                "principals": [
                    {"id": "ana", "sessions": ["client"], "allowed_tenants": ["sales"]},
                    {"id": "gateway", "sessions": ["server"], "admin": True, "allowed_tenants": []},
                ],
                "tenant_of": {TEMPLATE: {"variable": "team"}},
            }
        )
    )
    log = listed(0) + read(1, 2, "on-call", "on-call")
    statements = load_statements(policy_path=str(policy))
    (judgement,) = diagnosed(tmp_path, log, log, statements=statements).judgements
    assert judgement.principal.verdict.value == "not_checked"
    assert judgement.caller is not None and judgement.caller.id == "ana"


def test_new_ids_behind_a_hop(tmp_path: Path) -> None:
    client = listed(0) + read(1, 2, "a", "a") + read(2, 3, "b", "b") + read(3, 4, "a", "a")
    server = listed(0) + read(1.1, "g-9", "a", "a") + read(2.1, "g-10", "b", "b") + read(3.1, "g-11", "a", "a")
    assert [(row[0], row[5]) for row in told(diagnosed(tmp_path, client, server))] == [(2, 1), (3, 1), (4, 1)]


def test_the_trace_context_joins_what_nothing_else_does(tmp_path: Path) -> None:
    def meta(span: str) -> dict[str, str]:
        return {"traceparent": f"00-4bf92f3577b34da6a3ce929d0e0e4736-{span}-01"}

    client = listed(0) + read(1, 7, "a", "a", _meta=meta("00f067aa0ba902b7"))
    server = listed(0) + read(50, 7, "z", "z", _meta=meta("b7ad6b7169203331"))
    apart = listed(0) + read(50, 7, "z", "z")
    assert [row[5] for row in told(diagnosed(tmp_path, client, server))] == [1]
    assert [row[5] for row in told(diagnosed(tmp_path, client, apart))] == [0, 0]


def test_far_apart_in_time_is_another_read(tmp_path: Path) -> None:
    client = listed(0) + read(1, 2, "a", "a")
    server = listed(0) + read(30, 2, "a", "a")
    assert len(diagnosed(tmp_path, client, server).judgements) == 2
    shifted = Options(same_traffic=True, shifts={str(tmp_path / "server.jsonl"): timedelta(seconds=-29)})
    assert len(diagnosed(tmp_path, client, server, options=shifted).judgements) == 1


def test_three_witnesses_of_one_read(tmp_path: Path) -> None:
    log = listed(0) + read(1, 2, "a", "a")
    assert [row[5] for row in told(diagnosed(tmp_path, log, log, log))] == [2]


def alike_names(diagnosis: Diagnosis) -> list[tuple[str, str, int]]:
    return [(Path(each.one).name, Path(each.other).name, each.reads) for each in diagnosis.alike]


def test_captures_that_look_alike_are_said_to(tmp_path: Path) -> None:
    log = listed(0) + read(1, 2, "a", "a") + read(2, 3, "b", "b")
    diagnosis = diagnosed(tmp_path, log, log, options=Options())
    assert len(diagnosis.judgements) == 4
    assert alike_names(diagnosis) == [("client.jsonl", "server.jsonl", 2)]
    assert diagnosed(tmp_path, log, log).alike == ()


def test_another_day_is_not_the_same_traffic(tmp_path: Path) -> None:
    log = listed(0) + read(1, 2, "a", "a") + read(2, 3, "b", "b")
    assert diagnosed(tmp_path, log, log.replace("2026-11-02", "2026-11-03"), options=Options()).alike == ()


def test_two_sessions_that_ask_alike_are_not_the_same_traffic(tmp_path: Path) -> None:
    log = listed(0) + read(1, 2, "a", "a") + read(2, 3, "b", "b")
    one, other = (log.replace('"dir"', f'"session": "s{number}", "dir"') for number in (1, 2))
    assert diagnosed(tmp_path, one, other, options=Options()).alike == ()
    assert alike_names(diagnosed(tmp_path, one, log, options=Options())) == [("client.jsonl", "server.jsonl", 2)]


def test_without_times_three_equal_reads_are_needed(tmp_path: Path) -> None:
    def bare(text: str) -> str:
        return "".join(json.dumps(json.loads(one)["message"]) + "\n" for one in text.splitlines())

    two = bare(listed(0) + read(1, 2, "a", "a") + read(2, 3, "b", "b"))
    three = two + bare(read(3, 4, "c", "c"))
    other = two + bare(read(3, 4, "c", "of somebody else"))
    assert diagnosed(tmp_path, two, two, options=Options()).alike == ()
    assert alike_names(diagnosed(tmp_path, three, three, options=Options())) == [("client.jsonl", "server.jsonl", 3)]
    assert diagnosed(tmp_path, three, other, options=Options()).alike == ()


def access(second: float, request_id: Any, name: str, who: str, status: int = 200) -> str:
    """A gateway's record: a caller and no answer."""
    body = {"jsonrpc": "2.0", "id": request_id, "method": "resources/read", "params": {"uri": BASE + name}}
    record = {"ts": f"2026-11-02T10:00:{second:06.3f}Z", "dir": "client->server", "principal": who, "status": status}
    return json.dumps({**record, "message": body}) + "\n"


def stated(folder: Path) -> Statements:
    policy = folder / "callers.json"
    principals = [
        {"id": "ana", "subjects": ["ana"], "allowed_tenants": ["ops"]},
        {"id": "bob", "subjects": ["bob"], "allowed_tenants": ["sales"]},
        {"id": "carol", "subjects": ["carol"], "allowed_tenants": ["sales"]},
    ]
    policy.write_text(json.dumps({"principals": principals, "tenant_of": {TEMPLATE: {"variable": "team"}}}))
    return load_statements(policy_path=str(policy))


@pytest.mark.parametrize("turned", [False, True])
def test_two_people_who_ask_for_one_document_at_one_time_are_not_mixed_up(tmp_path: Path, turned: bool) -> None:
    """Bob asked two seconds before the read, Ana just before it, under one id: nobody is accused."""
    gateway = [access(1, 1, "a", "bob"), access(3, 1, "a", "ana")]
    server = listed(0) + read(3.1, 1, "a", "a")
    texts = ("".join(gateway), server)
    diagnosis = diagnosed(tmp_path, *(texts[::-1] if turned else texts), statements=stated(tmp_path))
    assert [each.findings for each in diagnosis.judgements] == [(), ()]


def test_the_nearest_in_time_is_the_same_read_however_often_it_is_asked_for(tmp_path: Path) -> None:
    log = listed(0) + "".join(read(n * 0.4, 1, "a", "a") for n in range(100))
    other = listed(0) + "".join(read(n * 0.4 + 0.01, 1, "a", "a") for n in range(70, 100))
    rows = told(diagnosed(tmp_path, log, other))
    assert len(rows) == 100
    assert [row[5] for row in rows] == [0] * 70 + [1] * 30


def test_an_id_alone_joins_nothing(tmp_path: Path) -> None:
    client = listed(0) + read(1, 5, "a", "a")
    other = (listed(0) + read(1.1, 5, "b", "b")).replace("docs://team/ops/policy/b", "file:///etc/hosts")
    assert [row[5] for row in told(diagnosed(tmp_path, client, other))] == [0, 0]


def test_an_id_between_two_neighbours_is_the_same_read(tmp_path: Path) -> None:
    client = listed(0) + read(1, 4, "a", "a") + read(2, 5, "b", "b") + read(3, 6, "c", "c")
    server = listed(0) + read(1.1, 4, "a", "a") + read(2.1, 5, "other", "b") + read(3.1, 6, "c", "c")
    rows = told(diagnosed(tmp_path, client, server))
    assert [row[5] for row in rows] == [1, 1, 1]
    assert "remark/changed-on-the-way" in rows[1][4]


def test_two_callers_who_got_what_they_may_not_see_are_both_kept(tmp_path: Path) -> None:
    def of(who: str, second: float) -> str:
        return (listed(0) + read(second, 2, "a", "a")).replace('"dir"', f'"principal": "{who}", "dir"')

    diagnosis = diagnosed(tmp_path, of("bob", 1), of("carol", 3), statements=stated(tmp_path))
    assert sorted(each.caller.id for each in diagnosis.judgements if each.caller and each.findings) == ["bob", "carol"]


def test_a_session_of_any_witness_can_be_asked_for(tmp_path: Path) -> None:
    log = listed(0) + read(1, 2, "a", "a")
    server = log.replace('"dir"', '"session": "up9", "dir"')
    diagnosis = diagnosed(tmp_path, log, server, options=Options(same_traffic=True, sessions=("up9",)))
    assert len(diagnosis.shown()) == 1

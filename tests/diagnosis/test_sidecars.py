"""Logs that say who asked, beside a capture that does not; what they lend is a fact, and at most likely."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis import Diagnosis, diagnose
from diagnosis.options import Options
from diagnosis.statements import Statements, load_statements

TEMPLATE = "report://{tenant}/{month}"
NORTHWIND, ACME = "report://northwind/2025-10", "report://acme/2025-10"


def line(second: float, direction: str, body: dict[str, Any], session: str) -> str:
    record = {"ts": f"2026-11-02T10:00:{second:06.3f}Z", "dir": direction, "session": session}
    return json.dumps({**record, "message": {"jsonrpc": "2.0", **body}}) + "\n"


def read(second: float, request_id: int, uri: str, session: str = "s1") -> str:
    tenant, _, month = uri.removeprefix("report://").partition("/")
    item = {"uri": uri, "mimeType": "application/json", "text": json.dumps({"tenant": tenant, "month": month})}
    ask = {"id": request_id, "method": "resources/read", "params": {"uri": uri}}
    return line(second, "client->server", ask, session) + line(
        second + 0.2, "server->client", {"id": request_id, "result": {"contents": [item]}}, session
    )


LISTED = line(0, "client->server", {"id": 1, "method": "resources/templates/list"}, "s1") + line(
    0,
    "server->client",
    {"id": 1, "result": {"resourceTemplates": [{"uriTemplate": TEMPLATE, "name": "report"}]}},
    "s1",
)


def audit(second: float, user: str, uri: str = NORTHWIND, session: str = "s1", **more: Any) -> str:
    record = {
        "type": "mcp_resource_read",
        "loggedAt": f"2026-11-02T10:00:{second:06.3f}Z",
        "outcome": "success",
        "subjects": {"user": user, "client_name": "desk"},
        "target": {"method": "resources/read", "type": "resource", "name": uri},
        "source": {"type": "network", "value": "10.0.0.9", "extra": {"session_id": session}},
        "metadata": {"auditId": "a1", "extra": {"transport": "http"}},
        "component": "reports",
    }
    return json.dumps({**record, **more}) + "\n"


def trace(second: float, user: str | None, session: str = "s1") -> str:
    record = {
        "type": "ReadResourceRequest",
        "method": "resources/read",
        "timestamp": f"2026-11-02T10:00:{second:06.3f}+00:00",
        "session_id": session,
        "user_id": user,
        "request": None,
        "response": None,
    }
    return json.dumps(record) + "\n"


@pytest.fixture
def policy(tmp_path: Path) -> Statements:
    path = tmp_path / "policy.json"
    principals = [
        {"id": "ana", "subjects": ["ana"], "allowed_tenants": ["acme"]},
        {"id": "bob", "subjects": ["bob"], "allowed_tenants": ["northwind"]},
    ]
    path.write_text(json.dumps({"principals": principals}))
    return load_statements(policy_path=str(path))


def diagnosed(folder: Path, statements: Statements, capture: str, *beside: str, **options: Any) -> Diagnosis:
    paths = []
    for number, text in enumerate((capture, *beside)):
        path = folder / ("capture.jsonl" if not number else f"beside{number}.jsonl")
        path.write_text(text)
        paths.append(str(path))
    return diagnose(paths, statements, Options(**options))


def told(diagnosis: Diagnosis) -> list[tuple[str | None, str, str, str | None]]:
    return [
        (
            each.read.uri,
            each.principal.verdict.value,
            each.principal.certainty.value,
            each.caller.id if each.caller else None,
        )
        for each in diagnosis.judgements
    ]


def test_an_audit_log_names_the_caller_of_a_read_and_is_no_read_of_its_own(tmp_path: Path, policy: Statements) -> None:
    diagnosis = diagnosed(tmp_path, policy, LISTED + read(1, 2, NORTHWIND), audit(1.1, "ana"))
    assert [facts.format for facts in diagnosis.captures] == ["enveloped", "toolhive-audit"]
    assert told(diagnosis) == [(NORTHWIND, "not_checked", "likely", "ana")]
    (judgement,) = diagnosis.judgements
    (finding,) = judgement.findings
    assert (finding.rule.id, finding.certainty.value) == ("principal/foreign-tenant", "likely")
    assert "beside1.jsonl:1" in finding.summary
    assert "joined by session, URI and time" in finding.because
    assert [Path(each.capture).name for each in judgement.witnesses] == ["beside1.jsonl"]


def test_the_order_of_the_files_decides_nothing(tmp_path: Path, policy: Statements) -> None:
    diagnosis = diagnosed(tmp_path, policy, audit(1.1, "ana"), LISTED + read(1, 2, NORTHWIND))
    assert told(diagnosis) == [(NORTHWIND, "not_checked", "likely", "ana")]


@pytest.mark.parametrize(
    "record",
    [
        audit(11, "ana"),  # ten seconds later
        audit(1.1, "ana", uri=ACME),
        audit(1.1, "ana", session="s2"),
        audit(1.1, "anonymous"),
        audit(1.1, "", subjects={"client_name": "ana"}),
    ],
    ids=["time", "uri", "session", "anonymous", "client"],
)
def test_what_does_not_belong_to_the_read_names_nobody(tmp_path: Path, policy: Statements, record: str) -> None:
    diagnosis = diagnosed(tmp_path, policy, LISTED + read(1, 2, NORTHWIND), record)
    assert told(diagnosis)[0][1:] == ("cannot_tell", "certain", None)
    assert not any(each.findings for each in diagnosis.judgements)


def test_two_records_that_disagree_are_not_believed(tmp_path: Path, policy: Statements) -> None:
    log = LISTED + read(1, 2, NORTHWIND) + read(2, 3, NORTHWIND)
    for other in ("bob", "anonymous"):
        diagnosis = diagnosed(tmp_path, policy, log, audit(1.1, "ana") + audit(2.1, other))
        assert {row[1:] for row in told(diagnosis)} == {("cannot_tell", "certain", None)}


def test_a_capture_that_names_its_caller_is_believed_before_another_log(tmp_path: Path) -> None:
    policy = tmp_path / "own.json"
    principals = [
        {"id": "ana", "subjects": ["ana"], "allowed_tenants": ["acme"]},
        {"id": "bob", "sessions": ["s1"], "allowed_tenants": ["northwind"]},
    ]
    policy.write_text(json.dumps({"principals": principals}))
    statements = load_statements(policy_path=str(policy))
    diagnosis = diagnosed(tmp_path, statements, LISTED + read(1, 2, NORTHWIND), audit(1.1, "ana"))
    assert told(diagnosis) == [(NORTHWIND, "allowed", "certain", "bob")]


def test_a_log_without_uris_is_joined_by_session_and_time(tmp_path: Path, policy: Statements) -> None:
    diagnosis = diagnosed(tmp_path, policy, LISTED + read(1, 2, NORTHWIND), trace(1.1, "ana"))
    assert [facts.format for facts in diagnosis.captures] == ["enveloped", "mcp-trace"]
    assert told(diagnosis) == [(NORTHWIND, "not_checked", "likely", "ana")]
    assert "joined by session and time" in diagnosis.judgements[0].findings[0].because
    assert not [each for each in diagnosis.judgements[0].remarks if each.rule.id == "remark/changed-on-the-way"]
    for record in (trace(1.1, None), trace(1.1, "ana") + trace(1.3, "bob")):
        found = diagnosed(tmp_path, policy, LISTED + read(1, 2, NORTHWIND), record)
        assert told(found)[0][1:] == ("cannot_tell", "certain", None)


def test_alone_it_goes_as_far_as_it_goes(tmp_path: Path, policy: Statements) -> None:
    records = audit(1, "ana", uri="report://acme/a b") + audit(2, "bob", outcome="denied")
    diagnosis = diagnosed(tmp_path, policy, records)
    assert [(each.segments.reason, each.document.reason, each.principal.reason) for each in diagnosis.judgements] == [
        ("illegal-character", "no-answer", "no-answer"),
        ("no-template", "no-answer", "forbidden"),
    ]


def test_other_records_are_accounted_for(tmp_path: Path, policy: Statements) -> None:
    tools = audit(1, "ana", type="mcp_tool_call")
    diagnosis = diagnosed(tmp_path, policy, audit(1, "ana") + tools + "\n" + "not JSON\n")
    (facts,) = diagnosis.captures
    assert (facts.messages, facts.other, facts.blank, facts.unreadable) == (1, 2, 1, 0)


def test_a_gateway_log_without_answers_lends_its_caller_to_the_same_traffic(tmp_path: Path, policy: Statements) -> None:
    """Both alone are undecided: one has no answer, the other no caller."""
    gateway = json.dumps(
        {"ts": "2026-11-02T10:00:01.050Z", "dir": "client->server", "session": "s1", "principal": "ana",
         "message": {"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": NORTHWIND}}}
    ) + "\n"  # fmt: skip
    log = LISTED + read(1, 2, NORTHWIND)
    apart = diagnosed(tmp_path, policy, log, gateway)
    assert [row[1] for row in told(apart)] == ["cannot_tell", "cannot_tell"]
    assert told(diagnosed(tmp_path, policy, log, gateway, same_traffic=True)) == [
        (NORTHWIND, "not_checked", "likely", "ana")
    ]


def access(second: float, user: str, status: int = 200, uri: str = NORTHWIND, **more: Any) -> str:
    """A line of a gateway's access log: no id, no answer."""
    when = f"2026-11-02T10:00:{second:06.3f}Z"
    record = {"time": when, "mcp_method": "resources/read", "mcp_name": uri, "user": user, "status": status}
    return json.dumps({**record, **more}) + "\n"


@pytest.mark.parametrize(
    ("reads", "records", "callers"),
    [
        # One record for each read, and one for both: then nobody can tell whose it is.
        ([1], [access(1.1, "ana")], ["ana"]),
        ([1, 3], [access(1.1, "ana"), access(3.1, "ana")], ["ana", "ana"]),
        ([1, 3], [access(3, "ana")], [None, None]),
        ([1, 3], [access(2.1, "ana")], [None, None]),
        ([1, 9], [access(9.1, "ana")], [None, "ana"]),
        # Somebody else near in time, and somebody of another session
        ([1], [access(1.1, "ana"), access(3, "bob")], [None]),
        ([1], [access(5, "ana", session_id="s2")], [None]),
        ([1], [access(1.1, "ana", session_id="s1")], ["ana"]),
    ],
)
def test_an_access_log_lends_its_callers_where_it_is_plain_whose_they_are(
    tmp_path: Path, policy: Statements, reads: list[float], records: list[str], callers: list[str | None]
) -> None:
    log = LISTED + "".join(read(second, number + 2, NORTHWIND) for number, second in enumerate(reads))
    found = told(diagnosed(tmp_path, policy, log, "".join(records), same_traffic=True))
    assert [caller for _, _, _, caller in found[: len(reads)]] == callers
    assert all(
        verdict == ("cannot_tell" if caller is None else "not_checked") for _, verdict, _, caller in found[: len(reads)]
    )


@pytest.mark.parametrize("second", [1.1, 3, 5.5])
def test_who_was_turned_away_at_a_gateway_is_no_witness_of_a_read_that_was_served(
    tmp_path: Path, policy: Statements, second: float
) -> None:
    log = LISTED + read(1, 2, NORTHWIND)
    found = diagnosed(tmp_path, policy, log, access(second, "ana", 403), same_traffic=True)
    assert [(each.read.outcome, each.principal.verdict, each.principal.reason) for each in found.judgements] == [
        ("result", "cannot_tell", "unknown-session"),
        ("none", "refused", "forbidden"),
    ]


@pytest.mark.parametrize("kind", [audit, trace])
@pytest.mark.parametrize("tenant", ["ana", "bob"])
def test_a_record_is_lent_to_the_read_that_it_is_nearest_to(
    tmp_path: Path, policy: Statements, kind: Any, tenant: str
) -> None:
    """The record at 5 is that of the read at 5; the read at 1 was made before the log began."""
    log = LISTED + read(1, 10, NORTHWIND) + read(5, 11, NORTHWIND)
    records = kind(5, tenant) + kind(9, "ana" if tenant == "bob" else "bob")
    found = told(diagnosed(tmp_path, policy, log, records))
    assert [(verdict, caller) for _, verdict, _, caller in found] == [("cannot_tell", None)] * 2


def test_an_administrator_on_one_hop_excuses_nobody_on_another(tmp_path: Path) -> None:
    policy = tmp_path / "admin.json"
    policy.write_text(json.dumps({"principals": [{"id": "gateway", "subjects": ["gateway"], "admin": True}]}))
    inner = (LISTED + read(1, 2, NORTHWIND)).replace('"session": "s1"', '"session": "s1", "principal": "gateway"')
    statements = load_statements(policy_path=str(policy))
    found = diagnosed(tmp_path, statements, LISTED + read(1, 2, NORTHWIND), inner, same_traffic=True)
    assert [(each.principal.verdict.value, each.principal.reason) for each in found.judgements] == [
        ("cannot_tell", "unknown-session")
    ]


@pytest.mark.parametrize("time", ["0001-01-01T00:00:02Z", "9999-12-31T23:59:59Z"])
def test_a_time_at_the_end_of_the_calendar_is_a_time_like_others(tmp_path: Path, policy: Statements, time: str) -> None:
    record = audit(1.1, "ana", loggedAt=time)
    for same_traffic in (False, True):
        found = diagnosed(tmp_path, policy, LISTED + read(1, 2, NORTHWIND), record, same_traffic=same_traffic)
        assert not any(each.findings for each in found.judgements)


def test_an_administrator_excuses_nobody_whose_tenants_are_unknown(tmp_path: Path) -> None:
    policy = tmp_path / "admin.json"
    principals = [
        {"id": "gateway", "subjects": ["gateway"], "admin": True},
        {"id": "ana", "subjects": ["ana"], "allowed_tenants": None},
    ]
    policy.write_text(json.dumps({"principals": principals}))
    outer, inner = (
        (LISTED + read(1, 2, NORTHWIND)).replace('"session": "s1"', f'"session": "s1", "principal": "{who}"')
        for who in ("ana", "gateway")
    )
    found = diagnosed(tmp_path, load_statements(policy_path=str(policy)), outer, inner, same_traffic=True)
    (judgement,) = found.judgements
    assert (judgement.principal.reason, judgement.caller and judgement.caller.id) == ("no-allowed-set", "ana")


def rows(diagnosis: Diagnosis) -> list[tuple[str, str | None]]:
    return [(verdict, caller) for _, verdict, _, caller in told(diagnosis)]


def test_the_record_that_names_the_caller_stands_in_the_evidence(tmp_path: Path, policy: Statements) -> None:
    diagnosis = diagnosed(tmp_path, policy, LISTED + read(1, 2, NORTHWIND), audit(0.5, "ana", ACME) + audit(1.1, "ana"))
    (finding,) = diagnosis.judgements[0].findings
    places = [(Path(each.seen.span.capture).name, each.seen.span.line) for each in finding.evidence]
    assert places == [("capture.jsonl", 4), ("capture.jsonl", 3), ("beside1.jsonl", 2)]


def test_of_two_reads_and_one_record_nobody_can_tell_whose_it_is(tmp_path: Path, policy: Statements) -> None:
    """The second read may be anybody's; the first one may be it, and the second ana's."""
    log = LISTED + read(1, 2, NORTHWIND) + read(3, 3, NORTHWIND)
    assert rows(diagnosed(tmp_path, policy, log, audit(1.1, "ana"))) == [("cannot_tell", None)] * 2
    both = diagnosed(tmp_path, policy, log, audit(1.1, "ana") + audit(3.1, "ana"))
    assert rows(both) == [("not_checked", "ana")] * 2
    # The third read is seven seconds behind the first record, and a rival of the second one only.
    three = log + read(8, 4, NORTHWIND)
    short = diagnosed(tmp_path, policy, three, audit(1.1, "ana") + audit(3.1, "ana"))
    assert rows(short) == [("cannot_tell", None)] * 3


def test_reads_that_are_too_far_apart_to_be_rivals_do_not_spoil_each_other(tmp_path: Path, policy: Statements) -> None:
    log = LISTED + read(1, 2, NORTHWIND) + read(20, 3, NORTHWIND) + read(22, 4, NORTHWIND)
    found = diagnosed(tmp_path, policy, log, audit(1.1, "ana") + audit(20.1, "ana"))
    assert rows(found) == [("not_checked", "ana"), ("cannot_tell", None), ("cannot_tell", None)]


def test_records_beyond_count_do_not_make_up_for_one_that_is_missing(tmp_path: Path, policy: Statements) -> None:
    """Three reads and three records, of which only the last one lies near the last two reads."""
    log = LISTED + read(5, 2, NORTHWIND) + read(12, 3, NORTHWIND) + read(13, 4, NORTHWIND)
    records = audit(1, "ana") + audit(2, "ana") + audit(9, "ana")
    assert rows(diagnosed(tmp_path, policy, log, records))[:3] == [("cannot_tell", None)] * 3


def test_a_poll_whose_every_read_is_recorded_has_a_caller(tmp_path: Path, policy: Statements) -> None:
    times = (0, 5, 10, 15)
    log = LISTED + "".join(read(second, number, NORTHWIND) for number, second in enumerate(times, 2))
    found = diagnosed(tmp_path, policy, log, "".join(audit(second + 0.05, "ana") for second in times))
    assert rows(found) == [("not_checked", "ana")] * 4


def test_a_log_without_uris_accuses_nobody_of_the_read_beside_its_own(tmp_path: Path, policy: Statements) -> None:
    log = LISTED + read(1, 2, ACME) + read(3, 3, NORTHWIND)
    assert rows(diagnosed(tmp_path, policy, log, trace(1.1, "ana"))) == [("cannot_tell", None)] * 2
    both = diagnosed(tmp_path, policy, log, trace(1.1, "ana") + trace(3.1, "ana"))
    assert rows(both) == [("allowed", "ana"), ("not_checked", "ana")]
    assert "beside1.jsonl:2" in both.judgements[1].findings[0].because
    assert not [each.rule.id for judgement in both.judgements for each in judgement.remarks]


def test_the_log_that_names_the_uri_lends_the_caller_before_one_that_does_not(
    tmp_path: Path, policy: Statements
) -> None:
    found = diagnosed(tmp_path, policy, LISTED + read(1, 2, NORTHWIND), trace(1, "ana"), audit(1.2, "ana"))
    assert rows(found) == [("not_checked", "ana")]
    assert "joined by session, URI and time" in found.judgements[0].findings[0].because
    apart = diagnosed(tmp_path, policy, LISTED + read(1, 2, NORTHWIND), trace(1, "bob"), audit(1.2, "ana"))
    assert rows(apart) == [("cannot_tell", None)]


@pytest.mark.parametrize("outcome", ["denied", "failure", "error", "application_error"])
def test_who_was_turned_away_got_no_document(tmp_path: Path, policy: Statements, outcome: str) -> None:
    """It neither accuses its caller of the read that was served, nor clears that read."""
    log = LISTED + read(1, 2, NORTHWIND)
    own = ("refused", "ana") if outcome == "denied" else ("cannot_tell", "ana")
    turned_away = audit(1.1, "ana", outcome=outcome)
    assert rows(diagnosed(tmp_path, policy, log, turned_away)) == [("cannot_tell", None), own]
    other = diagnosed(tmp_path, policy, log, turned_away + audit(1.2, "anonymous"))
    assert rows(other) == [("cannot_tell", None), own]


def test_a_denied_record_is_a_witness_of_the_read_that_got_an_error(tmp_path: Path, policy: Statements) -> None:
    ask = {"id": 2, "method": "resources/read", "params": {"uri": NORTHWIND}}
    error = {"id": 2, "error": {"code": -32603, "message": "internal error"}}
    log = LISTED + line(1, "client->server", ask, "s1") + line(1.2, "server->client", error, "s1")
    found = diagnosed(tmp_path, policy, log, audit(1.1, "ana", outcome="denied"))
    assert rows(found) == [("refused", "ana")]


def test_two_captures_of_one_read_share_its_record_only_as_the_same_traffic(tmp_path: Path, policy: Statements) -> None:
    log = LISTED + read(1, 2, NORTHWIND)
    assert rows(diagnosed(tmp_path, policy, log, log, audit(1.1, "ana"))) == [("cannot_tell", None)] * 2
    joined = diagnosed(tmp_path, policy, log, log, audit(1.1, "ana"), same_traffic=True)
    assert told(joined) == [(NORTHWIND, "not_checked", "likely", "ana")]


def test_a_borrowed_administrator_is_likely(tmp_path: Path) -> None:
    path = tmp_path / "admin.json"
    path.write_text(json.dumps({"principals": [{"id": "ana", "subjects": ["ana"], "admin": True}]}))
    statements = load_statements(policy_path=str(path))
    found = diagnosed(tmp_path, statements, LISTED + read(1, 2, NORTHWIND), audit(1.1, "ana"))
    assert told(found) == [(NORTHWIND, "allowed", "likely", "ana")]


def bearer(subject: str) -> str:
    parts = ({"alg": "none"}, {"sub": subject})
    head, claims = (base64.urlsafe_b64encode(json.dumps(each).encode()).decode().rstrip("=") for each in parts)
    return f"Bearer {head}.{claims}.x"


def har(*bodies: tuple[dict[str, Any], dict[str, Any]], caller: str | None) -> str:
    headers = [{"name": "Mcp-Session-Id", "value": "s1"}]
    headers += [{"name": "Authorization", "value": bearer(caller)}] if caller else []
    entries = [
        {
            "startedDateTime": f"2026-11-02T10:00:{second:02}.000Z",
            "request": {
                "method": "POST",
                "url": "https://kb.example/mcp",
                "headers": headers,
                "postData": {"mimeType": "application/json", "text": json.dumps({"jsonrpc": "2.0", **ask})},
            },
            "response": {
                "status": 200,
                "headers": [{"name": "Content-Type", "value": "application/json"}],
                "content": {"mimeType": "application/json", "text": json.dumps({"jsonrpc": "2.0", **answer})},
            },
        }
        for second, (ask, answer) in enumerate(bodies)
    ]
    return json.dumps({"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": entries}})


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ("bob", "ana", ("allowed", "certain", "bob")),
        ("ana", "bob", ("not_checked", "certain", "ana")),
        (None, "ana", ("not_checked", "likely", "ana")),
    ],
)
def test_the_own_authorization_of_a_request_is_never_replaced(
    tmp_path: Path, policy: Statements, own: str | None, other: str, expected: tuple[str, str, str]
) -> None:
    """Each hop has a principal of its own, so that two names are no contradiction and no remark."""
    templates = {"resourceTemplates": [{"uriTemplate": TEMPLATE, "name": "report"}]}
    contents = [{"uri": NORTHWIND, "text": json.dumps({"tenant": "northwind", "month": "2025-10"})}]
    capture = har(
        ({"id": 1, "method": "resources/templates/list"}, {"id": 1, "result": templates}),
        (
            {"id": 2, "method": "resources/read", "params": {"uri": NORTHWIND}},
            {"id": 2, "result": {"contents": contents}},
        ),
        caller=own,
    )
    diagnosis = diagnosed(tmp_path, policy, capture, audit(1.1, other))
    assert [facts.format for facts in diagnosis.captures] == ["har", "toolhive-audit"]
    assert [row[1:] for row in told(diagnosis)] == [expected]
    assert not diagnosis.judgements[0].remarks

"""Whatever follows in a log, no finding about an earlier read goes away."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.diagnosis.questions.build import ACME_ONLY, NOT_FOUND, Log, bearer, content

TOKEN = bearer(sub="auth0|7", iss="i", tenant="acme")
ELEVATED = bearer(sub="auth0|7", iss="i", tenant="acme", admin=True)
OTHER = bearer(sub="auth0|9", iss="i", tenant="northwind")
RECORD = {"id": "ana", "allowed_tenants": ["acme"]}
POLICIES = [None, ACME_ONLY, {**ACME_ONLY, "tenant_fields": ["team"]}]
TEMPLATES = ("report://{tenant}/{month}", "team://{team}/{leaf}", "note://{name}")


def report(tenant: str, month: str = "2025-10") -> dict[str, str]:
    """A report's fields."""
    return {"tenant": tenant, "month": month}


READS: list[tuple[str, Any, dict[str, Any]]] = [
    ("report://acme/2025-10", report("acme"), {"authorization": TOKEN}),
    ("report://northwind/2025-10", report("northwind"), {"authorization": TOKEN}),
    ("report://northwind/2025-10", report("northwind"), {"principal": RECORD}),
    ("report://northwind/2025-10", report("northwind"), {}),
    ("report://north%252Fwind/2025-10", report("north/wind"), {}),
    ("report://acme/..%252Fnorthwind%252F2025-10", report("northwind"), {}),
    ("report://north/wind/2025-10", "text", {}),
    ("report://a&b/2025-10", report("a&b"), {}),
    ("team://acme/1", "text", {"authorization": TOKEN}),
    ("team://acme/2", "text", {"authorization": TOKEN}),
    ("team://northwind/1", "text", {"authorization": TOKEN}),
    ("note://a/b", "text", {}),
    ("note://{name}", "text", {}),
    ("note://a%252Fb", "text", {"echo": "note://a/b"}),
    ("note://a%252Fb", "text", {"error": {**NOT_FOUND, "data": {"uri": "note://a/b"}}}),
    ("report://acme/2025-10?tenant=northwind", report("northwind"), {}),
]


def relist(log: Log) -> None:
    """Lists templates that would have explained everything."""
    log.templates("report://{+all}", "note://{+all}", "team://{+all}", "report://{org}/{account}", "note://{name}{?q}")


def relist_as_fastmcp(log: Log) -> None:
    """Lists FastMCP's spelling of a wildcard."""
    log.templates("note://{all*}", "report://{all*}", _meta={"fastmcp": {}})


def list_resources(log: Log) -> None:
    """Lists every URI that was read."""
    log.resources(*(uri for uri, *_ in READS))


def answer_again(log: Log) -> None:
    """Answers every read once more, differently."""
    for record in list(log.records):
        if record["message"].get("method") == "resources/read":
            uri = record["message"]["params"]["uri"]
            log.reply({"id": record["message"]["id"], "result": {"contents": [content(uri, "text")]}})


def fail_again(log: Log) -> None:
    """Answers every read once more, with an error."""
    for record in list(log.records):
        if record["message"].get("method") == "resources/read":
            log.reply({"id": record["message"]["id"], "error": {"code": -32001, "message": "Forbidden"}})


def cancel_all(log: Log) -> None:
    """Cancels every read."""
    for record in list(log.records):
        if record["message"].get("method") == "resources/read":
            log.send({"method": "notifications/cancelled", "params": {"requestId": record["message"]["id"]}})


def read_as(**record: Any) -> Any:
    """Reads foreign and own documents with this beside the request."""

    def extend(log: Log) -> None:
        for tenant in ("northwind", "acme", "mossgate"):
            log.read(f"report://{tenant}/2025-10", report(tenant), **record)
            log.read(f"team://{tenant}/9", "text", **record)

    return extend


def refuse_later(log: Log) -> None:
    """The server starts to check."""
    for uri, *_ in READS:
        log.read(uri, error={"code": -32001, "message": "Forbidden"}, authorization=TOKEN)
        log.read(uri, error=NOT_FOUND)


def start_again(log: Log) -> None:
    """Another server takes over the session."""
    log.ask("initialize", {}, {"protocolVersion": "2025-06-18", "serverInfo": {"name": "elsewhere"}})


def reuse_ids(log: Log) -> None:
    """Sends every read again under its old id, and leaves it open."""
    for record in list(log.records):
        if record["message"].get("method") == "resources/read":
            log.request("report://acme/2025-01", record["message"]["id"])


def state_two_tenants(log: Log) -> None:
    """Serves documents that make the tenant's place ambiguous."""
    log.templates("report://{tenant}/{month}{?account}")
    log.read("report://acme/2025-10?account=b7", {**report("acme"), "account": "b7"}, authorization=TOKEN)
    log.read("team://acme/3", {"team": "acme", "org": "x", "account": "y"}, authorization=TOKEN)


LATER = [
    relist, relist_as_fastmcp, list_resources, answer_again, fail_again, cancel_all, read_as(),
    read_as(authorization=TOKEN), read_as(authorization=ELEVATED), read_as(authorization=OTHER),
    read_as(principal=RECORD), read_as(principal={"id": "ana", "allowed_tenants": ["northwind"]}),
    read_as(session="s2"), read_as(session="s2", authorization=OTHER), refuse_later, start_again, reuse_ids,
    state_two_tenants,
]  # fmt: skip


RANK = {"possible": 1, "likely": 2, "certain": 3}


def found(log: Log, policy: Any, count: int) -> list[dict[str, int]]:
    """The rule ids found for each of the first reads, and how certain they are."""
    reads = log.judge(policy)[:count]
    return [{finding.rule.id: RANK[finding.certainty] for finding in judged.findings} for judged in reads]


@settings(
    max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
@given(
    st.lists(st.sampled_from(READS), min_size=1, max_size=4),
    st.lists(st.sampled_from(LATER), min_size=1, max_size=3),
    st.sampled_from(POLICIES),
    st.booleans(),
    st.sampled_from(["s1", None]),
)
def test_no_finding_goes_away(
    reads: list[tuple[str, Any, dict[str, Any]]], later: list[Any], policy: Any, listed: bool, session: str | None
) -> None:
    log = Log(*(TEMPLATES if listed else ()), session=session)
    for uri, body, more in reads:
        log.read(uri, body, **more)
    before = found(log, policy, len(reads))
    for extend in later:
        extend(log)
    after = found(log, policy, len(reads))
    assert len(after) == len(before) == len(reads)
    for old, new in zip(before, after, strict=True):
        assert {rule: new.get(rule, 0) for rule in old if new.get(rule, 0) < old[rule]} == {}


def test_the_reads_above_have_findings_to_lose() -> None:
    log = Log(*TEMPLATES)
    for uri, body, more in READS:
        log.read(uri, body, **more)
    kinds = {rule for rules in found(log, ACME_ONLY, len(READS)) for rule in rules}
    assert len(kinds) >= 7


PIECES = [
    ("ask", "report://northwind/2025-10"),
    ("ask", "report://north%252Fwind/2025-10"),
    ("ask", "note://a/b"),
    ("answer", report("northwind")),
    ("answer", report("north/wind")),
    ("answer", report("acme")),
    ("fail", NOT_FOUND),
    ("cancel", None),
    ("list", None),
    ("restart", None),
]


@settings(
    max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
@given(
    st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 3)), min_size=2, max_size=9),
    st.integers(1, 8),
    st.sampled_from(["s1", None]),
)
def test_no_finding_goes_away_at_any_cut(pieces: list[Any], cut: int, session: str | None) -> None:
    log = Log(*TEMPLATES, session=session)
    asked: dict[int, str] = {}
    ends: list[int] = []
    for (kind, what), number in pieces:
        if kind == "ask":
            log.request(what, number)
            asked[number] = what
        elif kind == "answer":
            echo = asked.get(number, "note://x")
            log.reply({"id": number, "result": {"contents": [content(echo, what)]}})
        elif kind == "fail":
            log.reply({"id": number, "error": what})
        elif kind == "cancel":
            log.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        elif kind == "list":
            relist(log)
        else:
            start_again(log)
        ends.append(len(log.records))
    everything, log.records = log.records, log.records[: ends[min(cut, len(ends)) - 1]]
    before = found(log, ACME_ONLY, len(everything))
    log.records = everything
    after = found(log, ACME_ONLY, len(before))
    for old, new in zip(before, after, strict=True):
        assert set(old) <= set(new)

"""Crossed answers, and that nothing later clears an earlier finding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.diagnosis.questions.build import ACME_ONLY, NOT_FOUND, Log, content, judged_file, remarks, rules, said

DOCS = "docs://{space}/{name}"
PLAN, BUDGET = "docs://ops/plan", "docs://hr/budget"


def doc(space: str, name: str) -> dict[str, str]:
    """A document that states both variables."""
    return {"space": space, "name": name}


def answer(number: Any, uri: str | None, body: Any) -> dict[str, Any]:
    """A successful answer."""
    return {"id": number, "result": {"contents": [content(uri, body)]}}


def open_together(*answers: tuple[str | None, Any], template: str = DOCS) -> Log:
    """Two reads that are open together, answered in order with these echoes and bodies."""
    log = Log(template)
    numbers = [log.request(PLAN), log.request(BUDGET)]
    for number, (echo, body) in zip(numbers, answers, strict=False):
        log.reply(answer(number, echo, body))
    return log


def test_two_swapped_answers_are_crossed() -> None:
    log = open_together((BUDGET, doc("hr", "budget")), (PLAN, doc("ops", "plan")))
    for judged in log.judge():
        assert judged.document.verdict == "mismatch"
        assert "crossed-response" in remarks(judged)
        assert not judged.findings


def test_the_partner_is_named() -> None:
    first, _ = open_together((BUDGET, doc("hr", "budget")), (PLAN, doc("ops", "plan"))).judge()
    told = [*first.remarks, *(each for found in first.answers for each in found.remarks)]
    assert {BUDGET in each.summary for each in told if each.rule.id == "remark/crossed-response"} == {True}


def test_an_echo_alone_can_show_a_swap() -> None:
    first, second = open_together((BUDGET, "text"), (PLAN, "text")).judge()
    assert "crossed-response" in remarks(first)
    assert "crossed-response" in remarks(second)


def test_swapped_errors_are_crossed_too() -> None:
    log = Log(DOCS)
    numbers = [log.request(PLAN), log.request(BUDGET)]
    for number, uri in zip(numbers, (BUDGET, PLAN), strict=True):
        log.reply({"id": number, "error": {"code": -32602, "message": "Unknown resource", "data": {"uri": uri}}})
    for judged in log.judge():
        assert said(judged.document) == "cannot_tell no-document"
        assert "crossed-response" in remarks(judged)


def test_a_partner_that_was_answered_before_is_not_open() -> None:
    log = Log(DOCS)
    log.read(BUDGET, error=NOT_FOUND)
    log.read(PLAN, echo=BUDGET)
    assert "crossed-response" not in remarks(log.last())


def test_every_variable_can_show_a_swap_without_an_echo() -> None:
    first, _ = open_together((None, doc("hr", "budget")), (None, doc("ops", "plan"))).judge()
    assert "crossed-response" in remarks(first)


def test_some_variables_of_the_partner_do_not_show_a_swap() -> None:
    first, _ = open_together((None, {"name": "budget"}), (None, doc("hr", "budget"))).judge()
    assert said(first.document) == "mismatch differs"
    assert "crossed-response" not in remarks(first)


def test_an_echo_of_its_own_is_not_crossed() -> None:
    first, _ = open_together((PLAN, doc("hr", "budget")), (BUDGET, doc("hr", "budget"))).judge()
    assert said(first.document) == "mismatch differs"
    assert "crossed-response" not in remarks(first)


def test_reads_that_were_not_open_together_do_not_cross() -> None:
    log = Log(DOCS)
    log.read(PLAN, doc("hr", "budget"), echo=BUDGET)
    log.read(BUDGET, doc("ops", "plan"), echo=PLAN)
    for judged in log.judge():
        assert judged.document.verdict == "mismatch"
        assert "crossed-response" not in remarks(judged)


def test_a_crossed_answer_is_not_blamed_on_a_decode() -> None:
    log = Log(DOCS)
    numbers = [log.request("docs://ops/a%252Fb"), log.request("docs://ops/a%2Fb")]
    log.reply(answer(numbers[0], "docs://ops/a%2Fb", doc("ops", "a/b")))
    log.reply(answer(numbers[1], "docs://ops/a%252Fb", doc("ops", "a%2Fb")))
    first, _ = log.judge()
    assert "crossed-response" in remarks(first)
    assert not first.findings


def test_an_unanswered_read_does_not_soak_up_later_mismatches() -> None:
    log = Log(DOCS)
    log.request(PLAN)
    log.read("docs://ops/roster", {"name": "plan"}, echo="docs://ops/elsewhere")
    log.read("docs://ops/rota", doc("hr", "budget"), echo=BUDGET)
    _, second, third = log.judge()
    for judged in (second, third):
        assert judged.document.verdict == "mismatch"
        assert "crossed-response" not in remarks(judged)


def test_a_crossed_answer_is_still_an_exposure() -> None:
    log = Log("r://{tenant}/{leaf}")
    numbers = [log.request("r://acme/x"), log.request("r://northwind/y", session="s2")]
    body = {"tenant": "northwind", "leaf": "y"}
    log.reply(answer(numbers[0], "r://northwind/y", body))
    log.reply(answer(numbers[1], "r://acme/x", {"tenant": "acme", "leaf": "x"}), session="s2")
    assert "principal/foreign-tenant certain" in rules(log.judge(ACME_ONLY)[0])


def test_nothing_crosses_inside_one_http_exchange(tmp_path: Path) -> None:
    def entry(number: int, uri: str, echo: str, body: Any) -> dict[str, Any]:
        ask = {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}}
        told = {"jsonrpc": "2.0", **answer(number, echo, body)}
        return {
            "startedDateTime": "2026-11-03T09:00:00.000Z",
            "time": 5000,
            "request": {
                "method": "POST",
                "url": "https://mcp.example/mcp",
                "headers": [],
                "postData": {"mimeType": "application/json", "text": json.dumps(ask)},
            },
            "response": {
                "status": 200,
                "headers": [],
                "content": {"mimeType": "application/json", "text": json.dumps(told)},
            },
        }

    entries = [entry(1, PLAN, BUDGET, doc("hr", "budget")), entry(2, BUDGET, PLAN, doc("ops", "plan"))]
    place = tmp_path / "trace.har"
    place.write_text(json.dumps({"log": {"version": "1.2", "creator": {"name": "x"}, "entries": entries}}))
    for judged in judged_file(place, given=(DOCS,)):
        assert judged.document.verdict == "mismatch"
        assert "crossed-response" not in remarks(judged)


def test_a_later_good_answer_clears_nothing() -> None:
    log = Log(DOCS)
    log.read("docs://ops/a%252Fb", doc("ops", "a/b"))
    before = rules(log.judge()[0])
    log.read("docs://ops/a%252Fb", doc("ops", "a%2Fb"))
    assert rules(log.judge()[0]) == before == ["document/decoded-twice certain"]


def test_a_later_refusal_clears_nothing() -> None:
    log = Log("r://{tenant}/{leaf}")
    log.read("r://northwind/x")
    log.read("r://northwind/x", error={"code": -32001, "message": "Forbidden"})
    log.read("r://northwind/x", error=NOT_FOUND)
    first, second, _ = log.judge(ACME_ONLY)
    assert rules(first) == ["principal/foreign-tenant certain"]
    assert said(second.principal) == "refused forbidden"


def test_a_second_answer_clears_nothing() -> None:
    log = Log(DOCS)
    log.read("docs://ops/a%252Fb", doc("ops", "a/b"), number=7)
    log.reply(answer(7, "docs://ops/a%252Fb", doc("ops", "a%2Fb")))
    log.reply({"id": 7, "error": NOT_FOUND})
    assert rules(log.judge()[0]) == ["document/decoded-twice certain"]


def test_same_id_and_two_uris_open_at_once_are_uncertain() -> None:
    log = Log(DOCS)
    log.request(PLAN, 1)
    log.request(BUDGET, 1)
    log.reply(answer(1, PLAN, doc("ops", "plan")))
    log.reply(answer(1, BUDGET, doc("hr", "budget")))
    for judged in log.judge():
        assert "id-reused" in remarks(judged)
        assert not judged.findings


def test_a_resource_listed_later_clears_nothing() -> None:
    log = Log("note://{name}")
    log.read("note://a/b")
    log.resources("note://a/b")
    assert rules(log.last()) == ["segments/extra-separator certain"]

"""What is known beside a read: by its position, its server and its capture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from diagnosis.captures.message import Message
from diagnosis.reads import context as module
from diagnosis.reads.context import Context
from diagnosis.reads.read import Read
from tests.diagnosis.reads.build import (
    S2C,
    contents,
    error,
    exchange,
    initialize,
    pairing_of,
    read_request,
    request,
    result,
)

META = "io.modelcontextprotocol/serverInfo"


def page(request_id: int, *templates: str, cursor: str | None = None, **beside: Any) -> list[Message]:
    value = {"resourceTemplates": [{"uriTemplate": each, "name": "n"} for each in templates], "nextCursor": cursor}
    asked = request(request_id, "resources/templates/list", **beside)
    return [asked, result(request_id, value, S2C, **beside)]


def resources(request_id: int, *uris: str, **beside: Any) -> list[Message]:
    value = {"resources": [{"uri": each} for each in uris]}
    return [request(request_id, "resources/list", **beside), result(request_id, value, S2C, **beside)]


def named(name: str, request_id: int = 0, **beside: Any) -> list[Message]:
    info = {"serverInfo": {"name": name}, "capabilities": {}}
    return [initialize(request_id, **beside), result(request_id, info, S2C, **beside)]


def gathered(log: list[Message]) -> tuple[Context, list[Read]]:
    context = Context()
    return context, pairing_of(log, context).reads


def known(context: Context, read: Read) -> list[str]:
    return [each.text for each in context.templates_known(read)]


def late(context: Context, read: Read) -> list[str]:
    return [each.text for each in context.templates_late(read)]


def test_every_page_counts() -> None:
    context, (read,) = gathered([*page(1, "a://{x}", cursor="2"), *page(2, "b://{x}"), read_request(3)])
    assert (known(context, read), late(context, read)) == (["a://{x}", "b://{x}"], [])
    assert [each.position for each in context.templates_known(read)] == [2, 4]


def test_what_is_listed_after_the_read_is_late() -> None:
    context, (first, second) = gathered([*page(1, "a://{x}"), read_request(2), *page(3, "b://{x}"), read_request(4)])
    assert (known(context, first), late(context, first)) == (["a://{x}"], ["b://{x}"])
    assert (known(context, second), late(context, second)) == (["a://{x}", "b://{x}"], [])
    assert [context.template_count(read) for read in (first, second)] == [1, 2]


def test_a_listing_whose_answer_comes_after_the_read_is_late() -> None:
    asked, answered = page(1, "a://{x}")
    context, (read,) = gathered([asked, read_request(2), answered])
    assert (known(context, read), late(context, read)) == ([], ["a://{x}"])


def test_a_template_listed_again_is_kept_once_with_its_first_place() -> None:
    log = [each for number in range(50) for each in page(number, "a://{x}")]
    context, (read,) = gathered([*log, read_request(99)])
    assert [(each.text, each.position) for each in context.templates_known(read)] == [("a://{x}", 2)]


def test_a_listing_without_its_request_still_counts() -> None:
    context, (read,) = gathered([page(1, "a://{x}")[1], read_request(2)])
    assert known(context, read) == ["a://{x}"]


def test_another_methods_answer_lists_nothing() -> None:
    answer = result(1, {"resourceTemplates": [{"uriTemplate": "a://{x}"}]}, S2C)
    context, (read,) = gathered([request(1, "tools/call"), answer, error(1, direction=S2C), read_request(2)])
    assert known(context, read) == []


@pytest.mark.parametrize("entries", [None, 5, {}, [None, 5, {}, {"uriTemplate": 5}, "a://{x}"]])
def test_listings_that_list_nothing(entries: object) -> None:
    answer = result(1, {"resourceTemplates": entries, "resources": entries}, S2C)
    context, (read,) = gathered([request(1, "resources/templates/list"), answer, read_request(2)])
    assert known(context, read) == []


def test_servers_in_one_log_know_their_own_templates() -> None:
    log = [
        *(*named("one", session="s1"), *named("two", session="s2"), *named("one", session="s3")),
        *(*page(1, "one://{x}", session="s1"), *page(1, "two://{x}", session="s2")),
        *(*page(1, "any://{x}", session="s4"), read_request(2, session="s1"), read_request(2, session="s2")),
        *(read_request(2, session="s3"), read_request(2, session="s5")),
    ]
    context, (one, two, same, unknown) = gathered(log)
    assert [read.server for read in (one, two, same, unknown)] == ["one", "two", "one", ""]
    assert known(context, one) == known(context, same) == ["one://{x}", "any://{x}"]
    assert known(context, two) == ["two://{x}", "any://{x}"]
    assert known(context, unknown) == ["one://{x}", "two://{x}", "any://{x}"]


def test_a_server_named_in_meta() -> None:
    answer = result(1, {"contents": [], "_meta": {META: {"name": "reports"}}}, S2C)
    _, (first, second) = gathered([read_request(1), answer, read_request(2)])
    assert [first.server, second.server] == ["", "reports"]


@pytest.mark.parametrize("info", [None, "reports", {"name": 5}, {}])
def test_a_server_without_a_name(info: object) -> None:
    _, (read,) = gathered([initialize(0), result(0, {"serverInfo": info}, S2C), read_request(1)])
    assert read.server == ""


def test_over_http_the_url_names_the_server() -> None:
    one, two = {"http": exchange(1, "http://one/mcp")}, {"http": exchange(2, "http://two/mcp")}
    log = [*page(1, "one://{x}", **one), *page(1, "two://{x}", **two)]
    log += [read_request(2, http=exchange(3, "http://one/mcp"))]
    context, (read,) = gathered(log)
    assert (read.server, known(context, read)) == ("http://one/mcp", ["one://{x}"])


def test_listed_resources_by_exact_uri_and_scheme_without_case() -> None:
    uris = ["report://acme/1", "REPORT://acme/1", "report://Acme/1", "report://acme/1/", "report:"]
    log = [read_request(7, "report://acme/1"), *resources(1, "Report://acme/1")]
    context, (early, *reads) = gathered([*log, *(read_request(10 + n, uri) for n, uri in enumerate(uris))])
    assert context.is_listed(early) is False
    assert [context.is_listed(read) for read in reads] == [True, True, False, False, False]


def test_listed_resources_of_another_server_do_not_count() -> None:
    log = [*named("one", session="s1"), *named("two", session="s2"), *resources(1, "a://1", session="s1")]
    log += [read_request(2, session=session) for session in ("s1", "s2", "s3")]
    context, (one, two, unknown) = gathered(log)
    assert [context.is_listed(read) for read in (one, two, unknown)] == [True, False, True]


def test_a_read_without_a_uri_is_not_listed() -> None:
    context, (read,) = gathered([*resources(1, "a://1"), read_request(2, None)])
    assert context.is_listed(read) is False


def test_fastmcp_is_known_by_its_meta_or_its_name() -> None:
    value = {"resourceTemplates": [{"uriTemplate": "a://{x*}", "_meta": {"_fastmcp": {}}}, {"uriTemplate": "b://{x}"}]}
    log = [request(1, "resources/templates/list"), result(1, value, S2C), read_request(2)]
    context, (read,) = gathered(log)
    assert [each.fastmcp for each in context.templates_known(read)] == [True, False]
    context, (read,) = gathered([*named("My FastMCP server"), *page(1, "a://{x}"), read_request(2)])
    assert [each.fastmcp for each in context.templates_known(read)] == [True]


def test_past_the_limit_the_context_says_that_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIST_LIMIT", 2)
    monkeypatch.setattr(module, "TEMPLATE_LIMIT", 2)
    context, (read,) = gathered([*page(1, "a://{x}", "b://{x}"), *page(2, "a://{x}"), read_request(3)])
    assert (known(context, read), context.full) == (["a://{x}", "b://{x}"], False)
    context, (read,) = gathered([*page(1, "a://{x}", "b://{x}", "c://{x}"), read_request(3)])
    assert (known(context, read), context.full) == (["a://{x}", "b://{x}"], True)
    assert context.lacks_templates(read)
    context, _ = gathered(resources(1, "a://1", "a://2", "a://1"))
    assert context.full is False
    context, _ = gathered(resources(1, "a://1", "a://2", "a://3"))
    assert context.full is True


def test_captures_are_kept_apart() -> None:
    context, (read,) = gathered([*page(1, "a://{x}"), *resources(2, "a://1"), read_request(3)])
    other = replace(read, capture="other.jsonl", capture_set="other.jsonl")
    assert (known(context, other), context.is_listed(other)) == ([], False)


def test_an_answered_listing_names_no_read() -> None:
    _, (read,) = gathered([*page(1, "a://{x}"), read_request(1), contents(1, direction=S2C)])
    assert read.extra == ()


def test_a_listing_of_an_unknown_server_counts_for_every_read() -> None:
    log = [*resources(1, "a://1", session="s1"), *named("one", session="s2"), read_request(2, session="s2")]
    context, (read,) = gathered(log)
    assert (read.server, context.is_listed(read)) == ("one", True)

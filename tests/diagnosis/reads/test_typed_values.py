"""What a person typed into a form drawn from a template, as `completion/complete` shows it."""

from __future__ import annotations

from typing import Any

import pytest

from diagnosis.captures.message import Message
from diagnosis.reads import context as module
from diagnosis.reads.context import Context
from tests.diagnosis.reads.build import message, pairing_of, read_request

TEMPLATE = "report://{tenant}/{month}"
REFERENCE = {"type": "ref/resource", "uri": TEMPLATE}


def completion(request_id: int, name: Any, value: Any, **others: Any) -> Message:
    params = {"ref": REFERENCE, "argument": {"name": name, "value": value}, "context": {"arguments": others}}
    return message({"id": request_id, "method": "completion/complete", "params": params})


def typed(log: list[Message], template: str = TEMPLATE) -> list[dict[str, str]]:
    """What counts for the last read of a log."""
    context = Context()
    read = pairing_of(log, context).reads[-1]
    return [dict(each.values) for each in context.typed_before(read, template)]


def test_the_argument_and_the_values_beside_it_latest_first() -> None:
    log = [completion(1, "tenant", "acme"), completion(2, "month", "2025", tenant="acme"), read_request(3)]
    assert typed(log) == [{"tenant": "acme", "month": "2025"}, {"tenant": "acme"}]


def test_what_is_typed_after_the_read_does_not_count() -> None:
    context = Context()
    first, second = pairing_of([read_request(1), completion(2, "tenant", "acme"), read_request(3)], context).reads
    assert context.typed_before(first, TEMPLATE) == ()
    assert [each.position for each in context.typed_before(second, TEMPLATE)] == [2]


def test_another_template_is_another_form() -> None:
    assert typed([completion(1, "tenant", "acme"), read_request(2)], "report://{tenant}") == []


def test_values_are_kept_as_they_were_typed() -> None:
    assert typed([completion(1, "tenant", "a%20b c/ü"), read_request(2)]) == [{"tenant": "a%20b c/ü"}]


@pytest.mark.parametrize(("name", "value"), [(5, "acme"), ("tenant", 5), (None, None), (["x"], "acme")])
def test_an_argument_of_wrong_types_leaves_the_others(name: Any, value: Any) -> None:
    assert typed([completion(1, name, value, month="2025", day=5), read_request(2)]) == [{"month": "2025"}]


@pytest.mark.parametrize(
    "params",
    [None, [], {}, {"ref": "report://"}, {"ref": {"type": "ref/prompt", "name": "p"}}, {"ref": {"uri": 5}}],
)
def test_a_completion_that_refers_to_no_template(params: object) -> None:
    log = [message({"id": 1, "method": "completion/complete", "params": params}), read_request(2)]
    assert typed(log) == []


def test_only_the_last_ones_are_handed_out() -> None:
    log = [completion(number, "tenant", str(number)) for number in range(module.TYPED_LIMIT + 10)]
    found = typed([*log, read_request(9999)])
    assert len(found) == module.TYPED_LIMIT
    assert (found[0], found[-1]) == ({"tenant": str(module.TYPED_LIMIT + 9)}, {"tenant": "10"})


def test_past_the_limit_the_context_says_that_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LIST_LIMIT", 1)
    context = Context()
    pairing_of([completion(1, "tenant", "a")], context)
    assert context.full is False
    pairing_of([completion(2, "tenant", "b")], context)
    assert context.full is True

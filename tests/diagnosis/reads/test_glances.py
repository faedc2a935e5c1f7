"""Pairing by frames gives the reads, positions and contexts that pairing by whole messages gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from diagnosis.captures.frames import Glance, frame_in, glance_at
from diagnosis.captures.message import Direction, Message, Span
from diagnosis.reads.context import Context
from diagnosis.reads.pairing import Pairing
from diagnosis.reads.read import Read

ASKS = ["resources/read", "tools/call", "ping", "initialize", "server/discover", "resources/list", "roots/list"]
NOTES = ["notifications/cancelled", "notifications/initialized", "notifications/progress"]
DONE: list[dict[str, Any]] = [
    {"result": {"contents": [{"uri": "r://a/1", "text": "x"}]}},
    {"result": {"content": []}},
    {"result": {"resources": [{"uri": "r://a/1", "name": "a"}]}},
    {"result": {"serverInfo": {"name": "shop", "version": "1"}, "protocolVersion": "1", "capabilities": {}}},
    {"result": {"roots": []}},
    {"result": {}},
    {"error": {"code": -32002, "message": "no"}},
]
IDS = st.sampled_from([1, 2, 3, "1", "2"])
SIDES = st.sampled_from(list(Direction))
SESSIONS = st.sampled_from([None, None, "s1", "s2"])
CHANNELS = st.sampled_from([None, None, "kb"])


def ask(method: str, request_id: int | str) -> dict[str, Any]:
    params = {"uri": f"r://a/{request_id}"} if method == "resources/read" else {}
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def note(method: str, request_id: int | str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": {"requestId": request_id}}


MESSAGES = st.one_of(
    st.builds(ask, st.sampled_from(ASKS), IDS),
    st.builds(lambda key, done: {"jsonrpc": "2.0", "id": key, **done}, IDS, st.sampled_from(DONE)),
    st.builds(
        lambda m, key: {"jsonrpc": "2.0", "method": m, "params": {"requestId": key}}, st.sampled_from(NOTES), IDS
    ),
)
LOG = st.lists(st.tuples(MESSAGES, SIDES, SESSIONS, CHANNELS), max_size=40)
TO_SERVER, TO_CLIENT = Direction.TO_SERVER, Direction.TO_CLIENT


def paired(log: list[tuple[dict[str, Any], Direction, str | None, str | None]], *, glancing: bool) -> Any:
    context = Context()
    pairing = Pairing("log", context)
    changes: list[Read] = []
    glances = 0
    for line, (body, direction, session, channel) in enumerate(log, 1):
        record = json.dumps(body).encode()
        message = Message(body, Span("log", line, line * 1000, len(record)), record, direction, session, channel)
        glance = glance_at(frame_in(record), line, line * 1000, record, direction, lambda *_: (), session, channel)
        assert isinstance(glance, Glance)
        found = pairing.glance(glance) if glancing else None
        glances += found is not None
        changes += pairing.feed(message) if found is None else found
    changes += pairing.finish()
    lists = context.listed_templates()
    return glances, (changes, pairing.reads, pairing.position, pairing.orphans, lists)


@given(LOG)
@example([(ask("tools/call", 1), TO_SERVER, None, None), (ask("tools/call", 1), TO_SERVER, None, None)])
@settings(max_examples=400, deadline=None)
def test_the_same_reads(log: list[tuple[dict[str, Any], Direction, str | None, str | None]]) -> None:
    assert paired(log, glancing=True)[1] == paired(log, glancing=False)[1]


def answer(request_id: int, place: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, **DONE[place]}


@pytest.mark.parametrize(
    ("before", "last", "enough"),
    [
        ([], (ask("tools/call", 1), TO_SERVER), True),
        ([], (ask("roots/list", 1), TO_CLIENT), True),
        ([], (ask("tools/call", 1), Direction.UNKNOWN), False),
        ([], (ask("resources/read", 1), TO_SERVER), False),
        ([], (ask("initialize", 1), TO_SERVER), False),
        ([], (note("notifications/cancelled", 1), TO_SERVER), False),
        ([], ({"jsonrpc": "2.0", "method": "resources/read", "params": {"uri": "r://a"}}, TO_SERVER), False),
        ([(ask("tools/call", 1), TO_SERVER)], (answer(1, 1), TO_CLIENT), False),  # the first word of a server
        ([(ask("tools/call", 1), TO_SERVER), (answer(1, 1), TO_CLIENT), (ask("tools/call", 2), TO_SERVER)],
         (answer(2, 0), TO_CLIENT), True),
        ([(ask("tools/call", 1), TO_SERVER), (answer(1, 1), TO_CLIENT), (ask("resources/read", 2), TO_SERVER)],
         (answer(2, 0), TO_CLIENT), False),
        ([(ask("tools/call", 1), TO_SERVER), (answer(1, 1), TO_CLIENT), (ask("resources/list", 2), TO_SERVER)],
         (answer(2, 2), TO_CLIENT), False),
        ([(ask("tools/call", 1), TO_SERVER), (answer(1, 1), TO_CLIENT)], (answer(2, 1), TO_CLIENT), False),
        ([(ask("tools/call", 1), TO_SERVER), (answer(1, 1), TO_CLIENT), (ask("tools/call", 2), TO_SERVER)],
         (answer(2, 3), TO_CLIENT), False),  # it names the server, and nobody has yet
    ],
)  # fmt: skip
def test_when_the_frame_is_enough(
    before: list[tuple[dict[str, Any], Direction]], last: tuple[dict[str, Any], Direction], enough: bool
) -> None:
    def count(log: list[tuple[dict[str, Any], Direction]]) -> int:
        return int(paired([(body, side, "s1", None) for body, side in log], glancing=True)[0])

    assert count([*before, last]) - count(before) == enough

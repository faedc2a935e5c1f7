"""(g) Sessions that have nothing to do with each other may stand in any order."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.captures import answers, diagnosed
from tests.properties.strategies import BODIES, HOSTILE, listing, request, thorough


@st.composite
def session(draw: st.DrawFn, name: str) -> list[str]:
    """One session with a server of its own, whose answers come back in turn."""
    start = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-06-18", "serverInfo": {"name": name}}},
        *listing(1, f"{name}://{{tenant}}/{{month}}"),
    ]
    messages: list[Any] = start
    for number in range(draw(st.integers(1, 3))):
        uri = f"{name}://" + draw(st.sampled_from(["acme/", "northwind/", "a%252Fb/"])) + draw(HOSTILE)
        text = draw(BODIES)
        messages += [
            request(number + 2, uri),
            {"jsonrpc": "2.0", "id": number + 2, "result": {"contents": [{"uri": uri, "text": text}]}},
        ]
    return [
        json.dumps(
            {"dir": "client->server" if "method" in each else "server->client", "session": name, "message": each}
        )
        for each in messages
    ]


@thorough(80)
@given(session("s1"), session("s2"), session("s3"), st.randoms(use_true_random=False))
def test_no_order_of_sessions_changes_a_finding(one: list[str], two: list[str], three: list[str], dice: Any) -> None:
    apart = "\n".join([*one, *two, *three])
    left = [list(one), list(two), list(three)]
    mixed = []
    while any(left):
        mixed.append(dice.choice([each for each in left if each]).pop(0))
    first, second = (diagnosed(text.encode()) for text in (apart, "\n".join(mixed)))
    expected = sorted((str(each.read.session), *answers(each)) for each in first.judgements)
    assert sorted((str(each.read.session), *answers(each)) for each in second.judgements) == expected
    assert len(expected) == sum("resources/read" in each for each in (*one, *two, *three))

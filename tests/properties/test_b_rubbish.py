"""(b) Whatever stands between the messages, and however lines end, every message is found."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.properties.captures import answers, diagnosed
from tests.properties.strategies import conversations, line, listing, request, thorough

# Text that no reader could take for a message, since it holds no brace: a bracket or a brace may begin one.
RUBBISH = st.lists(
    st.binary(max_size=30).map(lambda data: data.translate(None, b"\n\r{}[]"))
    | st.sampled_from([b"npm WARN deprecated", b"Traceback (most recent call last):", b"\xff\xfe", b"}", b"nul\x00"]),
    max_size=2,
)


@thorough(120)
@given(conversations(), st.lists(RUBBISH, max_size=12), st.sampled_from([b"\n", b"\r\n"]))
def test_every_read_is_found_and_judged_the_same(session: list[Any], gaps: list[list[bytes]], end: bytes) -> None:
    session = [*listing(0, "note://{name}"), request(9, "note://a"), *session]
    gaps += [[] for _ in session]
    mixed = [each for message, gap in zip(session, gaps, strict=False) for each in (line(message), *gap)]
    plain = diagnosed(b"\n".join(map(line, session)))
    found = diagnosed(end.join(mixed))
    assert len(plain.judgements) == sum(message.get("method") == "resources/read" for message in session)
    assert [answers(each) for each in found.judgements] == [answers(each) for each in plain.judgements]
    assert [each.messages for each in found.captures] == [len(session)]

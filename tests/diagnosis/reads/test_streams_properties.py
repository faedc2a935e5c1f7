"""What holds of every two directions that are merged, and of every two views of the same traffic."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.message import Direction, Message, Span
from diagnosis.reads.sets import interleaved
from diagnosis.reads.witnesses import matched
from tests.diagnosis.reads.build import contents, initialize, paired, read_request

IDS = st.integers(0, 3)
NOISE = Skipped(Kind.OTHER, Span("a", 1, 0, 1), "noise")
ASK = st.one_of(IDS.map(read_request), IDS.map(initialize), st.just(NOISE))
ANSWER = st.one_of(IDS.map(contents), IDS.map(lambda n: read_request(n)), st.just(NOISE))


@given(st.lists(ASK, max_size=12), st.lists(ANSWER, max_size=12))
def test_both_directions_keep_their_order_and_nothing_is_lost(asks: list[Any], answers: list[Any]) -> None:
    merged = list(interleaved(lambda: iter(asks), lambda: iter(answers)))
    sent = [item for index, item in merged if index == 0]
    received = [item for index, item in merged if index == 1]
    assert [_plain(each) for each in sent] == [_plain(each) for each in asks]
    assert [_plain(each) for each in received] == [_plain(each) for each in answers]
    assert {each.direction for each in sent if isinstance(each, Message)} <= {Direction.TO_SERVER}


def _plain(item: Any) -> Any:
    return item.body if isinstance(item, Message) else item


@given(st.permutations(range(8)), st.integers(0, 8))
def test_answers_in_any_order_find_their_requests(order: list[int], kept: int) -> None:
    asks = [read_request(n, f"a://{n}") for n in range(8)]
    answers = [contents(n, f"a://{n}") for n in order[:kept]]
    merged = [item for _, item in interleaved(lambda: iter(asks), lambda: iter(answers))]
    reads = paired([each for each in merged if isinstance(each, Message)])
    for read in reads:
        echo = read.response.contents[0].uri if read.response else None
        assert echo == (read.uri if int(str(read.request_id)) in order[:kept] else None)


@given(st.lists(st.tuples(IDS, st.sampled_from("abc")), max_size=12), st.data())
def test_no_read_is_two_reads_of_the_other_view(asked: list[tuple[int, str]], data: st.DataObject) -> None:
    ours = [each for n, name in asked for each in paired([read_request(n, f"a://{name}")])]
    theirs = [replace(each, capture="other") for each in ours if data.draw(st.booleans())]
    pairs = matched(ours, theirs)
    assert len(set(pairs.values())) == len(pairs)
    assert set(pairs) == set(range(len(theirs)))  # every one of them was seen by the first one
    for index, number in pairs.items():
        assert theirs[index].uri == ours[number].uri

"""What holds for every log: numbers stay, and nothing later changes what an answered read holds."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from diagnosis.captures.message import Message
from diagnosis.reads.context import Context
from diagnosis.reads.pairing import Pairing
from diagnosis.reads.read import Read
from tests.diagnosis.reads.build import (
    C2S,
    CAPTURE,
    S2C,
    UNKNOWN,
    cancelled,
    contents,
    error,
    exchange,
    initialize,
    read_request,
    request,
    result,
)

IDS = st.sampled_from([1, 2, "1", 1.0, None])
URIS = st.sampled_from(["a://1", "a://2", "b://1"])
DIRECTIONS = st.sampled_from([C2S, S2C, UNKNOWN])


@st.composite
def messages(draw: st.DrawFn) -> Message:
    request_id, uri, direction = draw(IDS), draw(URIS), draw(DIRECTIONS)
    built = draw(
        st.sampled_from(
            [
                read_request(request_id, uri, direction),
                read_request(request_id, uri, direction),
                contents(request_id, uri, direction),
                contents(request_id, uri, direction),
                error(request_id, direction=direction),
                result(request_id, None, direction),
                result(request_id, {"resultType": "input_required"}, direction),
                request(request_id, "roots/list", direction),
                result(request_id, {"roots": []}, direction),
                request(request_id, "ping", direction),
                result(request_id, {}, direction),
                cancelled(request_id, direction),
                initialize(request_id, direction),
            ]
        )
    )
    number = draw(st.sampled_from([None, None, 1, 2]))
    session = draw(st.sampled_from([None, "s1", "s2"]))
    return replace(built, session=session, http=exchange(number) if number is not None else None)


LOGS = st.lists(messages(), max_size=30)


def fixed(read: Read) -> Read:
    """What an answered read holds, without what comes after the answer by its nature: further responses."""
    return replace(read, extra=(), notes=())


@given(LOGS)
def test_later_messages_never_change_an_answered_read(log: list[Message]) -> None:
    pairing = Pairing(CAPTURE, Context())
    held: dict[int, Read] = {}
    for each in log:
        pairing.feed(each)
        for number, read in held.items():
            assert fixed(pairing.reads[number]) == read
        held.update({read.number: fixed(read) for read in pairing.reads if read.response is not None})
    list(pairing.finish())
    assert all(fixed(pairing.reads[number]) == read for number, read in held.items())


@given(LOGS)
def test_reads_keep_number_position_and_request(log: list[Message]) -> None:
    pairing = Pairing(CAPTURE, Context())
    begun: list[Read] = []
    for position, each in enumerate(log, start=1):
        before = len(pairing.reads)
        changed = pairing.feed(each)
        assert all(pairing.reads[read.number] == read for read in changed)
        for read in pairing.reads[before:]:
            assert (read.number, read.position) == (len(begun), position)
            begun.append(read)
    for first, last in zip(begun, pairing.reads, strict=True):
        assert (first.uri, first.request_id, first.session, first.conversation, first.server) == (
            (last.uri, last.request_id, last.session, last.conversation, last.server)
        )


@given(LOGS)
def test_every_read_ends_with_an_answer_or_a_cause(log: list[Message]) -> None:
    pairing = Pairing(CAPTURE, Context())
    changed = {read.number: read for each in log for read in pairing.feed(each)}
    changed.update({read.number: read for read in pairing.finish()})
    assert [changed[number] for number in range(len(pairing.reads))] == pairing.reads
    for read in pairing.reads:
        assert (read.response is None) is (read.no_answer is not None)


@given(LOGS)
def test_every_response_answers_one_read_at_most_and_never_an_earlier_place(log: list[Message]) -> None:
    pairing = Pairing(CAPTURE, Context())
    for each in log:
        pairing.feed(each)
    places: list[int] = []
    for read in pairing.reads:
        given_to = [each.position for each in (read.response, *read.extra) if each is not None]
        assert all(position > read.position for position in given_to)
        assert given_to == sorted(given_to)
        places += given_to
        answers = [log[position - 1] for position in given_to]
        assert all(answer.session == read.session for answer in answers)
    assert len(places) == len(set(places))

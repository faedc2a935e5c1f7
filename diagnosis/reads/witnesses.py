"""Reads that two captures of the same traffic both hold, for example on both sides of a gateway."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations, islice

from diagnosis.reads.clock import around, moment
from diagnosis.reads.conversation import id_key
from diagnosis.reads.read import Read
from diagnosis.uris.percent import decode

NEAR = timedelta(seconds=5)
"""How far the clocks of two witnesses may differ; `--shift` puts right what differs more."""
FEW = 2  # equal reads near in time before two captures are said to look alike
ENOUGH = 3  # equal reads without times before two captures are said to look alike
SCAN_LIMIT = 64  # reads of one key that are looked at for one near in time
SHARED_LIMIT = 16  # sets that hold the same read before it says nothing about which two are the same traffic


@dataclass(frozen=True, slots=True)
class Alike:
    """Two sets of captures, by name, in which `reads` reads were asked and answered alike."""

    one: str
    other: str
    reads: int


def alike(reads: Iterable[Read]) -> tuple[Alike, ...]:
    """The sets that look like the same traffic and were counted as two.

    Four of five reads of the smaller one must stand in the other one too, with id and URI: near in time where both have
    times, else with the same answer, and then at least three of them.
    """
    seen: defaultdict[Hashable, dict[str, Read]] = defaultdict(dict)
    for read in reads:
        seen[_by_id_and_uri(read)].setdefault(read.capture_set, read)
    sizes = Counter(name for sets in seen.values() for name in sets)
    timed: Counter[tuple[str, str]] = Counter()
    timeless: Counter[tuple[str, str]] = Counter()
    for sets in seen.values():
        if not 2 <= len(sets) <= SHARED_LIMIT:
            continue
        for one, other in combinations(sets, 2):
            sessions = {sets[each].session for each in (one, other)} - {None}
            if len(sessions) > 1:
                continue  # two people may ask for one document in one second
            near = _near(sets[one], sets[other])
            timed[one, other] += near is True
            timeless[one, other] += near is None and _is_equal(sets[one], sets[other])
    found: list[Alike] = []
    for pair in timed:
        count, smaller = timed[pair] + timeless[pair], min(sizes[each] for each in pair)
        if (timed[pair] >= FEW or count >= ENOUGH) and count * 5 >= smaller * 4:
            found.append(Alike(*pair, count))
    return tuple(found)


def matched(ours: Sequence[Read], theirs: Sequence[Read]) -> dict[int, int]:
    """For reads of the second capture, by index, the read of the first one that they are."""
    pairs: dict[int, int] = {}
    _pair(ours, theirs, _by_trace, pairs, timed=False)
    _pair(ours, theirs, _by_id_and_uri, pairs)
    # A hop may give new ids, or change the URI.
    _pair(ours, theirs, _by_id_and_name, pairs, in_order=True)
    _pair(ours, theirs, _by_uri, pairs, in_order=True)
    # An id alone says little: the reads before and behind it must be its neighbours' in both captures.
    _pair(ours, theirs, _by_id, pairs, in_order=True, alone=True)
    return pairs


def _pair(
    ours: Sequence[Read],
    theirs: Sequence[Read],
    key: Callable[[Read], Hashable],
    pairs: dict[int, int],
    *,
    in_order: bool = False,
    alone: bool = False,
    timed: bool = True,
) -> None:
    """Pairs reads with one key: the nearest in time, and without times the first that is left.

    `in_order` keeps them between the neighbours that are known already, `alone` wants only one read to be there.
    """
    taken = set(pairs.values())
    waiting: defaultdict[Hashable, list[tuple[datetime, int]]] = defaultdict(list)
    timeless: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for number, read in enumerate(ours):
        if number not in taken and (own := key(read)) is not None:
            when = moment(read.time, read.time_basis) if timed else None
            if when is None:
                timeless[own].append(number)
            else:
                waiting[own].append((when, number))
    for places in waiting.values():
        places.sort()
    anchors = sorted(pairs.items())
    for index, read in enumerate(theirs):
        own = key(read) if index not in pairs else None
        if own is None:
            continue
        first, end = _between(anchors, index, len(ours)) if in_order else (0, len(ours))
        if alone and (end - first != 1 or not _has_neighbours(anchors, index)):
            continue
        when = moment(read.time, read.time_basis) if timed else None
        near = [] if when is None else _nearest(waiting.get(own, ()), when)
        found = next(
            (n for n in (*near, *_first(timeless.get(own), taken)) if n not in taken and first <= n < end), None
        )
        if found is None and when is None:
            found = next((n for _, n in waiting.get(own, ())[:SCAN_LIMIT] if n not in taken and first <= n < end), None)
        if found is not None:
            taken.add(found)
            pairs[index] = found


def _nearest(places: Sequence[tuple[datetime, int]], when: datetime) -> list[int]:
    """The reads near a time, the nearest first."""
    first = bisect_left(places, (around(when, NEAR)[0], -1))
    found = [(abs(other - when), number) for other, number in islice(places, first, first + SCAN_LIMIT)]
    return [number for distance, number in sorted(found) if distance <= NEAR]


def _first(waiting: deque[int] | None, taken: Collection[int]) -> list[int]:
    """The first reads without a time that are left."""
    while waiting and waiting[0] in taken:
        waiting.popleft()
    return list(islice(waiting or (), SCAN_LIMIT))


def _between(anchors: Sequence[tuple[int, int]], index: int, end: int) -> tuple[int, int]:
    """The reads of the first capture that lie between the neighbours of this one that are known already."""
    place = bisect_left(anchors, (index, -1))
    before = anchors[place - 1][1] + 1 if place else 0
    behind = anchors[place][1] if place < len(anchors) else end
    return before, behind


def _has_neighbours(anchors: Sequence[tuple[int, int]], index: int) -> bool:
    return 0 < bisect_left(anchors, (index, -1)) < len(anchors)


def _by_trace(read: Read) -> Hashable:
    return read.traceparent and (_trace_id(read.traceparent), id_key(read.request_id))


def _trace_id(traceparent: str) -> str:
    """The part of a W3C trace context that every hop keeps (Trace Context, section 3.2.2.3)."""
    parts = traceparent.split("-")
    return parts[1] if len(parts) > 2 else traceparent


def _by_id_and_uri(read: Read) -> Hashable:
    return None if read.uri is None else (id_key(read.request_id), read.uri)


def _by_id_and_name(read: Read) -> Hashable:
    return None if read.uri is None else (id_key(read.request_id), _undone(read.uri))


def _by_uri(read: Read) -> Hashable:
    return read.uri


def _by_id(read: Read) -> Hashable:
    return None if read.request_id is None else id_key(read.request_id)


def _undone(uri: str) -> str:
    """The URI without any percent-encoding, to find what a hop made of it; never to judge by."""
    for _ in range(3):
        uri = decode(uri)
    return uri


def _near(one: Read, other: Read) -> bool | None:
    """Whether two reads lie near in time; None where one of them has no time that can be compared."""
    times = [moment(each.time, each.time_basis) for each in (one, other)]
    if times[0] is None or times[1] is None:
        return None
    return abs(times[0] - times[1]) <= NEAR


def _is_equal(one: Read, other: Read) -> bool:
    """Whether two reads have the same request and the same answer."""
    answers = [each.response.digest if each.response is not None else None for each in (one, other)]
    return one.digest == other.digest and answers[0] == answers[1]

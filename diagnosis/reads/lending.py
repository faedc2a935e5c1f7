"""Records that name a caller, lent to the reads of other logs that name none; only where it is plain whose they are.

A caller that is lent to the wrong read accuses somebody, or clears somebody, of what another one did.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from diagnosis.captures.message import NOT_SERVED
from diagnosis.reads.clock import around, moment
from diagnosis.reads.read import Outcome, Read
from diagnosis.reads.witnesses import NEAR
from diagnosis.wording import quoted

CROWD = 64  # reads of one key near one record; among more nobody can tell whose it is


@dataclass(frozen=True, slots=True)
class Joining:
    """By what records and reads belong together: every key that a read has, and the one that a record asks for.

    `by` says it in words.
    """

    keys_of: Callable[[Read], Iterable[Hashable]]
    asked: Callable[[Read], Hashable | None]
    by: Callable[[Read], str]


@dataclass(slots=True)
class _Chain:
    """Records of one log that compete for reads: `taken` are as many reads as the records can have."""

    reads: set[int] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)
    records: list[Read] = field(default_factory=list)


def near(records: Sequence[Read], main: Iterable[Read], joining: Joining) -> dict[int, list[int]]:
    """For each record the reads that may be its own, by number, the nearest in time first.

    A request that was denied or failed is none that got a document. Two sessions that are both known are two, and a
    record never stands for a read of its own log.
    """
    reads = {read.number: read for read in main}
    places: defaultdict[Hashable, list[tuple[datetime, int]]] = defaultdict(list)
    for read in reads.values():
        when = moment(read.time, read.time_basis)
        if when is not None:
            for key in joining.keys_of(read):
                places[key].append((when, read.number))
    for each in places.values():
        each.sort()
    found: dict[int, list[int]] = {}
    for record in records:
        nearest = _nearest(record, places.get(joining.asked(record), ()))
        found[record.number] = [number for number in nearest if _may_be(record, reads[number])]
    return found


def lent(
    records: Sequence[Read],
    near: Mapping[int, Sequence[int]],
    wanting: Iterable[Read],
    reads: Sequence[Read],
    joining: Joining,
) -> dict[int, Read]:
    """The reads that name no caller, with the one of the record that is theirs.

    All records that may be a read's own must name one caller, and one of them must be nearest to this read, or all
    records that compete with them name the same. Of several the one that names the URI lends it, then the nearest.
    """
    chains = _chains(records, near, reads, joining)
    named: defaultdict[int, list[Read]] = defaultdict(list)
    for record in records:
        for number in near[record.number]:
            named[number].append(record)
    found: dict[int, Read] = {}
    for read in wanting:
        mine = named.get(read.number, [])
        if not mine or _disagree(mine) or not all(chain.reads == chain.taken for chain in chains[read.number]):
            continue
        competing = [record for chain in chains[read.number] for record in chain.records]
        if _disagree(competing) and not any(near[record.number][0] == read.number for record in mine):
            continue
        when = _order(read)[0]
        lender = min(mine, key=lambda each: (each.uri is None, abs(_order(each)[0] - when), each.number))
        found[read.number] = _with_caller(read, lender, joining.by(lender))
    return found


def refused(read: Read) -> bool:
    """Whether a log says that it let the request go no further, or that it failed."""
    status = read.http.status if read.http is not None else None
    return NOT_SERVED in read.notes or (status is not None and status >= 400)


def _may_be(record: Read, read: Read) -> bool:
    if record.capture_set == read.capture_set or (refused(record) and read.outcome is Outcome.RESULT):
        return False
    return None in (record.session, read.session) or record.session == read.session


def _nearest(record: Read, places: Sequence[tuple[datetime, int]]) -> list[int]:
    when = moment(record.time, record.time_basis)
    if when is None:
        return []
    first = bisect_left(places, (around(when, NEAR)[0], -1))
    found: list[tuple[timedelta, int]] = []
    for other, number in places[first : first + CROWD + 1]:
        if other - when > NEAR:
            break
        found.append((abs(other - when), number))
    return [number for _, number in sorted(found)] if len(found) <= CROWD else []


def _chains(
    records: Iterable[Read], near: Mapping[int, Sequence[int]], reads: Sequence[Read], joining: Joining
) -> defaultdict[int, list[_Chain]]:
    """The chains that a read stands in, one for each log that may have recorded it.

    Where one log holds fewer records than there are reads near them, somebody's read was not recorded, and nobody can
    tell whose. Records in order of time that each take the earliest read left to them take as many as can be.
    """
    logs: defaultdict[tuple[str, Hashable], list[Read]] = defaultdict(list)
    for record in records:
        if near[record.number]:
            logs[record.capture_set, joining.asked(record)].append(record)
    found: defaultdict[int, list[_Chain]] = defaultdict(list)
    for own in logs.values():
        chain = _Chain()
        for record in sorted(own, key=_order):
            mine = near[record.number]
            if chain.reads.isdisjoint(mine):
                chain = _Chain()
            for number in mine:
                if number not in chain.reads:
                    chain.reads.add(number)
                    found[number].append(chain)
            chain.taken.update(sorted((n for n in mine if n not in chain.taken), key=lambda n: _order(reads[n]))[:1])
            chain.records.append(record)
    return found


def _order(read: Read) -> tuple[datetime, int]:
    when = moment(read.time, read.time_basis)
    assert when is not None  # what has no time is near nothing
    return when, read.number


def _disagree(records: Collection[Read]) -> bool:
    """Whether the records name different callers, or one of them nobody."""
    names = {each.credential and (each.credential.subject or each.credential.label) for each in records}
    return len(names) > 1 or None in names


def _with_caller(read: Read, record: Read, joined_by: str) -> Read:
    assert record.credential is not None
    span = record.request.span
    where = f"{quoted(f'{span.capture}:{span.line}')}, joined by {joined_by}"
    return replace(read, credential=replace(record.credential, borrowed=where), named_by=record.request)

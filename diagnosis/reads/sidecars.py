"""Logs that say who asked and hold no answers, put beside the reads of other captures.

What such a log knows is a fact and no verdict: it has no answer to judge, and the capture beside it has no caller.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from diagnosis.captures.message import NOT_SERVED
from diagnosis.reads.clock import around, moment
from diagnosis.reads.read import Outcome, Read
from diagnosis.reads.witnesses import NEAR, matched
from diagnosis.wording import quoted

# Numbers of reads that are one read each, the one that counts first; every read stands in one group.
Groups = tuple[tuple[int, ...], ...]

CROWD = 64  # reads of one session near one record; among more nobody can tell whose it is


@dataclass(frozen=True, slots=True)
class Witnessed:
    """Reads with the callers that other logs name, and which of them are one read."""

    reads: tuple[Read, ...]
    groups: Groups


def witnessed(reads: Sequence[Read], sidecars: Collection[str], *, same_traffic: bool) -> Witnessed:
    """Groups the reads that several captures hold, and lends callers to those that know none.

    A read of a sidecar belongs to the read of the same session and URI that is nearest in time. All other captures are
    witnesses of each other only where `same_traffic` says so.
    """
    views: defaultdict[str, list[Read]] = defaultdict(list)
    for read in reads:
        if read.capture_set not in sidecars:
            views[read.capture_set].append(read)
    groups = _joined(views.values()) if same_traffic else [[read] for view in views.values() for read in view]
    lent = _lent(groups)
    beside = [read for read in reads if read.capture_set in sidecars]
    main = [group[0] for group in groups]
    near = _near(beside, main)
    wanting = [read for read in main if read.credential is None and read.number not in lent]
    lent.update(_believed(beside, near, wanting, _covered(beside, near, reads)))
    place = {group[0].number: group for group in groups}
    for read in beside:
        if near[read.number]:
            place[near[read.number][0]].append(read)
        else:
            groups.append([read])
    return Witnessed(
        tuple(lent.get(read.number, read) for read in reads),
        tuple(sorted(tuple(read.number for read in group) for group in groups)),
    )


def _joined(views: Iterable[list[Read]]) -> list[list[Read]]:
    """The reads of all views, each with those of later views that are the same."""
    groups: list[list[Read]] = []
    for view in views:
        pairs = matched([group[0] for group in groups], view)
        alone = [[read] for index, read in enumerate(view) if index not in pairs]
        for index, number in pairs.items():
            groups[number].append(view[index])
        groups += alone
    return groups


def _lent(groups: Iterable[Sequence[Read]]) -> dict[int, Read]:
    """Witnesses with an answer that name nobody, with the caller that a witness without one names.

    A witness with an answer is judged by itself: each hop of a proxied read has a caller of its own. Where another
    record near in time asks for the same URI for somebody else, none is believed.
    """
    every = list(groups)
    asked: defaultdict[str | None, list[tuple[datetime, int]]] = defaultdict(list)
    records: dict[int, Read] = {}
    for group in every:
        for read in group:
            when = moment(read.time, read.time_basis)
            if read.response is None and read.credential is not None:
                records[read.number] = read
                if when is not None:
                    asked[read.uri].append((when, read.number))
    for places in asked.values():
        places.sort()
    lent: dict[int, Read] = {}
    for group in every:
        lenders = [read for read in group if read.number in records and not _refused(read)]
        if not lenders:
            continue
        crowd = [records[number] for each in lenders for number in _around(each, asked[each.uri])]
        if _disagree((*lenders, *crowd)):
            continue
        for read in group:
            if read.response is not None and read.credential is None:
                lent[read.number] = _with_caller(read, lenders[0], "id, URI and time")
    return lent


def _refused(read: Read) -> bool:
    """Whether a gateway says that it let the request go no further, or that it failed."""
    status = read.http.status if read.http is not None else None
    return NOT_SERVED in read.notes or (status is not None and status >= 400)


def _around(read: Read, places: Sequence[tuple[datetime, int]]) -> list[int]:
    """The records of the same URI near a record, by number."""
    when = moment(read.time, read.time_basis)
    if when is None:
        return []
    begin, until = around(when, NEAR)
    first, end = bisect_left(places, (begin, -1)), bisect_left(places, (until, 2**62))
    return [number for _, number in places[first:end]]


def _near(beside: Sequence[Read], main: Sequence[Read]) -> dict[int, list[int]]:
    """For each record of a sidecar the reads that may be its own, by number, the nearest in time first.

    A request that was denied or failed is none that got a document.
    """
    times: defaultdict[tuple[str, str | None], list[tuple[datetime, int]]] = defaultdict(list)
    served = {read.number for read in main if read.outcome is Outcome.RESULT}
    for read in main:
        when = moment(read.time, read.time_basis)
        if when is not None and read.session is not None:
            times[read.session, None].append((when, read.number))
            if read.uri is not None:
                times[read.session, read.uri].append((when, read.number))
    for places in times.values():
        places.sort()
    found = {read.number: _nearest(read, times.get((read.session or "", read.uri), [])) for read in beside}
    for read in beside:
        if _refused(read):
            found[read.number] = [number for number in found[read.number] if number not in served]
    return found


def _nearest(read: Read, places: Sequence[tuple[datetime, int]]) -> list[int]:
    when = moment(read.time, read.time_basis)
    if when is None or read.session is None:
        return []
    first = bisect_left(places, (around(when, NEAR)[0], -1))
    found: list[tuple[timedelta, int]] = []
    for other, number in places[first : first + CROWD + 1]:
        if other - when > NEAR:
            break
        found.append((abs(other - when), number))
    return [number for _, number in sorted(found)] if len(found) <= CROWD else []


def _covered(beside: Sequence[Read], near: Mapping[int, Sequence[int]], reads: Sequence[Read]) -> set[int]:
    """The reads that have a record of their own, and whose rivals for it have one too.

    Where one sidecar holds fewer records than there are reads near them, somebody's read was not recorded, and nobody
    can tell whose. Records in order of time that each take the earliest read left to them cover as many as can be.
    """
    logs: defaultdict[tuple[str, str | None, str | None], list[Read]] = defaultdict(list)
    for record in beside:
        if near[record.number]:
            logs[record.capture_set, record.session, record.uri].append(record)
    covered: set[int] = set()
    for records in logs.values():
        rivals: set[int] = set()
        taken: set[int] = set()
        for record in sorted(records, key=_order):
            mine = near[record.number]
            if rivals.isdisjoint(mine):
                covered |= rivals if rivals == taken else set()
                rivals, taken = set(), set()
            rivals.update(mine)
            taken.update(sorted((n for n in mine if n not in taken), key=lambda n: _order(reads[n]))[:1])
        covered |= rivals if rivals == taken else set()
    return covered


def _order(read: Read) -> tuple[datetime, int]:
    when = moment(read.time, read.time_basis)
    assert when is not None  # what has no time is near nothing
    return when, read.number


def _believed(
    beside: Sequence[Read], near: Mapping[int, Sequence[int]], wanting: Iterable[Read], covered: Collection[int]
) -> dict[int, Read]:
    """The reads that name no caller, with the one that all records name that may be theirs.

    The record that lends it is one that names the URI too, if there is one, and the nearest in time.
    """
    records: defaultdict[int, list[Read]] = defaultdict(list)
    for record in beside:
        for number in near[record.number]:
            records[number].append(record)
    found: dict[int, Read] = {}
    for read in wanting:
        named = records.get(read.number, [])
        if read.number not in covered or _disagree(named):
            continue
        when = _order(read)[0]
        lender = min(named, key=lambda each: (each.uri is None, abs(_order(each)[0] - when), each.number))
        found[read.number] = _with_caller(
            read, lender, "session, URI and time" if lender.uri is not None else "session and time"
        )
    return found


def _disagree(records: Sequence[Read]) -> bool:
    """Whether the records name different callers, or one of them nobody."""
    names = {each.credential and (each.credential.subject or each.credential.label) for each in records}
    return len(names) > 1 or None in names


def _with_caller(read: Read, record: Read, joined_by: str) -> Read:
    assert record.credential is not None
    span = record.request.span
    where = f"{quoted(f'{span.capture}:{span.line}')}, joined by {joined_by}"
    return replace(read, credential=replace(record.credential, borrowed=where), named_by=record.request)

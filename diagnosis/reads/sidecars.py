"""Logs that say who asked and hold no answers, put beside the reads of other captures.

What such a log knows is a fact and no verdict: it has no answer to judge, and the capture beside it has no caller.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from diagnosis.callers.credentials import Credential
from diagnosis.reads.clock import around, moment
from diagnosis.reads.read import Read
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
    near = _near(beside, [group[0] for group in groups])
    lent.update(_believed(beside, near, {group[0].number for group in groups if group[0].number not in lent}, reads))
    place = {group[0].number: group for group in groups}
    for read in beside:
        if near[read.number]:
            place[near[read.number][0]].append(read)
        else:
            groups.append([read])
    return Witnessed(
        tuple(replace(read, credential=lent[read.number]) if read.number in lent else read for read in reads),
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


def _lent(groups: Iterable[Sequence[Read]]) -> dict[int, Credential]:
    """Callers that a witness without an answer names, for witnesses with one that name nobody.

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
    lent: dict[int, Credential] = {}
    for group in every:
        lenders = [read for read in group if read.number in records and not _refused(read)]
        if not lenders:
            continue
        crowd = [records[number] for each in lenders for number in _around(each, asked[each.uri])]
        if _disagree((*lenders, *crowd)):
            continue
        for read in group:
            if read.response is not None and read.credential is None:
                lent[read.number] = _borrowed(lenders[0], "id, URI and time")
    return lent


def _refused(read: Read) -> bool:
    """Whether a gateway says that it let the request go no further."""
    return read.http is not None and read.http.status is not None and read.http.status >= 400


def _around(read: Read, places: Sequence[tuple[datetime, int]]) -> list[int]:
    """The records of the same URI near a record, by number."""
    when = moment(read.time, read.time_basis)
    if when is None:
        return []
    begin, until = around(when, NEAR)
    first, end = bisect_left(places, (begin, -1)), bisect_left(places, (until, 2**62))
    return [number for _, number in places[first:end]]


def _near(beside: Sequence[Read], main: Sequence[Read]) -> dict[int, list[int]]:
    """For each record of a sidecar the reads that may be its own, by number, the nearest in time first."""
    times: defaultdict[tuple[str, str | None], list[tuple[datetime, int]]] = defaultdict(list)
    for read in main:
        when = moment(read.time, read.time_basis)
        if when is not None and read.session is not None:
            times[read.session, None].append((when, read.number))
            if read.uri is not None:
                times[read.session, read.uri].append((when, read.number))
    for places in times.values():
        places.sort()
    return {read.number: _nearest(read, times.get((read.session or "", read.uri), [])) for read in beside}


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


def _believed(
    beside: Sequence[Read], near: dict[int, list[int]], wanting: Collection[int], reads: Sequence[Read]
) -> dict[int, Credential]:
    """The caller of each read that names none itself, where all records that may be its own name the same one."""
    records: defaultdict[int, list[Read]] = defaultdict(list)
    for record in beside:
        for number in near[record.number]:
            records[number].append(record)
    found: dict[int, Credential] = {}
    for number, named in records.items():
        if number in wanting and reads[number].credential is None and not _disagree(named):
            what = "session, URI and time" if named[0].uri is not None else "session and time"
            found[number] = _borrowed(named[0], what)
    return found


def _disagree(records: Sequence[Read]) -> bool:
    """Whether the records name different callers, or one of them nobody."""
    names = {each.credential and (each.credential.subject or each.credential.label) for each in records}
    return len(names) > 1 or None in names


def _borrowed(record: Read, joined_by: str) -> Credential:
    assert record.credential is not None
    span = record.request.span
    where = f"{quoted(f'{span.capture}:{span.line}')}, joined by {joined_by}"
    return replace(record.credential, borrowed=where)

"""Logs that say who asked and hold no answers, put beside the reads of other captures.

What such a log knows is a fact and no verdict: it has no answer to judge, and the capture beside it has no caller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from diagnosis.captures.message import Loss
from diagnosis.reads.conversation import id_key
from diagnosis.reads.lending import Joining, lent, near, refused
from diagnosis.reads.read import Outcome, Read
from diagnosis.reads.witnesses import matched

# Numbers of reads that are one read each, the one that counts first; every read stands in one group.
Groups = tuple[tuple[int, ...], ...]


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
    known = _of_witnesses(groups, reads)
    beside = [read for read in reads if read.capture_set in sidecars]
    main = [group[0] for group in groups]
    places = near(beside, main, _BY_SESSION)
    wanting = [read for read in main if read.credential is None and read.number not in known]
    known.update(lent(beside, places, wanting, reads, _BY_SESSION))
    own = {group[0].number: group for group in groups}
    for read in beside:
        if places[read.number]:
            own[places[read.number][0]].append(read)
        else:
            groups.append([read])
    return Witnessed(
        tuple(known.get(read.number, read) for read in reads),
        tuple(sorted(tuple(read.number for read in group) for group in groups)),
    )


def _sessions_of(read: Read) -> Iterator[Hashable]:
    if read.session is not None:
        yield read.session, None
        if read.uri is not None:
            yield read.session, read.uri


_BY_SESSION = Joining(
    keys_of=_sessions_of,
    asked=lambda record: None if record.session is None else (record.session, record.uri),
    by=lambda record: "session, URI and time" if record.uri is not None else "session and time",
)


def _ids_of(read: Read) -> Iterator[Hashable]:
    if read.uri is not None:
        yield read.uri, None
        yield read.uri, id_key(read.request_id)


def _has_id(read: Read) -> bool:
    return read.request_id is not None and Loss.ID not in read.losses


_BY_URI = Joining(
    keys_of=_ids_of,
    asked=lambda record: (record.uri, id_key(record.request_id) if _has_id(record) else None),
    by=lambda record: "id, URI and time" if _has_id(record) else "URI and time",
)


def _joined(views: Iterable[list[Read]]) -> list[list[Read]]:
    """The reads of all views, each with those of later views that are the same.

    A witness that refused the request is none of a read that was served: somebody else was turned away.
    """
    groups: list[list[Read]] = []
    for view in views:
        alone = set(range(len(view)))
        for turned_away in (False, True):
            theirs = [index for index in sorted(alone) if _turned_away(view[index]) is turned_away]
            ours = [group for group in groups if not (turned_away and _is_served(group))]
            ours = [group for group in ours if group[-1].capture_set != view[0].capture_set]
            pairs = matched([group[0] for group in ours], [view[index] for index in theirs])
            for place, number in pairs.items():
                ours[number].append(view[theirs[place]])
                alone.discard(theirs[place])
        groups += [[view[index]] for index in sorted(alone)]
    return groups


def _turned_away(read: Read) -> bool:
    return read.response is None and refused(read)


def _is_served(group: Iterable[Read]) -> bool:
    return any(read.outcome is Outcome.RESULT for read in group)


def _of_witnesses(groups: Iterable[Sequence[Read]], reads: Sequence[Read]) -> dict[int, Read]:
    """Witnesses with an answer that name nobody, with the caller that a witness without one names.

    A witness with an answer is judged by itself: each hop of a proxied read has a caller of its own.
    """
    answered: dict[int, list[Read]] = {}
    records: list[Read] = []
    main: list[Read] = []
    for group in groups:
        records += (read for read in group if read.response is None and read.credential is not None)
        with_answer = [read for read in group if read.response is not None]
        if with_answer:
            main.append(with_answer[0])
            answered[with_answer[0].number] = with_answer
    wanting = [read for read in main if any(each.credential is None for each in answered[read.number])]
    found = lent(records, near(records, main, _BY_URI), wanting, reads, _BY_URI)
    return {
        each.number: replace(each, credential=found[number].credential, named_by=found[number].named_by)
        for number in found
        for each in answered[number]
        if each.credential is None
    }

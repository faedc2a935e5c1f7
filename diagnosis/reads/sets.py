"""Captures that are one stream: the parts of a rotated log, or the two directions of one connection.

Pairing holds the set and not the file: a request at the end of one part is answered at the beginning of the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import NamedTuple

from diagnosis.captures import Detection
from diagnosis.captures.contract import Skipped
from diagnosis.captures.families import are_neighbours, are_sides, part_of
from diagnosis.captures.frames import Glance
from diagnosis.captures.inside import Head, NotLinesError
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.sides import sender_is_client
from diagnosis.captures.sources import Source
from diagnosis.options import Join
from diagnosis.reads.clock import follows, in_order
from diagnosis.reads.conversation import IdKey, id_key
from diagnosis.reads.methods import INITIALIZE
from diagnosis.reads.pairing import Pairing

Item = Glance | Message | Skipped

ROTATED = "parts of one rotated log, by their names; a read may be answered in the next part"
SIDES = (
    "the two directions of one stream, by their names and contents; what the log does not say is the order between "
    "them, so that each answer stands right behind its request"
)
ASKED_FOR = "one stream, as --join all says"


class Opened(NamedTuple):
    """A capture and the format that reads it."""

    source: Source
    detection: Detection


SEAM = timedelta(minutes=5)
"""How long a log may be silent between two of its parts; a request that waits longer is not answered in the next."""
TOGETHER = timedelta(minutes=10)  # how far apart the two directions of one connection may begin

Reader = Callable[[Opened], Iterator[Item]]


@dataclass(slots=True)
class CaptureSet:
    """Captures that share their conversations, in the order of their stream; most sets are of one capture.

    `sides` are two captures of which the first holds what the client sent. `parted` are the paths of parts that do not
    follow the part before them, by their times or their names: what was open then is not carried over into them.
    """

    name: str
    members: tuple[Opened, ...]
    why: str = ""
    sides: bool = False
    parted: list[str] = field(default_factory=list)

    def items(self, read: Reader, pairing: Pairing) -> Iterator[tuple[int, Item]]:
        """Yields everything in the captures, with the index of its capture, in the order in which it is paired."""
        if self.sides:
            yield from interleaved(*(lambda each=each: read(each) for each in self.members))
            return
        last: str | None = None
        for index, member in enumerate(self.members):
            begins = index > 0
            if begins and not self._follows(self.members[index - 1], member):
                self._part(member, pairing)
                begins = False
            for item in read(member):
                if isinstance(item, Message) and item.time is not None:
                    if begins and last is not None and not follows(last, item.time, SEAM):
                        self._part(member, pairing)
                    begins, last = False, item.time
                yield index, item
            pairing.next_part()

    def _follows(self, earlier: Opened, later: Opened) -> bool:
        """Whether the names leave no part out between the two; what was asked for is taken as it is."""
        return self.why is not ROTATED or are_neighbours(earlier.source.path, later.source.path)

    def _part(self, member: Opened, pairing: Pairing) -> None:
        self.parted.append(member.source.path)
        pairing.part_ways()


def sets_of(opened: Sequence[Opened], join: Join) -> tuple[CaptureSet, ...]:
    """The sets among captures whose names make them candidates, in the order of their first members."""
    if len(opened) < 2 or join is Join.NONE:
        return tuple(_alone(each) for each in opened)
    if join is Join.ALL:
        return (_sides(opened, ASKED_FOR) or _rotated(opened, ASKED_FOR),)
    groups: dict[tuple[str, str], list[Opened]] = {}
    for each in opened:
        groups.setdefault((_base(each, opened), each.detection.format.name), []).append(each)
    found: list[CaptureSet] = []
    alone: list[Opened] = []
    for group in groups.values():
        if len(group) > 1:
            found.append(_rotated(group, ROTATED))
        else:
            alone += group
    return (*_paired(alone), *found)


def _base(one: Opened, opened: Sequence[Opened]) -> str:
    """The path of the part that is written now; a bare number says so only to Claude Desktop, beside that part."""
    part = part_of(one.source.path)
    if not part.counted:
        return part.base
    current = any(each.source.path == part.base for each in opened)
    return part.base if current and one.detection.format.name == "claude-desktop" else one.source.path


def _alone(opened: Opened) -> CaptureSet:
    return CaptureSet(opened.source.path, (opened,))


def _paired(opened: Sequence[Opened]) -> Iterator[CaptureSet]:
    """Each capture with its other side where there is exactly one, else alone."""
    taken: set[int] = set()
    for index, one in enumerate(opened):
        if index in taken:
            continue
        others = _others(opened, index)
        mutual = len(others) == 1 and others[0] not in taken and _others(opened, others[0]) == [index]
        joined = _sides((one, opened[others[0]]), SIDES) if mutual else None
        if joined is not None:
            taken.add(others[0])
        yield joined or _alone(one)


def _others(opened: Sequence[Opened], index: int) -> list[int]:
    """The captures whose names say that they may be the other direction of one."""
    path = opened[index].source.path
    return [n for n, each in enumerate(opened) if are_sides(path, each.source.path)]


def _rotated(group: Sequence[Opened], why: str) -> CaptureSet:
    """The parts by their first times; by their names where not every part has a time (a name can be given anew)."""
    named = sorted(group, key=lambda each: part_of(each.source.path).age) if why is ROTATED else list(group)
    order = in_order([_glance(each).first for each in named])
    members = tuple(named if order is None else (named[n] for n in order))
    # Its name is the path of a member, which no other set can have.
    return CaptureSet(members[-1 if why is ROTATED else 0].source.path, members, why)


def _sides(pair: Sequence[Opened], why: str) -> CaptureSet | None:
    """The two captures as two directions, the client's first; None where their contents do not say so."""
    if len(pair) != 2:
        return None
    glances = [_glance(each) for each in pair]
    for asks, answers in ((0, 1), (1, 0)):
        said = glances[asks].senders == {True} and glances[answers].senders == {False}
        if said and _together(glances[asks].first, glances[answers].first):
            return CaptureSet(pair[asks].source.path, (pair[asks], pair[answers]), why, sides=True)
    return None


def _together(one: str | None, other: str | None) -> bool:
    """Whether two captures begin at about one time; two without times may."""
    if one is None or other is None:
        return True
    return follows(one, other, TOGETHER) or follows(other, one, TOGETHER)


class _Glance(NamedTuple):
    """What the beginning of a capture shows: its first time, and who sent its messages (True for the client)."""

    first: str | None
    senders: frozenset[bool]


def _glance(opened: Opened) -> _Glance:
    source, capture_format = opened
    first: str | None = None
    senders: set[bool] = set()
    try:
        source.reopen()
        head = Head(source.head())
        for item in capture_format.format.messages(head):
            if isinstance(item, Message):
                first = first or item.time
                sender = _sender(item)
                if sender is not None:
                    senders.add(sender)
    except (NotLinesError, OSError):
        return _Glance(None, frozenset())
    finally:
        if source.path != "-":
            source.close()
    return _Glance(first, frozenset(senders))


def _sender(message: Message) -> bool | None:
    if message.direction is not Direction.UNKNOWN:
        return message.direction is Direction.TO_SERVER
    return sender_is_client(message.body)


def interleaved(
    asks: Callable[[], Iterator[Item]], answers: Callable[[], Iterator[Item]]
) -> Iterator[tuple[int, Item]]:
    """Merges two directions of one stream: both keep their order, and an answer stands as early as it can.

    That is right behind its request, or behind the answer before it. The client's side is read twice, first for its
    ids: an answer to an id that is never asked again waits for nothing.
    """
    coming = Counter(key for key in map(_request_key, asks()) if key is not None)
    waiting: Counter[IdKey] = Counter()
    asked = asks()
    for item in answers():
        key = _response_key(item)
        while key is not None and not waiting[key] and coming[key]:
            ask = next(asked, None)
            if ask is None:  # it was shorter when it was read again
                coming.clear()
                break
            if isinstance(ask, Message) and (own := _request_key(ask)) is not None:
                if ask.body["method"] == INITIALIZE:  # nothing asked before it is answered behind it
                    waiting.clear()
                coming[own] -= 1
                waiting[own] += 1
            yield 0, _sent(ask, Direction.TO_SERVER)
        if key is not None and waiting[key]:
            waiting[key] -= 1
        yield 1, _sent(item, Direction.TO_CLIENT)
    for ask in asked:
        yield 0, _sent(ask, Direction.TO_SERVER)


def _sent(item: Item, direction: Direction) -> Item:
    if isinstance(item, Message) and item.direction is Direction.UNKNOWN:
        return replace(item, direction=direction)
    return item


def _request_key(item: Item) -> IdKey | None:
    if isinstance(item, Message) and "method" in item.body and "id" in item.body:
        return id_key(item.body["id"])
    return None


def _response_key(item: Item) -> IdKey | None:
    if isinstance(item, Message) and "method" not in item.body and "id" in item.body:
        return id_key(item.body["id"])
    return None


def paths_of(members: Iterable[Opened]) -> tuple[str, ...]:
    """The paths of captures, in order."""
    return tuple(each.source.path for each in members)

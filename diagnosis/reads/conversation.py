"""Requests that wait for their answers, kept apart by stream, direction and exact id."""

from __future__ import annotations

import hashlib
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from msgspec import Struct

from diagnosis.captures.message import Direction
from diagnosis.reads.methods import Fit, best_fit, fit
from diagnosis.reads.read import Scalar

IdKey = tuple[str, str]

ID_LIMIT = 1_000  # characters of an id that are kept; of a longer one its SHA-256 is, which tells ids apart as well


def id_key(value: object) -> IdKey:
    """An id with its type: `7`, `"7"`, `7.0` and `true` are four ids (JSON-RPC 2.0 section 4)."""
    if type(value) is int and -_SMALL < value < _SMALL:
        return ("int", str(value))
    try:
        text = value if isinstance(value, str) else repr(value)
        return (type(value).__name__, text if len(text) <= ID_LIMIT else _hashed(text))
    except (ValueError, RecursionError):  # an array nested a thousand deep, an integer of thousands of digits
        return (type(value).__name__, "")


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def other_type(key: IdKey) -> IdKey | None:
    """The same id written as the other JSON type: some gateways turn `9` into `"9"`."""
    kind, text = key
    if kind == "int":
        return ("str", text)
    if kind == "str" and text.isascii() and text.lstrip("-").isdigit():
        return ("int", text)
    return None


_SMALL = 10**15
SCAN_LIMIT = 64  # open requests of one id that are looked at for a fitting shape, and reads kept beside an answer


class OpenRequest(Struct, eq=False, gc=False):
    """A request that waits for its answer. `read` is the number of its read, None for other methods.

    A struct of msgspec is made in a third of the time that a dataclass takes, and there is one for each request.
    """

    method: str
    direction: Direction
    position: int
    read: int | None = None
    exchange: int | None = None
    done: bool = False


# A queue's place: direction of the request, id, and the HTTP exchange (None: any exchange of the stream).
Place = tuple[Direction, IdKey, int | None]


@dataclass(slots=True, eq=False)
class Conversation:
    """One stream of requests and answers between one client and one server.

    `answered` remembers which read an id belonged to last, so that a further response to it is kept.
    `reads_open` holds the open reads by number, `reads_closed` the last answered ones with the position of their
    answer; together they are the reads that an answer can have been crossed with. `asked` is True once the client
    has sent a request.
    """

    number: int
    server: str = ""
    first_id: int | None = None
    highest_id: int | None = None
    reads_answered: bool = False
    last_answer: int = -1
    open: dict[Place, deque[OpenRequest]] = field(default_factory=dict)
    answered: dict[IdKey, int] = field(default_factory=dict)
    # Ordered by links: the first and the last key of a plain dict are slow to find once its ends were deleted.
    reads_open: OrderedDict[int, IdKey] = field(default_factory=OrderedDict)
    reads_closed: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=SCAN_LIMIT))
    asked: bool = False
    _sideless: bool = False  # whether any request was asked whose direction nobody knows
    _spent_in: int | None = None
    _spent: set[tuple[IdKey, Direction]] = field(default_factory=set)

    def ask(self, key: IdKey, request: OpenRequest) -> list[OpenRequest]:
        """Puts a request into its queues; returns the requests that were open under the same id already."""
        if request.direction is Direction.UNKNOWN:
            self._sideless = True
        place = (request.direction, key, None)
        if request.exchange is None and place not in self.open:
            self.open[place] = deque((request,))
            return []
        queue = self._queue(place)
        before = [each for each in islice(reversed(queue), SCAN_LIMIT) if not each.done]
        queue.append(request)
        if request.exchange is not None:
            self._queue((request.direction, key, request.exchange)).append(request)
        return before[::-1]

    def answer(
        self, key: IdKey, direction: Direction, body: Mapping[str, Any], exchange: int | None, strict: bool = False
    ) -> OpenRequest | None:
        """Takes out the request that a response belongs to; None where no open request fits.

        A response travels against its request; inside its own HTTP exchange first, by id second. Of several
        requests with the id the oldest one whose method the response's shape fits best is taken. Where no shape
        fits, the direction still says which one it is, and without directions a shape that no method has
        (`null`, a number) goes to the only side that waits. `strict` takes nothing that does not fit.
        """
        request = self.only_one(key, direction, exchange) if not strict else None
        if request is not None:
            self.take(request, key, direction, exchange)
            return request
        if exchange is not None:
            request = self._best(key, direction, body, exchange, strict)
            if request is None and self._is_spent(key, direction, exchange):
                return None  # a further response of this exchange, and no other exchange's answer
        if request is None:
            request = self._best(key, direction, body, None, strict or exchange is not None)
        if request is not None:
            self._finish(key, direction, request, exchange)
        return request

    def open_reads(self, key: IdKey, direction: Direction) -> list[int]:
        """The reads open under an id that were sent in this direction (any, where it is unknown), latest first."""
        sides = tuple(Direction) if direction is Direction.UNKNOWN else (direction, Direction.UNKNOWN)
        found: list[int] = []
        for side in sides:
            latest = islice(reversed(self.open.get((side, key, None), ())), SCAN_LIMIT)
            found += [each.read for each in latest if each.read is not None and not each.done]
        return found

    def waiting(self) -> int:
        """How many places of queues are taken; a request of an HTTP exchange takes two."""
        return sum(map(len, self.open.values()))

    def forget_waiting(self, count: int) -> int:
        """Forgets up to so many requests that are no reads, those of the oldest queues first; returns how many."""
        forgotten = 0
        for place, queue in list(self.open.items()):
            if forgotten >= count:
                break
            kept = deque(each for each in queue if each.read is not None and not each.done)
            forgotten += len(queue) - len(kept)
            if kept:
                self.open[place] = kept
            else:
                del self.open[place]
        return forgotten

    def _queue(self, place: Place) -> deque[OpenRequest]:
        return self.open.setdefault(place, deque())

    def only_one(self, key: IdKey, direction: Direction, exchange: int | None) -> OpenRequest | None:
        """The one open request that a response of a known direction can have: no shape decides then.

        Nearly every answer of a log that knows directions comes by here.
        """
        if direction is Direction.UNKNOWN or (self._sideless and (Direction.UNKNOWN, key, exchange) in self.open):
            return None
        place = (Direction.TO_CLIENT if direction is Direction.TO_SERVER else Direction.TO_SERVER, key, exchange)
        queue = self.open.get(place)
        if queue is None or len(queue) != 1:  # an empty one is left behind where all in it were done
            return None
        request = queue[0]
        return None if request.done else request

    def take(self, request: OpenRequest, key: IdKey, direction: Direction, exchange: int | None) -> None:
        """Takes out the one request that `only_one` found."""
        if request.exchange is None:
            request.done = True
            del self.open[request.direction, key, exchange]
        else:
            self._finish(key, direction, request, exchange)

    def _best(
        self, key: IdKey, direction: Direction, body: Mapping[str, Any], exchange: int | None, strict: bool
    ) -> OpenRequest | None:
        unknown = direction is Direction.UNKNOWN
        sides = tuple(Direction) if unknown else (direction.opposite, Direction.UNKNOWN)
        best = best_fit(body)
        heads: list[OpenRequest] = []
        fitting: list[tuple[int, int, OpenRequest]] = []
        for side in sides:
            waiting = self._oldest((side, key, exchange))
            head = next(waiting, None)
            if head is None:
                continue
            heads.append(head)
            fits = fit(body, head.method)
            chosen = head
            while fits < best and (other := next(waiting, None)) is not None:
                if (other_fits := fit(body, other.method)) > fits:
                    chosen, fits = other, other_fits
            if fits is not Fit.NONE:
                fitting.append((-fits, chosen.position, chosen))
        if fitting:
            return min(fitting)[2]
        if strict or not heads or (unknown and (best is Fit.SHOWN or len(heads) > 1)):
            return None
        return min(heads, key=lambda each: each.position)

    def _oldest(self, place: Place) -> Iterator[OpenRequest]:
        """The oldest open requests of a queue; those found to be done are dropped on the way."""
        queue = self.open.get(place, deque())
        index = 0
        while index < min(len(queue), SCAN_LIMIT):
            if queue[index].done:
                del queue[index]
            else:
                yield queue[index]
                index += 1

    def _finish(self, key: IdKey, direction: Direction, request: OpenRequest, exchange: int | None) -> None:
        request.done = True
        for place in dict.fromkeys(((request.direction, key, None), (request.direction, key, request.exchange))):
            queue = self.open.get(place)
            while queue and queue[0].done:
                queue.popleft()
            if not queue:
                self.open.pop(place, None)
        if exchange is not None and request.exchange == exchange:
            if self._spent_in != exchange:
                self._spent_in, self._spent = exchange, set()
            self._spent.add((key, direction))

    def _is_spent(self, key: IdKey, direction: Direction, exchange: int) -> bool:
        return self._spent_in == exchange and (key, direction) in self._spent

    def begins_again(self, request_id: Scalar) -> bool:
        """Whether a client's integer ids start again at or below the first one.

        A client that sends one id for everything (seen in production) never starts again.
        """
        if type(request_id) is not int or self.first_id is None or self.highest_id is None:
            return False
        return request_id <= self.first_id < self.highest_id

    def count_id(self, request_id: Scalar) -> None:
        """Remembers the first and the highest integer id of the client's requests."""
        if type(request_id) is not int:
            return
        if self.highest_id is None:
            self.first_id = self.highest_id = request_id
        elif request_id > self.highest_id:
            self.highest_id = request_id

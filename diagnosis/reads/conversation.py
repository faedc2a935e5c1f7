"""Requests that wait for their answers, kept apart by stream, direction and exact id."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from diagnosis.captures.message import Direction
from diagnosis.reads.methods import answers
from diagnosis.reads.read import Scalar

IdKey = tuple[str, str]


def id_key(value: object) -> IdKey:
    """An id with its type: `7`, `"7"`, `7.0` and `true` are four ids (JSON-RPC 2.0 section 4)."""
    return (type(value).__name__, value if isinstance(value, str) else repr(value))


def other_type(key: IdKey) -> IdKey | None:
    """The same id written as the other JSON type: some gateways turn `9` into `"9"`."""
    kind, text = key
    if kind == "int":
        return ("str", text)
    if kind == "str" and text.isascii() and text.lstrip("-").isdigit():
        return ("int", text)
    return None


SCAN_LIMIT = 64  # open requests of one id that are looked at for a fitting shape, and reads kept beside an answer


@dataclass(slots=True, eq=False)
class OpenRequest:
    """A request that waits for its answer. `read` is the number of its read, None for other methods."""

    method: str
    direction: Direction
    position: int
    params: Mapping[str, Any] | None = None
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
    answer; together they are the reads that an answer can have been crossed with.
    """

    number: int
    server: str = ""
    first_id: int | None = None
    highest_id: int | None = None
    reads_answered: bool = False
    last_answer: int = -1
    open: dict[Place, deque[OpenRequest]] = field(default_factory=dict)
    answered: dict[IdKey, int] = field(default_factory=dict)
    reads_open: dict[int, IdKey] = field(default_factory=dict)
    reads_closed: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=SCAN_LIMIT))

    def ask(self, key: IdKey, request: OpenRequest) -> list[OpenRequest]:
        """Puts a request into its queues; returns the requests that were open under the same id already."""
        queue = self._queue((request.direction, key, None))
        before = [each for each in list(queue)[-SCAN_LIMIT:] if not each.done] if queue else []
        queue.append(request)
        if request.exchange is not None:
            self._queue((request.direction, key, request.exchange)).append(request)
        return before

    def answer(
        self, key: IdKey, direction: Direction, body: Mapping[str, Any], exchange: int | None
    ) -> OpenRequest | None:
        """Takes out the request that a response belongs to; None where no open request fits.

        A response travels against its request; inside its own HTTP exchange first, by id second. Without a
        direction the oldest request whose method fits the response's shape is taken.
        """
        sides: tuple[Direction, ...]
        if direction is Direction.UNKNOWN:
            sides = (Direction.TO_SERVER, Direction.TO_CLIENT, Direction.UNKNOWN)
        else:
            sides = (direction.opposite, Direction.UNKNOWN)
        for place in (exchange, None) if exchange is not None else (None,):
            heads = (self._first((side, key, place), direction, body) for side in sides)
            fitting = [request for request in heads if request is not None]
            if fitting:
                request = min(fitting, key=lambda each: each.position)
                request.done = True
                return request
        return None

    def _queue(self, place: Place) -> deque[OpenRequest]:
        return self.open.setdefault(place, deque())

    def _first(self, place: Place, direction: Direction, body: Mapping[str, Any]) -> OpenRequest | None:
        queue = self.open.get(place)
        while queue and queue[0].done:
            queue.popleft()
        if not queue:
            self.open.pop(place, None)
            return None
        if direction is not Direction.UNKNOWN:
            return queue[0]
        looked = (queue[i] for i in range(min(len(queue), SCAN_LIMIT)))
        return next((each for each in looked if not each.done and answers(body, each.method)), None)

    def begins_again(self, request_id: Scalar) -> bool:
        """Whether a client's integer ids start again at or below the first one.

        A client that sends one id for everything (seen in production) never starts again.
        """
        if type(request_id) is not int or self.first_id is None or self.highest_id is None:
            return False
        return request_id <= self.first_id < self.highest_id

    def count_id(self, request_id: Scalar) -> None:
        """Remembers the first and the highest integer id of the client's requests."""
        if type(request_id) is int:
            self.first_id = request_id if self.first_id is None else self.first_id
            self.highest_id = request_id if self.highest_id is None else max(self.highest_id, request_id)

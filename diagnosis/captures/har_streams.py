"""Event streams of an archive that stand open while other requests are made: their answers come later than they begin.

The client opens one with GET, and the answers to what it posts elsewhere may come in it (MCP 2025-11-25, transports,
"Listening for Messages from the Server"; the HTTP+SSE transport of 2024-11-05 answers everything there).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from urllib.parse import parse_qsl, urljoin, urlsplit

from diagnosis.captures.contract import Skipped
from diagnosis.captures.event_stream import events
from diagnosis.captures.message import Message

_Id = tuple[str, str | float]
_SESSIONS = frozenset(("sessionid", "session_id"))


class _Held:
    """What is left of one stream: its answers by id, and everything else, each with its place."""

    def __init__(self, items: Iterable[Message | Skipped]) -> None:
        self._answers: defaultdict[_Id, deque[tuple[int, Message | Skipped]]] = defaultdict(deque)
        self._others: deque[tuple[int, Message | Skipped]] = deque()
        for place, item in enumerate(items):
            answered = _answered(item)
            (self._others if answered is None else self._answers[answered]).append((place, item))

    def up_to(self, asked: _Id) -> Iterator[Message | Skipped]:
        """Yields the answer to a request, behind what stands before it and answers nothing."""
        answers = self._answers.get(asked)
        if not answers:
            return
        place, answer = answers.popleft()
        while self._others and self._others[0][0] < place:
            yield self._others.popleft()[1]
        yield answer

    def rest(self) -> list[Message | Skipped]:
        """What nobody has asked for, in the order of the stream."""
        left = [*self._others, *(each for answers in self._answers.values() for each in answers)]
        return [item for _, item in sorted(left, key=lambda each: each[0])]


class Streams:
    """Holds what came in each stream, and lets an answer go right behind its request.

    An archive has one time for a whole stream, that of its beginning: nothing says when an answer in it came. What is
    left goes when the next stream of the session begins, or the archive ends.
    """

    def __init__(self) -> None:
        self._held: dict[Hashable, _Held] = {}

    def begin(self, key: Hashable, items: Iterable[Message | Skipped]) -> Iterator[Message | Skipped]:
        """Holds a stream, and yields what is left of the one before it."""
        before = self._held.pop(key, None)
        self._held[key] = _Held(items)
        yield from before.rest() if before is not None else ()

    def behind(self, key: Hashable, items: Iterable[Message | Skipped]) -> Iterator[Message | Skipped]:
        """Yields what stands in the session's stream up to the answers of these requests."""
        held = self._held.get(key)
        if held is not None:
            for asked in map(_asked, items):
                yield from held.up_to(asked) if asked is not None else ()

    def rest(self) -> Iterator[Message | Skipped]:
        """Yields what is still held, in the order of the archive."""
        for held in self._held.values():
            yield from held.rest()


def _asked(item: Message | Skipped) -> _Id | None:
    return _id_of(item) if isinstance(item, Message) and "method" in item.body else None


def _answered(item: Message | Skipped) -> _Id | None:
    return _id_of(item) if isinstance(item, Message) and "method" not in item.body else None


def _id_of(message: Message) -> _Id | None:
    found = message.body.get("id")
    return (type(found).__name__, found) if isinstance(found, str | int | float) else None


def session_in(url: str | None) -> str | None:
    """The session that the address of the HTTP+SSE transport names; None where it names none."""
    if url is None or "?" not in url:
        return None
    try:
        pairs = parse_qsl(urlsplit(url).query)
    except ValueError:
        return None
    return next((value for name, value in pairs if name.lower() in _SESSIONS and value), None)


def endpoint_of(url: str | None, text: str) -> str | None:
    """Where the first event of an HTTP+SSE stream tells the client to post; None where it does not."""
    first = next(events(text[:4096]), None)
    if first is None or first.kind != "endpoint":
        return None
    try:
        return urljoin(url or "", first.data)
    except ValueError:
        return None

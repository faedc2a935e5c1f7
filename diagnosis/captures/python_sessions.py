"""Which session a line of the Python SDK's debug log belongs to: the log names it on lines of its own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from diagnosis.captures.message import Direction

LIMIT = 4096  # requests without an answer whose sessions are remembered

_MANY = object()  # several sessions wait under one id


class Sessions:
    """The sessions named so far. A message gets one only where the log leaves no doubt.

    A client's log names its session once. A server's names it before each message that a client posts; the body
    may come later, so of two sessions named in a row neither counts. An answer has the session of the one request
    that waits under its id.
    """

    def __init__(self) -> None:
        self._client: str | None = None
        self._clients = 0
        self._posted: list[str] = []
        self._waiting: OrderedDict[str, object] = OrderedDict()

    def client_named(self, session: str) -> None:
        """A client was given its session."""
        if session != self._client:
            self._client = session
            self._clients += 1

    def post_named(self, session: str) -> None:
        """A server saw for which session a message is being posted."""
        if len(self._posted) < LIMIT:
            self._posted.append(session)

    def body_came(self, message: Mapping[str, Any]) -> str | None:
        """The session of a message whose body a server has just received."""
        certain = self._posted[0] if len(set(self._posted)) == 1 else None
        if self._posted:
            self._posted.pop()
        if "method" in message and "id" in message:
            self._wait(repr(message["id"])[:200], certain)
        return certain

    def of(self, message: Mapping[str, Any], direction: Direction) -> str | None:
        """The session of any other message."""
        if self._clients:
            # Whose of several sessions a client's message is, its log does not say.
            return self._client if self._clients == 1 else None
        if "method" in message or direction is not Direction.TO_CLIENT:
            return None
        waiting = self._waiting.pop(repr(message.get("id"))[:200], None)
        return waiting if isinstance(waiting, str) else None

    def _wait(self, key: str, session: str | None) -> None:
        before = self._waiting.pop(key, session)
        self._waiting[key] = session if before == session else _MANY
        if len(self._waiting) > LIMIT:
            self._waiting.popitem(last=False)

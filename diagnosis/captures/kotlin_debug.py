"""The Kotlin SDK's client log: what it posts, and the events that answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagnosis.captures.anchored import Anchored, anchored_messages, claim
from diagnosis.captures.contract import Claim, Skipped
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?((?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
    rb"""[^{}'"\n]{0,200}?\bClient (?:(sending message via POST to) \S{1,2000}: """
    rb"""|received SSE event: event=[^,{}]{0,100}, data=)(?=[{\[])"""
).match


class KotlinDebug:
    """Reads the debug and trace log of the Kotlin SDK's HTTP client."""

    name = "kotlin-debug"
    title = "the Kotlin SDK's client log: Client sending message via POST to URL: {..}"
    cannot_show = "answers outside event streams, sessions, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line whose JSON is a JSON-RPC message."""
        return claim(head, _find, "'Client sending message via POST' or 'Client received SSE event'")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines."""
        return anchored_messages(source, _find)


def _find(line: bytes) -> Anchored | None:
    found = _ANCHOR(line)
    if found is None:
        return None
    time, basis = utc(found[1].decode("ascii")) if found[1] else (None, "none")
    direction = Direction.TO_SERVER if found[2] else Direction.TO_CLIENT
    return Anchored(line[found.end() :], Beside(direction, time=time, time_basis=basis))

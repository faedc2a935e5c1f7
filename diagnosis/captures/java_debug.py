"""The Java SDK's debug log: `Received JSON message: {json}`. What it sends stands there as record text only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from diagnosis.captures.anchored import Anchored, anchored_messages, claim, json_behind, values_of
from diagnosis.captures.contract import Claim, Skipped
from diagnosis.captures.directions import direction_of
from diagnosis.captures.message import Message
from diagnosis.captures.records import Beside
from diagnosis.captures.sides import writer_is_client
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

# Logback, Spring Boot and bare prefixes; a quote or brace in front would be somebody else's text.
_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?((?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
    rb"""[^{}'"\n]{0,200}?\bReceived JSON message: (?=[{\[])"""
).match
_WORD = "received"


class JavaDebug:
    """Reads the incoming messages of the Java SDK's debug log, of a server or of a client."""

    name = "java-debug"
    title = "the Java SDK's debug log: Received JSON message: {..}"
    cannot_show = "messages that the writer of the log sent, sessions, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line whose JSON is a JSON-RPC message."""
        return claim(head, _find, "'Received JSON message: {'")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; record text such as JSONRPCResponse[..] is other, never parsed."""
        return anchored_messages(source, partial(_find, by_client=writer_is_client(_seen(source.head()))))


def _find(line: bytes, by_client: bool = False) -> Anchored | None:
    found = _ANCHOR(line)
    if found is None:
        return None
    time, basis = utc(found[1].decode("ascii")) if found[1] else (None, "none")
    return Anchored(line[found.end() :], Beside(direction_of(_WORD, by_client), time=time, time_basis=basis))


def _seen(head: bytes) -> Iterator[tuple[str, object]]:
    for line in head.split(b"\n"):
        found = _find(line)
        for value in values_of(json_behind(found.text)) if found else ():
            yield _WORD, value

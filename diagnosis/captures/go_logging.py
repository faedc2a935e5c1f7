"""What the Go SDK's `LoggingTransport` writes: `read: {json}` and `write: {json}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from diagnosis.captures.anchored import Anchored, anchored_messages, claim, words_of
from diagnosis.captures.contract import Claim, Skipped
from diagnosis.captures.directions import direction_of
from diagnosis.captures.message import Message
from diagnosis.captures.records import Beside
from diagnosis.captures.sides import writer_is_client
from diagnosis.captures.sources import Source

_ANCHOR = re.compile(rb"(?:\xef\xbb\xbf)?(read|write): (?=[{\[])").match


class GoLogging:
    """Reads the log of a Go `LoggingTransport`, of a server or of a client."""

    name = "go-logging-transport"
    title = "the Go SDK's LoggingTransport: read: {..} and write: {..}"
    cannot_show = "times, sessions, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line whose JSON is a JSON-RPC message."""
        return claim(head, _find, "'read: {' or 'write: {'")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; what was read came to the side that wrote the log."""
        return anchored_messages(source, partial(_find, by_client=writer_is_client(words_of(source.head(), _find))))


def _find(line: bytes, by_client: bool = False) -> Anchored | None:
    found = _ANCHOR(line)
    if found is None:
        return None
    word = found[1].decode("ascii")
    return Anchored(line[found.end() :], Beside(direction_of(word, by_client)), word)

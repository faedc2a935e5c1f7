"""Trace entries of the C# SDK's transports, as the .NET console and plain text loggers print them."""

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

# The console puts level and category on the line before and indents this one; its single-line form puts them in
# front. Other loggers put anything in front, so the endpoint's name is taken only where its beginning is known: it
# is the server's, or a name that the client's program chose.
_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:(\s++|(?:<\d>|[^'{}\n]{0,60}?\btrce: )[\w.`+]+\[-?\d+\]\s++)|[^'{}\n]{0,200}?(?=Server \())?"
    rb"([^'{}\n]{1,200}?) transport (received|sending) message\. Message: '(?=[{\[])"
).match
_SERVER = b"Server ("
_END = b"'."
_WORDS = {b"received": "received", b"sending": "sent"}


class CSharpTrace:
    """Reads what the C# SDK's transports log at the level Trace."""

    name = "csharp-trace"
    title = "the C# SDK's trace log: transport received message. Message: '{..}'."
    cannot_show = "times, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line whose JSON is a JSON-RPC message."""
        return claim(head, _find, "'transport received message' or 'transport sending message'")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; each endpoint's name is a channel of its own."""
        return anchored_messages(source, partial(_find, by_client=writer_is_client(words_of(source.head(), _find))))


def _find(line: bytes, by_client: bool = False) -> Anchored | None:
    found = _ANCHOR(line)
    if found is None:
        return None
    known, endpoint, word = found.groups()
    is_server = endpoint.startswith(_SERVER)
    direction = direction_of(_WORDS[word], by_client and not is_server)
    named = is_server or known is not None
    beside = Beside(direction, channel=endpoint.decode("utf-8", "replace") if named else None)
    # A server's name says which side wrote; a client's program names itself as it likes.
    return Anchored(line[found.end() :].rstrip().removesuffix(_END), beside, None if is_server else _WORDS[word])

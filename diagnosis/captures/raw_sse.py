"""The body of an event stream, saved as it came over the wire."""

from __future__ import annotations

from collections.abc import Iterator

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.decoding import BOM
from diagnosis.captures.event_lines import EventLines, is_field
from diagnosis.captures.inside import Head
from diagnosis.captures.message import Direction, Message, Span
from diagnosis.captures.records import Beside, text_line, unmessaged
from diagnosis.captures.sources import CutLine, Source


class RawSse:
    """Reads bodies of `text/event-stream`: what a server sent, without the requests."""

    name = "raw-sse"
    title = "event streams (SSE bodies): event:, id: and data: lines"
    cannot_show = "requests, and with them who asked for what; times and HTTP headers"

    def detect(self, head: bytes) -> Claim:
        """Certain where the first line is a field of an event stream and an event holds a JSON-RPC message."""
        first = head.removeprefix(BOM).lstrip(b"\r\n").split(b"\n", 1)[0]
        if not is_field(first):
            return Claim(Sureness.NO, "it does not begin with a field of an event stream")
        found = sum(isinstance(item, Message) for item in self.messages(Head(head)))
        if found:
            return Claim(Sureness.CERTAIN, f"events of its beginning with a JSON-RPC message: {found}")
        if b"data:" in head and b'"jsonrpc"' in head:
            return Claim(Sureness.POSSIBLE, "an event stream whose first message is longer than 64 KiB")
        return Claim(Sureness.NO, "no event holds a JSON-RPC message")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the messages of the events; an event stream only flows to the client."""
        path, stream = source.path, EventLines(source.path)
        for number, offset, line in source.lines():
            field = line.removeprefix(BOM) if number == 1 else line
            if type(line) is not CutLine and is_field(field):
                if not stream.feed(number, offset, line):
                    yield from stream.end(_beside(stream))
                continue
            yield from stream.end(_beside(stream))
            none = unmessaged(path, number, offset, line)
            span = Span(path, number, offset, len(line))
            yield none if none is not None else text_line(span, line, owed=b'"jsonrpc"' in line)
        yield from stream.end(_beside(stream), cut=True)


def _beside(stream: EventLines) -> Beside:
    return Beside(Direction.TO_CLIENT, stream.session)

"""Kubernetes container logs (CRI): time, stream, and whether the line is whole, before each line of a container."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagnosis.captures.contract import Claim, Kind, Skipped
from diagnosis.captures.inside import InnerLine
from diagnosis.captures.message import Message, Span
from diagnosis.captures.parts import HEADLESS, Joiner, is_tail
from diagnosis.captures.records import skipped, text_line, unmessaged
from diagnosis.captures.sources import CutLine, Source
from diagnosis.captures.wrapped import claim_of, messages_of, mostly

# Tags after P or F are separated by colons (Kubernetes, design of the CRI log format).
_RECORD = re.compile(
    rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([PF])(?::[A-Za-z:]*)? "
).match


class Cri:
    """Reads the container logs of Kubernetes, whatever the container wrote into them."""

    name = "wrapped-cri"
    title = "Kubernetes container logs (CRI) of a container that writes a known format"
    cannot_show = "what the container did not print: callers and HTTP headers, unless its own lines hold them"
    sign = "lines of time, stream and P or F, as Kubernetes writes them"

    def detect(self, head: bytes) -> Claim:
        """Certain where the lines are the runtime's and their text is a capture with messages."""
        return claim_of(self, head)

    def fits(self, head: bytes) -> bool:
        """Whether nine of ten lines are the runtime's."""
        return mostly(head, lambda line: _RECORD(line) is not None)

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields what the container's lines hold; what is no line of the runtime's is other or unreadable."""
        return messages_of(self, source)

    def inner(self, source: Source) -> Iterator[InnerLine | Skipped]:
        """Yields the container's lines, the parts of each stream (P, then F) joined."""
        path, joiner = source.path, Joiner(source.path)
        begun: set[bytes] = set()
        for number, offset, line in source.lines():
            found = _RECORD(line) if type(line) is not CutLine else None
            if found is None:
                yield _no_record(path, number, offset, line)
                continue
            time, stream, state = found.groups()
            last = state == b"F"
            if last and stream not in begun and is_tail(line[found.end() :]):
                begun.add(stream)
                yield skipped(Kind.UNREADABLE, Span(path, number, offset, len(line)), line, HEADLESS)
                continue
            begun.add(stream)
            part = InnerLine(line[found.end() :], number, offset, line, (), time.decode("ascii"))
            if last and joiner.empty:
                yield part
            else:
                yield from joiner.feed(stream.decode("ascii"), part, last=last)
        yield from joiner.rest()


def _no_record(path: str, number: int, offset: int, line: bytes) -> Skipped:
    none = unmessaged(path, number, offset, line)
    span = Span(path, number, offset, len(line))
    return none if none is not None else text_line(span, line, owed=b'"jsonrpc"' in line)

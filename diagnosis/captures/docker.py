"""Docker's json-file log: each line of a container's output in a JSON record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from diagnosis.captures.contract import Claim, Kind, Skipped
from diagnosis.captures.decoding import decode
from diagnosis.captures.inside import InnerLine
from diagnosis.captures.message import Message, Span
from diagnosis.captures.parts import Joiner
from diagnosis.captures.records import skipped, undecoded, unmessaged
from diagnosis.captures.sources import CutLine, Source
from diagnosis.captures.wrapped import claim_of, messages_of, mostly

_KEYS = frozenset(("log", "stream", "time"))
_MORE_KEYS = _KEYS | {"attrs"}
_STREAMS = ("stdout", "stderr")
_LAYERS = ("log", "string")


class Docker:
    """Reads the json-file logs of Docker, whatever the container wrote into them."""

    name = "wrapped-docker"
    title = "Docker's json-file log of a container that writes a known format"
    cannot_show = "what the container did not print: callers and HTTP headers, unless its own lines hold them"
    sign = "JSON lines of log, stream and time, as Docker writes them"

    def detect(self, head: bytes) -> Claim:
        """Certain where the records are Docker's and their text is a capture with messages."""
        return claim_of(self, head)

    def fits(self, head: bytes) -> bool:
        """Whether nine of ten lines are Docker's records."""
        return mostly(head, lambda line: _record(line) is not None)

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields what the container's lines hold; what is no record of Docker's is other or unreadable."""
        return messages_of(self, source)

    def inner(self, source: Source) -> Iterator[InnerLine | Skipped]:
        """Yields the container's lines; a part without its line break goes on in the next record of its stream."""
        path, joiner = source.path, Joiner(source.path)
        for number, offset, line in source.lines():
            record = _record(line) if type(line) is not CutLine else None
            if record is None:
                yield _no_record(path, number, offset, line, source.size)
                continue
            log, last = record["log"], record["log"].endswith("\n")
            text = (log[:-1] if last else log).encode("utf-8", "surrogatepass")
            part = InnerLine(text, number, offset, line, _LAYERS, record["time"])
            if last and joiner.empty:
                yield part
            else:
                yield from joiner.feed(record["stream"], part, last=last)
        yield from joiner.rest()


def _record(line: bytes) -> dict[str, Any] | None:
    if b'"log"' not in line:
        return None
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        values = decode(line).values
        record = values[0] if len(values) == 1 else None
    if type(record) is not dict or (record.keys() != _KEYS and record.keys() != _MORE_KEYS):
        return None
    if type(record["log"]) is not str or record["stream"] not in _STREAMS:
        return None
    return record


def _no_record(path: str, number: int, offset: int, line: bytes, size: int) -> Skipped:
    none = unmessaged(path, number, offset, line)
    if none is not None:
        return none
    span = Span(path, number, offset, len(line))
    decoded = decode(line)
    if decoded.reason:
        return undecoded(decoded, span, line, size)
    return skipped(Kind.OTHER, span, line, "JSON that is no record of Docker's")

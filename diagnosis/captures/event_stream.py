"""Server-sent events of a response body, each with its place in the text.

WHATWG HTML, section 9.2.6 (interpreting an event stream).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One event: `data` lines joined with a line feed, and where it stands in the text, in characters.

    `closed` is false for a last event without its blank line: the stream was cut there, or ended.
    """

    index: int
    kind: str
    data: str
    id: str | None
    start: int
    end: int
    closed: bool


def events(text: str) -> Iterator[Event]:
    """Yields the events of `text` that carry data; comments and events without data are passed over."""
    index, start, kind, last_id = 0, 0, "message", None
    data: list[str] = []
    for line, position, after in _lines(text):
        if not line:
            if data:
                yield Event(index, kind, "\n".join(data), last_id, start, position, True)
                index += 1
            data, kind, start = [], "message", after
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name == "event":
            kind = value or "message"
        elif name == "id" and "\0" not in value:
            last_id = value
    if data:
        yield Event(index, kind, "\n".join(data), last_id, start, len(text), False)


def _lines(text: str) -> Iterator[tuple[str, int, int]]:
    """Yields each line, where it begins, and where the next one does; lines end with CRLF, LF or CR."""
    position = 1 if text.startswith("\ufeff") else 0
    pieces = text[position:].split("\n")
    last = len(pieces) - 1
    for number, piece in enumerate(pieces):
        after = position + len(piece) + (number < last)
        if "\r" in piece:
            # A CR before the LF belongs to the line end; any other CR ends a line by itself.
            *first, line = piece.removesuffix("\r").split("\r")
            for each in first:
                yield each, position, position + len(each) + 1
                position += len(each) + 1
            yield line, position, after
        elif piece or number < last:
            yield piece, position, after
        position = after


def looks_like_events(text: str) -> bool:
    """Whether a text begins with a field or a comment of an event stream."""
    return text.lstrip("\ufeff\r\n").startswith(("data:", "event:", "id:", "retry:", ":"))

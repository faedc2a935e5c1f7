"""Text logs in which an anchor stands before the JSON of each message: what their formats share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import Decoded, decode, first_document, plain_message
from diagnosis.captures.frames import NO_FRAME, Glance, Reader, frame_in, glance_at, is_text, length
from diagnosis.captures.message import Message, Span
from diagnosis.captures.records import Beside, is_message, message_of, messages_in, skipped, text_line, unmessaged
from diagnosis.captures.sources import CutLine, Source

TRUNCATED = "truncated"


class Anchored(NamedTuple):
    """What stands behind a line's anchor, and what the line says beside it; a tuple, for there is one a line.

    `word` is the line's word for the direction where it depends on who wrote the log.
    """

    text: bytes
    beside: Beside
    word: str | None = None


Find = Callable[[bytes], Anchored | None]


def claim(head: bytes, find: Find, anchor: str) -> Claim:
    """Certain with one anchored line whose JSON is a JSON-RPC message; possible with an anchor alone."""
    anchored = False
    for line in head.split(b"\n"):
        found = find(line)
        if found is None:
            continue
        anchored = True
        if any(map(is_message, values_of(json_behind(found.text)))):
            return Claim(Sureness.CERTAIN, f"lines say {anchor}")
    if anchored:
        return Claim(Sureness.POSSIBLE, f"lines say {anchor}, but none of their JSON is whole")
    return Claim(Sureness.NO, f"no line says {anchor}")


def anchored_messages(source: Source, find: Find) -> Iterator[Message | Skipped]:
    """Yields messages and skipped lines; only a line with an anchor owes a message."""
    for number, offset, line in source.lines():
        yield from _line(source.path, find, number, offset, line)


def anchored_glances(source: Source, find: Find) -> Iterator[Glance | Message | Skipped]:
    """Yields the same, with glances in the place of ordinary messages."""
    read = partial(_line, source.path, find)
    for number, offset, line in source.lines():
        found = None if type(line) is CutLine else find(line)
        glance = None if found is None else _glance(found, number, offset, line, read)
        if glance is not None:
            yield glance
        else:
            yield from read(number, offset, line)


def _glance(found: Anchored, number: int, offset: int, line: bytes, read: Reader) -> Glance | None:
    text, beside, _ = found
    try:
        frame = frame_in(text)
    except NO_FRAME:
        return None
    if length(frame) != len(text) or beside.credential or beside.http or not is_text(line):
        return None
    return glance_at(frame, number, offset, line, beside.direction, read, beside.session, beside.channel)


def _line(path: str, find: Find, number: int, offset: int, line: bytes) -> Sequence[Message | Skipped]:
    found = None if type(line) is CutLine else find(line)
    if found is None:
        return (without_message(path, number, offset, line),)
    span = Span(path, number, offset, len(line))
    plain = plain_message(found.text)
    if plain is not None:
        return (message_of(plain, span, line, found.beside),)
    decoded = json_behind(found.text)
    if decoded.reason:
        return (skipped(Kind.UNREADABLE, span, line, TRUNCATED if decoded.truncated else decoded.reason),)
    return messages_in(decoded, span, line, found.beside)


def words_of(head: bytes, find: Find) -> Iterator[tuple[str, object]]:
    """The words for directions in a capture's beginning that depend on its writer, each with its line's values."""
    for line in head.split(b"\n"):
        found = find(line)
        if found is not None and found.word is not None:
            for value in values_of(json_behind(found.text)):
                yield found.word, value


def json_behind(text: bytes) -> Decoded:
    """Decodes the JSON at the beginning of `text`; other text may follow it once it is closed."""
    decoded = decode(text.rstrip())
    if decoded.reason and not decoded.truncated:
        decoded, _ = first_document(text)
    return decoded


def values_of(decoded: Decoded) -> list[object]:
    """The documents, and the elements of batches one by one."""
    return [each for value in decoded.values for each in (value if type(value) is list else (value,))]


def without_message(path: str, number: int, offset: int, line: bytes) -> Skipped:
    """A line without an anchor: blank or other text, even where it looks like JSON."""
    if type(line) is CutLine or not line or line.isspace():
        none = unmessaged(path, number, offset, line)
        if none is not None:
            return none
    return text_line(Span(path, number, offset, len(line)), line)

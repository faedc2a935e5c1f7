"""Debug logs of the Python SDK, 1.x and 2.x: messages as Python prints them, read as data and never evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from diagnosis.captures.anchored import without_message
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import Decoded, decode
from diagnosis.captures.event_stream import events
from diagnosis.captures.message import Direction, Message, Span
from diagnosis.captures.python_literals import NotALiteral, read_literal
from diagnosis.captures.python_models import printed_message
from diagnosis.captures.python_sessions import Sessions
from diagnosis.captures.records import Beside, is_message, messages_in, skipped
from diagnosis.captures.repeats import Repeats
from diagnosis.captures.sources import CutLine, Source

_TO_SERVER = (
    "Sending client message",
    "Received JSON",
    "Validated client message",
    "Sending session message to writer",
)
_TO_CLIENT = ("SSE message", "Received server message", "Sending message via SSE", "chunk")
# The prefix is the logging module's: a quote or brace in front would be somebody else's text.
_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?[\[(]?(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?)?[^{}'\"\n]{0,160}?\b("
    + "|".join((*_TO_SERVER, *_TO_CLIENT)).encode()
    + rb"): (?=root=JSONRPC|SessionMessage\(|JSONRPC|jsonrpc='|b['\"])"
).match
_SESSION = re.compile(
    rb"(?:\xef\xbb\xbf)?[^{}'\"\n]{0,200}?\b(?:(Received session ID)|Parsed session ID): ([!-~]{1,128})\s*\Z"
).match
_BODY, _CHUNK = "Received JSON", "chunk"
_V2 = re.compile(rb"jsonrpc='|SessionMessage\(message=JSONRPC(?!Message)|JSONRPC(?:Request|Not|Resp|Err)").match


@dataclass(frozen=True, slots=True)
class _Found:
    view: str
    at: int
    time: str | None


class PythonSdkV1:
    """Reads the debug log of the Python SDK 1.x: its HTTP clients and its SSE server."""

    name = "python-sdk-v1"
    title = "the Python SDK's 1.x debug log: root=JSONRPCRequest(..)"
    cannot_show = "the time zone, HTTP headers and who the caller was; a stdio server logs no messages"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line that holds a message."""
        return _claim(head, "root=JSONRPCRequest(..) or Received JSON: b'..'", second=False)

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; a second view of a message is other."""
        return _messages(source)


class PythonSdkV2:
    """Reads the debug log of the Python SDK 2.x: its HTTP clients and its SSE server."""

    name = "python-sdk-v2"
    title = "the Python SDK's 2.x debug log: Sending client message: jsonrpc='2.0' .."
    cannot_show = "answers in JSON mode, the time zone, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line that holds a message."""
        return _claim(head, "jsonrpc='2.0' id=.. method=..", second=True)

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; a second view of a message is other."""
        return _messages(source)


def _claim(head: bytes, sign: str, *, second: bool) -> Claim:
    """The notation of the models tells the two apart; bytes alone, as both log them, count for the first."""
    anchored: list[tuple[bool, bool]] = []
    for line in head.split(b"\n"):
        found = _find(line)
        if found is None:
            continue
        whole = any(is_message(value) for decoded, _ in _documents(line, found) for value in _flat(decoded))
        is_second = _V2(line, found.at) is not None
        is_bytes = found.view in (_BODY, _CHUNK)
        if whole and not is_bytes:
            sure = is_second is second
            return Claim(Sureness.CERTAIN if sure else Sureness.NO, f"lines say {sign}" if sure else "another version")
        anchored.append((is_bytes, whole))
    if not second and any(is_bytes and whole for is_bytes, whole in anchored):
        return Claim(Sureness.CERTAIN, f"lines say {sign}")
    if anchored and not second:
        return Claim(Sureness.POSSIBLE, "lines are anchored like the Python SDK's, but no message in them is whole")
    return Claim(Sureness.NO, f"no line says {sign}")


def _messages(source: Source) -> Iterator[Message | Skipped]:
    sessions, repeats = Sessions(), Repeats()
    path = source.path
    for number, offset, line in source.lines():
        found = None if type(line) is CutLine else _find(line)
        if found is None:
            _name_session(line, sessions)
            yield without_message(path, number, offset, line)
            continue
        span = Span(path, number, offset, len(line))
        given = False
        for decoded, layers in _documents(line, found):
            for item in _items(decoded, replace(span, layers=layers), line, found, sessions, repeats):
                # A line that gives nothing else is skipped as a whole, and once.
                if isinstance(item, Message) or not given:
                    yield item if isinstance(item, Message) or len(layers) < 2 else replace(item, span=span)
                given = True
        if not given:
            yield skipped(Kind.OTHER, span, line, "a stream's event without a message")


def _items(
    decoded: Decoded, span: Span, line: bytes, found: _Found, sessions: Sessions, repeats: Repeats
) -> Iterator[Message | Skipped]:
    whole = replace(span, layers=())
    if decoded.reason:
        yield skipped(Kind.UNREADABLE, whole, line, decoded.reason)
        return
    direction = Direction.TO_SERVER if found.view in _TO_SERVER else Direction.TO_CLIENT
    fresh = False
    again = False
    for item in messages_in(decoded, span, line, Beside(direction, time=found.time)):
        if not isinstance(item, Message):
            yield replace(item, span=whole) if item.span.layers == span.layers else item
            continue
        session = sessions.body_came(item.body) if found.view == _BODY else None
        if not repeats.is_new(found.view, direction, item.body):
            again = True
            continue
        fresh = True
        yield replace(item, session=session if found.view == _BODY else sessions.of(item.body, direction))
    if again and not fresh:
        yield skipped(Kind.OTHER, whole, line, "a message that another line of the log has shown")


def _find(line: bytes) -> _Found | None:
    found = _ANCHOR(line)
    if found is None:
        return None
    time = found[1].decode("ascii") if found[1] else None
    return _Found(found[2].decode("ascii"), found.end(), time)


def _documents(line: bytes, found: _Found) -> Iterator[tuple[Decoded, tuple[str, ...]]]:
    """The messages printed on a line, and the way to them; a reason where one is due and cannot be read."""
    try:
        text = line[found.at :].decode("utf-8")
    except UnicodeDecodeError as error:
        yield Decoded((), reason=f"not UTF-8 (byte {found.at + error.start} of the line)"), ()
        return
    try:
        if found.view not in (_BODY, _CHUNK):
            message = printed_message(text, 0)
            yield (Decoded((message,)) if message else Decoded((), reason="no model of a message")), ("repr",)
            return
        value, _ = read_literal(text)
    except NotALiteral as error:
        yield Decoded((), reason="truncated" if error.truncated else f"not as Python prints it: {error}"), ()
        return
    if not isinstance(value, bytes):
        yield Decoded((), reason="no bytes"), ()
    elif found.view == _BODY:
        yield decode(value), ("bytes",)
    else:
        yield from _of_events(value)


def _of_events(chunk: bytes) -> Iterator[tuple[Decoded, tuple[str, ...]]]:
    for event in events(chunk.decode("utf-8", "replace")):
        if event.data.lstrip()[:1] in ("{", "["):
            yield decode(event.data), ("bytes", f"sse[{event.index}]")


def _flat(decoded: Decoded) -> list[Any]:
    return [each for value in decoded.values for each in (value if type(value) is list else (value,))]


def _name_session(line: bytes, sessions: Sessions) -> None:
    found = None if type(line) is CutLine else _SESSION(line)
    if found is None:
        return
    name = found[2].decode("ascii")
    if found[1]:
        sessions.client_named(name)
    else:
        sessions.post_named(name)

"""Server-sent events line by line, with their place in the file (WHATWG HTML, section 9.2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import BOM, decode
from diagnosis.captures.message import Message, Span
from diagnosis.captures.records import AT_END, Beside, messages_in, skipped
from diagnosis.captures.sources import LONGEST_LINE

NO_MESSAGE = "an event without a JSON-RPC message"
COMMENT = "a comment or a field without an event"
_FIELDS = (b"data", b"event", b"id", b"retry")


def is_field(line: bytes) -> bool:
    """Whether a line is a field or a comment of an event stream."""
    name, colon, _ = line.partition(b":")
    return bool(colon) and (not name or name in _FIELDS)


@dataclass(slots=True)
class EventLines:
    """Gathers the lines of one event; `index` counts the events with data."""

    path: str
    index: int = 0
    session: str | None = None
    _lines: list[bytes] = field(default_factory=list)
    _at: tuple[int, int] = (0, 0)
    _size: int = 0

    def feed(self, number: int, offset: int, line: bytes) -> bool:
        """Takes a line of an event; False where the event has become too long and must be ended."""
        if not self._lines:
            self._at, self._size = (number, offset), 0
        self._lines.append(line)
        self._size += len(line) + 1
        return self._size <= LONGEST_LINE

    def end(self, beside: Beside, *, cut: bool = False) -> Iterator[Message | Skipped]:
        """Ends the event and yields its messages, or what it was instead; nothing where there is none."""
        lines, self._lines = self._lines, []
        if not lines:
            return
        record = b"\n".join(lines)
        number, offset = self._at
        span = Span(self.path, number, offset, len(record))
        kind, data = _fields(lines)
        if not data:
            yield skipped(Kind.OTHER, span, record, COMMENT)
            return
        text = b"\n".join(data)
        if kind == b"endpoint":
            self.session = _session(text) or self.session
        place = Span(self.path, number, offset, len(record), (f"sse[{self.index}]",))
        self.index += 1
        decoded = decode(text) if text.lstrip()[:1] in (b"{", b"[") else None
        if decoded is None or (decoded.reason and b'"jsonrpc"' not in text):
            yield skipped(Kind.OTHER, span, record, NO_MESSAGE)
        elif decoded.reason:
            yield skipped(Kind.UNREADABLE, span, record, AT_END if cut and decoded.truncated else decoded.reason)
        else:
            found = messages_in(decoded, place, record, beside)
            whole = len(found) == 1
            for each in found:
                yield skipped(each.kind, span, record, each.why) if whole and isinstance(each, Skipped) else each


def _fields(lines: list[bytes]) -> tuple[bytes, list[bytes]]:
    """The kind of an event and its data lines."""
    kind, data = b"message", []
    for line in lines:
        name, _, value = line.removeprefix(BOM).removesuffix(b"\r").partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            data.append(value)
        elif name == b"event":
            kind = value or kind
    return kind, data


def _session(endpoint: bytes) -> str | None:
    """The session that the old HTTP+SSE transport (MCP 2024-11-05) puts into the address for messages."""
    try:
        query = parse_qs(urlsplit(endpoint.decode("utf-8").strip()).query)
    except ValueError:
        return None
    return next((query[key][0] for key in ("session_id", "sessionId") if key in query), None)

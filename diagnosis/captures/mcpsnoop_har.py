"""mcpsnoop's export as HAR: each entry holds the parameters and the result, not the messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import BOM, Decoded, decode_exactly
from diagnosis.captures.har import entries_of
from diagnosis.captures.message import Direction, HttpExchange, Loss, Message, Span
from diagnosis.captures.recordings import NO_MESSAGE, Record, deeper, follow, made, text_of
from diagnosis.captures.records import AT_END, Beside, is_message, messages_in, skipped
from diagnosis.captures.sources import HEAD, Source
from diagnosis.captures.times import utc

_URL = re.compile(r"mcp://([^/]*)/(.+)", re.DOTALL).fullmatch
_CREATOR = re.compile(rb'"creator"\s*+:\s*+\{\s*+"name"\s*+:\s*+"mcpsnoop"').search
_VERSION = b'"JSON-RPC/2.0"'
_CUT = "the archive is cut or broken, or holds a second list of entries"


class McpSnoopHar:
    """Reads the HTTP archives that mcpsnoop exports, whose exchanges are made up from JSON-RPC."""

    name = "mcpsnoop-har"
    title = "mcpsnoop's export as HAR"
    cannot_show = "JSON-RPC ids, sessions, HTTP headers and who the caller was; its HTTP status is made up"

    def detect(self, head: bytes) -> Claim:
        """Certain with mcpsnoop as the creator and an entry of version JSON-RPC/2.0."""
        if head.removeprefix(BOM).lstrip()[:1] == b"{" and _CREATOR(head[:4096]):
            if _VERSION in head and b'"mcp://' in head:
                return Claim(Sureness.CERTAIN, "an HTTP archive by mcpsnoop with entries of JSON-RPC/2.0")
            return Claim(Sureness.POSSIBLE, "an HTTP archive by mcpsnoop; its entries begin later")
        return Claim(Sureness.NO, "it is no HTTP archive by mcpsnoop")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields a request and an answer per entry, put together from parameters and result."""
        data = source.mmap()
        entries, whole = entries_of(data)
        line, counted, end = 1, 0, 0
        for number, (start, end, closed) in enumerate(entries):
            line, counted = line + data[counted:start].count(b"\n"), start
            raw = data[start:end]
            source.bytes_read = end
            span = Span(source.path, line, start, end - start, (f"entries[{number}]",))
            decoded = decode_exactly(raw) if closed else Decoded((), reason=AT_END)
            if decoded.reason:
                yield skipped(Kind.UNREADABLE, span, raw, decoded.reason)
            elif type(decoded.values[0]) is not dict:
                yield skipped(Kind.OTHER, span, raw, NO_MESSAGE)
            else:
                record = Record(decoded.values[0], span, raw, number, source.labels, decoded.notes)
                yield from _from_entry(record) or (skipped(Kind.OTHER, span, raw, NO_MESSAGE),)
        if not whole:
            line += data[counted:end].count(b"\n")
            span = Span(source.path, line, end, len(data) - end)
            yield skipped(Kind.UNREADABLE, span, data[end : end + HEAD], _CUT)


def _from_entry(record: Record) -> Sequence[Message | Skipped]:
    found = _URL(text_of(follow(record.value, ("request", "url"))) or "")
    if found is None:
        return ()
    label, method = found.groups()
    time, basis = utc(record.value.get("startedDateTime"))
    # The export makes up a status from the outcome; it was never sent.
    entry = HttpExchange(record.number)
    sent = Beside(Direction.TO_SERVER, None, label or None, time, basis, None, entry, (Loss.ID,))
    received = replace(sent, direction=Direction.TO_CLIENT)
    asked = _part(record, ("request", "postData", "text"), sent, method)
    answer = _part(record, ("response", "content", "text"), received, None)
    return (*asked, *answer)


def _part(record: Record, way: tuple[str, ...], beside: Beside, method: str | None) -> Sequence[Message | Skipped]:
    """A request with these parameters (`method` is given), or an answer with this result or error."""
    text = follow(record.value, way)
    if not isinstance(text, str) or not text:
        known = method is not None
        return (made(record, ("request",), {"id": record.number, "method": method}, beside),) if known else ()
    decoded, span = decode_exactly(text), deeper(record.span, *way)
    if decoded.reason:
        return (skipped(Kind.UNREADABLE, span, record.raw, decoded.reason),)
    value: Any = decoded.values[0]
    if is_message(value):
        return messages_in(decoded, span, record.raw, replace(beside, losses=()))
    noted = replace(record, notes=tuple(dict.fromkeys((*record.notes, *decoded.notes))))
    if method is not None:
        return (made(noted, way, {"id": record.number, "method": method, "params": value}, beside),)
    failed = type(value) is dict and type(value.get("code")) is int and isinstance(value.get("message"), str)
    # A result may have members of these names too; the made-up status tells them apart.
    member = "error" if failed and follow(record.value, ("response", "status")) != 200 else "result"
    return (made(noted, way, {"id": record.number, member: value}, beside),)

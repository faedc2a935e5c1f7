"""What `curl -v` prints: headers of both sides, and the body of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC

from diagnosis.callers.authorization import from_authorization
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import decode, first_document
from diagnosis.captures.event_lines import EventLines, is_field
from diagnosis.captures.inside import Head
from diagnosis.captures.message import Direction, HttpExchange, Message, Span
from diagnosis.captures.records import Beside, messages_in, skipped, text_line, unmessaged
from diagnosis.captures.sources import CutLine, Source
from diagnosis.captures.times import UTC_BASIS

_PRINTED = re.compile(rb"(?:[*<>] |[<>]\r?\Z|[{}] \[\d+ bytes data\])").match
_REQUEST = re.compile(rb"> ([A-Z]+) (\S+) HTTP/[\d.]+\r?\Z").match
_STATUS = re.compile(rb"< HTTP/[\d.]+ (\d{3})\b").match
_HEADER = re.compile(rb"([<>]) ([A-Za-z0-9-]+): ?(.*?)\r?\Z").match


@dataclass(slots=True)
class _Exchange:
    """What was printed of the request and of the answer so far."""

    number: int = 0
    target: str | None = None
    status: int | None = None
    sent: dict[str, str] = field(default_factory=dict)
    returned: dict[str, str] = field(default_factory=dict)


class CurlVerbose:
    """Reads the transcripts of `curl -v`, with the answer's body among them."""

    name = "curl-verbose"
    title = "transcripts of curl -v"
    cannot_show = "the request's body, and with it the URI that was asked for (curl --trace-ascii prints it)"

    def detect(self, head: bytes) -> Claim:
        """Certain with a request and an answer as curl prints them, and a JSON-RPC message in the body."""
        lines = head.split(b"\n")
        if not any(map(_REQUEST, lines)) or not any(map(_STATUS, lines)):
            return Claim(Sureness.NO, "no lines '> POST ... HTTP' and '< HTTP' of curl -v")
        if any(isinstance(item, Message) for item in self.messages(Head(head))):
            return Claim(Sureness.CERTAIN, "headers as curl -v prints them, and a JSON-RPC message in the body")
        return Claim(Sureness.POSSIBLE, "headers as curl -v prints them, but no JSON-RPC message in the body")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the messages of the bodies; what curl says itself is other."""
        path, stream, exchange = source.path, EventLines(source.path), _Exchange()
        for number, offset, line in source.lines():
            span = Span(path, number, offset, len(line))
            if type(line) is not CutLine and is_field(line) and exchange.status is not None:
                if not stream.feed(number, offset, line):
                    yield from stream.end(_beside(exchange, source))
                continue
            yield from stream.end(_beside(exchange, source))
            if type(line) is not CutLine and _PRINTED(line):
                exchange = _told(exchange, line)
                yield text_line(span, line)
                continue
            none = unmessaged(path, number, offset, line)
            if none is not None:
                yield none
                continue
            yield from _body(line, span, _beside(exchange, source))
        yield from stream.end(_beside(exchange, source), cut=True)


def _told(exchange: _Exchange, line: bytes) -> _Exchange:
    """The exchange with what one line of curl's says of it; a request begins the next one."""
    if (asked := _REQUEST(line)) is not None:
        return _Exchange(exchange.number + 1, asked.group(2).decode("utf-8", "replace"))
    if (answered := _STATUS(line)) is not None:
        exchange.status = int(answered.group(1))
    elif (header := _HEADER(line)) is not None:
        headers = exchange.sent if header.group(1) == b">" else exchange.returned
        name = header.group(2).decode("ascii").lower()
        headers.setdefault(name, header.group(3).decode("utf-8", "replace"))
    return exchange


def _body(line: bytes, span: Span, beside: Beside) -> Iterator[Message | Skipped]:
    # Where a body ends without a line break, curl's next remark stands on its line.
    decoded = decode(line)
    if decoded.reason and not decoded.truncated:
        decoded, _ = first_document(line)
    if decoded.reason and b'"jsonrpc"' not in line:
        yield text_line(span, line)
    elif decoded.reason:
        yield skipped(Kind.UNREADABLE, span, line, decoded.reason)
    else:
        yield from messages_in(decoded, span, line, beside)


def _beside(exchange: _Exchange, source: Source) -> Beside:
    sent, returned = exchange.sent, exchange.returned
    time = _date(returned.get("date"))
    header = sent.get("authorization")
    return Beside(
        Direction.TO_CLIENT if exchange.status is not None else Direction.TO_SERVER,
        sent.get("mcp-session-id") or returned.get("mcp-session-id"),
        None,
        time,
        UTC_BASIS if time else "none",
        from_authorization(header, source.labels) if header else None,
        HttpExchange(exchange.number, f"{sent.get('host', '')}{exchange.target or ''}" or None, exchange.status),
    )


def _date(header: str | None) -> str | None:
    from email.utils import parsedate_to_datetime  # what reads mail takes a while to load

    try:
        return parsedate_to_datetime(header or "").astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return None

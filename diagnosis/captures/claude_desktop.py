"""Logs of Claude Desktop: `mcp-server-NAME.log` of one server, and `mcp.log` of all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import Decoded, decode, first_document, plain_message
from diagnosis.captures.message import Direction, Message, Span
from diagnosis.captures.records import (
    Beside,
    is_message,
    message_of,
    messages_in,
    skipped,
    text_line,
    unmessaged,
)
from diagnosis.captures.sources import CutLine, Source
from diagnosis.captures.times import UTC_BASIS

# Newer builds write [NAME] [info], mcp.log writes [info] [NAME].
_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?(\d{4}-\d\d-\d\dT[\d:.]+Z) \[([^\]]+)\] \[([^\]]+)\] Message from (client|server): "
).match
_LEVELS = frozenset((b"trace", b"debug", b"info", b"warn", b"warning", b"error"))
_SUFFIX = b" { metadata: undefined }"
TRUNCATED = "truncated"


class ClaudeDesktop:
    """Reads the MCP logs of Claude Desktop (2025 and 2026 builds)."""

    name = "claude-desktop"
    title = "Claude Desktop's mcp-server-NAME.log and mcp.log"
    cannot_show = "sessions, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line whose JSON is a JSON-RPC message."""
        anchored = 0
        for line in head.split(b"\n"):
            found = _ANCHOR(line)
            if found:
                anchored += 1
                if any(is_message(value) for value in _decode(line[found.end() :]).values):
                    return Claim(Sureness.CERTAIN, "lines say 'Message from client' or 'Message from server'")
        if anchored:
            return Claim(Sureness.POSSIBLE, "lines are anchored like Claude Desktop's, but none of their JSON is whole")
        return Claim(Sureness.NO, "no line says 'TIME [..] [..] Message from client: {'")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; text between them (life cycle, stderr) is other."""
        path = source.path
        for number, offset, line in source.lines():
            found = _ANCHOR(line)
            if found is None or type(line) is CutLine:
                yield _without_message(path, number, offset, line)
                continue
            span = Span(path, number, offset, len(line))
            plain = plain_message(line[found.end() :].removesuffix(_SUFFIX))
            if plain is not None:
                yield message_of(plain, span, line, _beside(found))
                continue
            decoded = _decode(line[found.end() :])
            if decoded.reason:
                yield skipped(Kind.UNREADABLE, span, line, TRUNCATED if decoded.truncated else decoded.reason)
            else:
                yield from messages_in(decoded, span, line, _beside(found))


def _decode(text: bytes) -> Decoded:
    text = text.rstrip()
    decoded = decode(text.removesuffix(_SUFFIX))
    if decoded.reason and not decoded.truncated:
        # Any text may follow the JSON, never a line break and never a second guess at the JSON itself.
        decoded, _ = first_document(text)
    return decoded


def _beside(found: re.Match[bytes]) -> Beside:
    time, first, second, side = found.groups()
    server = (first if second in _LEVELS else second).decode("utf-8", "replace")
    return Beside(
        Direction.TO_SERVER if side == b"client" else Direction.TO_CLIENT,
        None,
        server,
        time.decode("ascii"),
        UTC_BASIS,
        server=server,
    )


def _without_message(path: str, number: int, offset: int, line: bytes) -> Skipped:
    """Text of the server's own stderr may look like JSON; only an anchored line owes a message."""
    if type(line) is not CutLine and line and not line.isspace():
        return text_line(Span(path, number, offset, len(line)), line)
    none = unmessaged(path, number, offset, line)
    return none if none is not None else text_line(Span(path, number, offset, len(line)), line)

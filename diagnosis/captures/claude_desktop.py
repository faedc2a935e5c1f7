"""Logs of Claude Desktop: `mcp-server-NAME.log` of one server, and `mcp.log` of all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagnosis.captures.anchored import Anchored, anchored_glances, anchored_messages, claim
from diagnosis.captures.contract import Claim, Skipped
from diagnosis.captures.frames import Glance
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import UTC_BASIS

# Newer builds write [NAME] [info], mcp.log writes [info] [NAME].
_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?(\d{4}-\d\d-\d\dT[\d:.]+Z) \[([^\]]+)\] \[([^\]]+)\] Message from (client|server): "
).match
_LEVELS = frozenset((b"trace", b"debug", b"info", b"warn", b"warning", b"error"))
_SUFFIX = b" { metadata: undefined }"


class ClaudeDesktop:
    """Reads the MCP logs of Claude Desktop (2025 and 2026 builds)."""

    name = "claude-desktop"
    title = "Claude Desktop's mcp-server-NAME.log and mcp.log"
    cannot_show = "sessions, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line whose JSON is a JSON-RPC message."""
        return claim(head, _find, "'Message from client' or 'Message from server'")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; text between them (life cycle, stderr) is other."""
        return anchored_messages(source, _find)

    def glances(self, source: Source) -> Iterator[Glance | Message | Skipped]:
        """Yields the same, with glances in the place of ordinary messages."""
        return anchored_glances(source, _find)


def _find(line: bytes) -> Anchored | None:
    found = _ANCHOR(line)
    if found is None:
        return None
    time, first, second, side = found.groups()
    server = (first if second in _LEVELS else second).decode("utf-8", "replace")
    direction = Direction.TO_SERVER if side == b"client" else Direction.TO_CLIENT
    beside = Beside(direction, None, server, time.decode("ascii"), UTC_BASIS, None, None, (), server)
    return Anchored(line[found.end() :].rstrip().removesuffix(_SUFFIX), beside)

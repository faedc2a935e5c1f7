"""The MCP output channel of VS Code, saved or pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagnosis.captures.anchored import Anchored, anchored_messages, claim
from diagnosis.captures.contract import Claim, Skipped
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source

# People paste it without the time, and without the level. March 2025 builds wrote [Client Says].
_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+) )?(?:\[\w+\] )?"
    rb"\[(editor -> server|server -> editor|Client Says|Server Says)\]:? *(?=[{\[])"
).match
_TO_SERVER = (b"editor -> server", b"Client Says")


class VsCode:
    """Reads the trace that VS Code prints for an MCP server."""

    name = "vscode"
    title = "VS Code's MCP output: [editor -> server] and [server -> editor]"
    cannot_show = "the time zone, sessions, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line whose JSON is a JSON-RPC message."""
        return claim(head, _find, "[editor -> server] or [server -> editor]")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; the time is local, of an unknown zone, and kept as text."""
        return anchored_messages(source, _find)


def _find(line: bytes) -> Anchored | None:
    found = _ANCHOR(line)
    if found is None:
        return None
    time, side = found.groups()
    direction = Direction.TO_SERVER if side in _TO_SERVER else Direction.TO_CLIENT
    return Anchored(line[found.end() :], Beside(direction, time=time.decode("ascii") if time else None))

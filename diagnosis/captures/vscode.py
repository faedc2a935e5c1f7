"""The MCP output channel of VS Code, saved or pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import Decoded, decode, first_document
from diagnosis.captures.message import Direction, Message, Span
from diagnosis.captures.records import Beside, is_message, messages_in, skipped, text_line, unmessaged
from diagnosis.captures.sources import CutLine, Source

# People paste it without the time, and without the level. March 2025 builds wrote [Client Says].
_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+) )?(?:\[\w+\] )?"
    rb"\[(editor -> server|server -> editor|Client Says|Server Says)\]:? *(?=[{\[])"
).match
_TO_SERVER = (b"editor -> server", b"Client Says")
TRUNCATED = "truncated"


class VsCode:
    """Reads the trace that VS Code prints for an MCP server."""

    name = "vscode"
    title = "VS Code's MCP output: [editor -> server] and [server -> editor]"
    cannot_show = "the time zone, sessions, HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one anchored line whose JSON is a JSON-RPC message."""
        anchored = 0
        for line in head.split(b"\n"):
            found = _ANCHOR(line)
            if found:
                anchored += 1
                if any(is_message(value) for value in _decode(line[found.end() :]).values):
                    return Claim(Sureness.CERTAIN, "lines say [editor -> server] or [server -> editor]")
        if anchored:
            return Claim(Sureness.POSSIBLE, "lines are anchored like VS Code's, but none of their JSON is whole")
        return Claim(Sureness.NO, "no line says '[editor -> server] {' or '[server -> editor] {'")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines; the time is local, of an unknown zone, and kept as text."""
        path = source.path
        for number, offset, line in source.lines():
            found = _ANCHOR(line)
            if found is None or type(line) is CutLine:
                none = unmessaged(path, number, offset, line) if type(line) is CutLine or not line.strip() else None
                span = Span(path, number, offset, len(line))
                yield none if none is not None else text_line(span, line)
                continue
            span = Span(path, number, offset, len(line))
            decoded = _decode(line[found.end() :])
            if decoded.reason:
                yield skipped(Kind.UNREADABLE, span, line, TRUNCATED if decoded.truncated else decoded.reason)
            else:
                yield from messages_in(decoded, span, line, _beside(found))


def _decode(text: bytes) -> Decoded:
    decoded = decode(text.rstrip())
    if decoded.reason and not decoded.truncated:
        decoded, _ = first_document(text)
    return decoded


def _beside(found: re.Match[bytes]) -> Beside:
    time, side = found.groups()
    return Beside(
        Direction.TO_SERVER if side in _TO_SERVER else Direction.TO_CLIENT,
        time=time.decode("ascii") if time else None,
    )

"""The Rust SDK's (rmcp) tracing output: requests and results as Rust's Debug prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from diagnosis.captures.anchored import without_message
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.message import Direction, Loss, Message, Span
from diagnosis.captures.records import Beside, message_of, skipped
from diagnosis.captures.sources import CutLine, Source
from diagnosis.captures.times import utc

_ANCHOR = re.compile(
    rb"(?:\xef\xbb\xbf)?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?"
    rb"""[^"'{}\n]{0,300}?\b(?:received request id=(\S{1,200}) request=ReadResourceRequest\("""
    rb"""|response message id=(\S{1,200}) result=ReadResourceResult\(|response error id=(\S{1,200}) error=)"""
).match
# Strings are passed over whole, so that a document's text is never searched.
# One that never closes runs to the end of the line, so that no line is scanned twice.
_URIS = re.compile(r'(\buri: )?"((?:[^"\\]++|\\(?:.|\Z))*+)("|\Z)', re.DOTALL)
_CODE = re.compile(
    r"(?:ErrorData|Error) \{ code: ErrorCode\((-?\d{1,10})\), message: " + r'"((?:[^"\\]++|\\.)*+)"'
).match
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "\\": "\\", '"': '"', "'": "'"}
_ASK_LOSSES = (Loss.ID,)
_ANSWER_LOSSES = (Loss.DOCUMENT, Loss.ID)


class RmcpDebug:
    """Reads ids and URIs of reads from rmcp's debug log."""

    name = "rmcp-debug"
    title = "the Rust SDK's debug log: received request id=.. request=ReadResourceRequest(..)"
    cannot_show = "documents, templates, whether an id was a number or text, sessions and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one line of a read."""
        for line in head.split(b"\n"):
            found = _ANCHOR(line)
            if found and (found[2] or found[3]):
                return Claim(Sureness.CERTAIN, "lines say 'received request id=.. request=ReadResourceRequest('")
        return Claim(Sureness.NO, "no line says 'received request id=.. request=ReadResourceRequest('")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields reads and their answers; other requests are other."""
        for number, offset, line in source.lines():
            found = None if type(line) is CutLine else _ANCHOR(line)
            if found is None:
                yield without_message(source.path, number, offset, line)
                continue
            span = Span(source.path, number, offset, len(line), ("debug",))
            body = _body(found, line[found.end() :].decode("utf-8", "surrogateescape"))
            if isinstance(body, str):
                yield skipped(Kind.UNREADABLE, Span(source.path, number, offset, len(line)), line, body)
            else:
                yield message_of(body, span, line, _beside(found))


def _beside(found: re.Match[bytes]) -> Beside:
    time, basis = utc(found[1].decode("ascii")) if found[1] else (None, "none")
    asks = found[2] is not None
    return Beside(
        Direction.TO_SERVER if asks else Direction.TO_CLIENT,
        time=time,
        time_basis=basis,
        losses=_ASK_LOSSES if asks else _ANSWER_LOSSES,
    )


def _body(found: re.Match[bytes], text: str) -> dict[str, Any] | str:
    """The message as far as the log keeps it, or the reason why there is none."""
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": _id(found[2] or found[3] or found[4])}
    try:
        if found[4]:
            error = _CODE(text)
            message = _unescaped(error[2]) if error else ""
            return {**body, "error": {"code": int(error[1]) if error else None, "message": message}}
        uris = [_unescaped(each[2]) for each in _URIS.finditer(text) if each[1] and each[3]]
    except (ValueError, KeyError):
        return "an escape that Rust does not print"
    if found[3]:
        return {**body, "result": {"contents": [{"uri": uri} for uri in uris]}}
    if len(uris) != 1:
        return "truncated" if not uris else "several URIs in one request"
    return {**body, "method": "resources/read", "params": {"uri": uris[0]}}


def _id(text: bytes) -> int | str:
    """Numbers and texts look alike; most clients send numbers."""
    found = text.decode("utf-8", "replace")
    return int(found) if found.isascii() and found.isdigit() and len(found) < 20 else found


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda each: chr(int(each[1], 16)) if each[1] else _PLAIN[each[2]], text)

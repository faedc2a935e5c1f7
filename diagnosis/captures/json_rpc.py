"""Bare JSON-RPC: lines, one array, batches, or pretty-printed messages one after another.

Nothing stands beside the messages: no direction, no time, no session (a `tee` on a server's standard
streams).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.cutting import after_array, array_elements, first_line_of
from diagnosis.captures.decoding import BOM, decode, plain_message
from diagnosis.captures.message import Message, Span
from diagnosis.captures.records import (
    AT_END,
    NOTHING_BESIDE,
    is_message,
    is_unversioned,
    message_of,
    messages_in,
    skipped,
    undecoded,
    unmessaged,
)
from diagnosis.captures.sources import HEAD, LONGEST_LINE, CutLine, Source

LINES, ARRAY, PRETTY = "lines", "array", "pretty"
# Quotes that never close run to the end of the line, so that no line is scanned twice from the same quote.
_TOKENS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[{}\[\]]', re.DOTALL)
_BEGINS = re.compile(rb'(?:\xef\xbb\xbf)?+\s*+(?:\[\s*+)?+\{\s*+"(?:jsonrpc|id|method|params|result|error)"\s*+:').match
_STARTS = re.compile(rb"[{\[]").match
_MEMBERS = frozenset(("jsonrpc", "id", "method", "params", "result", "error"))


class JsonRpc:
    """Reads bare JSON-RPC 2.0 messages."""

    name = "json-rpc"
    title = "JSON-RPC messages alone: one per line, one array, or pretty-printed one after another"
    cannot_show = "who sent a message, when, and for which caller"

    def detect(self, head: bytes) -> Claim:
        """Certain where its beginning holds JSON-RPC messages alone; likely where they stand among other text.

        Likely, too, where a message has members that JSON-RPC does not know. Possible without the `jsonrpc` member.
        """
        strict, lenient, alone = _sampled(head)
        if strict and alone:
            return Claim(Sureness.CERTAIN, f"nothing but JSON-RPC messages in its beginning: {strict}")
        if strict:
            return Claim(Sureness.LIKELY, f"JSON-RPC messages among other things in its beginning: {strict}")
        if lenient:
            return Claim(Sureness.POSSIBLE, "messages like JSON-RPC, without its version")
        if len(head) >= HEAD and _BEGINS(head):
            return Claim(Sureness.POSSIBLE, "it begins like a JSON-RPC message longer than 64 KiB")
        return Claim(Sureness.NO, "no line, array element or pretty-printed value is a JSON-RPC message")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields messages and skipped lines, in the order of the capture."""
        shape = shape_of(source.head())
        if shape == ARRAY:
            return _from_array(source)
        return _from_pretty(source) if shape == PRETTY else _from_lines(source)


def shape_of(head: bytes) -> str:
    """How the messages stand: one per `lines`, in one `array`, or `pretty`-printed one after another."""
    first = first_line_of(head)
    if not first or first[:1] not in (b"{", b"["):
        return LINES
    whole = len(first) < len(head.lstrip()) or len(head) < HEAD
    if not whole:
        return ARRAY if first.startswith(b"[") else LINES
    decoded = decode(first)
    if not decoded.reason:
        return LINES
    if first.startswith(b"["):
        return ARRAY if first[1:].lstrip()[:1] in (b"", b"{", b"[") else LINES
    # A pretty-printed object opens alone on its line; a message that was cut does not.
    return PRETTY if first.rstrip() == b"{" else LINES


def _sampled(head: bytes) -> tuple[int, int, bool]:
    """How many strict and how many unversioned messages the head holds, and whether nothing stands beside them."""
    values: list[object] = []
    noise = False
    shape = shape_of(head)
    if shape == ARRAY:
        for start, end, closed in array_elements(head, head.find(b"["), scan=True):
            if closed:
                values += decode(head[start:end]).values
    else:
        for _, _, piece in _pretty_values(_lines_of(head)) if shape == PRETTY else _lines_of(head):
            if piece.lstrip(BOM + b" \t")[:1] in (b"{", b"["):
                values += decode(piece).values
            else:
                noise = noise or bool(piece.strip())
    flat = [each for value in values for each in (value if isinstance(value, list) else [value])]
    strict, lenient = sum(map(is_message, flat)), sum(map(is_unversioned, flat))
    return strict, lenient, not noise and strict + lenient == len(flat) and not any(map(_is_more, flat))


def _is_more(value: object) -> bool:
    """Whether a message has members that are none of JSON-RPC's: someone wrote beside it."""
    return type(value) is dict and not value.keys() <= _MEMBERS


def _lines_of(head: bytes) -> Iterator[tuple[int, int, bytes]]:
    offset = 0
    for number, line in enumerate(head.split(b"\n"), 1):
        yield number, offset, line
        offset += len(line) + 1


def _from_lines(source: Source) -> Iterator[Message | Skipped]:
    path = source.path
    for number, offset, line in source.lines():
        # The ordinary line begins with a brace at once; everything else is looked at more slowly.
        if line[:1] != b"{" or type(line) is CutLine:
            none = unmessaged(path, number, offset, line)
            if none is not None:
                yield none
                continue
        span = Span(path, number, offset, len(line))
        plain = plain_message(line)
        if plain is not None:
            yield message_of(plain, span, line, NOTHING_BESIDE)
            continue
        decoded = decode(line)
        if decoded.reason:
            yield undecoded(decoded, span, line, source.size)
        else:
            yield from messages_in(decoded, span, line, NOTHING_BESIDE, lenient=True)


def _from_array(source: Source) -> Iterator[Message | Skipped]:
    # The map closes with the last reference to it: an iterator over it may still hold it open here.
    data = source.mmap()
    line, counted, index, opening = 1, 0, 0, data.find(b"[")
    while opening >= 0:
        end = opening + 1
        for start, end, closed in array_elements(data, opening):
            line, counted = line + data[counted:start].count(b"\n"), start
            record = data[start:end]
            source.bytes_read = end
            span = Span(source.path, line, start, end - start, (f"[{index}]",))
            index += 1
            if closed:
                yield from messages_in(decode(record), span, record, NOTHING_BESIDE, lenient=True)
            else:
                yield skipped(Kind.UNREADABLE, span, record, AT_END)
        rest = after_array(data, end)
        opening = rest if data[rest : rest + 1] == b"[" else -1
        if opening < 0 and rest < len(data):
            line += data[counted:rest].count(b"\n")
            span = Span(source.path, line, rest, len(data) - rest)
            yield skipped(Kind.UNREADABLE, span, data[rest : rest + HEAD], "text after the array")


def _from_pretty(source: Source) -> Iterator[Message | Skipped]:
    path = source.path
    for number, offset, piece in _pretty_values(source.lines()):
        if type(piece) is CutLine or not _STARTS(piece.removeprefix(BOM).lstrip()[:1]):
            none = unmessaged(path, number, offset, piece)
            if none is not None:
                yield none
                continue
        span = Span(path, number, offset, len(piece))
        decoded = decode(piece)
        if decoded.reason:
            yield undecoded(decoded, span, piece, source.size)
        else:
            yield from messages_in(decoded, span, piece, NOTHING_BESIDE, lenient=True)


def _pretty_values(lines: Iterator[tuple[int, int, bytes]]) -> Iterator[tuple[int, int, bytes]]:
    """Joins the physical lines of each value, by counting brackets outside strings.

    A line that opens an object at its very beginning starts a new value: a cut one must not swallow the next.
    A value longer than the longest line is given up where it passes that length.
    """
    held: list[bytes] = []
    at, depth, size = (0, 0), 0, 0
    for number, offset, line in lines:
        cut = type(line) is CutLine
        if held and (cut or (line[:1] == b"{" and held[0].lstrip()[:1] != b"[")):
            yield *at, b"\n".join(held)
            held = []
        if not held:
            if cut or not _STARTS(line.removeprefix(BOM).lstrip()[:1]):
                yield number, offset, line
                continue
            at, depth, size = (number, offset), 0, 0
        held.append(line)
        size += len(line) + 1
        for token in _TOKENS.findall(line):
            depth += (token in (b"{", b"[")) - (token in (b"}", b"]"))
        if depth <= 0 or size > LONGEST_LINE:
            yield *at, b"\n".join(held)
            held = []
    if held:
        yield *at, b"\n".join(held)

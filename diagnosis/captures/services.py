"""Answers of log services, saved as one JSON document: a list of records, each with a line of a program in a field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.cutting import Buffer, placed, scanned
from diagnosis.captures.decoding import BOM, decode
from diagnosis.captures.facts import facts_of, within
from diagnosis.captures.inside import InnerLine, lines_of
from diagnosis.captures.message import Span
from diagnosis.captures.records import AT_END, NOTHING_BESIDE, Beside, skipped
from diagnosis.captures.sources import HEAD, Source
from diagnosis.captures.times import utc

TEXT_KEYS = ("message", "msg", "log", "line", "body", "payload", "data", "content", "raw", "text", "event", "original")
BROKEN = "the document is cut or broken, or holds a second list of records"
NO_TEXT = "a record without a text"


@dataclass(frozen=True)
class RecordList:
    """Where the records of a document stand: the members that lead to the list."""

    path: tuple[str, ...]

    @cached_property
    def _sign(self) -> re.Pattern[bytes]:
        return re.compile(rb'"' + re.escape(self.path[-1].encode("ascii")) + rb'"\s*+:\s*+\[')

    @cached_property
    def _shape(self) -> Any:
        shape: Any = list[msgspec.Raw]
        for member in reversed(self.path):
            shape = msgspec.defstruct("Document", [(member, shape)])
        return shape

    def places(self, data: Buffer) -> tuple[list[tuple[int, int, bool]], bool]:
        """The `(start, end, closed)` of every record, and whether they are all that the document holds."""
        sign = self._sign.search(data)
        if sign is None:
            return [], False
        try:
            with memoryview(data) as view, view[3 if data[:3] == BOM else 0 :] as rest:
                parts = msgspec.json.decode(rest, type=self._shape)
                for member in self.path:
                    parts = getattr(parts, member)
                found = placed(data, parts, sign.end())
                del parts
        except (msgspec.DecodeError, RecursionError, ValueError):
            return list(scanned(data, sign.end() - 1)), False
        first, last = (found[0][0], found[-1][1]) if found else (sign.end(), sign.end())
        return found, not self._sign.search(data, sign.end(), first) and not self._sign.search(data, last)

    def first_in(self, head: bytes) -> dict[str, Any] | None:
        """The first whole record in the beginning of a document that is one object."""
        if head.removeprefix(BOM).lstrip()[:1] != b"{":
            return None
        sign = self._sign.search(head)
        outer = self.path[0].encode("ascii")
        if sign is None or b'"' + outer + b'"' not in head[: sign.end()]:
            return None
        for start, end, _ in scanned(head, sign.end() - 1):
            values = decode(head[start:end]).values
            return values[0] if values and type(values[0]) is dict else None
        return None


@dataclass(frozen=True, slots=True)
class Holder:
    """The object of a record that holds the text, the way to it, the record's time, and what else speaks of it."""

    members: dict[str, Any]
    layers: tuple[str, ...]
    raw: bytes
    time: Any
    beside: Beside = NOTHING_BESIDE


def records_of(
    source: Source, listed: RecordList, name: str
) -> Iterator[tuple[int, int, bytes, str, dict[str, Any]] | Skipped]:
    """Yields number of the line, offset, bytes, layer and value of each record, and what is none."""
    data = source.whole()
    places, whole = listed.places(data)
    line, counted, end = 1, 0, 0
    for index, (start, end, closed) in enumerate(places):
        line, counted = line + data.count(b"\n", counted, start), start
        raw = bytes(data[start:end])
        span = Span(source.path, line, start, end - start, (f"{name}[{index}]",))
        decoded = decode(raw)
        if decoded.reason:
            yield skipped(Kind.UNREADABLE, span, raw, decoded.reason if closed else AT_END)
        elif len(decoded.values) != 1 or type(decoded.values[0]) is not dict:
            yield skipped(Kind.OTHER, span, raw, NO_TEXT)
        else:
            yield line, start, raw, f"{name}[{index}]", decoded.values[0]
    if not whole:
        line += data.count(b"\n", counted, end)
        span = Span(source.path, line, end, len(data) - end)
        yield skipped(Kind.UNREADABLE, span, bytes(data[end : end + HEAD]), BROKEN)


def texts_of(
    path: str, number: int, offset: int, record: bytes, layer: str, holder: Holder, labels: TokenLabels
) -> Iterator[InnerLine | Skipped]:
    """The inner lines of a record: its text that speaks JSON-RPC, else the holder itself if it does, else its text."""
    texts = [(key, value) for key in TEXT_KEYS if type(value := holder.members.get(key)) is str]
    chosen = next(((key, value) for key, value in texts if "jsonrpc" in value), None)
    beside = within(facts_of(holder.members, False, labels), holder.beside)
    layers = (layer, *holder.layers)
    if chosen is None and b"jsonrpc" in holder.raw:
        flat = holder.raw.replace(b"\n", b" ")
        yield InnerLine(flat, number, offset, record, layers, holder.time, beside)
        return
    chosen = chosen or (texts[0] if texts else None)
    if chosen is None:
        yield skipped(Kind.OTHER, Span(path, number, offset, len(record), (layer,)), record, NO_TEXT)
        return
    key, value = chosen
    yield from lines_of(value, number, offset, record, (*layers, key, "string"), holder.time, beside)


# Finds the holder in a record and in the record's bytes; None where it is another service's record.
HolderOf = Callable[[dict[str, Any], bytes], Holder | None]


def inner_of(source: Source, listed: RecordList, holder_of: HolderOf) -> Iterator[InnerLine | Skipped]:
    """The lines in the texts of all records, the oldest first."""
    found: list[list[InnerLine | Skipped]] = []
    for item in records_of(source, listed, ".".join(listed.path)):
        if isinstance(item, Skipped):
            found.append([item])
            continue
        number, offset, raw, layer, record = item
        holder = holder_of(record, raw) or Holder(record, (), raw, None)
        found.append(list(texts_of(source.path, number, offset, raw, layer, holder, source.labels)))
    return in_order(found)


def in_order(lines: list[list[InnerLine | Skipped]]) -> Iterator[InnerLine | Skipped]:
    """The records in the order of time: a service that answers with the newest first is turned round."""
    times = [utc(line.time)[0] for each in lines for line in each if isinstance(line, InnerLine)]
    known = [time for time in times if time is not None]
    turned = len(known) > 1 and known[0] > known[-1]
    for each in reversed(lines) if turned else lines:
        yield from each


def raw_member(record: bytes, *path: str) -> bytes:
    """The bytes of a member of a record, as they stand in it; nothing where it has none."""
    data = record
    for member in path:
        try:
            shape = msgspec.defstruct("Member", [(member, msgspec.Raw, msgspec.Raw(b""))])
            data = bytes(getattr(msgspec.json.decode(data, type=shape), member))
        except (msgspec.DecodeError, RecursionError, ValueError):
            return b""
    return data

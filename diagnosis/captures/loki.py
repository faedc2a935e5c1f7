"""Grafana Loki: the JSON lines of logcli, and the answer of its API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from diagnosis.captures.contract import Claim, Kind, Skipped
from diagnosis.captures.decoding import BOM, decode
from diagnosis.captures.facts import facts_of
from diagnosis.captures.inside import InnerLine, lines_of
from diagnosis.captures.message import Message, Span
from diagnosis.captures.records import skipped, undecoded, unmessaged
from diagnosis.captures.services import NO_TEXT, RecordList, records_of
from diagnosis.captures.sources import CutLine, Source
from diagnosis.captures.times import is_before
from diagnosis.captures.wrapped import claim_of, messages_of, mostly

_RESULT = RecordList(("data", "result"))
_KEYS = frozenset(("labels", "line", "timestamp"))


class Loki:
    """Reads what Loki answered; both shapes give the newest line first unless asked otherwise."""

    name = "wrapped-loki"
    title = "Grafana Loki (logcli -o jsonl, and the API) of a program that writes a known format"
    cannot_show = "what the program did not log, and lines that the query left out"
    sign = "lines with labels and timestamp, as Loki writes them"

    def detect(self, head: bytes) -> Claim:
        """Certain where the records are Loki's and their lines are a capture with messages."""
        return claim_of(self, head)

    def fits(self, head: bytes) -> bool:
        """Whether nine of ten lines are logcli's records, or the document is an answer of the API."""
        return _is_answer(head) or mostly(head, lambda line: _record(line) is not None)

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields what the lines hold, the oldest first."""
        return messages_of(self, source)

    def inner(self, source: Source) -> Iterator[InnerLine | Skipped]:
        """Yields the lines of the program."""
        head = source.head()
        if _is_answer(head):
            yield from _from_answer(source)
            return
        lines = _backwards(source.whole()) if _newest_first(head) else source.lines()
        for number, offset, line in lines:
            record = _record(line) if type(line) is not CutLine else None
            if record is None:
                yield _no_record(source, number, offset, line)
                continue
            beside = facts_of(record["labels"], False, source.labels)
            yield from lines_of(record["line"], number, offset, line, ("line", "string"), record["timestamp"], beside)


def _record(line: bytes) -> dict[str, Any] | None:
    if b'"labels"' not in line:
        return None
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        values = decode(line).values
        record = values[0] if len(values) == 1 else None
    if type(record) is not dict or record.keys() != _KEYS or type(record["labels"]) is not dict:
        return None
    return record if type(record["line"]) is str else None


def _no_record(source: Source, number: int, offset: int, line: bytes) -> Skipped:
    none = unmessaged(source.path, number, offset, line)
    if none is not None:
        return none
    span = Span(source.path, number, offset, len(line))
    decoded = decode(line)
    if decoded.reason:
        return undecoded(decoded, span, line, source.size)
    return skipped(Kind.OTHER, span, line, "JSON that is no record of Loki's")


def _newest_first(head: bytes) -> bool:
    times = [str(record["timestamp"]) for line in head.split(b"\n") if (record := _record(line)) is not None]
    return len(times) > 1 and is_before(times[-1], times[0])


def _backwards(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The lines of the text from the last to the first, with their numbers and offsets."""
    end = len(data) - data.endswith(b"\n")
    number = data.count(b"\n", 0, end) + 1
    while end >= 0:
        start = data.rfind(b"\n", 0, end) + 1
        yield number, start, data[start:end]
        number, end = number - 1, start - 1


def _is_answer(head: bytes) -> bool:
    if head.removeprefix(BOM).lstrip()[:1] != b"{" or b'"result"' not in head or b'"values"' not in head:
        return False
    first = _RESULT.first_in(head)
    if first is None:
        return b'"streams"' in head and b'"resultType"' in head
    return type(first.get("stream")) is dict and type(first.get("values")) is list


def _from_answer(source: Source) -> Iterator[InnerLine | Skipped]:
    """The lines of all streams in the order of their nanoseconds; the record is the stream that holds them."""
    found: list[tuple[int, list[InnerLine]]] = []
    for item in records_of(source, _RESULT, "data.result"):
        if isinstance(item, Skipped):
            yield item
            continue
        number, offset, raw, layer, record = item
        stream, values = record.get("stream"), record.get("values")
        beside = facts_of(stream if type(stream) is dict else {}, False, source.labels)
        lines: list[tuple[int, list[InnerLine]]] = []
        for index, value in enumerate(values if type(values) is list else ()):
            time, text = value[:2] if type(value) is list and len(value) > 1 else (None, None)
            if type(text) is str and isinstance(time, str) and time.isascii() and time.isdigit() and len(time) < 20:
                place = (layer, f"values[{index}]", "string")
                lines.append((int(time), list(lines_of(text, number, offset, raw, place, time, beside))))
        if not lines:
            yield skipped(Kind.OTHER, Span(source.path, number, offset, len(raw), (layer,)), raw, NO_TEXT)
        # Lines of one nanosecond keep the order in which they were written.
        found += reversed(lines) if len(lines) > 1 and lines[0][0] > lines[-1][0] else lines
    for _, inner in sorted(found, key=lambda each: each[0]):
        yield from inner

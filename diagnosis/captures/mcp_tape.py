"""Recordings of mcp-tape: a first record `meta`, one message per line, and a last record `end`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.recordings import Record, from_lines, head_lines, inside
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

# The tool stands before the server: `in` is what the client sends.
_SIDES = {"in": Direction.TO_SERVER, "out": Direction.TO_CLIENT}


class McpTape:
    """Reads the recordings of mcp-tape."""

    name = "mcp-tape"
    title = "mcp-tape's recordings"
    cannot_show = "sessions, HTTP headers and who the caller was; values may be redacted without a sign"

    def detect(self, head: bytes) -> Claim:
        """Certain with one record of time, side and message."""
        if any(_is_record(value) for value in head_lines(head)):
            return Claim(Sureness.CERTAIN, "lines with t, dir in or out, and raw")
        return Claim(Sureness.NO, "no line has t, dir and raw")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message of each record; the first and the last are other."""
        return from_lines(source, _from_record)


def _is_record(value: dict[str, Any]) -> bool:
    return value.get("dir") in ("in", "out") and "t" in value and "raw" in value


def _from_record(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    side = _SIDES[value["dir"]] if value.get("dir") in ("in", "out") else Direction.UNKNOWN
    time, basis = utc(value["t"]) if "t" in value else (None, "none")
    return inside(record, ("raw",), Beside(side, time=time, time_basis=basis))

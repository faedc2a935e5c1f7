"""Sessions of mcpsnoop: one envelope per line, with the message as it was sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.directions import direction_of
from diagnosis.captures.layouts import LOSS_KEYS, is_set
from diagnosis.captures.message import ALTERED, Direction, Message
from diagnosis.captures.recordings import Record, from_lines, head_lines, inside, text_of
from diagnosis.captures.records import Beside, skipped
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_WORDS = ("c2s", "s2c", "stderr", "meta")
# An envelope that says it was cut or redacted does not say where.


class McpSnoop:
    """Reads the session files of mcpsnoop."""

    name = "mcpsnoop-jsonl"
    title = "mcpsnoop's sessions (sessions/ID.jsonl)"
    cannot_show = "HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one envelope that carries a message; possible with envelopes of other kinds alone."""
        kinds = {value["direction"] for value in head_lines(head) if _is_envelope(value)}
        if kinds & {"c2s", "s2c"}:
            return Claim(Sureness.CERTAIN, "lines with session_id, seq, direction c2s or s2c, and raw")
        if kinds:
            return Claim(Sureness.POSSIBLE, "lines with session_id, seq and direction, without a message yet")
        return Claim(Sureness.NO, "no line has session_id, seq and a direction c2s, s2c, stderr or meta")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the messages of each envelope; meta and stderr are other."""
        return from_lines(source, _from_envelope)


def _is_envelope(value: dict[str, Any]) -> bool:
    known = value.get("direction") in _WORDS and "session_id" in value and "seq" in value
    return known and ("raw" in value or "text" in value)


def _from_envelope(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    direction = direction_of(value.get("direction"))
    if direction is Direction.UNKNOWN:
        return (skipped(Kind.OTHER, record.span, record.raw, f"an envelope of kind {_kind(value)}"),)
    time, basis = utc(value.get("ts"))
    altered = any(is_set(value.get(key)) for key in LOSS_KEYS)
    beside = Beside(
        direction,
        text_of(value.get("session_id")),
        # Connections of one session number their requests alike.
        text_of(value.get("conn_id")) or text_of(value.get("server_label")),
        time,
        basis,
        losses=ALTERED if altered else (),
    )
    return inside(record, ("raw",), beside) or inside(record, ("text",), beside)


def _kind(value: dict[str, Any]) -> str:
    word = value.get("direction")
    return word if word in _WORDS else "unknown"

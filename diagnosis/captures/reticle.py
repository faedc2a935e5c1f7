"""Sessions and logs of mcp-reticle: one document with a list of messages, or one entry per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.decoding import decode
from diagnosis.captures.directions import direction_of, written_by_client
from diagnosis.captures.message import ALTERED, Message
from diagnosis.captures.recordings import (
    Record,
    follow,
    from_array,
    from_lines,
    head_lines,
    head_records,
    inside,
    text_of,
)
from diagnosis.captures.records import Beside, is_message
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

# What the tool itself sent or changed is no evidence of what the client sent.
_LOG_KINDS = ("jsonrpc", "raw", "stderr")


class ReticleSession:
    """Reads the sessions that mcp-reticle saves."""

    name = "reticle-session"
    title = "mcp-reticle's saved sessions"
    cannot_show = "HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one element of `messages` that has its time in microseconds and a JSON-RPC message."""
        for value in head_records(head, "messages"):
            if "timestamp_micros" in value and is_message(value.get("content")):
                return Claim(Sureness.CERTAIN, "a document with messages that have timestamp_micros and content")
        return Claim(Sureness.NO, "it is no document with messages that have timestamp_micros and content")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message of each element; its session is the document's id."""
        return from_array(source, _from_message, "messages", ("id",))


class ReticleLog:
    """Reads the logs of mcp-reticle's command line and daemon."""

    name = "reticle-log"
    title = "mcp-reticle's logs"
    cannot_show = "HTTP headers and who the caller was"

    def detect(self, head: bytes) -> Claim:
        """Certain with one entry whose content is a JSON-RPC message."""
        for value, _ in _entries(head):
            if value is not None:
                return Claim(Sureness.CERTAIN, "lines with session_id, message_type jsonrpc, and content")
        return Claim(Sureness.NO, "no line has session_id, direction, message_type and content")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message of each entry; `in` is to the server, unless what only a client sends went out."""
        by_client = written_by_client(_entries(source.head()))
        return from_lines(source, lambda record: _from_entry(record, by_client))


def _from_message(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    time, basis = utc(value.get("timestamp_micros"))
    altered = any(follow(value, ("metadata", flag)) is True for flag in ("injected", "modified"))
    beside = Beside(
        direction_of(value.get("direction")),
        text_of(follow(record.about, ("id",))),
        None,
        time,
        basis,
        losses=ALTERED if altered else (),
    )
    return inside(record, ("content",), beside)


def _from_entry(record: Record, by_client: bool) -> Sequence[Message | Skipped]:
    value = record.value
    if value.get("message_type") == "stderr":
        return ()
    time, basis = utc(value.get("timestamp"))
    beside = Beside(
        direction_of(value.get("direction"), by_client),
        text_of(value.get("session_id")),
        text_of(value.get("server_name")),
        time,
        basis,
    )
    return inside(record, ("content",), beside)


def _entries(head: bytes) -> Iterator[tuple[Any, Any]]:
    """The direction and the method of every entry in the head that carries a message."""
    for value in head_lines(head):
        content = value.get("content")
        if value.get("message_type") in _LOG_KINDS and "session_id" in value and isinstance(content, str):
            for message in filter(is_message, decode(content).values):
                yield value.get("direction"), message.get("method")

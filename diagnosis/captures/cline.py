"""Cline's and Roo's `ui_messages.json`: one array of what the person was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.agent_calls import asked
from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.decoding import decode_exactly
from diagnosis.captures.message import Direction, Loss, Message
from diagnosis.captures.recordings import Record, from_array, head_records, made, text_of
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_USE = "use_mcp_server"


class Cline:
    """Reads the uses of MCP servers that access a resource."""

    name = "agent-transcript-cline"
    title = "Cline's ui_messages.json"
    cannot_show = (
        "the URIs of answers, errors, JSON-RPC ids (answers are paired by order), template lists, sessions and who the "
        "caller was"
    )

    def detect(self, head: bytes) -> Claim:
        """Certain with one access to a resource; possible with any shown message."""
        shown = 0
        for value in head_records(head):
            if _word(value) is not None and "ts" in value:
                shown += 1
                if _use(value) is not None:
                    return Claim(Sureness.CERTAIN, "an array of shown messages, with access_mcp_resource")
        if shown:
            return Claim(Sureness.POSSIBLE, "an array of shown messages, without access_mcp_resource in its beginning")
        return Claim(Sureness.NO, "it is no array of messages with ts and say or ask")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields a request per access, and the server's response behind it as its answer."""
        return from_array(source, _Shown().read)


class _Shown:
    """The access that waits for its response: Cline makes one call after another."""

    def __init__(self) -> None:
        self._waiting: tuple[int, str | None] | None = None

    def read(self, record: Record) -> Sequence[Message | Skipped]:
        value = record.value
        word = _word(value)
        time, basis = utc(value.get("ts"))
        if word == _USE and value.get("partial") is not True:
            use = _use(value)
            # A tool's response is none of ours.
            self._waiting = (record.number, text_of(use.get("serverName"))) if use is not None else None
            if use is not None and self._waiting is not None:
                beside = Beside(channel=self._waiting[1], time=time, time_basis=basis)
                return (asked(record, ("text", "string"), record.number, use.get("uri"), beside),)
        elif word == "mcp_server_response" and self._waiting is not None:
            (number, server), self._waiting = self._waiting, None
            # Only the joined text parts are kept, the echoed URI is thrown away.
            beside = Beside(
                Direction.TO_CLIENT, None, server, time, basis, losses=(Loss.ID, Loss.ECHO)
            )  # fmt: skip
            text = value.get("text")
            contents = [{"text": text}] if isinstance(text, str) else []
            return (made(record, ("text",), {"id": number, "result": {"contents": contents}}, beside),)
        return ()


def _word(value: dict[str, Any]) -> str | None:
    kind = value.get("type")
    return text_of(value.get(kind)) if kind in ("say", "ask") else None


def _use(value: dict[str, Any]) -> dict[str, Any] | None:
    text = value.get("text") if _word(value) == _USE else None
    if not isinstance(text, str) or "access_mcp_resource" not in text:
        return None
    decoded = decode_exactly(text)
    use = decoded.values[0] if len(decoded.values) == 1 else None
    return use if type(use) is dict and use.get("type") == "access_mcp_resource" else None

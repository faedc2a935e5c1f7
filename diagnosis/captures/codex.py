"""Rollouts of Codex: one JSON object per line, with a `type` and a `payload`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from diagnosis.captures.agent_calls import answered, asked, text_in
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.decoding import decode_exactly
from diagnosis.captures.message import Message
from diagnosis.captures.recordings import Record, deeper, from_lines, head_lines, text_of
from diagnosis.captures.records import Beside, skipped
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_TOOL = "read_mcp_resource"


class Codex:
    """Reads the function calls of a rollout that read a resource."""

    name = "agent-transcript-codex"
    title = "Codex's rollouts (rollout-*.jsonl)"
    cannot_show = "JSON-RPC ids, template lists, sessions, HTTP headers and who the caller was; an error is text"

    def detect(self, head: bytes) -> Claim:
        """Certain with one call of the function that reads resources; possible with any item of a rollout."""
        items = 0
        for value in head_lines(head):
            payload = _payload(value)
            items += bool(payload)
            if _is_read(payload):
                return Claim(Sureness.CERTAIN, f"items of a rollout, with calls of {_TOOL}")
        if items:
            return Claim(Sureness.POSSIBLE, f"items of a rollout, without a call of {_TOOL} in its beginning")
        return Claim(Sureness.NO, "no line is a response_item with a payload")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields a request per call and an answer per output, paired by `call_id`."""
        return from_lines(source, _Items().read)


class _Items:
    """The calls that still wait for their output, with the server each of them went to."""

    def __init__(self) -> None:
        self._waiting: dict[str, str | None] = {}

    def read(self, record: Record) -> Sequence[Message | Skipped]:
        payload = _payload(record.value)
        time, basis = utc(record.value["timestamp"]) if "timestamp" in record.value else (None, "none")
        if _is_read(payload):
            call, way = payload["call_id"], ("payload", "arguments", "string")
            arguments = decode_exactly(text_of(payload.get("arguments")) or "")
            if len(arguments.values) != 1 or type(arguments.values[0]) is not dict:
                why = arguments.reason or "the arguments are no object"
                return (skipped(Kind.UNREADABLE, deeper(record.span, *way), record.raw, f"the arguments: {why}"),)
            sent: dict[str, Any] = arguments.values[0]
            server = self._waiting[call] = text_of(sent.get("server"))
            beside = Beside(channel=server, server=server, time=time, time_basis=basis)
            noted = replace(record, notes=(*record.notes, *arguments.notes))
            return (asked(noted, way, call, sent.get("uri"), beside),)
        answer_to = text_of(payload.get("call_id")) if payload.get("type") == "function_call_output" else None
        if answer_to is None or answer_to not in self._waiting:
            return ()
        beside = Beside(channel=self._waiting.pop(answer_to), time=time, time_basis=basis)
        text = text_in(payload.get("output")) or ""
        return (answered(record, ("payload", "output"), answer_to, text, beside),)


def _payload(value: dict[str, Any]) -> dict[str, Any]:
    payload = value.get("payload")
    return payload if value.get("type") == "response_item" and type(payload) is dict else {}


def _is_read(payload: dict[str, Any]) -> bool:
    called = payload.get("type") == "function_call" and payload.get("name") == _TOOL
    return called and isinstance(payload.get("call_id"), str)

"""Resource reads that an agent's transcript holds as tool calls, put back into the shape of JSON-RPC.

A transcript keeps the call and its result, not the messages: the id is the call's, and what the client made of a
failure is the client's wording.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import decode_exactly, second_look
from diagnosis.captures.message import Direction, Loss, Message
from diagnosis.captures.recordings import Record, made
from diagnosis.captures.records import Beside, skipped

_ERROR = re.compile(r"(?:[A-Za-z]{1,20}: ){0,3}MCP error:? (-?\d{1,9}):? *(.{0,2000})", re.IGNORECASE | re.DOTALL).match
OWN_WORDS = "the call failed in the agent's own words; what the server answered is not in the transcript"
_CUT = (Loss.ID, Loss.ECHO, Loss.DOCUMENT)


def asked(record: Record, way: tuple[str, ...], call: str | int, uri: Any, beside: Beside) -> Message:
    """The request of a read, under the id of its call."""
    sent = replace(beside, direction=Direction.TO_SERVER, losses=(Loss.ID,))
    params = {"uri": uri} if isinstance(uri, str) else {}
    exact = second_look(record.raw, record.value)  # a URI may stand in the call twice
    record = replace(record, notes=tuple(dict.fromkeys((*record.notes, *exact.notes))))
    return made(record, way, {"id": call, "method": "resources/read", "params": params}, sent)


def answered(
    record: Record, way: tuple[str, ...], call: str | int, text: str, beside: Beside, *, failed: bool = False
) -> Message | Skipped:
    """The answer to a read: a result that `text` holds as JSON, an MCP error, or text of which the rest is lost."""
    received = replace(beside, direction=Direction.TO_CLIENT, losses=(Loss.ID,))
    error = _ERROR(text)
    if error is not None:
        failure = {"code": int(error[1]), "message": error[2]}
        return made(record, way, {"id": call, "error": failure}, received)
    if failed:
        return skipped(Kind.OTHER, replace(record.span, layers=(*record.span.layers, *way)), record.raw, OWN_WORDS)
    decoded = decode_exactly(text)
    result = decoded.values[0] if len(decoded.values) == 1 else None
    if type(result) is dict and type(result.get("contents")) is list:
        noted = replace(record, notes=tuple(dict.fromkeys((*record.notes, *decoded.notes))))
        return made(noted, (*way, "string"), {"id": call, "result": {"contents": result["contents"]}}, received)
    # A shortened result, or one in other words: delivered, but nothing in it can be relied on.
    return made(record, way, {"id": call, "result": {"contents": [{"text": text}]}}, replace(received, losses=_CUT))


def text_in(content: Any) -> str | None:
    """The text of a tool's result: a string, or the text parts of a list, if there are any."""
    if isinstance(content, str):
        return content
    if type(content) is not list:
        return None
    parts = [each.get("text") for each in content if type(each) is dict and each.get("type") in ("text", "input_text")]
    texts = [part for part in parts if isinstance(part, str)]
    return "\n".join(texts) if texts else None

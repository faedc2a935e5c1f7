"""JSON-RPC messages as the Python SDK's models print themselves, to the messages they stand for."""

from __future__ import annotations

import re
from typing import Any

from diagnosis.captures.python_literals import Call, NotALiteral, read_literal, read_pairs

# A model alone, in the root model of the 1.x SDK, or in the envelope that carries it between tasks.
CALL = re.compile(
    r"(?:SessionMessage\(message=)?(?:JSONRPCMessage\()?(?:root=)?(?=JSONRPC(?:Request|Notification|Response|Error)\()"
)
PAIRS = re.compile(r"(?=jsonrpc='2\.0' )")


def printed_message(text: str, position: int) -> dict[str, Any] | None:
    """The message printed at `position`; None where no model begins there.

    Raises `NotALiteral` where a model begins and cannot be read to its end. What follows it is not read.
    """
    call = CALL.match(text, position)
    if call:
        value, _ = read_literal(text, call.end())
        if not isinstance(value, Call):
            raise NotALiteral("no model")
        return _message(value.arguments)
    if PAIRS.match(text, position):
        members, end = read_pairs(text, position)
        if end < len(text.rstrip()) and "result" not in members and "error" not in members and "method" not in members:
            raise NotALiteral("no message in it")
        return _message(members)
    return None


def _message(members: dict[str, Any]) -> dict[str, Any]:
    """A model prints what it has not as None; on the wire such members are left out."""
    body = {key: _plain(value) for key, value in members.items() if value is not None}
    if "method" not in body and "result" not in body and "error" not in body:
        raise NotALiteral("no message in it")
    return body


def _plain(value: Any) -> Any:
    """JSON values alone: nested models become objects, and bytes are none."""
    if isinstance(value, Call):
        return {key: _plain(each) for key, each in value.arguments.items() if each is not None}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bytes):
        raise NotALiteral("bytes in a message")
    return value

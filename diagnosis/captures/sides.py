"""Which side wrote a log whose words for the direction are relative to the writer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from diagnosis.captures.directions import direction_of, written_by_client
from diagnosis.captures.message import Direction

# Only a server sends a result with one of these keys, or a request with one of these methods.
_SERVER_KEYS = frozenset(
    ("contents", "resourceTemplates", "resources", "serverInfo", "tools", "prompts", "completion", "supportedVersions")
)
_SERVER_METHODS = frozenset(("roots/list", "sampling/createMessage", "elicitation/create", "notifications/message"))
_SERVER_FAMILIES = ("notifications/resources/", "notifications/tools/", "notifications/prompts/")


def writer_is_client(seen: Iterable[tuple[str, Any]]) -> bool:
    """Whether a client wrote the log: the first message that only one side sends decides.

    `seen` are pairs of a direction word (`read`, `sent`) and a message. A log that never says is a server's.
    """
    for word, message in seen:
        sender = sender_is_client(message)
        if sender is not None:
            return (direction_of(word) is Direction.TO_CLIENT) is sender
    return False


def sender_is_client(message: Any) -> bool | None:
    """Whether a client sent a message; None for one that either side may send."""
    if not isinstance(message, Mapping):
        return None
    method, result = message.get("method"), message.get("result")
    if isinstance(method, str):
        if written_by_client((("out", method),)):
            return True
        return False if method in _SERVER_METHODS or method.startswith(_SERVER_FAMILIES) else None
    return False if isinstance(result, Mapping) and not _SERVER_KEYS.isdisjoint(result) else None

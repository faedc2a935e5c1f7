"""Which side sends which method, and what its result looks like (MCP schema, all revisions to 2026-07-28)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diagnosis.captures.message import Direction

READ = "resources/read"
TEMPLATES = "resources/templates/list"
RESOURCES = "resources/list"
COMPLETE = "completion/complete"
CANCELLED = "notifications/cancelled"
INITIALIZE = "initialize"
DISCOVER = "server/discover"

_CLIENT = frozenset(
    {
        INITIALIZE,
        DISCOVER,
        COMPLETE,
        "logging/setLevel",
        "subscriptions/listen",
        "notifications/initialized",
        "notifications/roots/list_changed",
    }
)
_CLIENT_PREFIXES = ("resources/", "tools/", "prompts/")
_SERVER = frozenset({"roots/list", "sampling/createMessage", "elicitation/create"})

# The keys by which a result shows that it answers a method; ping's result is empty.
_RESULT_KEYS: Mapping[str, tuple[str, ...]] = {
    READ: ("contents", "resultType"),
    TEMPLATES: ("resourceTemplates",),
    RESOURCES: ("resources",),
    COMPLETE: ("completion",),
    INITIALIZE: ("protocolVersion", "serverInfo", "capabilities"),
    DISCOVER: ("supportedVersions", "capabilities"),
    "tools/list": ("tools",),
    "tools/call": ("content", "structuredContent", "toolResult", "resultType"),
    "prompts/list": ("prompts",),
    "prompts/get": ("messages", "resultType"),
    "roots/list": ("roots",),
    "sampling/createMessage": ("role", "content", "model"),
    "elicitation/create": ("action",),
}
_EMPTY = frozenset({"ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})


def direction_of(method: str) -> Direction:
    """Where a request or notification with this method travels; unknown for `ping`, `cancelled` and the like."""
    if method in _CLIENT or method.startswith(_CLIENT_PREFIXES):
        return Direction.TO_SERVER
    if method in _SERVER or (
        method.startswith("notifications/") and method not in {CANCELLED, "notifications/progress"}
    ):
        return Direction.TO_CLIENT
    return Direction.UNKNOWN


def answers(body: Mapping[str, Any], method: str) -> bool:
    """Whether a response has a shape that fits the method; an error fits every method."""
    if "error" in body:
        return True
    result = body.get("result")
    if not isinstance(result, Mapping):
        return method not in _RESULT_KEYS
    if method in _EMPTY:
        return not any(key in result for keys in _RESULT_KEYS.values() for key in keys)
    keys = _RESULT_KEYS.get(method)
    return keys is None or any(key in result for key in keys)

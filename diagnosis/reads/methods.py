"""Which side sends which method, and what its result looks like (MCP schema, all revisions to 2026-07-28)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from diagnosis.captures.message import Direction

READ = "resources/read"
TEMPLATES = "resources/templates/list"
RESOURCES = "resources/list"
COMPLETE = "completion/complete"
CANCELLED = "notifications/cancelled"
INITIALIZE = "initialize"
DISCOVER = "server/discover"

# Requests and notifications that matter by what stands in them, or that begin a conversation.
LOOKED_INTO = frozenset((READ, COMPLETE, CANCELLED, INITIALIZE, DISCOVER))
# Requests whose answers name templates, resources or the server.
TEACHING = frozenset((TEMPLATES, RESOURCES, INITIALIZE, DISCOVER))

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
    READ: ("contents",),
    TEMPLATES: ("resourceTemplates",),
    RESOURCES: ("resources",),
    COMPLETE: ("completion",),
    INITIALIZE: ("protocolVersion", "serverInfo", "capabilities"),
    DISCOVER: ("supportedVersions", "capabilities"),
    "tools/list": ("tools",),
    "tools/call": ("content", "structuredContent", "toolResult"),
    "prompts/list": ("prompts",),
    "prompts/get": ("messages",),
    "roots/list": ("roots",),
    "sampling/createMessage": ("role", "content", "model"),
    "elicitation/create": ("action",),
}
_SHOWN = frozenset(key for keys in _RESULT_KEYS.values() for key in keys)
# Only these may be answered with `resultType: input_required` (MCP 2026-07-28, where every result has a type).
_ASKING_BACK = frozenset({READ, "tools/call", "prompts/get"})
PING = "ping"
_EMPTY = frozenset({PING, "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})


def direction_of(method: str) -> Direction:
    """Where a request or notification with this method travels; unknown for `ping`, `cancelled` and the like."""
    if method in _CLIENT or method.startswith(_CLIENT_PREFIXES):
        return Direction.TO_SERVER
    if method in _SERVER or (
        method.startswith("notifications/") and method not in {CANCELLED, "notifications/progress"}
    ):
        return Direction.TO_CLIENT
    return Direction.UNKNOWN


class Fit(IntEnum):
    """How well a response's shape fits a method."""

    NONE = 0
    POSSIBLE = 1
    SHOWN = 2


def answers(body: Mapping[str, Any], method: str) -> bool:
    """Whether a response has a shape that fits the method; an error fits every method but `ping`."""
    return fit(body, method) is not Fit.NONE


def fit(body: Mapping[str, Any], method: str) -> Fit:
    """How well a response fits a method: `SHOWN` where the result has a key of the method's own."""
    if _is_error(body):
        return Fit.NONE if method == PING else Fit.POSSIBLE
    result = body.get("result")
    if not isinstance(result, Mapping):
        return Fit.NONE if method in _RESULT_KEYS else Fit.POSSIBLE
    if result.get("resultType") == "input_required":
        return Fit.SHOWN if method in _ASKING_BACK else Fit.NONE
    if method in _EMPTY:
        return Fit.NONE if _shows_a_method(result) else Fit.POSSIBLE
    keys = _RESULT_KEYS.get(method)
    if keys is None:
        return Fit.POSSIBLE
    return Fit.SHOWN if any(key in result for key in keys) else Fit.NONE


def best_fit(body: Mapping[str, Any]) -> Fit:
    """The best fit that this response can have with any method."""
    result = body.get("result")
    if _is_error(body) or not isinstance(result, Mapping):
        return Fit.POSSIBLE
    shown = result.get("resultType") == "input_required" or _shows_a_method(result)
    return Fit.SHOWN if shown else Fit.POSSIBLE


def is_from_client(body: Mapping[str, Any]) -> bool:
    """Whether a response has the shape of what only a client answers."""
    return any(fit(body, method) is Fit.SHOWN for method in _SERVER) and not any(
        fit(body, method) is Fit.SHOWN for method in _RESULT_KEYS if method not in _SERVER
    )


def _is_error(body: Mapping[str, Any]) -> bool:
    return body.get("error") is not None or "result" not in body


def _shows_a_method(result: Mapping[str, Any]) -> bool:
    return not _SHOWN.isdisjoint(result)

"""Which keys of an enveloped record play which part: time, direction, session, caller and message."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

# In each tuple the first name that a record has wins.
MESSAGE_KEYS = (
    "message", "msg", "data", "payload", "raw", "body", "frame", "content", "rpc", "json", "jsonrpc_message",
    "line", "log", "text",
)  # fmt: skip
DIRECTION_KEYS = ("dir", "direction", "way", "flow", "from", "sender", "source", "origin", "type")
SESSION_KEYS = (
    "session", "session_id", "sessionId", "sessionid", "SessionID", "sid", "mcp_session_id", "mcpSessionId",
    "mcp-session-id", "Mcp-Session-Id", "conversation", "conversation_id", "conversationId",
)  # fmt: skip
CONNECTION_KEYS = ("connection", "connection_id", "connectionId", "conn_id", "connId", "conn")
CHANNEL_KEYS = ("server", "server_name", "serverName", "server_label", "channel")
TIME_KEYS = ("ts", "time", "timestamp", "@timestamp", "datetime", "Datetime", "timestamp_micros", "at")
PRINCIPAL_KEYS = ("principal", "user", "caller", "subject", "identity", "auth", "actor", "enduser")
HEADER_KEYS = ("authorization", "Authorization")
LOSS_KEYS = ("truncated", "redacted")


_UNSET = frozenset(("", "0", "false", "no", "none", "null"))


def is_set(flag: Any) -> bool:
    """Whether a record's flag says yes: true, a count, a list of what was cut, or any word that is not a no."""
    return flag.strip().lower() not in _UNSET if isinstance(flag, str) else bool(flag)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which keys of a record play which part; records of one log share a few layouts."""

    messages: tuple[str, ...]
    directions: tuple[str, ...]
    session: str | None
    channel: str | None
    time: str | None
    principals: tuple[str, ...]
    header: str | None
    losses: tuple[str, ...]
    first_way: tuple[str, ...]  # the layers of an ordinary message: the first of the message keys


def layout_of(record: dict[str, Any]) -> Layout:
    """Says which of a record's keys play which part."""
    # A hostile log must not fill the cache with long tuples of keys.
    return _layout(tuple(record)) if len(record) <= 64 else _layout.__wrapped__(tuple(record))


@lru_cache(maxsize=512)
def _layout(keys: tuple[str, ...]) -> Layout:
    present = frozenset(keys)

    def first(names: tuple[str, ...]) -> str | None:
        return next((name for name in names if name in present), None)

    def each(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if name in present)

    messages = each(MESSAGE_KEYS)
    session, connection = first(SESSION_KEYS), first(CONNECTION_KEYS)
    return Layout(
        messages,
        each(DIRECTION_KEYS),
        session or connection,
        first(CHANNEL_KEYS) or (connection if session else None),
        first(TIME_KEYS),
        each(PRINCIPAL_KEYS),
        first(HEADER_KEYS),
        each(LOSS_KEYS),
        messages[:1],
    )

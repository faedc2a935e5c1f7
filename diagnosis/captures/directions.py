"""The words that logs use for the direction of a message.

| word | meaning |
|---|---|
| client->server, client_to_server, c2s, to_server, toserver, editor -> server | to the server |
| server->client, server_to_client, s2c, to_client, toclient, server -> editor | to the client |
| request, response | to the server, to the client (the recorder means the exchange, not the JSON-RPC kind) |
| in, inbound, incoming, recv, received, receive, read, rx, ingress | to whoever wrote the log: (1) |
| out, outbound, outgoing, send, sent, write, tx, egress | from whoever wrote the log: (1) |

(1) a server, unless the first method that only a client sends went out of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from diagnosis.captures.message import Direction

_TO_SERVER = (
    "client->server", "client-to-server", "client2server", "c2s", "c->s", "to-server", "toserver", "client",
    "editor->server", "host->server", "request", "client-says", "from-client",
)  # fmt: skip
_TO_CLIENT = (
    "server->client", "server-to-client", "server2client", "s2c", "s->c", "to-client", "toclient", "server",
    "server->editor", "server->host", "response", "server-says", "from-server",
)  # fmt: skip
_INWARD = ("in", "inbound", "incoming", "recv", "received", "receive", "read", "rx", "ingress")
_OUTWARD = ("out", "outbound", "outgoing", "send", "sent", "write", "tx", "egress")

_FIXED = {
    **dict.fromkeys(_TO_SERVER, Direction.TO_SERVER),
    **dict.fromkeys(_TO_CLIENT, Direction.TO_CLIENT),
}
# As a server's own log says it.
_RELATIVE = {
    **dict.fromkeys(_INWARD, Direction.TO_SERVER),
    **dict.fromkeys(_OUTWARD, Direction.TO_CLIENT),
}
# Only a client sends these (MCP 2025-11-25 and 2026-07-28).
_CLIENT_ONLY = frozenset(
    ("initialize", "server/discover", "notifications/initialized", "completion/complete", "logging/setLevel")
)
_CLIENT_FAMILIES = ("resources/", "tools/", "prompts/", "subscriptions/")


def direction_of(word: Any, writer_is_client: bool = False) -> Direction:
    """The direction that a log's word means; unknown for any other value."""
    return _direction_of(word, writer_is_client) if isinstance(word, str) else Direction.UNKNOWN


@lru_cache(maxsize=256)
def _direction_of(word: str, writer_is_client: bool) -> Direction:
    plain = _plain(word)
    fixed = _FIXED.get(plain)
    if fixed is not None:
        return fixed
    relative = _RELATIVE.get(plain, Direction.UNKNOWN)
    return relative.opposite if writer_is_client else relative


def _plain(word: str) -> str:
    word = word[:64].strip().lower().replace("→", "->").replace("=>", "->")
    return "->".join(part.strip() for part in word.split("->")).replace("_", "-").replace(" ", "-")


def written_by_client(seen: Iterable[tuple[Any, Any]]) -> bool:
    """Whether a log with relative words was written on the client's side.

    `seen` are pairs of direction word and method: the first method that only a client sends decides.
    """
    for word, method in seen:
        if isinstance(word, str) and isinstance(method, str) and _from_client(method):
            relative = _RELATIVE.get(_plain(word))
            if relative is not None:
                return relative is Direction.TO_CLIENT
    return False


def _from_client(method: str) -> bool:
    return method in _CLIENT_ONLY or method.startswith(_CLIENT_FAMILIES)

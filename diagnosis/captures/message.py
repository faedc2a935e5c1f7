"""One JSON-RPC message of a capture, and where in the capture it was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from diagnosis.callers.credentials import Credential


class Direction(StrEnum):
    """Which side a message was travelling to."""

    TO_SERVER = "client->server"
    TO_CLIENT = "server->client"
    UNKNOWN = "unknown"

    @property
    def opposite(self) -> Direction:
        """The other direction; unknown stays unknown."""
        if self is Direction.TO_SERVER:
            return Direction.TO_CLIENT
        if self is Direction.TO_CLIENT:
            return Direction.TO_SERVER
        return self


class Loss(StrEnum):
    """A fact that a log does not hold as it was sent; a lost fact proves nothing.

    `URI`: the request's URI may be cut or redacted. `DOCUMENT`: the returned document may be cut, redacted or left
    out. `ECHO`: the URIs of the answer are not kept. `ID`: ids or their types are not kept, pairing is by order or
    by another key.
    """

    URI = "uri"
    DOCUMENT = "document"
    ECHO = "echo"
    ID = "id"


ALTERED = (Loss.URI, Loss.DOCUMENT, Loss.ECHO)
"""The losses of a record that says it was cut or changed, and not where."""


# A large log makes one span and one message for each line, and a frozen dataclass takes twice as long to make as a
# plain one. Nothing changes either of them all the same.
@dataclass(slots=True, unsafe_hash=True)
class Span:
    """A place in a capture: the outermost record, and the path inside it.

    `capture` is the path as the person gave it (`-` for standard input); `line` counts from 1; `offset` and
    `length` are bytes of the decompressed capture; `layers` leads from that record to the message, for
    example `("entries[4]", "response.content.text", "base64", "sse[2]")`.
    """

    capture: str
    line: int
    offset: int
    length: int
    layers: tuple[str, ...] = ()


NOT_SERVED = "not-served"  # the note of a request that its own record calls denied or failed


@dataclass(frozen=True, slots=True)
class HttpExchange:
    """What an HTTP capture says beside a message.

    `number` is the same for the request and every message of its response, and unique in the capture.
    `mcp_name` is the decoded `Mcp-Name` header (MCP 2026-07-28, base64 sentinel undone).
    """

    number: int
    url: str | None = None
    status: int | None = None
    mcp_name: str | None = None


@dataclass(slots=True)
class Message:
    """One JSON-RPC message (request, notification or response) and everything its record said about it.

    `body` is the parsed object. `record` holds the bytes of the outermost record, so that evidence can be
    hashed without reading the capture again; nothing keeps them longer than the message. `channel`
    separates the streams of one capture (a server's name in a log of several servers, a connection
    number). `time` is RFC 3339 in UTC where the zone is known (`time_basis` `utc`, or `zoned` where the log names
    another one), else the log's own text (`none`, `relative`) or None. `losses` names the facts that the record
    does not hold as they were sent. `server` is the name that the log gives the server, where it logs several.
    `notes` are oddities worth a remark: `duplicate-key`, `batch`, `recovered`.
    """

    body: Mapping[str, Any]
    span: Span
    record: bytes
    direction: Direction = Direction.UNKNOWN
    session: str | None = None
    channel: str | None = None
    time: str | None = None
    time_basis: str = "none"
    credential: Credential | None = None
    http: HttpExchange | None = None
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()
    server: str | None = None

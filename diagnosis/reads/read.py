"""A read: one `resources/read` request and what answered it, without any body."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from diagnosis.callers.credentials import Credential
from diagnosis.captures.message import HttpExchange, Span
from diagnosis.captures.message import Loss as Loss

Scalar = str | int | float | bool | None
FieldValue = Scalar | tuple[Scalar, ...]


class Outcome(StrEnum):
    """What came back for a read."""

    RESULT = "result"
    ERROR = "error"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Seen:
    """A place in a capture with the SHA-256 (hex) of its bytes, so that evidence can be checked later."""

    span: Span
    sha256: str


class DocumentKind(StrEnum):
    """What the text of a returned document turned out to be."""

    JSON = "json"
    YAML = "yaml"
    FRONT_MATTER = "front matter"
    CSV = "csv"
    TEXT = "text"
    BINARY = "binary"
    EMPTY = "empty"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Document:
    """The identity fields of one returned document: its top-level fields, never its body.

    `fields` keeps names in document order and values with their JSON type; text formats give strings only. `size`
    is the body's length in bytes; `why` says why no field could be read, `doubt` why a field may say
    something else to another reader, or is missing.
    """

    kind: DocumentKind
    fields: tuple[tuple[str, FieldValue], ...] = ()
    size: int = 0
    why: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """One item of `result.contents`: the URI it echoes (None where it has none), its media type and document."""

    uri: str | None
    media_type: str | None
    document: Document


@dataclass(frozen=True, slots=True)
class Failure:
    """A JSON-RPC error: its code (None where it has none), message (cut at 2,000 characters) and `data.uri`."""

    code: int | None
    message: str
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What answered a read. Exactly one of `contents` and `failure` speaks, as `outcome` says.

    `digest` is the SHA-256 (hex) of the message alone, independent of the record around it. `complete` is False
    for `resultType: input_required` (MCP 2026-07-28), which is no answer. `losses` and `notes` as in `Message`.
    """

    outcome: Outcome
    seen: Seen
    digest: str
    position: int
    time: str | None = None
    contents: tuple[Content, ...] = ()
    failure: Failure | None = None
    complete: bool = True
    malformed: str | None = None
    cache_scope: str | None = None
    http_status: int | None = None
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()


ODD_ID = "odd-id"  # the note of a read whose id is no string and no integer, or missing (MCP, basic/messages)
EXTRA_CUT = "extra-responses-cut"  # the note of a read that had more further responses than are kept


class NoAnswer(StrEnum):
    """Why a read has no answer in this capture (the causes are kept apart)."""

    CAPTURE_ENDS = "the capture ends"
    CANCELLED = "the read was cancelled"
    SILENT = "the server was silent"
    NEW_CONVERSATION = "a new conversation began"
    STOPPED = "reading was stopped before it came"
    ANOTHER_FILE = "the capture holds no answers; they are in another file"


@dataclass(frozen=True, slots=True)
class Read:
    """One `resources/read` request and the response that belongs to it.

    `number` counts from 0 in capture order. `position` is the ordinal of the request among all messages: what
    counts as known is what stood before it. `uri` is the exact text of `params.uri`, never normalised, and None
    where the request has none. `capture_set` names the captures that are one stream with this one: ids, templates and
    callers count in all of them. `time` is as a person may have corrected it (see `Clock`), `time_logged` as the
    capture has it. `traceparent` is the request's W3C trace context. `credential` is what the request itself said
    about its caller; `inherited` is what the last earlier request of the session said that said anything. `named_by`
    is the record of another log that `credential` was borrowed from. `server` names the server
    (serverInfo name or URL, "" unknown).
    `extra` are further responses to the same request; the first one counts, all are judged. `beside` are the
    numbers of the reads that were open when the response came, kept only where the echo is not this read's own.
    `doubts` name what makes the pairing uncertain (`id-reused`, `id-type-changed`).
    """

    number: int
    position: int
    capture: str
    request: Seen
    digest: str
    request_id: Scalar
    uri: str | None
    session: str | None = None
    channel: str | None = None
    conversation: int = 0
    server: str = ""
    time: str | None = None
    time_basis: str = "none"
    time_logged: str | None = None
    traceparent: str | None = None
    credential: Credential | None = None
    inherited: Credential | None = None
    named_by: Seen | None = None
    http: HttpExchange | None = None
    response: Response | None = None
    extra: tuple[Response, ...] = ()
    no_answer: NoAnswer | None = None
    cancelled: bool = False
    beside: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()
    capture_set: str = ""

    @property
    def outcome(self) -> Outcome:
        """`result`, `error`, or `none` where no complete answer came."""
        if self.response is None or not self.response.complete:
            return Outcome.NONE
        return self.response.outcome

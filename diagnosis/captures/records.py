"""One record of a capture to messages and skipped lines: what all formats share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from diagnosis.callers.credentials import Credential
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import BOM, Decoded
from diagnosis.captures.message import Direction, HttpExchange, Loss, Message, Span
from diagnosis.captures.sources import LONGEST_LINE, CutLine

EXCERPT = 200
AT_END = "incomplete at the end of the file"
BATCH = "batch"
NO_VERSION = "no-jsonrpc"
_LENIENT_KEYS = frozenset(("id", "method", "params", "result", "error"))
# Possessive, so that a line of a million blanks costs no more than its length.
_LIKE_JSON = re.compile(rb'\s*+(?:\xef\xbb\xbf)?+\s*+(?:\{\s*+(?:["}]|\Z)|\[\s*+(?:[\[{"\]]|\Z))').match


@dataclass(slots=True, unsafe_hash=True)  # not frozen, like `Message`: there is one for each line
class Beside:
    """What a record says beside its message."""

    direction: Direction = Direction.UNKNOWN
    session: str | None = None
    channel: str | None = None
    time: str | None = None
    time_basis: str = "none"
    credential: Credential | None = None
    http: HttpExchange | None = None
    losses: tuple[Loss, ...] = ()
    server: str | None = None


NOTHING_BESIDE = Beside()


def is_message(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a value is a JSON-RPC 2.0 message: its version, and a method, a result or an error."""
    return (
        type(value) is dict
        and value.get("jsonrpc") == "2.0"
        and ("method" in value or "result" in value or "error" in value)
    )


def is_unversioned(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a value would be a JSON-RPC message if it said `jsonrpc`: no key may be foreign to one."""
    if type(value) is not dict or not value.keys() <= _LENIENT_KEYS:
        return False
    if isinstance(value.get("method"), str):
        return "params" in value or "id" in value
    return "id" in value and ("result" in value or "error" in value)


def messages_in(
    decoded: Decoded, span: Span, record: bytes, beside: Beside, *, lenient: bool = False
) -> Sequence[Message | Skipped]:
    """The messages of a decoded text: one, a batch, or several documents of one line.

    A record without any message gives one `Skipped` for the whole of it; what stands beside messages in a
    batch gives one `Skipped` with the layer `batch`.
    """
    values = decoded.values
    if len(values) == 1 and is_message(values[0]):
        return (message_of(values[0], span, record, beside, decoded.notes),)
    if decoded.reason:
        return (skipped(Kind.UNREADABLE, span, record, decoded.reason),)
    found: list[Message | Skipped] = []
    rest = 0
    for layers, notes, value in _each(decoded, span.layers):
        if is_message(value) or (lenient and is_unversioned(value)):
            place = span if layers == span.layers else replace(span, layers=layers)
            found.append(message_of(value, place, record, beside, notes))
        else:
            rest += 1
    if not found:
        why = why_no_message(values[0] if len(values) == 1 else None)
        return (skipped(Kind.OTHER, span, record, why),)
    if rest:
        part = replace(span, layers=(*span.layers, BATCH))
        why = f"{rest} values beside the messages are no JSON-RPC messages"
        found.append(skipped(Kind.OTHER, part, record, why))
    return found


def _each(decoded: Decoded, outer: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], Any]]:
    """Every value that may be a message, with its layers and notes: documents, and the elements of
    batches.
    """
    several = len(decoded.values) > 1
    for number, value in enumerate(decoded.values):
        layers = (*outer, f"document[{number}]") if several else outer
        if type(value) is list:
            for index, each in enumerate(value):
                yield (*layers, f"batch[{index}]"), (*decoded.notes, BATCH), each
        else:
            yield layers, decoded.notes, value


def message_of(
    body: Mapping[str, Any], span: Span, record: bytes, beside: Beside, notes: tuple[str, ...] = ()
) -> Message:
    """One message with everything its record said beside it."""
    if "jsonrpc" not in body:
        notes = (*notes, NO_VERSION)
    return Message(
        body,
        span,
        record,
        beside.direction,
        beside.session,
        beside.channel,
        beside.time,
        beside.time_basis,
        beside.credential,
        beside.http,
        beside.losses,
        notes,
        beside.server,
    )


def why_no_message(value: Any) -> str:
    """One phrase that says why a JSON value carries no message."""
    if type(value) is dict and value.get("jsonrpc") == "2.0":
        return "JSON-RPC without method, result or error"
    return "JSON without a JSON-RPC message"


def skipped(kind: Kind, span: Span, record: bytes, why: str) -> Skipped:
    """A line or element without a message, with its first bytes."""
    return Skipped(kind, span, why, record[:EXCERPT])


def unmessaged(path: str, number: int, offset: int, line: bytes) -> Skipped | None:
    """What a line is that holds no JSON: blank, other text, or unreadable; None where it may be JSON."""
    if isinstance(line, CutLine):
        span = Span(path, number, offset, line.length)
        limit = LONGEST_LINE // 2**20
        return skipped(Kind.UNREADABLE, span, line, f"a line of {line.length} bytes; the limit is {limit} MiB")
    if not line or line.isspace():
        return Skipped(Kind.BLANK, Span(path, number, offset, len(line)))
    if line.removeprefix(BOM).lstrip()[:1] in (b"{", b"["):
        return None
    return text_line(Span(path, number, offset, len(line)), line, owed=b'"jsonrpc"' in line)


def undecoded(decoded: Decoded, span: Span, record: bytes, size: int) -> Skipped:
    """A record that begins with a bracket and is no JSON: other text, or a message that was due and is lost.

    `size` is the capture's: a record that its end cut off is called incomplete, not malformed.
    """
    if not _LIKE_JSON(record) and b'"jsonrpc"' not in record:
        return text_line(span, record)
    at_end = decoded.truncated and span.offset + span.length >= size
    return skipped(Kind.UNREADABLE, span, record, AT_END if at_end else decoded.reason)


def text_line(span: Span, line: bytes, *, owed: bool = False) -> Skipped:
    """A line without a message: other text, or unreadable where it is no text or owes a message."""
    if owed:
        return skipped(Kind.UNREADABLE, span, line, "a JSON-RPC message behind other text")
    if b"\0" in line:
        return skipped(Kind.UNREADABLE, span, line, "NUL bytes, not text")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return skipped(Kind.UNREADABLE, span, line, f"not UTF-8 (byte {error.start} of the line)")
    return skipped(Kind.OTHER, span, line, "text without a message")

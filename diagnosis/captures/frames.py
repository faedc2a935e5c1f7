"""The frame of a JSON-RPC message: its id and method, and what stands in its other members left unread.

Most messages of a large log belong to no read, and of them the frame says enough: that something was asked, and that
it was answered. msgspec checks the whole text and makes no objects of what is left unread, in two thirds of the time
that orjson takes to make them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Literal

from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType
from msgspec.json import Decoder

from diagnosis.captures.message import Direction

if TYPE_CHECKING:
    from diagnosis.captures.contract import Skipped
    from diagnosis.captures.message import Message

# Reads a whole record again, from its line, offset and bytes.
Reader = Callable[[int, int, bytes], "Sequence[Message | Skipped]"]
# What a decoder raises for a text that is no frame, and for one nested deeper than it goes.
NO_FRAME: Final = (DecodeError, RecursionError)


class Frame(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The members of a JSON-RPC 2.0 message; one that the text does not have is `UNSET`."""

    jsonrpc: Literal["2.0"]
    id: int | str | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class Glance(Struct, gc=False):
    """A message of which only the frame was read, with what its record says beside it.

    `method` is None for an answer; `request_id` is None where a notification has none. `line` is its number in the
    capture, and `whole` reads the message with all that is in it. A struct of msgspec, because a large log makes one
    for each line.
    """

    line: int
    offset: int
    record: bytes
    method: str | None
    request_id: int | str | None
    direction: Direction
    session: str | None
    channel: str | None
    reader: Reader

    def whole(self) -> Sequence[Message | Skipped]:
        """The message as it is read from the whole record."""
        return self.reader(self.line, self.offset, self.record)


frame_in = Decoder(Frame).decode
"""The frame that is the whole of a text; raises one of `NO_FRAME`. Whether the text is UTF-8 is not checked."""


def length(frame: Frame) -> int:
    """How many bytes the frame takes in compact JSON, each member once.

    A text is never shorter than what was read from it, and any escape, blank or second member of one name makes it
    longer. So where a text has this length nothing hides in it, whatever the order of its members.
    """
    size = 17  # {"jsonrpc":"2.0"}
    request_id, method = frame.id, frame.method
    if request_id is not UNSET:
        size += 8 + len(request_id) if type(request_id) is str else 6 + len(str(request_id))
    if method is not UNSET:
        size += 12 + len(method)
    if frame.params is not UNSET:
        size += 10 + memoryview(frame.params).nbytes
    if frame.result is not UNSET:
        size += 10 + memoryview(frame.result).nbytes
    if frame.error is not UNSET:
        size += 9 + memoryview(frame.error).nbytes
    return size


def glance_at(
    frame: Frame,
    number: int,
    offset: int,
    record: bytes,
    direction: Direction,
    reader: Reader,
    session: str | None = None,
    channel: str | None = None,
) -> Glance | None:
    """A glance at an ordinary message; None for what is something of two kinds, or of none."""
    method, request_id = frame.method, frame.id
    if method is UNSET:
        if request_id is UNSET or (frame.result is UNSET) is (frame.error is UNSET):
            return None
        return Glance(number, offset, record, None, request_id, direction, session, channel, reader)
    if frame.result is not UNSET or frame.error is not UNSET:
        return None
    known = None if request_id is UNSET else request_id
    return Glance(number, offset, record, method, known, direction, session, channel, reader)


def is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8, which the decoder of a frame does not check in what it leaves unread."""
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True

"""Records of one log whose keys play the same parts, read by a type that is made for them.

It says of most records all that must be known of them, without an object for each thing in them. What it does not take
is left to whoever reads every record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import UNSET, Raw, UnsetType, defstruct
from msgspec.json import Decoder

from diagnosis.captures.directions import direction_of
from diagnosis.captures.frames import NO_FRAME, Frame, Glance, Reader, frame_in, glance_at, is_text, length
from diagnosis.captures.layouts import layout_of

_LAYOUTS = 8  # of one log that are told apart
_KEYS = 32  # of all records of one layout
_OF_A_MESSAGE = frozenset(("jsonrpc", "method", "result", "error"))  # such a record may be a message itself

_text_in = Decoder(str).decode


class Parts(NamedTuple):
    """The keys that matter. `wrapped` says that the message is a string; `timed` that the time is one."""

    message: str
    direction: str | None
    session: str | None
    channel: str | None
    time: str | None
    wrapped: bool


class Ordinary:
    """The ordinary records of one log."""

    def __init__(self, reader: Reader, by_client: bool) -> None:
        self._reader = reader
        self._by_client = by_client
        self._shapes: dict[Parts, _Shape] = {}
        self._last: _Shape | None = None

    def learn(self, record: dict[str, Any]) -> None:
        """Remembers the keys of a record that holds one message and nothing odd: the next ones may be like it."""
        parts = _parts_of(record)
        if parts is None:
            return
        known = self._shapes.get(parts)
        if known is None or not record.keys() <= known.keys:
            keys = record.keys() | (known.keys if known is not None else frozenset())
            if len(keys) > _KEYS or (known is None and len(self._shapes) >= _LAYOUTS):
                return
            known = self._shapes[parts] = _Shape(parts, frozenset(keys))
        self._last = known

    def glance(self, number: int, offset: int, line: bytes) -> Glance | None:
        """What an ordinary record shows; None for any other line."""
        shape = self._last
        if shape is None:
            return None
        try:
            record = shape.read(line)
            frame = _unwrapped(record.message) if shape.wrapped else record.message
        except NO_FRAME:
            return None
        if frame is None:
            return None
        direction, session, channel = record.direction, record.session, record.channel
        size = shape.size + len(record.time) + len(direction) + len(session) + len(channel)
        size += memoryview(record.message).nbytes if shape.wrapped else length(frame)
        for name, key in shape.others:
            if (value := getattr(record, name)) is not UNSET:
                size += key + memoryview(value).nbytes
        # Every byte of the line is one of those that were read: no second member of a name hides among them.
        if (size != len(line) and not (size == len(line) - 1 and line.endswith(b"\r"))) or not is_text(line):
            return None
        toward = direction_of(direction, self._by_client)
        return glance_at(frame, number, offset, line, toward, self._reader, session or None, channel or None)


class _Shape:
    """The type of the records whose keys play the same parts; other keys may come and go."""

    def __init__(self, parts: Parts, keys: frozenset[str]) -> None:
        self.keys = keys
        self.wrapped = parts.wrapped
        named = {
            "direction": parts.direction,
            "session": parts.session,
            "channel": parts.channel,
            "time": parts.time,
        }
        texts = {name: key for name, key in named.items() if key is not None}
        others = {f"other{number}": key for number, key in enumerate(sorted(keys - {*parts}))}
        record = defstruct(
            "Record",
            [
                ("message", Raw if parts.wrapped else Frame),
                *((name, str) for name in texts),
                *((name, Raw | UnsetType, UNSET) for name in others),
            ],
            rename={"message": parts.message, **texts, **others},
            namespace={name: "" for name in named if name not in texts},
            forbid_unknown_fields=True,
            gc=False,
        )
        self.read: Callable[[bytes], Any] = Decoder(record).decode
        self.others = [(name, len(key) + 4) for name, key in others.items()]
        # The braces, the keys with quotes and colons, the quotes of the texts, the commas in between.
        self.size = 2 + len(parts.message) + 3 + sum(len(key) + 6 for key in texts.values())


def _parts_of(record: dict[str, Any]) -> Parts | None:
    """The parts that the keys of a record play; None where they say more than a glance does."""
    layout = layout_of(record)
    more = len(layout.directions) > 1 or layout.principals or layout.header or layout.losses
    if more or len(record) > _KEYS or not record.keys().isdisjoint(_OF_A_MESSAGE):
        return None
    message = layout.messages[0]
    direction = layout.directions[0] if layout.directions else None
    texts = (direction, layout.session, layout.channel)
    if not all(isinstance(record[key], str) for key in texts if key is not None):
        return None
    time = layout.time if layout.time is not None and isinstance(record[layout.time], str) else None
    return Parts(message, *texts, time, isinstance(record[message], str))


def _unwrapped(raw: Raw) -> Frame | None:
    """The frame in a string, where the string holds nothing else."""
    text = _text_in(raw).encode("utf-8").rstrip(b"\r\n")
    frame = frame_in(text)
    return frame if length(frame) == len(text) else None

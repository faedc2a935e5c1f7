"""Reads bytes as a capture, for tests; checks on the way that every span names the record's own bytes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from diagnosis.captures import CAPTURE_FORMATS, CaptureFormat, Message, Skipped, detect, open_source


def named(name: str) -> CaptureFormat:
    return next(each for each in CAPTURE_FORMATS if each.name == name)


def read(folder: Path, data: bytes, name: str | None = None) -> list[Message | Skipped]:
    """Every item of a capture with these bytes; `name` forces the format instead of detecting it."""
    path = folder / "capture"
    path.write_bytes(data)
    capture_format = named(name) if name else detect(data[: 64 * 1024]).format
    with open_source(str(path)) as source:
        items = list(capture_format.messages(source))
        for item in items:
            place = data[item.span.offset : item.span.offset + item.span.length]
            assert len(place) == item.span.length
            if isinstance(item, Message):
                assert place == item.record == source.read(item.span)
            else:
                assert place.startswith(item.excerpt)
    return items


def messages(items: list[Message | Skipped]) -> list[Message]:
    return [item for item in items if isinstance(item, Message)]


def skipped(items: list[Message | Skipped]) -> list[Skipped]:
    return [item for item in items if isinstance(item, Skipped)]


def kinds_by_line(items: list[Message | Skipped]) -> dict[int, set[str]]:
    """What each physical line was; elements of a line (a span with layers) do not count again."""
    found: dict[int, set[str]] = {}
    for item in items:
        kind = "message" if isinstance(item, Message) else item.kind.value
        if isinstance(item, Message) or not item.span.layers:
            found.setdefault(item.span.line, set()).add(kind)
    return found


def counts(items: list[Message | Skipped]) -> Counter[str]:
    return Counter("message" if isinstance(item, Message) else item.kind.value for item in items)

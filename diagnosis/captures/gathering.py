"""Everything that one capture yields: what its format finds, at its place in the file, and why it may end early."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from diagnosis.captures.contract import CaptureFormat, GlancingFormat, Kind, Skipped
from diagnosis.captures.frames import Glance
from diagnosis.captures.message import Message, Span
from diagnosis.captures.records import EXCERPT
from diagnosis.captures.sources import Source


def items_of(source: Source, capture_format: CaptureFormat) -> Iterator[Message | Skipped]:
    """Yields every message and skipped line of a capture, in its order.

    What could not be unpacked, or was not by a limit, is one unreadable item behind all others. It counts as one more
    line, so that the count of lines still adds up.
    """
    for item in capture_format.messages(source):
        yield _as_in_file(item, source) if source.colours.removed else item
    yield from _trouble(source)


def glances_of(source: Source, capture_format: CaptureFormat) -> Iterator[Glance | Message | Skipped]:
    """Yields the same, with glances in the place of messages where the format has them."""
    if not isinstance(capture_format, GlancingFormat):
        yield from items_of(source, capture_format)
        return
    for item in capture_format.glances(source):
        if not source.colours.removed:
            yield item
            continue
        for each in item.whole() if isinstance(item, Glance) else (item,):
            yield _as_in_file(each, source)
    yield from _trouble(source)


def _trouble(source: Source) -> Iterator[Skipped]:
    trouble = source.trouble
    if trouble is not None:
        span = Span(source.path, source.line_count + 1, trouble.offset, 0)
        yield Skipped(Kind.UNREADABLE, span, f"{trouble.why}; the text before byte {trouble.offset} was read")


def _as_in_file(item: Message | Skipped, source: Source) -> Message | Skipped:
    """The item with the bytes that its lines have in the file, colours included: evidence is never a cleaned copy."""
    colours, old = source.colours, item.span
    offset, length = colours.original(old.offset, old.length)
    span = replace(old, offset=offset, length=length)
    if isinstance(item, Skipped):
        first = colours.line_at(old.offset)
        return replace(item, span=span, excerpt=item.excerpt if first is None else first[:EXCERPT])
    if length == old.length:
        return replace(item, span=span)
    record = colours.restored(old.offset, item.record)
    if record is None:
        record = source.read(span)
    return replace(item, span=span, record=item.record if record is None else record)

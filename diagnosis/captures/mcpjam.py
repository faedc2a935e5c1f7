"""What the inspector of MCPJam copies or downloads: an array of what its log shows, the newest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.directions import direction_of
from diagnosis.captures.message import Direction, Message
from diagnosis.captures.recordings import Record, from_array, head_records, inside, text_of
from diagnosis.captures.records import Beside, is_message
from diagnosis.captures.sources import Source
from diagnosis.captures.times import is_before, utc

_SIGNS = frozenset(("serverId", "direction", "method", "payload"))
# Between a widget and the inspector, which stands for the server there.
_WIDGETS = {"UI→HOST": Direction.TO_SERVER, "HOST→UI": Direction.TO_CLIENT}


class McpJam:
    """Reads the logs that MCPJam's inspector, a client, copies and downloads."""

    name = "mcpjam"
    title = "MCPJam inspector's log export"
    cannot_show = (
        "sessions, HTTP headers, who the caller was, what its filter or search hid when it was exported, and more than "
        "the last 1,000 entries"
    )

    def detect(self, head: bytes) -> Claim:
        """Certain with one entry of server, direction and method whose payload is a JSON-RPC message."""
        entries = [value for value in head_records(head) if value.keys() >= _SIGNS]
        if any(is_message(value["payload"]) for value in entries):
            return Claim(Sureness.CERTAIN, "an array of entries with serverId, direction, method and payload")
        if entries and "source" in entries[0]:
            return Claim(Sureness.POSSIBLE, "an array of MCPJam's entries without a message in its beginning")
        return Claim(Sureness.NO, "it is no array of entries with serverId, direction, method and payload")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the message of each entry, the oldest first; steps of OAuth and HTTP headers are other."""
        entries = [list(items) for _, items in groupby(from_array(source, _from_entry), lambda item: item.span.offset)]
        return chain.from_iterable(reversed(entries) if _newest_first(entries) else entries)


def _newest_first(entries: list[list[Message | Skipped]]) -> bool:
    """As the inspector exports them, also where all have one time; turned round only where the times say so."""
    times = [each.time for items in entries for each in items if isinstance(each, Message) and each.time]
    return not times or not is_before(times[0], times[-1])


def _from_entry(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    word, server = value.get("direction"), text_of(value.get("serverId"))
    widget = _WIDGETS.get(word) if isinstance(word, str) else None
    # A widget numbers its own messages, and the inspector passes them on under other ids.
    channel = f"{server or ''}/widget" if widget else server
    # The inspector is the client: SEND goes to the server.
    side = widget or direction_of(word, writer_is_client=True)
    time, basis = utc(value["timestamp"]) if "timestamp" in value else (None, "none")
    return inside(record, ("payload",), Beside(side, None, channel, time, basis))

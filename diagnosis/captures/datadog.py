"""Datadog logs, as the search API and its exports write them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from diagnosis.captures.contract import Claim, Skipped
from diagnosis.captures.inside import InnerLine
from diagnosis.captures.message import Message
from diagnosis.captures.services import Holder, RecordList, inner_of, raw_member
from diagnosis.captures.sources import Source
from diagnosis.captures.wrapped import claim_of, messages_of

_RECORDS = RecordList(("data",))


class Datadog:
    """Reads saved answers of Datadog's log search."""

    name = "wrapped-datadog"
    title = "Datadog's log search, of a program that writes a known format"
    cannot_show = "what the program did not log, and records that the search left out"
    sign = "object with data of attributes, as Datadog writes them"

    def detect(self, head: bytes) -> Claim:
        """Certain where the records are this service's and their text is a capture with messages."""
        return claim_of(self, head)

    def fits(self, head: bytes) -> bool:
        """Whether the first record has the members that the service writes."""
        record = _RECORDS.first_in(head)
        return record is not None and _holder(record, b"") is not None

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields what the records hold, the oldest first."""
        return messages_of(self, source)

    def inner(self, source: Source) -> Iterator[InnerLine | Skipped]:
        """Yields the lines in the records' texts."""
        return inner_of(source, _RECORDS, "data", _holder)


def _holder(record: dict[str, Any], raw: bytes) -> Holder | None:
    members = record.get("attributes")
    if type(members) is not dict or "timestamp" not in members:
        return None
    if "message" not in members and type(members.get("attributes")) is not dict:
        return None
    return Holder(members, ("attributes",), raw_member(raw, "attributes"), members["timestamp"])

"""CloudWatch Logs, as filter-log-events and get-log-events print them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from diagnosis.captures.contract import Claim, Skipped
from diagnosis.captures.inside import InnerLine
from diagnosis.captures.message import Message
from diagnosis.captures.records import NOTHING_BESIDE, Beside
from diagnosis.captures.services import Holder, RecordList, inner_of
from diagnosis.captures.sources import Source
from diagnosis.captures.wrapped import claim_of, messages_of

_RECORDS = RecordList(("events",))


class CloudWatch:
    """Reads saved answers of CloudWatch Logs."""

    name = "wrapped-cloudwatch"
    title = "CloudWatch Logs (filter-log-events, get-log-events) of a program that writes a known format"
    cannot_show = "what the program did not log, and records that the search left out"
    sign = "object with events of timestamp and message, as CloudWatch Logs writes them"

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
        return inner_of(source, _RECORDS, "events", _holder)


def _holder(record: dict[str, Any], raw: bytes) -> Holder | None:
    if type(record.get("timestamp")) is not int or type(record.get("message")) is not str:
        return None
    if "ingestionTime" not in record and "logStreamName" not in record:
        return None
    # A stream of logs is one run of one program, so it keeps conversations apart.
    stream = record.get("logStreamName")
    beside = Beside(channel=stream) if isinstance(stream, str) else NOTHING_BESIDE
    return Holder({"message": record["message"]}, (), b"", record["timestamp"], beside)

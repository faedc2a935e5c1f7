"""A log service whose search is saved as one JSON document: what differs from service to service is data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from diagnosis.captures.contract import Claim, Skipped
from diagnosis.captures.inside import InnerLine
from diagnosis.captures.message import Message
from diagnosis.captures.services import HolderOf, RecordList, inner_of
from diagnosis.captures.sources import Source
from diagnosis.captures.wrapped import claim_of, messages_of


@dataclass(frozen=True, slots=True)
class LogService:
    """Reads saved answers of one log service.

    `records` says where its records stand, and `holder_of` finds the text in one of them; it gives None for a record
    that is not this service's.
    """

    name: str
    title: str
    sign: str
    records: RecordList
    holder_of: HolderOf
    cannot_show: str = "what the program did not log, and records that the search left out"

    def detect(self, head: bytes) -> Claim:
        """Certain where the records are this service's and their text is a capture with messages."""
        return claim_of(self, head)

    def fits(self, head: bytes) -> bool:
        """Whether the first record has the members that the service writes."""
        record = self.records.first_in(head)
        return record is not None and self.holder_of(record, b"") is not None

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields what the records hold, the oldest first."""
        return messages_of(self, source)

    def inner(self, source: Source) -> Iterator[InnerLine | Skipped]:
        """Yields the lines in the records' texts."""
        return inner_of(source, self.records, self.holder_of)

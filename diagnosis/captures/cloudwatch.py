"""CloudWatch Logs, as filter-log-events and get-log-events print them."""

from __future__ import annotations

from typing import Any

from diagnosis.captures.log_service import LogService
from diagnosis.captures.records import NOTHING_BESIDE, Beside
from diagnosis.captures.services import Holder, RecordList


def _holder(record: dict[str, Any], raw: bytes) -> Holder | None:
    if type(record.get("timestamp")) is not int or type(record.get("message")) is not str:
        return None
    if "ingestionTime" not in record and "logStreamName" not in record:
        return None
    # A stream of logs is one run of one program, so it keeps conversations apart.
    stream = record.get("logStreamName")
    beside = Beside(channel=stream) if isinstance(stream, str) else NOTHING_BESIDE
    return Holder({"message": record["message"]}, (), b"", record["timestamp"], beside)


CLOUDWATCH = LogService(
    name="wrapped-cloudwatch",
    title="CloudWatch Logs (filter-log-events, get-log-events) of a program that writes a known format",
    sign="object with events of timestamp and message, as CloudWatch Logs writes them",
    records=RecordList(("events",)),
    holder_of=_holder,
)

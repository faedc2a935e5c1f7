"""Datadog logs, as the search API and its exports write them."""

from __future__ import annotations

from typing import Any

from diagnosis.captures.log_service import LogService
from diagnosis.captures.services import Holder, RecordList, raw_member


def _holder(record: dict[str, Any], raw: bytes) -> Holder | None:
    members = record.get("attributes")
    if type(members) is not dict or "timestamp" not in members:
        return None
    if "message" not in members and type(members.get("attributes")) is not dict:
        return None
    return Holder(members, ("attributes",), raw_member(raw, "attributes"), members["timestamp"])


DATADOG = LogService(
    name="wrapped-datadog",
    title="Datadog's log search, of a program that writes a known format",
    sign="object with data of attributes, as Datadog writes them",
    records=RecordList(("data",)),
    holder_of=_holder,
)

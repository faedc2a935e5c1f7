"""Elasticsearch and OpenSearch, as a search answers."""

from __future__ import annotations

from typing import Any

from diagnosis.captures.log_service import LogService
from diagnosis.captures.services import Holder, RecordList, raw_member


def _holder(record: dict[str, Any], raw: bytes) -> Holder | None:
    members = record.get("_source")
    if type(members) is not dict:
        return None
    time = members.get("@timestamp", members.get("timestamp"))
    return Holder(members, ("_source",), raw_member(raw, "_source"), time)


ELASTIC = LogService(
    name="wrapped-elastic",
    title="Elasticsearch and OpenSearch hits, of a program that writes a known format",
    sign="object with hits.hits of _source, as Elasticsearch writes them",
    records=RecordList(("hits", "hits")),
    holder_of=_holder,
)

"""ToolHive's audit log: who asked for which resource, one record per request; no document and no template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.callers.authorization import from_record
from diagnosis.callers.credentials import Credential, TokenLabels
from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.message import Direction, HttpExchange, Loss, Message
from diagnosis.captures.recordings import Record, follow, from_lines, head_lines, made, text_of
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_READ = "mcp_resource_read"
_TYPES = ("mcp_", "http_", "sse_")  # the families of its event types
_NOBODY = "anonymous"  # what it writes where nobody was recognised


class ToolHiveAudit:
    """Reads ToolHive's audit log, which says who asked and is looked at beside other captures."""

    name = "toolhive-audit"
    title = "ToolHive's audit log (who asked for what)"
    cannot_show = "answers, documents, templates and JSON-RPC ids; its outcome is an HTTP status and proves nothing"

    def detect(self, head: bytes) -> Claim:
        """Certain with one audit record of a request."""
        if any(_is_audit(value) for value in head_lines(head)):
            return Claim(Sureness.CERTAIN, "lines with type, loggedAt, outcome and subjects")
        return Claim(Sureness.NO, "no line has type, loggedAt, outcome and subjects")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields a request for each record of a read; nothing is made up for its answer."""
        return from_lines(source, _from_record)


def _is_audit(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    known = isinstance(kind, str) and kind.startswith(_TYPES)
    return known and "loggedAt" in value and "outcome" in value and type(value.get("subjects")) is dict


def _from_record(record: Record) -> Sequence[Message]:
    value = record.value
    if not _is_audit(value) or value["type"] != _READ:
        return ()
    uri = text_of(follow(value, ("target", "name")))
    session = text_of(follow(value, ("source", "extra", "session_id")))
    time, basis = utc(value["loggedAt"])
    status = 403 if value["outcome"] == "denied" else None
    beside = Beside(
        Direction.TO_SERVER,
        session,
        time=time,
        time_basis=basis,
        credential=_caller(value["subjects"], record.labels),
        http=HttpExchange(record.span.line, None, status),
        losses=(Loss.ID,),
        server=text_of(value.get("component")),
    )
    members = {"id": record.number, "method": "resources/read", "params": {"uri": uri} if uri else {}}
    return (made(record, ("target",), members, beside),)


def _caller(subjects: dict[str, Any], labels: TokenLabels) -> Credential | None:
    """The user by the id that tokens know it by, else by name; the client program is nobody."""
    for key in ("user_id", "user"):
        name = text_of(subjects.get(key))
        if name is not None and name.lower() != _NOBODY:
            return from_record(name, labels)
    return None

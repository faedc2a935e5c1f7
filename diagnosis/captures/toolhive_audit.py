"""ToolHive's audit log: who asked for which resource, one record per request; no template, and seldom a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from diagnosis.callers.authorization import from_record
from diagnosis.callers.credentials import Credential, TokenLabels
from diagnosis.captures.bodies import messages_of_body
from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.event_stream import looks_like_events
from diagnosis.captures.message import NOT_SERVED, Direction, HttpExchange, Loss, Message
from diagnosis.captures.recordings import Record, deeper, follow, from_lines, head_lines, inside, made, text_of
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_READ = "mcp_resource_read"
_TYPES = ("mcp_", "http_", "sse_")  # the families of its event types
_TIMES = ("logged_at", "loggedAt")  # as its logger writes it, and as the event is spelled in JSON
_NOBODY = "anonymous"  # what it writes where nobody was recognised
_REQUEST, _RESPONSE = ("data", "request"), ("data", "response")  # kept only where it was told to


class ToolHiveAudit:
    """Reads ToolHive's audit log, which says who asked and is looked at beside other captures."""

    name = "toolhive-audit"
    title = "ToolHive's audit log (who asked for what)"
    cannot_show = (
        "templates; answers, documents and JSON-RPC ids unless it was told to keep bodies; often the session. "
        "Its outcome is an HTTP status and proves nothing"
    )

    def detect(self, head: bytes) -> Claim:
        """Certain with one audit record of a request."""
        if any(_is_audit(value) for value in head_lines(head)):
            return Claim(Sureness.CERTAIN, "lines with type, logged_at, outcome and subjects")
        return Claim(Sureness.NO, "no line has type, logged_at, outcome and subjects")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields a request for each record of a read, and the bodies where it kept them; no answer is made up."""
        return from_lines(source, _from_record)


def _is_audit(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    known = isinstance(kind, str) and kind.startswith(_TYPES)
    return known and any(key in value for key in _TIMES) and "outcome" in value and type(value.get("subjects")) is dict


def _from_record(record: Record) -> Sequence[Message | Skipped]:
    value = record.value
    if not _is_audit(value) or value["type"] != _READ:
        return ()
    outcome = value["outcome"]
    if outcome != "success":
        record = replace(record, notes=(*record.notes, NOT_SERVED))
    time, basis = utc(next(value[key] for key in _TIMES if key in value))
    beside = Beside(
        Direction.TO_SERVER,
        text_of(follow(value, ("source", "extra", "session_id"))),
        time=time,
        time_basis=basis,
        credential=_caller(value["subjects"], record.labels),
        http=HttpExchange(record.span.line, None, 403 if outcome == "denied" else None),
        server=text_of(value.get("component")),
    )
    answers = _answers(record, replace(beside, direction=Direction.TO_CLIENT, credential=None))
    return (*_asked(record, beside, answers), *answers)


def _asked(record: Record, beside: Beside, answers: Sequence[Message | Skipped]) -> Sequence[Message | Skipped]:
    """The request as it was kept, or one made from the record, under the id that its answer carries."""
    kept = inside(record, _REQUEST, beside)
    if any(isinstance(each, Message) and each.body.get("method") == "resources/read" for each in kept):
        return kept
    uri = text_of(follow(record.value, ("target", "name")))
    ids = (each.body["id"] for each in answers if isinstance(each, Message) and "id" in each.body)
    members = {"id": next(ids, record.number), "method": "resources/read", "params": {"uri": uri} if uri else {}}
    return (made(record, ("target",), members, replace(beside, losses=(Loss.ID,))),)


def _answers(record: Record, beside: Beside) -> Sequence[Message | Skipped]:
    body = follow(record.value, _RESPONSE)
    if type(body) is str and looks_like_events(body):
        return tuple(messages_of_body(body, deeper(record.span, *_RESPONSE, "string"), record.raw, beside))
    return inside(record, _RESPONSE, beside)


def _caller(subjects: dict[str, Any], labels: TokenLabels) -> Credential | None:
    """The user by the id that tokens know it by, else by name; the client program is nobody."""
    for key in ("user_id", "user"):
        name = text_of(subjects.get(key))
        if name is not None and name.lower() != _NOBODY:
            return from_record(name, labels)
    return None

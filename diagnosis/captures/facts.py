"""What a log record says beside its message, in its own members and in those of the objects that hold labels."""

from __future__ import annotations

from typing import Any

from diagnosis.callers.authorization import from_authorization, from_record
from diagnosis.callers.credentials import Credential, TokenLabels
from diagnosis.captures.directions import direction_of
from diagnosis.captures.layouts import is_set, layout_of
from diagnosis.captures.message import ALTERED, Direction
from diagnosis.captures.records import Beside
from diagnosis.captures.times import utc

SIDE_KEYS = ("labels", "fields", "attributes", "context", "ctx", "mdc", "tags", "extra", "metadata", "mcp")
# Beside the names that enveloped records use.
_PRINCIPALS = ("jwt_sub", "sub", "user_id", "userId", "user.id", "user_email", "usr", "principal_id", "principalId")


def facts_of(record: dict[str, Any], by_client: bool, labels: TokenLabels) -> Beside:
    """Time, direction, session, channel, caller and losses of a record; the record's own members come first."""
    found = _facts(record, by_client, labels)
    for key in SIDE_KEYS:
        side = record.get(key)
        if type(side) is dict:
            found = within(found, _facts(side, by_client, labels))
    return found


def within(inner: Beside, outer: Beside) -> Beside:
    """The facts of an inner record, and those of the outer one where the inner says nothing."""
    time, basis = (inner.time, inner.time_basis) if inner.time is not None else (outer.time, outer.time_basis)
    return Beside(
        inner.direction if inner.direction is not Direction.UNKNOWN else outer.direction,
        inner.session or outer.session,
        inner.channel or outer.channel,
        time,
        basis,
        inner.credential or outer.credential,
        inner.http or outer.http,
        inner.losses or outer.losses,
    )


def _facts(record: dict[str, Any], by_client: bool, labels: TokenLabels) -> Beside:
    layout = layout_of(record)
    time, basis = utc(record[layout.time]) if layout.time else (None, "none")
    directions = (direction_of(record[key], by_client) for key in layout.directions)
    return Beside(
        next((each for each in directions if each is not Direction.UNKNOWN), Direction.UNKNOWN),
        text(record[layout.session]) if layout.session else None,
        text(record[layout.channel]) if layout.channel else None,
        time,
        basis,
        _credential(record, layout.principals, layout.header, labels),
        None,
        ALTERED if any(is_set(record[key]) for key in layout.losses) else (),
    )


def text(value: Any) -> str | None:
    """A text or a number as text; None for anything else and for the empty text."""
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _credential(
    record: dict[str, Any], principals: tuple[str, ...], header: str | None, labels: TokenLabels
) -> Credential | None:
    for key in (*principals, *_PRINCIPALS):
        if key in record and (found := from_record(record[key], labels)) is not None:
            return found
    value = record[header] if header else None
    return from_authorization(value, labels) if isinstance(value, str) else None

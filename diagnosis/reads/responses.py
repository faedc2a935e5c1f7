"""What answered a read, taken out of its message: contents without bodies, or a failure."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

import orjson

from diagnosis.captures.message import Message
from diagnosis.reads.clock import Clock
from diagnosis.reads.documents import document
from diagnosis.reads.read import Content, Failure, Outcome, Response, Seen

MESSAGE_LIMIT = 2000  # characters kept of an error's own words
CONTENT_LIMIT = 1000  # items of `contents` that are looked at; a note says where there were more
RESULT_AND_ERROR = "result-and-error"  # JSON-RPC 2.0 section 5 allows one of the two; the document was delivered
CONTENTS_CUT = "contents-cut"
_AS_LOGGED = Clock()


def seen(message: Message) -> Seen:
    """The place of a message, with the SHA-256 of its record's bytes."""
    return Seen(message.span, hashlib.sha256(message.record).hexdigest())


def digest(message: Message) -> str:
    """The SHA-256 (hex) of the message alone: its JSON with sorted keys, whatever record it came in."""
    try:
        text = orjson.dumps(message.body, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # lone surrogates, integers past 64 bits, deep nesting
        try:
            text = json.dumps(message.body, sort_keys=True).encode("ascii")
        except (ValueError, RecursionError):
            text = message.record
    return hashlib.sha256(text).hexdigest()


def response(message: Message, position: int, clock: Clock = _AS_LOGGED) -> Response:
    """The response that a message holds; its bodies are read once, here, and let go."""
    body = message.body
    error, result = body.get("error"), body.get("result")
    both = error is not None and isinstance(result, Mapping) and "contents" in result
    failure = _failure(error) if not both and (error is not None or "result" not in body) else None
    facts: Mapping[str, Any] = result if isinstance(result, Mapping) else {}
    contents, malformed = _contents(facts) if failure is None else ((), None)
    if failure is None and not isinstance(result, Mapping):
        malformed = "its result is no object"
    return Response(
        outcome=Outcome.ERROR if failure is not None else Outcome.RESULT,
        seen=seen(message),
        digest=digest(message),
        position=position,
        time=clock.of(message.span.capture, message.time, message.time_basis)[0],
        contents=contents,
        failure=failure,
        complete=facts.get("resultType", "complete") != "input_required",
        malformed=malformed,
        cache_scope=_text(facts.get("cacheScope")),
        http_status=message.http.status if message.http else None,
        losses=message.losses,
        notes=(*message.notes, *_cut(facts), *((RESULT_AND_ERROR,) if both else ())),
    )


def _cut(result: Mapping[str, Any]) -> tuple[str, ...]:
    items = result.get("contents")
    return (CONTENTS_CUT,) if isinstance(items, list) and len(items) > CONTENT_LIMIT else ()


def _failure(error: object) -> Failure:
    if not isinstance(error, Mapping):
        return Failure(None, str(error)[:MESSAGE_LIMIT] if isinstance(error, str) else "")
    code, message, data = error.get("code"), error.get("message"), error.get("data")
    return Failure(
        code=code if isinstance(code, int) and not isinstance(code, bool) else None,
        message=message[:MESSAGE_LIMIT] if isinstance(message, str) else "",
        uri=_text(data.get("uri")) if isinstance(data, Mapping) else None,
    )


def _contents(result: Mapping[str, Any]) -> tuple[tuple[Content, ...], str | None]:
    items = result.get("contents")
    if not isinstance(items, list):
        return (), "its result has no list of contents"
    malformed = None if all(isinstance(item, Mapping) for item in items) else "an item of its contents is no object"
    contents = tuple(_content(item) for item in items[:CONTENT_LIMIT] if isinstance(item, Mapping))
    return contents, malformed


def _content(item: Mapping[str, Any]) -> Content:
    media_type = _text(item.get("mimeType"))
    # Equal texts are one: a large log has a few media types and many reads.
    return Content(
        _text(item.get("uri")),
        media_type and sys.intern(media_type),
        document(item.get("text"), item.get("blob"), media_type),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None

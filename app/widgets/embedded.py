"""The message that an entry of an HTTP archive holds, as it was sent: its text, not a parsed copy of it."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence

from diagnosis.captures.event_stream import events

_ENTRY = "entries["
_BODY = ".text"


def message_text(record: str, layers: Sequence[str]) -> str | None:
    """What the layers lead to, for example `entries[4]`, `response.content.text`, `base64`, `sse[2]`.

    None where the record is no entry of an archive, or does not hold what the layers say.
    """
    if len(layers) < 2 or not layers[0].startswith(_ENTRY) or not layers[1].endswith(_BODY):
        return None
    try:
        value = json.loads(record, strict=False)
        for name in layers[1].split("."):
            value = value[name]
        for layer in layers[2:]:
            if layer == "base64":
                value = base64.b64decode(value, validate=True).decode("utf-8")
            elif layer.startswith("sse["):
                value = next(one.data for one in events(value) if layer == f"sse[{one.index}]")
    except (ValueError, KeyError, TypeError, RecursionError, StopIteration):
        return None
    return value if isinstance(value, str) else None

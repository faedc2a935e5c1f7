"""Messages that a log shows more than once: as bytes, as a parsed object, as what is passed on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from diagnosis.captures.message import Direction

LIMIT = 4096

Key = tuple[Direction, str, str, str]


class Repeats:
    """Tells a message from a second view of it.

    Each kind of line counts for itself; a message is new where one kind has shown it more often than every other
    kind has. So an id that is used again makes a new message, in whatever order the views come.
    """

    def __init__(self) -> None:
        self._seen: OrderedDict[Key, dict[str, int]] = OrderedDict()

    def is_new(self, view: str, direction: Direction, message: Mapping[str, Any]) -> bool:
        """Whether this is the first view of a message; `view` names the kind of line."""
        key = (direction, repr(message.get("id"))[:200], str(message.get("method"))[:200], _about(message))
        counts = self._seen.setdefault(key, {})
        self._seen.move_to_end(key)
        most = max(counts.values(), default=0)
        counts[view] = counts.get(view, 0) + 1
        if len(self._seen) > LIMIT:
            self._seen.popitem(last=False)
        return counts[view] > most


def _about(message: Mapping[str, Any]) -> str:
    """The URI of a read or of its answer: two messages about different URIs are never one."""
    params, result = message.get("params"), message.get("result")
    if isinstance(params, Mapping):
        return str(params.get("uri"))
    contents = result.get("contents") if isinstance(result, Mapping) else None
    first = contents[0] if isinstance(contents, list) and contents else None
    return str(first.get("uri")) if isinstance(first, Mapping) else ""

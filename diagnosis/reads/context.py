"""What one read cannot know alone: templates, resources and typed values, each with the place it was seen."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from diagnosis.reads.read import Read, Seen

LIST_LIMIT = 100_000  # entries kept of each kind and capture; past it the context says that it is full


@dataclass(frozen=True, slots=True)
class ListedTemplate:
    """A template of a `resources/templates/list` answer. `fastmcp` is True where the listing names FastMCP."""

    text: str
    position: int
    server: str
    seen: Seen
    fastmcp: bool = False


@dataclass(frozen=True, slots=True)
class TypedValues:
    """The values a person typed into a form drawn from a template, as `completion/complete` showed them."""

    template: str
    values: tuple[tuple[str, str], ...]
    position: int
    seen: Seen


class Context:
    """Facts of the captures that stand beside the reads; it only grows, and everything has its position.

    A fact counts for a read only if its position is before the read's: nothing later clears an earlier read.
    """

    def __init__(self) -> None:
        self._templates: defaultdict[str, list[ListedTemplate]] = defaultdict(list)
        self._resources: defaultdict[str, dict[str, list[tuple[int, str]]]] = defaultdict(dict)
        self._typed: defaultdict[str, list[TypedValues]] = defaultdict(list)
        self.full = False

    def list_templates(self, capture: str, position: int, server: str, seen: Seen, result: Mapping[str, Any]) -> None:
        """Takes the templates of one page of a `resources/templates/list` result."""
        entries = result.get("resourceTemplates")
        kept = self._templates[capture]
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping) and isinstance(text := entry.get("uriTemplate"), str):
                if len(kept) >= LIST_LIMIT:
                    self.full = True
                    return
                kept.append(ListedTemplate(text, position, server, seen, _names_fastmcp(entry, server)))

    def list_resources(self, capture: str, position: int, server: str, result: Mapping[str, Any]) -> None:
        """Takes the URIs of one page of a `resources/list` result."""
        entries = result.get("resources")
        kept = self._resources[capture]
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping) and isinstance(uri := entry.get("uri"), str):
                if len(kept) >= LIST_LIMIT:
                    self.full = True
                    return
                kept.setdefault(_scheme_lowered(uri), []).append((position, server))

    def typed_values(self, capture: str, position: int, seen: Seen, params: Mapping[str, Any]) -> None:
        """Takes the values of one `completion/complete` request that refers to a template."""
        reference, argument, context = params.get("ref"), params.get("argument"), params.get("context")
        template = reference.get("uri") if isinstance(reference, Mapping) else None
        if not isinstance(template, str) or len(self._typed[capture]) >= LIST_LIMIT:
            return
        values: dict[str, str] = {}
        others = context.get("arguments") if isinstance(context, Mapping) else None
        if isinstance(others, Mapping):
            values.update((k, v) for k, v in others.items() if isinstance(k, str) and isinstance(v, str))
        if isinstance(argument, Mapping) and isinstance(name := argument.get("name"), str):
            if isinstance(value := argument.get("value"), str):
                values[name] = value
        self._typed[capture].append(TypedValues(template, tuple(values.items()), position, seen))

    def templates_known(self, read: Read) -> tuple[ListedTemplate, ...]:
        """The templates of the read's server that were listed before the read, in listing order."""
        return tuple(each for each in self._before(read) if _same_server(each.server, read.server))

    def templates_late(self, read: Read) -> tuple[ListedTemplate, ...]:
        """The templates of the read's server that were listed only after the read."""
        listed = self._templates.get(read.capture, [])
        later = listed[len(self._before(read)) :]
        return tuple(each for each in later if _same_server(each.server, read.server))

    def template_count(self, read: Read) -> int:
        """How many listings stand before the read: two reads of one server with one count know the same."""
        return len(self._before(read))

    def is_listed(self, read: Read) -> bool:
        """Whether the read's exact URI (scheme compared without case) was in `resources/list` before the read."""
        if read.uri is None:
            return False
        places = self._resources.get(read.capture, {}).get(_scheme_lowered(read.uri), ())
        return any(position < read.position and _same_server(server, read.server) for position, server in places)

    def typed_before(self, read: Read, template: str) -> tuple[TypedValues, ...]:
        """What was typed for this template before the read, latest first."""
        typed = self._typed.get(read.capture, ())
        return tuple(e for e in reversed(typed) if e.template == template and e.position < read.position)

    def _before(self, read: Read) -> list[ListedTemplate]:
        listed = self._templates.get(read.capture, [])
        return listed[: bisect_left(listed, read.position, key=lambda each: each.position)]


def _same_server(one: str, other: str) -> bool:
    return not one or not other or one == other


def _scheme_lowered(uri: str) -> str:
    scheme, colon, rest = uri.partition(":")
    return scheme.lower() + colon + rest


def _names_fastmcp(entry: Mapping[str, Any], server: str) -> bool:
    meta = entry.get("_meta")
    named = isinstance(meta, Mapping) and any("fastmcp" in str(key).lower() for key in meta)
    return named or "fastmcp" in server.lower()

"""What one read cannot know alone: templates, resources and typed values, each with the place it was seen."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from diagnosis.reads.read import Read, Seen

TEMPLATE_LIMIT = 1_000  # templates kept of a capture; each distinct URI may have to be laid over all of them
LIST_LIMIT = 100_000  # entries kept of each kind and capture; past it the context says that it is full
TEXT_LIMIT = 64 * 1024 * 1024  # characters of all that is listed and typed, in all captures
TYPED_LIMIT = 256  # typed values handed out for one read


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
        self._templates_kept: defaultdict[str, set[tuple[str, str, bool]]] = defaultdict(set)
        # By URI: where each server listed it first, and under None where any did.
        self._shown: defaultdict[tuple[str, int], dict[str, int]] = defaultdict(dict)
        self._shown_count = 0
        self._resources: defaultdict[str, dict[str, dict[str | None, int]]] = defaultdict(dict)
        self._resource_count: Counter[str] = Counter()
        self._typed: defaultdict[str, dict[str, list[TypedValues]]] = defaultdict(dict)
        self._typed_count: Counter[str] = Counter()
        self.full = False
        self._text = 0
        self._cut: set[str] = set()

    def list_templates(
        self, capture_set: str, position: int, server: str, seen: Seen, result: Mapping[str, Any]
    ) -> None:
        """Takes the templates of one page of a `resources/templates/list` result.

        Clients ask for the list again and again; a template that the server listed before is not kept twice.
        """
        entries = result.get("resourceTemplates")
        kept, known = self._templates[capture_set], self._templates_kept[capture_set]
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping) and isinstance(text := entry.get("uriTemplate"), str):
                fastmcp = _names_fastmcp(entry, server)
                if (text, server, fastmcp) in known:
                    continue
                if len(kept) >= TEMPLATE_LIMIT or not self._has_room(len(text)):
                    self.full = True
                    self._cut.add(capture_set)
                    return
                known.add((text, server, fastmcp))
                kept.append(ListedTemplate(text, position, server, seen, fastmcp))

    def list_resources(
        self, capture_set: str, position: int, server: str, result: Mapping[str, Any], conversation: int = 0
    ) -> None:
        """Takes the URIs of one page of a `resources/list` result, which one conversation was shown."""
        entries = result.get("resources")
        kept = self._resources[capture_set]
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping) and isinstance(uri := entry.get("uri"), str):
                self._show(capture_set, conversation, uri, position)
                places = kept.get(_scheme_lowered(uri), {})
                if server in places:
                    continue
                if self._resource_count[capture_set] >= LIST_LIMIT or not self._has_room(len(uri)):
                    self.full = True
                    return
                self._resource_count[capture_set] += 1
                places.setdefault(None, position)
                places[server] = position
                kept[_scheme_lowered(uri)] = places

    def _show(self, capture_set: str, conversation: int, uri: str, position: int) -> None:
        shown = self._shown.get((capture_set, conversation), {})
        if _scheme_lowered(uri) in shown:
            return
        if self._shown_count >= LIST_LIMIT or not self._has_room(len(uri)):
            self.full = True
            return
        self._shown_count += 1
        self._shown[capture_set, conversation][_scheme_lowered(uri)] = position

    def _has_room(self, size: int) -> bool:
        """Whether a text of so many characters may still be kept; it is counted then."""
        if self._text + size > TEXT_LIMIT:
            return False
        self._text += size
        return True

    def typed_values(self, capture_set: str, position: int, seen: Seen, params: Mapping[str, Any]) -> None:
        """Takes the values of one `completion/complete` request that refers to a template."""
        reference, argument, context = params.get("ref"), params.get("argument"), params.get("context")
        template = reference.get("uri") if isinstance(reference, Mapping) else None
        if not isinstance(template, str):
            return
        if self._typed_count[capture_set] >= LIST_LIMIT:
            self.full = True
            return
        values: dict[str, str] = {}
        others = context.get("arguments") if isinstance(context, Mapping) else None
        if isinstance(others, Mapping):
            values.update((k, v) for k, v in others.items() if isinstance(k, str) and isinstance(v, str))
        name, value = (argument.get(k) if isinstance(argument, Mapping) else None for k in ("name", "value"))
        if isinstance(name, str) and isinstance(value, str):
            values[name] = value
        if not self._has_room(len(template) + sum(len(k) + len(v) for k, v in values.items())):
            self.full = True
            return
        self._typed_count[capture_set] += 1
        typed = TypedValues(template, tuple(values.items()), position, seen)
        self._typed[capture_set].setdefault(template, []).append(typed)

    def listed_templates(self) -> tuple[str, ...]:
        """The text of every template of any capture and server, each once, in the order of listing."""
        return tuple(dict.fromkeys(each.text for listed in self._templates.values() for each in listed))

    def templates_known(self, read: Read) -> tuple[ListedTemplate, ...]:
        """The templates of the read's server that were listed before the read, in listing order."""
        before = islice(self._templates.get(read.capture_set, ()), self.template_count(read))
        return tuple(each for each in before if _same_server(each.server, read.server))

    def templates_late(self, read: Read) -> tuple[ListedTemplate, ...]:
        """The templates of the read's server that were listed only after the read."""
        later = islice(self._templates.get(read.capture_set, ()), self.template_count(read), None)
        return tuple(each for each in later if _same_server(each.server, read.server))

    def lacks_templates(self, read: Read) -> bool:
        """Whether the read's capture lists more templates than are kept, so that none of them may explain a URI."""
        return read.capture_set in self._cut

    def template_count(self, read: Read) -> int:
        """How many templates were listed before the read: two reads of one server with one count know the same."""
        return bisect_left(self._templates.get(read.capture_set, ()), read.position, key=lambda each: each.position)

    def is_listed(self, read: Read) -> bool:
        """Whether the read's exact URI (scheme compared without case) was in `resources/list` before the read."""
        if read.uri is None:
            return False
        places = self._resources.get(read.capture_set, {}).get(_scheme_lowered(read.uri), {})
        servers = (read.server, "") if read.server else (None,)
        return any(places[server] < read.position for server in servers if server in places)

    def is_shown(self, read: Read) -> bool:
        """Whether the read's exact URI was listed before it in the read's own conversation."""
        shown = self._shown.get((read.capture_set, read.conversation), {})
        return read.uri is not None and shown.get(_scheme_lowered(read.uri), read.position) < read.position

    def typed_before(self, read: Read, template: str) -> tuple[TypedValues, ...]:
        """What was typed last for this template before the read, latest first."""
        typed = self._typed.get(read.capture_set, {}).get(template, [])
        end = bisect_left(typed, read.position, key=lambda each: each.position)
        return tuple(reversed(typed[max(0, end - TYPED_LIMIT) : end]))


def _same_server(one: str, other: str) -> bool:
    return not one or not other or one == other


def _scheme_lowered(uri: str) -> str:
    scheme, colon, rest = uri.partition(":")
    return scheme.lower() + colon + rest


def _names_fastmcp(entry: Mapping[str, Any], server: str) -> bool:
    meta = entry.get("_meta")
    named = isinstance(meta, Mapping) and any("fastmcp" in str(key).lower() for key in meta)
    return named or "fastmcp" in server.lower()

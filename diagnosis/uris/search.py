"""Listing the alignments of a URI with a template at one level, along the positions that can reach the end."""

from __future__ import annotations

from collections.abc import Iterator

from diagnosis.uris.reading import Alignment, Binding, Fit, Offence
from diagnosis.uris.sheet import Sheet, union
from diagnosis.uris.spans import agree, bind, fit_of, offences
from diagnosis.uris.templates import Literal, Template
from diagnosis.uris.tokens import Following, Node, Program, Query, Span, Text

MAX_ALIGNMENTS = 64
MAX_LISTED = 4096  # bindings and offences in all; the alignment that goes beyond is the last one listed
MAX_WORK = 32_000  # one for each step of the search, and one more for every 4 KiB of the URI

Place = tuple[Node, int, int]  # a node and the span of the URI it takes


class Search:
    """Lists alignments along the reachable positions, so that nearly every step leads to one.

    Only a repeated variable, an `=` too many in an item and a prefix beyond 64 can make a step vain.
    """

    def __init__(self, sheet: Sheet, graph: Program, template: Template, reach: list[int], level: int) -> None:
        self.sheet = sheet
        self.graph = graph
        self.template = template
        self.reach = reach
        self.level = level
        self.work = 0
        self.exhausted = False
        self.capped = False
        self.repeats = _has_repeats(template)

    def run(self) -> list[Alignment]:
        """The alignments up to the limits; `capped` where there is one more."""
        found: dict[tuple[tuple[str, int, int], ...], Alignment] = {}
        size = 0
        for places in self._paths():
            alignment = self._alignment(places)
            if alignment is None:
                continue
            key = tuple((binding.name, binding.start, binding.end) for binding in alignment.bindings)
            if key in found:
                continue
            if len(found) == MAX_ALIGNMENTS or size > MAX_LISTED:
                self.capped = True
                break
            found[key] = alignment
            size += len(alignment.bindings) + len(alignment.offences)
        return list(found.values())

    def _paths(self) -> Iterator[list[Place]]:
        path: list[Place] = []
        if 0 in self.graph.entry and not self.sheet.length:
            yield path
        stack: list[Iterator[Place]] = [self._places(self.graph.entry, 0, path)]
        while stack:
            place = next(stack[-1], None)
            if place is None:
                stack.pop()
                if path:
                    path.pop()
                continue
            self.work += 1 + self.sheet.length // 4096
            if self.work > MAX_WORK:
                self.exhausted = True
                return
            node, _, end = place
            if self.repeats and not self._same_as_before(path, place):
                continue
            path.append(place)
            if 0 in node.following and end == self.sheet.length:
                yield path
            stack.append(self._places(node.following, end, path))

    def _places(self, nodes: Following, start: int, path: list[Place]) -> Iterator[Place]:
        """The places that nodes which can come here can take."""
        sheet, length = self.sheet, self.sheet.length
        for index in nodes:
            node = self.graph.nodes[index]
            if node is None or not self.reach[index] >> (length - start) & 1:
                continue
            after = union(self.reach, node.following)
            if isinstance(node, Text):
                for spelling in node.spellings:
                    end = start + len(spelling)
                    if sheet.folded.startswith(spelling, start) and after >> (length - end) & 1:
                        yield node, start, end
            elif isinstance(node, Query):
                if after >> (length - start) & 1:
                    yield node, start, start
                if sheet.uri.startswith(tuple(node.firsts), start):
                    end = sheet.query_end(node, start)
                    if after >> (length - end) & 1:
                        yield node, start, end
            elif self.repeats and (taken := _taken(path, node)) is not None:
                # Only one length can repeat the value.
                end = start + taken[1] - taken[0]
                if sheet.uri.startswith(sheet.uri[slice(*taken)], start) and self._reaches(node, start, end, after):
                    yield node, start, end
            else:
                for end in sheet.ends(node, start, after, self.level):
                    yield node, start, end

    def _reaches(self, span: Span, start: int, end: int, after: int) -> bool:
        return end <= self.sheet.length and self.sheet.reaches(span, start, end, after, self.level)

    def _same_as_before(self, path: list[Place], place: Place) -> bool:
        """Whether a repeated variable can have the value it has; equal expansions are compared elsewhere."""
        node, start, end = place
        if not isinstance(node, Span):
            return True
        name, same = node.variable.name, (node.variable, node.operator)
        other = None
        for before, earlier_start, earlier_end in path:
            if not isinstance(before, Span) or before.variable.name != name:
                continue
            if (before.variable, before.operator) == same:
                continue
            one = bind(before, self.sheet.uri, earlier_start, earlier_end)
            other = other or bind(node, self.sheet.uri, start, end)
            if one is None or other is None or not agree(one, other):
                return False
        return True

    def _alignment(self, places: list[Place]) -> Alignment | None:
        """The alignment of a path; None where its offences make it worse than this level."""
        uri = self.sheet.uri
        bindings: list[Binding] = []
        found: list[Offence] = []
        literals: dict[int, tuple[int, int]] = {}
        query = None
        fit = Fit.STRICT
        for node, start, end in places:
            if isinstance(node, Text):
                if node.part >= 0:
                    literals[node.part] = (literals.get(node.part, (start, end))[0], end)
            elif isinstance(node, Query):
                query = self.sheet.query(node, start) if start < end else None
                if query is not None:
                    bindings.extend(query.bindings)
                    found.extend(query.offences)
                    fit = max(fit, query.fit)
            else:
                binding = bind(node, uri, start, end)
                wrong = list(offences(node, uri, start, end))
                fit = max(fit, fit_of(node, wrong))
                if binding is None or fit > self.level:
                    return None
                bindings.append(binding)
                found.extend(wrong)
        return Alignment(
            self.template,
            fit,
            tuple(bindings),
            tuple(span for _, span in sorted(literals.items())),
            tuple(found),
            query.undeclared if query else (),
            query.empty_parameters if query else False,
        )


def _taken(path: list[Place], span: Span) -> tuple[int, int] | None:
    """Where the same variable was expanded in the same way before, if it was."""
    for node, start, end in path:
        if isinstance(node, Span) and (node.variable, node.operator) == (span.variable, span.operator):
            return start, end
    return None


def _has_repeats(template: Template) -> bool:
    names = [v.name for part in template.parts if not isinstance(part, Literal) for v in part.variables]
    return len(names) > len(set(names))

"""The command palette: the keys that work at this moment, by their words; made from the table of keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.dom import DOMNode

from app.keys import FINDING, KEYS, LINES, Key
from app.widgets.plain import plain

# Moving about is done with keys, and the palette need not offer itself.
_LEFT_OUT = frozenset(key.id for key in KEYS if key.where in (LINES, FINDING)) | {"palette", "interrupt"}


class KeyCommands(Provider):
    """Every binding in reach of the focused pane that stands in the table; Textual's own stay out.

    Theirs can write a picture of the screen, thus of the log, into a file.
    """

    async def discover(self) -> Hits:
        """All of them, in the order of the table."""
        for key, node in self._reachable():
            yield DiscoveryHit(plain(_words(key)), partial(self.app.run_action, key.action, node), _words(key))

    async def search(self, query: str) -> Hits:
        """Those whose words hold the letters that were typed."""
        matcher = self.matcher(query)
        for key, node in self._reachable():
            score = matcher.match(_words(key))
            if score > 0:
                run = partial(self.app.run_action, key.action, node)
                yield Hit(score, plain(_words(key)), run, _words(key))

    def _reachable(self) -> Iterator[tuple[Key, DOMNode]]:
        """The rows of the table that are bound here, each with the pane or screen that it acts on."""
        nodes = {one.binding.id: one.node for one in self.screen.active_bindings.values()}
        for key in KEYS:
            if key.id in nodes and key.id not in _LEFT_OUT:
                yield key, nodes[key.id]


def _words(key: Key) -> str:
    """`next read of the session  ]`."""
    return f"{key.words}  {key.shown}"

"""What the servers of known SDKs would do with a URI or a template: it explains an error and decides no verdict."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from diagnosis.uris.path_safety import screen
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Alignment
from diagnosis.uris.stack_data import Stack, stacks
from diagnosis.uris.stack_matching import knows, shapes, why_not
from diagnosis.uris.templates import Template
from diagnosis.wording import quoted

__all__ = ["Guess", "Refusal", "Stack", "cannot_serve", "guess", "matches", "refusals", "screens", "stacks"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A stack that would not serve something: `what` it does is a verb with the stack for its subject.

    `shape` is the shape that a parser refuses, "" for a URI.
    """

    stack: Stack
    what: str
    shape: str = ""

    @property
    def why(self) -> str:
        """One sentence, such as "mcp (Python) 2.x would refuse the raw `,` in `name`."."""
        return f"{self.stack.name} {self.what}."


@dataclass(frozen=True, slots=True)
class Guess:
    """The stack that a log seems to come from; a guess always, and `because` is its basis."""

    stack: Stack
    because: str


def matches(stack: Stack, uri: str, template: Template) -> bool | None:
    """Whether a stack's matcher would take a URI for a template; None where the facts do not say."""
    if not knows(stack, template):
        return None
    return why_not(stack, uri, template) is None


def refusals(uri: str, alignment: Alignment) -> tuple[Refusal, ...]:
    """The stacks whose matcher would not take a URI for the template that it fits by RFC 6570.

    A stack whose parser refuses the template, or of which too little is known, is not among them.
    """
    return _refusals(uri, alignment.template)


@lru_cache(maxsize=256)
def _refusals(uri: str, template: Template) -> tuple[Refusal, ...]:
    found = ((stack, why_not(stack, uri, template)) for stack in stacks() if knows(stack, template))
    return tuple(Refusal(stack, why) for stack, why in found if why is not None)


def screens(alignment: Alignment) -> tuple[Refusal, ...]:
    """The stacks that match and then refuse a value as a path (answered as not found)."""
    for binding in alignment.bindings:
        for raw in binding.items if binding.items is not None else (binding.raw,):
            if screen(decode(raw)) is not None:
                what = f"would refuse {quoted(binding.name)} as a path"
                return tuple(Refusal(stack, what) for stack in stacks() if stack.path_screen)
    return ()


def cannot_serve(template: Template | str) -> tuple[Refusal, ...]:
    """The stacks whose parser is known to refuse a template, each with the first shape that it refuses."""
    present = shapes(template)
    found = []
    for stack in stacks():
        refused = next(((shape, words) for shape, words in present if stack.shapes.get(shape)), None)
        if refused is not None:
            found.append(Refusal(stack, f"would refuse {refused[1]}", refused[0]))
    return tuple(found)


def guess(server_name: str, error_code: int | None, message: str) -> Guess | None:
    """The stack that an error's wording, or else the name in serverInfo, points to.

    Wordings count that only one stack was seen to send; the longest beginning wins. A URL is no name.
    """
    best: tuple[int, Stack] | None = None
    for stack in stacks() if error_code is not None else ():
        for sign in stack.signatures:
            fits = sign.code == error_code and message.startswith(sign.begins) and message.endswith(sign.ends)
            if fits and (best is None or len(sign.begins) > best[0]):
                best = (len(sign.begins), stack)
    if best is not None:
        return Guess(best[1], f"a guess by the wording of the error and its code {error_code}")
    if not server_name or "://" in server_name:
        return None
    lowered = server_name.lower()
    for stack in stacks():
        if any(name in lowered for name in stack.server_names):
            return Guess(stack, f"a guess by the server's name {quoted(server_name)}")
    return None

"""Logs inside logs: a container runtime or a log service wraps each line of a program in a record of its own.

A wrapper yields the inner lines, each with the outer record it came from. What they hold is detected again, read by
the format that claims it, and placed back where it stands in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from diagnosis.captures.contract import CaptureFormat, Claim, Skipped, Sureness
from diagnosis.captures.decoding import BOM
from diagnosis.captures.enveloped import Enveloped
from diagnosis.captures.inside import LAYERS, Head, InnerLine, Inside, NotLinesError
from diagnosis.captures.message import Message
from diagnosis.captures.sources import HEAD, Source

SAMPLE = 200


@runtime_checkable
class Wrapper(Protocol):
    """A capture format whose records hold the lines of another one."""

    @property
    def name(self) -> str:
        """The name of the format."""
        ...

    @property
    def sign(self) -> str:
        """What its records look like, in a person's words."""
        ...

    def fits(self, head: bytes) -> bool:
        """Whether the records of `head` are this wrapper's, whatever they hold."""
        ...

    def inner(self, source: Source) -> Iterator[InnerLine | Skipped]:
        """Yields the inner lines, and what is no record; raises nothing."""
        ...


def claim_of(wrapper: Wrapper, head: bytes) -> Claim:
    """A wrapper's claim: certain where what its records hold is itself a capture with messages."""
    if not wrapper.fits(head):
        return Claim(Sureness.NO, f"it has no {wrapper.sign}")
    within = _best_inside(wrapper, head)
    if within is None:
        return Claim(
            Sureness.POSSIBLE, f"{wrapper.sign}, but nothing that a capture format knows is in their beginning"
        )
    return Claim(Sureness.CERTAIN, f"{wrapper.sign}; in them {within.why}")


def mostly(head: bytes, is_record: Callable[[bytes], bool]) -> bool:
    """Whether nine of ten of the first 200 lines that are not blank are records."""
    lines = head.removeprefix(BOM).split(b"\n")
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()
    seen = [is_record(line) for line in lines[:SAMPLE] if line.strip()]
    return bool(seen) and sum(seen) * 10 >= len(seen) * 9


def messages_of(wrapper: Wrapper, source: Source) -> Iterator[Message | Skipped]:
    """Yields what the inner lines hold, read by the format that claims them, each in the place of its outer record."""
    depth = source.depth + 1 if isinstance(source, Inside) else 1
    inside = Inside(source, wrapper.inner(source), depth)
    while inside.fill():
        found = _format_of(inside.head(), depth)
        if found is None:
            yield from inside.give_up()
            continue
        for item in _items(found, inside):
            placed = inside.place_alone(item)
            if placed is not None:
                yield placed
            else:
                yield from inside.place(item)
    yield from inside.rest()


def _items(found: CaptureFormat, inside: Inside) -> Iterator[Message | Skipped]:
    try:
        yield from found.messages(inside)
    except NotLinesError:
        yield from Enveloped().messages(inside)


def _format_of(head: bytes, depth: int) -> CaptureFormat | None:
    # The list of formats holds the wrappers too, so it can only be asked for when it is complete.
    from diagnosis.captures import NotACapture, detect

    try:
        found = detect(head).format
    except NotACapture:
        return None
    return None if depth >= LAYERS and isinstance(found, Wrapper) else found


def wrapper_of(head: bytes) -> Wrapper | None:
    """The wrapper whose records stand in `head`, if there is one."""
    from diagnosis.captures import CAPTURE_FORMATS

    return next((each for each in CAPTURE_FORMATS if isinstance(each, Wrapper) and each.fits(head)), None)


def _best_inside(wrapper: Wrapper, head: bytes) -> Claim | None:
    """The claim of the format that finds messages in what stands in the innermost records of `head`."""
    from diagnosis.captures import CAPTURE_FORMATS

    for _ in range(LAYERS):
        found = wrapper.inner(Head(head))
        head = b"\n".join([line.text for line in found if isinstance(line, InnerLine)])[:HEAD]
        deeper = wrapper_of(head)
        if deeper is None:
            claims = (each.detect(head) for each in CAPTURE_FORMATS if not isinstance(each, Wrapper))
            return next((claim for claim in claims if claim.sureness >= Sureness.LIKELY), None)
        wrapper = deeper
    return None

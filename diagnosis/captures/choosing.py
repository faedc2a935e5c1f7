"""Which format reads a capture that several claim: the most specific, unless it leaves most of the messages unread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from diagnosis.captures.contract import CaptureFormat, Claim, Kind, Skipped, Sureness
from diagnosis.captures.inside import Head, NotLinesError
from diagnosis.captures.message import Message, Span


@dataclass(frozen=True, slots=True)
class Detection:
    """The format that reads a capture, how sure it is, and why.

    `others` are the names of the formats that may be meant as well: those at least as sure, and those that find
    messages this one leaves unread. `mixed` has the first such line of each: two logs in one file.
    """

    format: CaptureFormat
    why: str
    sureness: Sureness = Sureness.CERTAIN
    others: tuple[str, ...] = ()
    mixed: tuple[Skipped, ...] = ()

    @property
    def reason(self) -> str:
        """The reason as a person is shown it: how sure where it is less than certain, why, and what else it may be."""
        level = "" if self.sureness is Sureness.CERTAIN else f"{self.sureness.name.lower()}, "
        others = f"; it may also be {' or '.join(self.others)}" if self.others else ""
        return f"{level}{self.why}{others}"


def choose(claims: Iterable[tuple[CaptureFormat, Claim]], head: bytes) -> Detection | None:
    """Chooses among the claims on a capture that begins with `head`; None where no format makes one.

    `claims` come in the order of the formats, the more specific first. Every claim counts from `likely` on, and where
    there is none, every possible one.
    """
    made = [pair for pair in claims if pair[1].sureness is not Sureness.NO]
    fitting = [pair for pair in made if pair[1].sureness >= Sureness.LIKELY] or made
    if not fitting:
        return None
    if len(fitting) == 1:
        only, claim = fitting[0]
        return Detection(only, claim.why, claim.sureness)
    # One line that looks like a more specific format must not decide for a log of another one: whoever could write
    # that line would hide the log. So the most specific reads it unless another finds far more messages, and where
    # another finds messages that it leaves unread, that is said. How sure a format is plays no part: it would be
    # sure of the planted line.
    tried = {each.name: _tried(each, head) for each, _ in fitting}
    most = max(len(one.messages) for one in tried.values())
    first, claim = next(pair for pair in fitting if 2 * len(tried[pair[0].name].messages) >= most)
    rest = [(each.name, other.sureness) for each, other in fitting if each is not first]
    unread = {name: _unread(name, tried[name], tried[first.name]) for name, _ in rest}
    others = tuple(name for name, sureness in rest if sureness >= claim.sureness or unread[name] is not None)
    mixed = tuple(each for each in unread.values() if each is not None)
    return Detection(first, claim.why, claim.sureness, others, mixed)


@dataclass(frozen=True, slots=True)
class _Tried:
    """The lines of the beginning of a capture in which a format finds messages, and those it calls unreadable."""

    messages: Mapping[int, Span]
    unreadable: frozenset[int]


def _tried(format: CaptureFormat, head: bytes) -> _Tried:
    try:
        items = list(format.messages(Head(head)))
    except NotLinesError:
        items = []
    messages = {item.span.line: item.span for item in items if isinstance(item, Message)}
    lost = (item.span.line for item in items if isinstance(item, Skipped) and item.kind is Kind.UNREADABLE)
    return _Tried(messages, frozenset(lost))


def _unread(name: str, other: _Tried, read: _Tried) -> Skipped | None:
    """The first line whose message only the other format finds, and which the reading format passes over."""
    line = next((line for line in other.messages if line not in read.messages and line not in read.unreadable), None)
    if line is None:
        return None
    why = f"a message in the form of `{name}`, which is not read here; --capture-format {name} reads it"
    return Skipped(Kind.UNREADABLE, other.messages[line], why)

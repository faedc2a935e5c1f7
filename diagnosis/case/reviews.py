"""What the reviewers' entries add up to: the state of a finding, and where reviewers disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from diagnosis.case.entries import Decided, Decision, Entry, Note, StatedCaller, standing
from diagnosis.wording import listing, quoted


class State(StrEnum):
    """How far the review of a finding is."""

    NEW = "new"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class Review:
    """The review of one finding; all texts are as typed.

    `reason`, `author` and `time` are those of the decision that counts, the last one; "" where there is none. A
    reopened finding is new and says who reopened it. `decisions` are the last one of each reviewer since the finding
    was reopened; where they differ the review is `contradicted`.
    """

    state: State = State.NEW
    reason: str = ""
    author: str = ""
    time: str = ""
    notes: tuple[Note, ...] = ()
    decisions: tuple[Decision, ...] = ()

    @property
    def contradicted(self) -> bool:
        """Whether two reviewers decide differently."""
        return len({each.decided for each in self.decisions}) > 1

    @property
    def confirmed(self) -> bool:
        """Whether a reviewer's last decision confirms it, whatever the others say."""
        return any(each.decided is Decided.CONFIRMED for each in self.decisions)

    @property
    def suppresses(self) -> bool:
        """Whether the finding may be left out as dismissed: never while a reviewer says otherwise."""
        return self.state is State.DISMISSED and not self.contradicted


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Where reviewers disagree: about a finding (its fingerprint) or a caller (as stated).

    `entries` are what each of them says, in the order of time.
    """

    about: str
    entries: tuple[Entry, ...]

    @property
    def sentence(self) -> str:
        """The disagreement in words; all text of others is quoted."""
        return f"Reviewers disagree about {quoted(self.about)}: {listing(map(_said, self.entries))}."

    @property
    def stated(self) -> str:
        """What people state of a caller, as the word `caller WHO=...` that a statement has; "" for a finding."""
        by_author: defaultdict[str, list[str]] = defaultdict(list)
        for entry in self.entries:
            if isinstance(entry, StatedCaller):
                by_author[entry.author] += entry.tenants
        said = "; ".join(f"{','.join(dict.fromkeys(tenants))} by {author}" for author, tenants in by_author.items())
        return f"caller {self.about}={said}" if said else ""


NOT_REVIEWED = Review()

_STATES = {
    Decided.CONFIRMED: State.CONFIRMED,
    Decided.DISMISSED: State.DISMISSED,
    Decided.REOPENED: State.NEW,
}


def reviews_of(entries: Iterable[Entry]) -> Mapping[str, Review]:
    """The review of every finding that an entry speaks of, by fingerprint."""
    decisions: defaultdict[str, list[Decision]] = defaultdict(list)
    notes: defaultdict[str, list[Note]] = defaultdict(list)
    for entry in standing(entries):
        if isinstance(entry, Decision):
            decisions[entry.fingerprint].append(entry)
        elif isinstance(entry, Note):
            notes[entry.fingerprint].append(entry)
    return {each: _review(decisions[each], notes[each]) for each in (decisions | notes)}


def contradictions_of(entries: Iterable[Entry]) -> tuple[Contradiction, ...]:
    """The findings that reviewers decide differently, and the callers of whom they state different tenants.

    What is stated of one caller adds up, as `--allow` does, so the second kind is only to be shown.
    """
    every = standing(entries)
    found = [
        Contradiction(fingerprint, review.decisions)
        for fingerprint, review in reviews_of(every).items()
        if review.contradicted
    ]
    callers: defaultdict[str, defaultdict[str, list[StatedCaller]]] = defaultdict(lambda: defaultdict(list))
    for entry in every:
        if isinstance(entry, StatedCaller):
            callers[entry.who][entry.author].append(entry)
    for who, by_author in callers.items():
        sets = {frozenset(name for each in said for name in each.tenants) for said in by_author.values()}
        if len(sets) > 1:
            spoken = {each.id for said in by_author.values() for each in said}
            found.append(Contradiction(who, tuple(each for each in every if each.id in spoken)))
    return tuple(found)


def _review(decisions: list[Decision], notes: list[Note]) -> Review:
    if not decisions:
        return Review(notes=tuple(notes))
    last = decisions[-1]
    since = max((number for number, each in enumerate(decisions) if each.decided is Decided.REOPENED), default=-1)
    # The last one of each reviewer, in the order of time.
    by_author = {each.author: each for each in decisions[since + 1 :]}
    kept = tuple(each for each in decisions[since + 1 :] if by_author[each.author] is each)
    return Review(_STATES[last.decided], last.reason, last.author, last.time, tuple(notes), kept)


def _said(entry: Entry) -> str:
    said = f"{quoted(entry.author)} at {entry.time}"
    if isinstance(entry, StatedCaller):
        return f"{said} states {listing(map(quoted, entry.tenants))}"
    if isinstance(entry, Decision):
        return f"{said} has {entry.decided.value} it" + (f" ({quoted(entry.reason)})" if entry.reason else "")
    return said

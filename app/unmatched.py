"""Which stated or listed callers are nobody's in these captures: a slip of the pen must not hide a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from diagnosis.callers.policy import PolicyPrincipal
from diagnosis.callers.principals import places_of
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Read
from diagnosis.statements import Statements
from diagnosis.wording import listing, quoted

_SAID = 8  # sentences about stated callers, and names in the one about the policy's


@dataclass(frozen=True, slots=True)
class _Names:
    """What reads can be known by: their sessions and captures, and their subjects."""

    places: frozenset[str]
    subjects: frozenset[str]

    def hold(self, principal: PolicyPrincipal) -> bool:
        """Whether one of the names of a principal is among them."""
        return not self.places.isdisjoint(principal.sessions) or not self.subjects.isdisjoint(_subjects(principal))


def unmatched(statements: Statements, judgements: Sequence[Judgement]) -> Iterator[str]:
    """Says which stated or listed callers sent none of these reads.

    Callers of the policy are named one by one only where a read is of a caller that nobody names: where all are
    known no slip can hide anything, and a policy may list many more callers than one log holds.
    """
    # A log has many reads of few callers: each way to be known is looked at once.
    ways = {_names_of(read) for each in judgements for read in (each.read, *each.witnesses)}
    seen = _together(ways)
    stated = [each for each in statements.policy.principals if each.stated]
    listed = [each for each in statements.policy.principals if not each.stated]
    met = [each for each in listed if _is_anybody(each) or seen.hold(each)]
    yield from _stated(statements, [each for each in stated if not _is_anybody(each)], met, seen)
    if not listed or not judgements:
        return
    if not met:
        yield "The policy names callers, and none of them sent a read of these captures."
    elif _has_nobody(ways, statements.policy.principals):
        idle = list(_idle(listed, seen))
        if idle:
            yield (
                "A read is of a caller whom nobody names, and no read is of these names of the policy: "
                f"{listing(idle, _SAID)}."
            )


def _stated(
    statements: Statements, stated: Iterable[PolicyPrincipal], met: Iterable[PolicyPrincipal], seen: _Names
) -> Iterator[str]:
    known = {name for each in met for name in (each.id, *each.subjects)}
    nobody = [each.id for each in stated if each.id not in known and not seen.hold(each)]
    for who in nobody[:_SAID]:
        by_case = any(word.startswith(f"caller {who}=") for word in statements.stated)
        yield f"No read's caller, session or capture is {who}, which {'the case' if by_case else '--allow'} names."
    if len(nobody) > _SAID:
        yield f"So it is with {len(nobody) - _SAID} more stated callers."


def _idle(listed: Iterable[PolicyPrincipal], seen: _Names) -> Iterator[str]:
    """The policy's callers that sent nothing, and of the others the sessions and subjects that no read has.

    Where no read names a subject, the subjects are no slip.
    """
    for each in listed:
        if _is_anybody(each):
            continue
        if not seen.hold(each):
            yield quoted(each.id)
            continue
        yield from (f"session {quoted(n)} of {quoted(each.id)}" for n in each.sessions if n not in seen.places)
        if seen.subjects:
            yield from (f"subject {quoted(n)} of {quoted(each.id)}" for n in each.subjects if n not in seen.subjects)


def _names_of(read: Read) -> _Names:
    said = (each.subject for each in (read.credential, read.inherited) if each is not None)
    return _Names(frozenset(name for name, _ in places_of(read)), frozenset(each for each in said if each is not None))


def _together(names: Iterable[_Names]) -> _Names:
    every = tuple(names)
    return _Names(frozenset().union(*(e.places for e in every)), frozenset().union(*(e.subjects for e in every)))


def _has_nobody(ways: Iterable[_Names], principals: Sequence[PolicyPrincipal]) -> bool:
    """Whether a read is of a caller that neither a person nor the policy names; `"*"` names nobody."""
    places = frozenset(name for each in principals for name in each.sessions)
    subjects = frozenset(name for each in principals for name in _subjects(each))
    return any(places.isdisjoint(each.places) and subjects.isdisjoint(each.subjects) for each in ways)


def _subjects(principal: PolicyPrincipal) -> tuple[str, ...]:
    return (*principal.subjects, principal.id)


def _is_anybody(principal: PolicyPrincipal) -> bool:
    return "*" in (*principal.sessions, *principal.subjects)

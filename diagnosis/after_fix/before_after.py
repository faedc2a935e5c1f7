"""Compares the faults of two captures by what was asked for: gone, still there, new, undecided, not exercised."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from diagnosis.after_fix.again import Again, Says, again, answer_of, crossed_reads, has_fault
from diagnosis.after_fix.identity import Key, keys_of, name_of
from diagnosis.questions.findings import FindingClass, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.wording import listing, quoted


class Status(StrEnum):
    """What became of a fault. Only `GONE` is good news; `NOT_EXERCISED` proves nothing."""

    STILL = "still"
    NEW = "new"
    UNDECIDED = "undecided"
    NOT_EXERCISED = "not exercised"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Subject:
    """One fault by template, variables, caller and class, and what became of it.

    `before` are the reads of BEFORE that show it (none where it is `new`), `after` the reads of AFTER that asked
    for the same, with what each says. `because` says in words why the status is what it is.
    """

    status: Status
    kind: FindingClass
    before: tuple[Judgement, ...]
    after: tuple[Again, ...]
    because: str

    @property
    def shown(self) -> Judgement:
        """The read that stands for the subject: the first faulty one."""
        return self.before[0] if self.before else next(e.judgement for e in self.after if e.says is Says.FAULTY)

    @property
    def clean_verdicts(self) -> frozenset[Verdict]:
        """The verdicts of the reads of AFTER that clear it."""
        return frozenset(answer_of(e.judgement, self.kind).verdict for e in self.after if e.says is Says.CLEAN)


def compare(before: Sequence[Judgement], after: Sequence[Judgement]) -> tuple[Subject, ...]:
    """Joins the faults of two captures that were judged with the same policy and templates.

    A fault is `gone` only where the same values were asked for again by the same caller and every answer that
    came is decided and clean; reads without any answer say nothing of questions 2 and 3. Order: by class, those of
    BEFORE as they stand there, then new ones.
    """
    if not any(each.findings for each in (*before, *after)):
        return ()
    reads, earlier = _Reads(after), _Reads(before)
    found: list[Subject] = []
    for kind in FindingClass:
        met: set[int] = set()
        groups = _faulty(before, kind)
        callers = _callers_by_key(each for group in groups for each in group)
        for group in groups:
            subject = _judged(kind, group, reads)
            met.update(each.judgement.read.number for each in subject.after)
            found.append(subject)
        for group in _faulty([e for e in after if e.read.number not in met], kind):
            found.append(_new(kind, group, earlier, callers))
    return tuple(found)


class _Reads:
    """Finds reads by what they asked for."""

    def __init__(self, judgements: Sequence[Judgement]) -> None:
        self.crossed = crossed_reads(judgements)
        self._by_key: defaultdict[Key, list[Judgement]] = defaultdict(list)
        for each in judgements:
            for key in keys_of(each):
                self._by_key[key].append(each)

    def like(self, group: Iterable[Judgement]) -> tuple[Judgement, ...]:
        """The reads that asked for the same as one of a group, in the order of their capture."""
        found = {r.read.number: r for each in group for key in keys_of(each) for r in self._by_key.get(key, ())}
        return tuple(found[number] for number in sorted(found))


def _faulty(judgements: Iterable[Judgement], kind: FindingClass) -> list[tuple[Judgement, ...]]:
    """The reads with a fault of one class, by what they asked for and who asked."""
    groups: defaultdict[tuple[Key, str | None], list[Judgement]] = defaultdict(list)
    for each in judgements:
        if has_fault(each, kind):
            groups[name_of(each), _caller(each)].append(each)
    return [tuple(group) for group in groups.values()]


def _callers_by_key(judgements: Iterable[Judgement]) -> dict[Key, dict[str | None, None]]:
    callers: defaultdict[Key, dict[str | None, None]] = defaultdict(dict)
    for each in judgements:
        for key in keys_of(each):
            callers[key][_caller(each)] = None
    return callers


def _caller(judgement: Judgement) -> str | None:
    return judgement.caller.id if judgement.caller else None


def _judged(kind: FindingClass, group: tuple[Judgement, ...], reads: _Reads) -> Subject:
    alike = reads.like(group)
    caller = _caller(group[0])
    own = [each for each in alike if _caller(each) == caller]
    said = tuple(again(each, kind, group, reads.crossed) for each in own)
    status = _status(said)
    return Subject(status, kind, group, said, _because(status, kind, said, alike, caller))


def _status(said: Sequence[Again]) -> Status:
    says = {each.says for each in said}
    if Says.FAULTY in says:
        return Status.STILL
    if Says.OPEN in says:
        return Status.UNDECIDED
    if Says.CLEAN in says:
        return Status.GONE
    return Status.NOT_EXERCISED


_PROOFS = {
    Verdict.ALLOWED: "`allowed` proves no check: the document that came back is one that the caller may see",
    Verdict.REFUSED: "`refused` is consistent with a check and proves none",
}


def _because(
    status: Status, kind: FindingClass, said: Sequence[Again], alike: Sequence[Judgement], caller: str | None
) -> str:
    if status is Status.NOT_EXERCISED:
        return _unexercised(said, alike, caller)
    counted = _verdicts(said, kind)
    if status is Status.STILL:
        return f"Read again: {counted}."
    if status is Status.UNDECIDED:
        first = next(each for each in said if each.says is Says.OPEN)
        return f"Read again: {counted}. {first.because}"
    verdicts = dict.fromkeys(answer_of(e.judgement, kind).verdict for e in said if e.says is Says.CLEAN)
    proofs = "; ".join(_PROOFS[verdict] for verdict in verdicts if verdict in _PROOFS)
    return f"Read again: {counted}." + (f" {proofs[0]}{proofs[1:]}." if proofs else "")


def _verdicts(said: Sequence[Again], kind: FindingClass) -> str:
    """How often each verdict was given, with its reason: `intact` 2, `cannot_tell` (`no-answer`) 1."""
    counts: Counter[str] = Counter()
    for each in said:
        answer = answer_of(each.judgement, kind)
        reason = "" if each.says is Says.CLEAN else f" ({quoted(each.reason)})"
        counts[f"{quoted(answer.verdict.value)}{reason}"] += 1
    return listing(f"{name}, {_times(count)}" for name, count in counts.items())


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _unexercised(said: Sequence[Again], alike: Sequence[Judgement], caller: str | None) -> str:
    if said:
        return f"It was asked for again, and no answer is in AFTER ({quoted(said[0].reason)}). That proves nothing."
    others = dict.fromkeys(_caller(each) for each in alike)
    if not others:
        return "Nobody asked for these values in AFTER. That proves nothing."
    if None in others:
        return (
            "It was read in AFTER, and nothing says by whom; --allow or the policy can name that session's caller. "
            "That proves nothing."
        )
    names = listing(quoted(each or "") for each in others)
    if caller is None:
        return f"Nothing says who asked in BEFORE; in AFTER {names} did. Whether that is the same caller is not known."
    return f"In AFTER it was read by {names} only, not by {quoted(caller)}. That proves nothing."


def _new(
    kind: FindingClass,
    group: tuple[Judgement, ...],
    earlier: _Reads,
    callers: dict[Key, dict[str | None, None]],
) -> Subject:
    """A fault of AFTER that BEFORE does not show, with what BEFORE says of these values."""
    caller = _caller(group[0])
    said = tuple(Again(e, Says.FAULTY, answer_of(e, kind).reason, answer_of(e, kind).because) for e in group)
    own = [each for each in earlier.like(group) if _caller(each) == caller]
    others = dict.fromkeys(who for each in group for key in keys_of(each) for who in callers.get(key, ()))
    if others:
        names = listing(quoted(each) if each is not None else "an unknown caller" for each in others)
        because = f"BEFORE shows the same fault with the same values for {names}."
    elif not own:
        because = "Nobody asked for these values in BEFORE, so the fault may be as old as the others."
    else:
        verdicts = dict.fromkeys(answer_of(each, kind).verdict.value for each in own)
        because = f"In BEFORE the same caller asked for the same values: {listing(map(quoted, verdicts))}."
    return Subject(Status.NEW, kind, (), said, because)

"""The five states of an answer: what the screen draws in one cell and a filter asks for by name."""

from __future__ import annotations

from enum import IntEnum

from diagnosis.questions.findings import Answer, Certainty, FindingClass, Verdict

# Reasons of a `cannot_tell` where nothing was served, so that there was nothing to look at.
_NOTHING_SERVED = frozenset({"no-document", "no-answer", "not-found"})


class State(IntEnum):
    """The five states of an answer."""

    FAULT = 0
    SUSPECT = 1
    CLEAR = 2
    UNDECIDED = 3
    VOID = 4

    @property
    def word(self) -> str:
        """The state as a filter names it."""
        return self.name.lower()


# A look into a table: this is asked of every answer for every filter, and naming a member of an enum is slow.
_BY_VERDICT = {
    Verdict.INTACT: State.CLEAR,
    Verdict.MATCH: State.CLEAR,
    Verdict.ALLOWED: State.CLEAR,
    Verdict.REFUSED: State.VOID,
}


def state(answer: Answer) -> State:
    """The state of an answer."""
    settled = _BY_VERDICT.get(answer.verdict)
    if settled is not None:
        return settled
    if answer.verdict is Verdict.CANNOT_TELL:
        return State.VOID if answer.reason in _NOTHING_SERVED else State.UNDECIDED
    if answer.verdict is Verdict.MISMATCH and not _by_decode(answer):
        # A document that differs for another reason than a decode is a sign: whose fault it is stays open.
        return State.SUSPECT
    return State.FAULT if _certain(answer) else State.SUSPECT


def _by_decode(answer: Answer) -> bool:
    return any(finding.rule.finding_class is FindingClass.DOUBLE_DECODE for finding in answer.findings)


def _certain(answer: Answer) -> bool:
    """An answer is as certain as its surest finding, and never surer than it says itself."""
    if answer.certainty is not Certainty.CERTAIN:
        return False
    return not answer.findings or any(one.certainty is Certainty.CERTAIN for one in answer.findings)

"""What one answer looks like in one cell. Letters and reverse video carry the meaning, colour never alone."""

from __future__ import annotations

from enum import IntEnum

from app.widgets.plain import Piece
from diagnosis.questions.findings import Answer, Certainty, FindingClass, Verdict

# The letters of the three questions: escaped, mismatch, authorization.
LETTERS = "EMA"

# Stands left of a read's number, and before their count.
SEVERE_REMARK = "!"

# Reasons of a `cannot_tell` where nothing was served, so that there was nothing to look at.
_NOTHING_SERVED = frozenset({"no-document", "no-answer", "not-found"})

_CLEAR = frozenset({Verdict.INTACT, Verdict.MATCH, Verdict.ALLOWED})


class State(IntEnum):
    """The five states of an answer on the screen."""

    FAULT = 0
    SUSPECT = 1
    CLEAR = 2
    UNDECIDED = 3
    VOID = 4


LEGEND: tuple[tuple[State, str], ...] = (
    (State.FAULT, "fault: the log proves it"),
    (State.SUSPECT, "suspect: a sign, not proof"),
    (State.CLEAR, "clear: asked, and the log shows it"),
    (State.UNDECIDED, "undecided: the log lacks a fact; the answer names it"),
    (State.VOID, "nothing was served that could be looked at"),
)

_LOOKS = {
    State.FAULT: "fault",
    State.SUSPECT: "suspect",
    State.CLEAR: "clear",
    State.UNDECIDED: "undecided",
    State.VOID: "void",
}


def state(answer: Answer) -> State:
    """The state of an answer."""
    if answer.verdict in _CLEAR:
        return State.CLEAR
    if answer.verdict is Verdict.REFUSED:
        return State.VOID
    if answer.verdict is Verdict.CANNOT_TELL:
        return State.VOID if answer.reason in _NOTHING_SERVED else State.UNDECIDED
    if answer.verdict is Verdict.MISMATCH and not _by_decode(answer):
        # A document that differs for another reason than a decode is a sign: whose fault it is stays open.
        return State.SUSPECT
    return State.FAULT if _certain(answer) else State.SUSPECT


def glyph(question: int, answer: Answer) -> Piece:
    """The cell of an answer to question 0, 1 or 2."""
    return state_glyph(question, state(answer))


def state_glyph(question: int, of: State) -> Piece:
    """The cell of a state."""
    letter = LETTERS[question]
    text = {State.FAULT: letter, State.SUSPECT: letter.lower(), State.CLEAR: "·", State.UNDECIDED: "?"}.get(of, "-")
    return Piece(text, _LOOKS[of])


def _by_decode(answer: Answer) -> bool:
    return any(finding.rule.finding_class is FindingClass.DOUBLE_DECODE for finding in answer.findings)


def _certain(answer: Answer) -> bool:
    """An answer is as certain as its surest finding, and never surer than it says itself."""
    if answer.certainty is not Certainty.CERTAIN:
        return False
    return not answer.findings or any(one.certainty is Certainty.CERTAIN for one in answer.findings)

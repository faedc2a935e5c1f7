"""What one answer looks like in one cell. Letters and reverse video carry the meaning, colour never alone."""

from __future__ import annotations

from app.widgets.plain import Piece
from diagnosis.questions.findings import Answer
from diagnosis.questions.states import State as State
from diagnosis.questions.states import state as state

# The letters of the three questions: escaped, mismatch, authorization.
LETTERS = "EMA"

# Stands left of a read's number, and before their count.
SEVERE_REMARK = "!"

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


def glyph(question: int, answer: Answer) -> Piece:
    """The cell of an answer to question 0, 1 or 2."""
    return state_glyph(question, state(answer))


def state_glyph(question: int, of: State) -> Piece:
    """The cell of a state."""
    letter = LETTERS[question]
    text = {State.FAULT: letter, State.SUSPECT: letter.lower(), State.CLEAR: "·", State.UNDECIDED: "?"}.get(of, "-")
    return Piece(text, _LOOKS[of])

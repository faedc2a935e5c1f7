"""The three answers to a read, always three, and what speaks for them."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events

from app.widgets.glyphs import State, glyph, state
from app.widgets.plain import Piece
from app.widgets.text_lines import Paragraph, TextLines, paragraph
from diagnosis.questions.findings import Answer, Evidence, Finding, Remark
from diagnosis.questions.judgement import Judgement

QUESTIONS = ("Did the URI escape its segments?", "Does the document match?", "Was a principal check done?")

# Where the text of an answer begins, under its question.
_INDENT = 6

# With fewer lines than this, the three verdicts stand together before their reasons.
_ROOMY = 10

# An evidence list is never longer than this on the screen; reports have all of it.
_EVIDENCE = 12


class Answers(TextLines):
    """The answers, then each finding with its evidence, then the remarks."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.provisional = False
        self._judgement: Judgement | None = None
        self._close = False

    def show_judgement(self, judgement: Judgement) -> None:
        """Shows the answers to one read."""
        self._judgement = judgement
        self._close = self.size.height < _ROOMY
        answers = close_paragraphs(judgement) if self._close else answer_paragraphs(judgement)
        self.show([*answers, *support_paragraphs(judgement)])

    def faded(self, index: int) -> bool:
        """Answers are not final while the captures are being read."""
        return self.provisional

    def on_resize(self, event: events.Resize) -> None:
        """Lays out again where the room is another."""
        if self._judgement is not None and self._close != (self.size.height < _ROOMY):
            self.show_judgement(self._judgement)
        else:
            super().on_resize(event)


def close_paragraphs(judgement: Judgement) -> Iterable[Paragraph]:
    """The same with the three verdicts first, so that all of them stand in a few lines."""
    answers = list(enumerate(judgement.answers))
    yield from (_answer(question, answer) for question, answer in answers)
    for question, answer in answers:
        yield paragraph((f"    {question + 1} ", "strong"), answer.because, indent=_INDENT)
        yield from _missing(answer)


def answer_paragraphs(judgement: Judgement) -> Iterable[Paragraph]:
    """The three answers: verdict, reason, the sentence behind it, and the fact that is missing."""
    for question, answer in enumerate(judgement.answers):
        yield _answer(question, answer)
        yield paragraph(" " * _INDENT, answer.because, indent=_INDENT)
        yield from _missing(answer)


def _missing(answer: Answer) -> Iterable[Paragraph]:
    if answer.missing:
        yield paragraph(" " * _INDENT, ("missing: ", "undecided"), answer.missing, indent=_INDENT)


def _answer(question: int, answer: Answer) -> Paragraph:
    verdict = answer.verdict.replace("_", " ")
    if state(answer) in (State.FAULT, State.SUSPECT):
        verdict = f"{verdict}, {answer.certainty}"
    pieces = [
        Piece(" "),
        glyph(question, answer),
        Piece("  "),
        Piece(f"{question + 1} {QUESTIONS[question]} ", "strong"),
    ]
    return Paragraph([*pieces, Piece(verdict), Piece(f"  {answer.reason}", "dim")], _INDENT)


def support_paragraphs(judgement: Judgement) -> Iterable[Paragraph]:
    """Findings and remarks."""
    for finding in judgement.findings:
        yield paragraph("")
        yield from _finding(finding)
    for remark in (
        *judgement.remarks,
        *(remark for answer in judgement.answers for remark in answer.remarks),
    ):
        yield paragraph("")
        yield from _remark(remark)


def _finding(finding: Finding) -> Iterable[Paragraph]:
    rule = finding.rule
    yield paragraph((rule.id, "title"), f"  {rule.finding_class}, {finding.certainty}, {rule.severity}", indent=_INDENT)
    yield paragraph(f"  {finding.summary}", indent=2)
    if finding.because:
        yield paragraph(("  not certain: ", "dim"), finding.because, indent=2)
    yield paragraph(("  owner  ", "dim"), rule.owner.words if rule.owner else "", indent=9)
    yield paragraph(("  fix    ", "dim"), finding.fix, indent=9)
    yield from _evidence(finding.evidence)


def _remark(remark: Remark) -> Iterable[Paragraph]:
    yield paragraph((remark.rule.id, "title"), f"  remark, {remark.certainty}", indent=_INDENT)
    yield paragraph(f"  {remark.summary}", indent=2)
    yield from _evidence(remark.evidence)


def _evidence(evidence: tuple[Evidence, ...]) -> Iterable[Paragraph]:
    for one in evidence[:_EVIDENCE]:
        yield paragraph(("  seen   ", "dim"), f"{place(one)}  {one.what}", indent=9)
    if len(evidence) > _EVIDENCE:
        yield paragraph(("  seen   ", "dim"), f"and in {len(evidence) - _EVIDENCE:,} more places", indent=9)


def place(evidence: Evidence) -> str:
    """`incident.jsonl:79`, with the path inside the record where there is one."""
    span = evidence.seen.span
    layers = " ".join(span.layers)
    return f"{span.capture}:{span.line}" + (f" ({layers})" if layers else "")

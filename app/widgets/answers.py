"""The three answers to a read, always three, and what speaks for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from app.widgets.glyphs import State, glyph, state
from app.widgets.plain import Piece
from app.widgets.text_lines import Paragraph, TextLines, paragraph
from diagnosis.questions.findings import Answer, Evidence, Finding, Remark, Severity
from diagnosis.questions.judgement import Judgement

QUESTIONS = ("Did the URI escape its segments?", "Does the document match?", "Was a principal check done?")

# Where the text of an answer begins, under its question.
_INDENT = 6

# An evidence list is never longer than this on the screen; reports have all of it.
_EVIDENCE = 12


class Answers(TextLines):
    """The verdicts, what is wrong and why, what is open, the findings and remarks, and last what is in order."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.provisional = False

    def show_judgement(self, judgement: Judgement, reviews: Mapping[str, str] = MappingProxyType({})) -> None:
        """Shows the answers to one read; `reviews` are words on its findings, by fingerprint."""
        self.show(list(paragraphs(judgement, reviews)))

    def faded(self, index: int) -> bool:
        """Answers are not final while the captures are being read."""
        return self.provisional


def paragraphs(judgement: Judgement, reviews: Mapping[str, str] = MappingProxyType({})) -> Iterable[Paragraph]:
    """The gravest first, so that a few lines show what is wrong and why."""
    answers = list(enumerate(judgement.answers))
    yield from (_answer(question, answer) for question, answer in answers)
    wrong = [one for one in answers if state(one[1]) <= State.SUSPECT]
    for question, answer in sorted(wrong, key=_gravity):
        yield from _because(question, answer)
    for question, answer in answers:
        if state(answer) in (State.UNDECIDED, State.VOID):
            yield from _because(question, answer)
    yield from support_paragraphs(judgement, reviews)
    clear = [one for one in answers if state(one[1]) is State.CLEAR]
    if clear and (judgement.findings or remarks_of(judgement)):
        yield paragraph("")
    for question, answer in clear:
        yield from _because(question, answer)


def _gravity(one: tuple[int, Answer]) -> tuple[State, bool]:
    """Faults before suspicions, and among them the severe before the mild; then the order of the questions."""
    answer = one[1]
    return state(answer), all(finding.rule.severity is not Severity.SEVERE for finding in answer.findings)


def _because(question: int, answer: Answer) -> Iterable[Paragraph]:
    yield paragraph((f"    {question + 1} ", "strong"), answer.because, indent=_INDENT)
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


def support_paragraphs(judgement: Judgement, reviews: Mapping[str, str] = MappingProxyType({})) -> Iterable[Paragraph]:
    """Findings and remarks, severe remarks first."""
    for finding in judgement.findings:
        yield paragraph("")
        yield from _finding(finding, reviews.get(finding.fingerprint, ""))
    for remark in sorted(remarks_of(judgement), key=lambda one: one.severity is not Severity.SEVERE):
        yield paragraph("")
        yield from _remark(remark)


def remarks_of(judgement: Judgement) -> list[Remark]:
    """The remarks on a read and on its answers; one that is made twice of the same places is shown once."""
    every = (*judgement.remarks, *(remark for answer in judgement.answers for remark in answer.remarks))
    shown: dict[tuple[str, tuple[Evidence, ...]], Remark] = {}
    for one in every:
        shown.setdefault((one.rule.id, one.evidence), one)
    return list(shown.values())


def _finding(finding: Finding, review: str) -> Iterable[Paragraph]:
    rule = finding.rule
    yield paragraph((rule.id, "title"), f"  {rule.finding_class}, {finding.certainty}, {rule.severity}", indent=_INDENT)
    yield paragraph(f"  {finding.summary}", indent=2)
    if finding.because:
        yield paragraph(("  not certain: ", "dim"), finding.because, indent=2)
    yield paragraph(("  owner  ", "dim"), rule.owner.words if rule.owner else "", indent=9)
    yield paragraph(("  fix    ", "dim"), finding.fix, indent=9)
    if review:
        yield paragraph(("  review ", "dim"), review, indent=9)
    yield from _evidence(finding.evidence)


def _remark(remark: Remark) -> Iterable[Paragraph]:
    yield paragraph((remark.rule.id, "title"), f"  remark, {remark.certainty}, {remark.severity}", indent=_INDENT)
    yield paragraph(f"  {remark.summary}", indent=2)
    yield paragraph(("  fix    ", "dim"), remark.rule.fix, indent=9)
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

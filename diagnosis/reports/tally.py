"""Counts what was concluded, for every report and for the exit status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import FindingClass, Question, Remark, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.uris.percent import has_double

_CLEAN = (Verdict.INTACT, Verdict.MATCH, Verdict.ALLOWED)


@dataclass(slots=True)
class Tally:
    """Findings by class, undecided answers by question, clean reads, and remarks.

    `counting` are the findings that a baseline lacks, all where there is none. `encode_blind` reads are intact and
    needed no encoding; `decode_blind` ones match and leave nothing to a second decode. Neither says anything about
    the encoder or the decoder.
    """

    reads: int = 0
    clean: int = 0
    remarks: int = 0
    encode_blind: int = 0
    decode_blind: int = 0
    findings: Counter[FindingClass] = field(default_factory=Counter)
    counting: Counter[FindingClass] = field(default_factory=Counter)
    cannot_tell: Counter[Question] = field(default_factory=Counter)

    @property
    def all_findings(self) -> int:
        """How many findings there are, of all classes."""
        return self.findings.total()

    @property
    def all_cannot_tell(self) -> int:
        """How many answers the log does not decide."""
        return self.cannot_tell.total()


def tally(judgements: Iterable[Judgement]) -> Tally:
    """Counts the judgements; a read is clean only where all three questions were answered well."""
    counted = Tally()
    for judgement in judgements:
        counted.reads += 1
        counted.clean += is_clean(judgement)
        counted.remarks += len(remarks_of(judgement))
        uri = judgement.read.uri or ""
        counted.encode_blind += judgement.segments.reason == "strict" and "%" not in uri
        counted.decode_blind += judgement.document.verdict is Verdict.MATCH and not has_double(uri)
        for finding in judgement.findings:
            if finding.rule.finding_class is not None:
                counted.findings[finding.rule.finding_class] += 1
                counted.counting[finding.rule.finding_class] += finding.new is not False
        for answer in judgement.answers:
            if answer.verdict is Verdict.CANNOT_TELL:
                counted.cannot_tell[answer.question] += 1
    return counted


def counted_as(count: int, noun: str) -> str:
    """Returns `1 read` or `2 reads`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def is_clean(judgement: Judgement) -> bool:
    """Whether all three questions were answered, and none of them with a fault."""
    return tuple(answer.verdict for answer in judgement.answers) == _CLEAN and not judgement.findings


def is_partial(diagnosis: Diagnosis) -> bool:
    """Whether reading was stopped before the end of a capture."""
    return diagnosis.partial or any(facts.partial for facts in diagnosis.captures)


def is_all_read(diagnosis: Diagnosis) -> bool:
    """Whether every file was opened and every line of it read, and at least one message was there."""
    unread = any(facts.unreadable or facts.changed for facts in diagnosis.captures)
    messages = sum(facts.messages for facts in diagnosis.captures)
    return bool(messages) and not (unread or diagnosis.refusals or diagnosis.problems or is_partial(diagnosis))


def remarks_of(judgement: Judgement) -> list[Remark]:
    """Returns the remarks of a read: those of its three answers, then the others, each once."""
    found: list[Remark] = []
    for remark in (*(one for answer in judgement.answers for one in answer.remarks), *judgement.remarks):
        if remark not in found:
            found.append(remark)
    return found

"""A judged read: its reading, its caller, three answers, and remarks."""

from __future__ import annotations

from dataclasses import dataclass

from diagnosis.callers.principals import Principal
from diagnosis.questions.findings import Answer, Finding, Remark
from diagnosis.reads.read import Read
from diagnosis.uris.reading import Alignment


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything that was concluded about one read; always three answers.

    `readings` are the alignments at the best fit (empty where no template explains the URI); the first one is
    shown first. `template` is their template's text, also where a template was only listed later (`late`).
    `principal` is None where nobody says who asked. `tenant_variable` is the variable that holds the tenant, None
    where none is known. `tenants` are the tenants asked for and received, in that order, without repeats. `witnesses`
    are the same read as other captures of the same traffic hold it.
    """

    read: Read
    segments: Answer
    document: Answer
    principal: Answer
    remarks: tuple[Remark, ...] = ()
    readings: tuple[Alignment, ...] = ()
    template: str | None = None
    caller: Principal | None = None
    tenant_variable: str | None = None
    tenants: tuple[str, ...] = ()
    expected: str | None = None
    witnesses: tuple[Read, ...] = ()

    @property
    def answers(self) -> tuple[Answer, Answer, Answer]:
        """The three answers in the order of the questions."""
        return (self.segments, self.document, self.principal)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all three answers, in the order of the questions."""
        return tuple(finding for answer in self.answers for finding in answer.findings)

"""The words of a judgement: answers, findings, remarks, and the rules behind them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from diagnosis.reads.read import Seen


class Question(StrEnum):
    """The three questions, asked of every read."""

    SEGMENTS = "segments"
    DOCUMENT = "document"
    PRINCIPAL = "principal"


class Verdict(StrEnum):
    """The answers to the questions; each question uses four of them at most."""

    INTACT = "intact"
    ESCAPED = "escaped"
    MATCH = "match"
    MISMATCH = "mismatch"
    ALLOWED = "allowed"
    NOT_CHECKED = "not_checked"
    REFUSED = "refused"
    CANNOT_TELL = "cannot_tell"


class FindingClass(StrEnum):
    """The three kinds of fault that a finding can belong to."""

    UNDER_ENCODING = "under-encoding"
    DOUBLE_DECODE = "double-decode"
    MISSING_AUTHORIZATION = "missing-authorization"


class Certainty(StrEnum):
    """How far the log goes towards proving a finding."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Severity(StrEnum):
    """Whether a fault can change which document is served (`severe`) or only whether one is found (`mild`)."""

    SEVERE = "severe"
    MILD = "mild"


class Owner(StrEnum):
    """Whose code a finding points to."""

    CLIENT = "client"
    BETWEEN = "between"
    READ_HANDLER = "read handler"

    @property
    def words(self) -> str:
        """The owner as a person is told: where the capture was taken decides who can be meant."""
        return _OWNER_WORDS[self]


_OWNER_WORDS = {
    Owner.CLIENT: "client, or a hop before this capture",
    Owner.BETWEEN: "something between matcher and storage: a proxy, a framework, or the handler's own decode",
    Owner.READ_HANDLER: "read handler",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that can raise a finding (`finding_class` set) or a remark (`finding_class` None).

    `id` is a path that explains itself, such as `segments/extra-separator`. `why`, `fix` and `not_this` are whole
    sentences, shown by `misread explain`, by reports and by the screen.
    """

    id: str
    title: str
    severity: Severity
    why: str
    fix: str
    not_this: str
    finding_class: FindingClass | None = None
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in a capture that supports a statement, and what is to be seen there."""

    seen: Seen
    what: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of one of the three classes. The first evidence is the primary one.

    `because` says why the certainty is not higher ("" where it is certain). `fingerprint` survives copying and
    growing a log; `subject` is what two logs are compared by (template, variables, caller, class). `new` says
    whether a baseline lacks it, None where none was given.
    """

    rule: Rule
    certainty: Certainty
    summary: str
    fix: str
    evidence: tuple[Evidence, ...]
    because: str = ""
    fingerprint: str = ""
    subject: str = ""
    new: bool | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something real and worth showing that is none of the three classes."""

    rule: Rule
    certainty: Certainty
    summary: str
    evidence: tuple[Evidence, ...] = ()
    severity: Severity = Severity.MILD


@dataclass(frozen=True, slots=True)
class Answer:
    """One question's answer to one read.

    `reason` is a stable code (see docs/rules.md), `because` one sentence in plain words, `missing` the one fact
    that would decide a `cannot_tell` ("" otherwise).
    """

    question: Question
    verdict: Verdict
    reason: str
    because: str
    missing: str = ""
    certainty: Certainty = Certainty.CERTAIN
    findings: tuple[Finding, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def cannot_tell(
        cls, question: Question, reason: str, because: str, missing: str, remarks: tuple[Remark, ...] = ()
    ) -> Answer:
        """The honest answer where the log does not decide, with the one fact that would."""
        return cls(question, Verdict.CANNOT_TELL, reason, because, missing, remarks=remarks)

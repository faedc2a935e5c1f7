"""What a person may choose about an export: what it hides, and what else it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Redaction:
    """What an export hides.

    `secrets` are credentials of every kind. `people` are session ids and e-mail addresses, which the JSON report
    keeps: programs join on them. `aliases` puts `tenant-1` and `caller-1` in the place of tenants and principals.
    """

    secrets: bool = True
    people: bool = True
    aliases: bool = False

    @property
    def off(self) -> bool:
        """Whether credentials and people stand as they are, which every export says loudly; aliases hide neither."""
        return not (self.secrets or self.people)


REDACTED = Redaction()
NO_REDACTION = Redaction(secrets=False, people=False)
LOUD = (
    "NOT REDACTED: credentials, e-mail addresses and session ids stand here as they stand in the log. "
    "Do not pass this on."
)


class ReviewNote(Protocol):
    """One note of a reviewer; both texts are as typed."""

    @property
    def text(self) -> str: ...

    @property
    def author(self) -> str: ...


class ReviewDecision(Protocol):
    """The last decision of one reviewer; all texts are as typed."""

    @property
    def decided(self) -> str: ...

    @property
    def author(self) -> str: ...

    @property
    def reason(self) -> str: ...


class Review(Protocol):
    """What reviewers think of a finding, as a case file has it; every text is as typed."""

    @property
    def state(self) -> str:
        """`new`, `confirmed` or `dismissed`."""

    @property
    def reason(self) -> str:
        """Why it was decided so; it may be empty."""

    @property
    def author(self) -> str:
        """Who decided; empty where nobody has."""

    @property
    def suppresses(self) -> bool:
        """Whether the finding is dismissed, and no other reviewer says otherwise."""

    @property
    def contradicted(self) -> bool:
        """Whether reviewers decide differently; `decisions` are what each of them says."""

    @property
    def decisions(self) -> Sequence[ReviewDecision]:
        """The last decision of each reviewer since the finding was reopened, in the order of time."""

    @property
    def notes(self) -> Sequence[ReviewNote]:
        """What reviewers wrote beside their decisions."""


Reviews = Callable[[str], Review | None]


def no_reviews(fingerprint: str) -> Review | None:
    """The lookup where no case file is given: nobody has decided anything."""
    return None


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen for an export.

    `reviews` looks up a finding's review by its fingerprint, `case_files` are the files that the reviews come
    from, each with its SHA-256. `contradictions` are what people state differently of a caller, each as the word
    `caller WHO=...` that a statement has.
    """

    redaction: Redaction = REDACTED
    reviews: Reviews = no_reviews
    case_files: tuple[tuple[str, str], ...] = ()
    contradictions: tuple[str, ...] = ()


DEFAULT = Choices()

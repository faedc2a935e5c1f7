"""Two captures compared: what was read, and what became of each fault."""

from __future__ import annotations

from dataclasses import dataclass

from diagnosis.after_fix.before_after import Status, Subject, compare
from diagnosis.after_fix.opening import opening
from diagnosis.after_fix.together import Together, judged_together
from diagnosis.diagnosis import Diagnosis


@dataclass(frozen=True, slots=True)
class Comparison:
    """The captures before and after a fix, their judgements, and the faults of both by what became of them."""

    before: Diagnosis
    after: Diagnosis
    together: Together
    subjects: tuple[Subject, ...]

    @property
    def opening(self) -> str:
        """What became of the faults, in one sentence."""
        return opening(self.subjects)

    def count(self, *statuses: Status) -> int:
        """How many subjects have one of these statuses."""
        return sum(each.status in statuses for each in self.subjects)


def compared(before: Diagnosis, after: Diagnosis) -> Comparison:
    """Compares two diagnoses that were read to the end with the same statements and token labels."""
    together = judged_together(before, after)
    return Comparison(before, after, together, compare(together.before, together.after))

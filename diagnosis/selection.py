"""Which reads are shown: the span of time, the sessions and the filter that a person asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from diagnosis.callers.principals import capture_stem
from diagnosis.options import Options
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.clock import moment


@dataclass(frozen=True, slots=True)
class Selection:
    """A limit on what is shown; what was left out still counts for every other read.

    `since` is inside the span and `until` is not. A read without a time on the common line of time is always shown:
    nobody can say that it lies outside. `sessions` are session ids, or names of captures without their suffix.
    `where` is a compiled filter.
    """

    since: datetime | None = None
    until: datetime | None = None
    sessions: frozenset[str] = frozenset()
    where: Callable[[Judgement], bool] | None = None

    @classmethod
    def of(cls, options: Options) -> Selection:
        """The selection that options ask for."""
        return cls(options.since, options.until, frozenset(options.sessions))

    @property
    def everything(self) -> bool:
        """Whether it limits nothing."""
        return self.since is None and self.until is None and not self.sessions and self.where is None

    def covers(self, judgement: Judgement) -> bool:
        """Whether a read is shown."""
        chosen = self.where is None or self.where(judgement)
        return chosen and self._in_session(judgement) and self._in_time(judgement)

    def is_timeless(self, judgement: Judgement) -> bool:
        """Whether a read is shown though the span asked for cannot be compared with its time."""
        spanned = self.since is not None or self.until is not None
        return spanned and moment(judgement.read.time, judgement.read.time_basis) is None and self.covers(judgement)

    def _in_session(self, judgement: Judgement) -> bool:
        if not self.sessions:
            return True
        return any(
            read.session in self.sessions or capture_stem(read.capture) in self.sessions
            for read in (judgement.read, *judgement.witnesses)
        )

    def _in_time(self, judgement: Judgement) -> bool:
        when = moment(judgement.read.time, judgement.read.time_basis)
        if when is None:
            return True
        return (self.since is None or when >= self.since) and (self.until is None or when < self.until)

"""What a person chooses about a report on the screen: which reads, how much is hidden, which format."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.loading import Diagnosed
from app.reviewing import CONFIRMED, EVERYTHING, choices_of, in_scope
from diagnosis.case import Case
from diagnosis.options import Options
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.tally import counted_as

# The words of the choices; the first of each is what is written where nothing is chosen.
REDACTIONS = ("on", "aliases", "off")
FORMATS = ("markdown", "json", "sarif", "text", "timeline", "chat")

Matches = Callable[[Judgement], bool]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the reads: its word on the screen, and what `--where` and `--scope` would say of it.

    `matches` is made when the report is, so that what was decided meanwhile counts.
    """

    word: str
    matches: Callable[[Case | None], Matches | None] = field(compare=False)
    where: str | None = None
    scope: str = EVERYTHING

    def options(self, options: Options) -> Options:
        """The options of a report on this part: the report says what was asked for."""
        return replace(options, where=self.where, scope=self.scope)


ALL = Part("all", lambda case: None)
ONLY_CONFIRMED = Part(CONFIRMED, lambda case: in_scope(CONFIRMED, case) if case else _nothing, scope=CONFIRMED)


def shown(reads: Collection[int], words: str) -> Part:
    """The reads that the list is narrowed to; `words` is the filter, or what else narrows it."""
    numbers = frozenset(reads)
    return Part("shown", lambda case: lambda judgement: judgement.read.number in numbers, where=words)


def this_finding(fingerprint: str) -> Part:
    """The reads with one finding."""
    return Part(
        "this finding",
        lambda case: lambda judgement: any(each.fingerprint == fingerprint for each in judgement.findings),
        scope=fingerprint,
    )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A report that is to be made."""

    part: Part = ALL
    redaction: str = REDACTIONS[0]
    format: str = FORMATS[0]


def rendered(diagnosis: Diagnosed, now: datetime, case: Case | None, wanted: Wanted) -> str:
    """The report's text. Reports are imported here: they load pydantic, and the first screen need not wait."""
    from diagnosis.reports import REPORTS

    limited = copy.copy(diagnosis)  # the screen goes on to show all reads
    limited.options = wanted.part.options(diagnosis.options)
    matches = wanted.part.matches(case)
    if matches is not None:
        limited.selection = replace(diagnosis.selection, where=matches)
    choices = choices_of(
        case or Case.open([], ""), no_redact=wanted.redaction == "off", aliases=wanted.redaction == "aliases"
    )
    chosen = next(one for one in REPORTS if one.name == wanted.format)
    return chosen.render(limited, now, choices)  # type: ignore[arg-type]


def finding_text(diagnosis: Diagnosed, judgement: Judgement, case: Case | None, limit: int) -> str:
    """The sections of a read's findings as the Markdown report has them, with the same labels for secrets.

    Whole sections only, as many as `limit` bytes hold; a last line says how many are left out. "" where none fits.
    """
    from diagnosis.reports.markdown import read_sections

    choices = choices_of(case or Case.open([], ""), no_redact=False, aliases=False)
    sections = read_sections(judgement, diagnosis.shown(), choices)
    for count in range(len(sections), 0, -1):
        left_out = len(sections) - count
        more = [f"Left out: {counted_as(left_out, 'further finding')} of this read."] if left_out else []
        text = "\n\n".join((*sections[:count], *more)) + "\n"
        if len(text.encode()) <= limit:
            return text
    return ""


def suffix(format_name: str) -> str:
    """The suffix of a format's files."""
    from diagnosis.reports import REPORTS

    return next(one.suffix for one in REPORTS if one.name == format_name)


def _nothing(judgement: Judgement) -> bool:
    return False

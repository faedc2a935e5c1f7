"""Five lines for a chat: whose documents went to whom, what was found, who owns it, what the log cannot tell.

Names of the log stand between quotes and can neither call anybody nor make a link. There is no document in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from diagnosis.callers.principals import PrincipalSource
from diagnosis.comparison import exposures
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import FindingClass, Question, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reports import asked
from diagnosis.reports.across import outside_cells
from diagnosis.reports.ascii import chat
from diagnosis.reports.choices import DEFAULT, Choices
from diagnosis.reports.front import CLASS_OWNERS
from diagnosis.reports.masking import Masking
from diagnosis.reports.tally import Tally, counted_as, is_partial, tally
from diagnosis.reports.version import version

_NAMED = 3


def render(diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT) -> str:
    """Returns five lines of printable ASCII; `now` is not used."""
    judgements = diagnosis.shown()
    masking = Masking(judgements, choices.redaction)
    counted = tally(judgements)
    return "\n".join(
        [
            _exposed(judgements, counted, masking),
            _found(judgements, counted),
            _undecided(counted),
            _read(diagnosis, counted),
            _made(masking),
            "",
        ]
    )


def _exposed(judgements: Sequence[Judgement], counted: Tally, masking: Masking) -> str:
    """Whose documents went to whom; where nobody is known to have got a stranger's, how many reads that leaves open."""
    cells = outside_cells(judgements)
    found = [one for one in exposures(judgements) if (one.tenant, one.caller, one.template) in cells]
    if not found:
        open_reads = counted_as(counted.cannot_tell[Question.PRINCIPAL], "read")
        return f"Exposed: nobody is known to have got a stranger's document; {open_reads} undecided."
    principals = {judgement.caller.id for judgement in judgements if judgement.caller is not None}
    claimed = {each.caller.id for each in judgements if each.caller and each.caller.source is PrincipalSource.CLAIMS}
    reads: Counter[tuple[str, str, str]] = Counter()
    for one in found:
        caller = masking.caller(one.caller, is_session=one.caller not in principals)
        known = "unverified claim, " if one.caller in claimed else ""
        reads[(masking.tenant(one.tenant), caller, known)] += one.reads
    told = [
        f"{chat(tenant)} to {chat(caller)} ({known}{counted_as(count, 'read')})"
        for (tenant, caller, known), count in reads.most_common(_NAMED)
    ]
    more = f" and {len(reads) - _NAMED} more" if len(reads) > _NAMED else ""
    likely = _likely(judgements)
    return f"Exposed: documents of {', '.join(told)}{more}{likely}."


def _likely(judgements: Sequence[Judgement]) -> str:
    """How sure the exposures are, where not all of them are certain."""
    sure = Counter(
        judgement.principal.certainty.value
        for judgement in judgements
        if judgement.principal.verdict is Verdict.NOT_CHECKED
    )
    return "" if set(sure) <= {"certain"} else "; " + ", ".join(f"{count} {word}" for word, count in sure.items())


def _found(judgements: Sequence[Judgement], counted: Tally) -> str:
    found = [
        f"{kind.value} {counted.findings[kind]} (owner: {CLASS_OWNERS[kind].value})"
        for kind in FindingClass
        if counted.findings[kind]
    ]
    severe = sum(finding.rule.severity.value == "severe" for each in judgements for finding in each.findings)
    return f"Findings: {', '.join(found)}; {severe} severe." if found else "Findings: none."


def _undecided(counted: Tally) -> str:
    told = ", ".join(f"{question.value} {counted.cannot_tell[question]}" for question in Question)
    return f"Cannot tell: {told}, of {counted.reads}; clean: {counted.clean} (allowed proves no check)."


def _read(diagnosis: Diagnosis, counted: Tally) -> str:
    paths = [chat(facts.path) for facts in diagnosis.captures]
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    names = (", ".join(paths[:_NAMED]) or "no capture") + more
    lines = counted_as(sum(facts.unreadable for facts in diagnosis.captures), "line")
    files = counted_as(len(diagnosis.refusals), "file")
    end = "PARTIAL" if is_partial(diagnosis) else "read to the end"
    hidden = asked.not_shown(diagnosis)
    findings = sum(bool(each.findings) for each in hidden)
    left = f"; NOT SHOWN: {counted_as(len(hidden), 'further read')}, {findings} with a finding" if hidden else ""
    return f"Read: {counted_as(counted.reads, 'read')} in {names}{left}; {end}; unreadable: {lines}, {files}."


def _made(masking: Masking) -> str:
    hidden = "NOT REDACTED, do not pass this on" if masking.redaction.off else f"redacted: {masking.summary()}"
    return f"By misread {version()}; {hidden}. The markdown report has the evidence."

"""The front of the Markdown report: what was read and given, and the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from diagnosis.diagnosis import Diagnosis
from diagnosis.ledger import CaptureFacts
from diagnosis.questions.findings import FindingClass, Owner, Question, Severity
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, prose, table
from diagnosis.reports.section import QUESTIONS
from diagnosis.reports.tally import Tally, counted_as, is_partial
from diagnosis.reports.version import version

_CLASS_OWNERS = {
    FindingClass.UNDER_ENCODING: Owner.CLIENT,
    FindingClass.DOUBLE_DECODE: Owner.BETWEEN,
    FindingClass.MISSING_AUTHORIZATION: Owner.READ_HANDLER,
}


def header(diagnosis: Diagnosis, masking: Masking, now: datetime) -> Iterator[str]:
    """Yields the title, the one dated line, and what was read and stated."""
    yield "# Misread incident report"
    yield f"Date: {now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    yield f"Tool: misread {code(version())}"
    if is_partial(diagnosis):
        yield "Partial: reading was stopped before the end. What follows holds for the part that was read."
    else:
        yield "Every capture that could be opened was read to its end."
    if any(facts.changed for facts in diagnosis.captures):
        yield "A capture changed while it was read; its hash and this report belong to what was read."
    yield from diagnosis.limits
    yield "## Captures"
    yield _captures(diagnosis.captures)
    blind = dict.fromkeys(facts.cannot_show for facts in diagnosis.captures if facts.cannot_show)
    if blind:
        yield "\n".join(f"- Captures of this kind never show: {prose(text)}" for text in blind)
    yield "\n".join(_given(diagnosis, masking))


def summary(judgements: Sequence[Judgement], counted: Tally) -> Iterator[str]:
    """Yields the findings by class with their owner, and how many answers are undecided."""
    severe: Counter[FindingClass | None] = Counter()
    for judgement in judgements:
        severe.update(
            finding.rule.finding_class for finding in judgement.findings if finding.rule.severity is Severity.SEVERE
        )
    yield "## Summary"
    found, undecided = (
        counted_as(counted.all_findings, "finding"),
        counted_as(counted.all_cannot_tell, "answer"),
    )
    yield f"{counted_as(counted.reads, 'read')}, {found}, {undecided} undecided."
    if counted.encode_blind or counted.decode_blind:
        yield (
            f"{counted_as(counted.encode_blind, 'intact read')} needed no encoding and so show nothing of the encoder; "
            f"{counted_as(counted.decode_blind, 'match')} left nothing to a second decode and so show nothing of the "
            "decoder."
        )
    yield table(
        ("Class", "Owner", "Findings", "Severe"),
        (
            (kind.value, owner.words, str(counted.findings[kind]), str(severe[kind]))
            for kind, owner in _CLASS_OWNERS.items()
        ),
    )
    yield table(
        ("Question", "Undecided"),
        (
            (title, f"{counted.cannot_tell[question]} of {counted.reads}")
            for title, question in zip(QUESTIONS, Question, strict=True)
        ),
    )


def _captures(captures: Sequence[CaptureFacts]) -> str:
    head = (
        *("Capture", "SHA-256", "Format", "Why", "Lines", "Blank", "Messages"),
        *("Other", "Unreadable", "Reads", "Read to the end"),
    )
    return table(
        head,
        (
            (
                *(
                    code(facts.path),
                    code(facts.sha256) if facts.sha256 else "not known",
                    code(facts.format),
                    prose(facts.why),
                ),
                *(str(facts.lines), str(facts.blank), str(facts.messages), str(facts.other)),
                *(str(facts.unreadable), str(facts.reads), "no" if facts.partial else "yes"),
            )
            for facts in captures
        ),
    )


def _given(diagnosis: Diagnosis, masking: Masking) -> Iterator[str]:
    statements = diagnosis.statements
    yield f"- Policy: {code(statements.policy_path) if statements.policy_path else 'none given'}"
    listed = "only those in the captures"
    yield f"- Templates: {code(statements.templates_path) if statements.templates_path else listed}"
    for word in statements.stated:
        yield f"- Stated by the person: {code(masking.stated(word))}"
    for name, value in diagnosis.options.items():
        yield f"- Option: {code(f'--{name} {value}')}"

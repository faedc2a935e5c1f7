"""The front of the Markdown report: when and by what it was made, the captures, and the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from diagnosis.diagnosis import Diagnosis
from diagnosis.ledger import CaptureFacts
from diagnosis.questions.findings import FindingClass, Owner, Question, Severity
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.asked import about_sets, about_shown
from diagnosis.reports.choices import LOUD
from diagnosis.reports.grouping import losses_of
from diagnosis.reports.limits import ROWS, rest
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, prose, table
from diagnosis.reports.section import QUESTIONS
from diagnosis.reports.tally import Tally, counted_as, is_partial
from diagnosis.reports.version import version

CLASS_OWNERS = {
    FindingClass.UNDER_ENCODING: Owner.CLIENT,
    FindingClass.DOUBLE_DECODE: Owner.BETWEEN,
    FindingClass.MISSING_AUTHORIZATION: Owner.READ_HANDLER,
}


def header(diagnosis: Diagnosis, masking: Masking, now: datetime) -> Iterator[str]:
    """Yields the title, the one dated line, and how far the captures were read."""
    yield "# Misread incident report"
    yield f"Date: {now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    yield f"Tool: misread {code(version())}"
    if masking.redaction.off:
        yield f"**{LOUD}**"
    if is_partial(diagnosis):
        yield "Partial: reading was stopped before the end. What follows holds for the part that was read."
    else:
        yield "Every capture that could be opened was read to its end."
    if any(facts.changed for facts in diagnosis.captures):
        yield "A capture changed while it was read; its hash and this report belong to what was read."
    yield from diagnosis.limits
    yield from map(prose, about_shown(diagnosis))


def capture_section(diagnosis: Diagnosis, judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """Yields what was read: every capture with its hash and counts, what belongs together, what none can show."""
    captures = diagnosis.captures
    yield "## Captures"
    yield _captures(captures, losses_of(judgements), masking)
    yield from map(prose, about_sets(diagnosis))
    blind = dict.fromkeys(facts.cannot_show for facts in captures if facts.cannot_show)
    if blind:
        yield "\n".join(f"- Captures of this kind never show: {prose(text)}" for text in blind)


def summary(judgements: Sequence[Judgement], counted: Tally, masking: Masking) -> Iterator[str]:
    """Yields the findings by class with their owner, by template and tenant, and how many answers are undecided."""
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
            "Reads that say nothing about the encoder, because nothing in them needed encoding: "
            f"{counted.encode_blind}; about the decoder, because they left nothing to a second decode: "
            f"{counted.decode_blind}."
        )
    yield table(
        ("Class", "Owner", "Findings", "Severe"),
        (
            (kind.value, owner.words, str(counted.findings[kind]), str(severe[kind]))
            for kind, owner in CLASS_OWNERS.items()
        ),
    )
    yield from _places(judgements, masking)
    yield table(
        ("Question", "Undecided"),
        (
            (title, f"{counted.cannot_tell[question]} of {counted.reads}")
            for title, question in zip(QUESTIONS, Question, strict=True)
        ),
    )


def _places(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """Where the findings are: by class, template and the tenant whose document came back."""
    places: Counter[tuple[FindingClass, str | None, str | None]] = Counter()
    for judgement in judgements:
        tenant = judgement.tenants[-1] if judgement.tenants else None
        for finding in judgement.findings:
            if finding.rule.finding_class is not None:
                places[(finding.rule.finding_class, judgement.template, tenant)] += 1
    if not places:
        return
    order = list(CLASS_OWNERS)
    found = sorted(places.items(), key=lambda each: order.index(each[0][0]))
    yield table(
        ("Class", "Owner", "Template", "Tenant received", "Findings"),
        (
            (
                kind.value,
                CLASS_OWNERS[kind].value,
                code(masking.uri(template)) if template else "none",
                code(masking.tenant(tenant)) if tenant else "none known",
                str(count),
            )
            for (kind, template, tenant), count in found[:ROWS]
        ),
    )
    yield from rest(len(found), "places")


def _captures(captures: Sequence[CaptureFacts], losses: Mapping[str, Sequence[str]], masking: Masking) -> str:
    head = (
        *("Capture", "SHA-256", "Format", "Why", "Lines", "Blank", "Messages"),
        *("Other", "Unreadable", "Reads", "Not kept as sent", "Read to the end"),
    )
    return table(
        head,
        (
            (
                *(
                    code(facts.path),
                    code(facts.sha256) if facts.sha256 else "not known",
                    code(facts.format),
                    prose(masking.text(facts.why)),
                ),
                *(str(facts.lines), str(facts.blank), str(facts.messages), str(facts.other)),
                *(str(facts.unreadable), str(facts.reads)),
                ", ".join(losses.get(facts.path, ())) or "nothing known",
                "no" if facts.partial else "yes",
            )
            for facts in captures
        ),
    )

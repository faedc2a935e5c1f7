"""The comparison as a section for a ticket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from diagnosis.after_fix.before_after import Status, Subject
from diagnosis.after_fix.comparison import Comparison
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.asked import words
from diagnosis.reports.compare_parts import hidden, rules_of, standing
from diagnosis.reports.grouping import caller_of
from diagnosis.reports.limits import ROWS, rest
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, prose, table
from diagnosis.reports.section import place
from diagnosis.reports.tally import counted_as, is_all_read
from diagnosis.reports.version import version

_PLACES = 3
_MEANS = {
    Status.STILL: "read again by the same caller, and the fault is there",
    Status.NEW: "a fault of AFTER that BEFORE does not show",
    Status.UNDECIDED: "read again, and the log does not decide the question",
    Status.NOT_EXERCISED: "not read again by the same caller, or without an answer; that proves nothing",
    Status.GONE: "the same values were read again by the same caller, and every answer that came is decided and clean",
}


def render(comparison: Comparison, now: datetime | None = None) -> str:
    """Returns the section as Markdown; only its `Date:` line depends on `now`."""
    masking = Masking((*comparison.together.before, *comparison.together.after))
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    parts = [
        "## After the fix",
        prose(comparison.opening),
        *map(prose, standing(comparison)),
        *_subjects(comparison.subjects, masking),
        "### What was compared",
        f"Date: {moment:%Y-%m-%dT%H:%M:%SZ}",
        f"Tool: misread {code(version())}",
        _captures(comparison),
        "\n".join(_given(comparison, masking)),
    ]
    return "\n\n".join(parts) + "\n"


def _subjects(subjects: Sequence[Subject], masking: Masking) -> Iterator[str]:
    if not subjects:
        return
    ordered = sorted(subjects, key=lambda each: list(Status).index(each.status))
    yield "### What became of each fault"
    yield table(
        ("Status", "Class", "Rules", "Before", "After", "Caller", "Why"),
        (
            (
                each.status.value,
                each.kind.value,
                ", ".join(map(code, rules_of(each))),
                _reads(each.before, masking),
                _reads([one.judgement for one in each.after], masking),
                _caller(each.shown, masking),
                prose(hidden(each, masking.of)),
            )
            for each in ordered[:ROWS]
        ),
    )
    yield from rest(len(subjects), "faults")
    met = {each.status for each in subjects}
    yield "\n".join(f"- {status.value}: {words}" for status, words in _MEANS.items() if status in met)


def _reads(reads: Sequence[Judgement], masking: Masking) -> str:
    """The URIs of some reads, each with its first place; how many more there are."""
    if not reads:
        return "none"
    first: dict[str | None, Judgement] = {}
    for each in reads:
        first.setdefault(each.read.uri, each)
    shown = [
        f"{code(masking.uri(uri)) if uri is not None else 'no URI'} at {place(each)}"
        for uri, each in list(first.items())[:_PLACES]
    ]
    more = len(reads) - len(shown)
    return "; ".join(shown) + (f"; {counted_as(more, 'more read')}" if more else "")


def _caller(judgement: Judgement, masking: Masking) -> str:
    if judgement.caller is None:
        return "unknown"
    caller, is_session = caller_of(judgement)
    return code(masking.caller(caller, is_session=is_session))


def _captures(comparison: Comparison) -> str:
    sides: tuple[tuple[str, Diagnosis], ...] = (("before", comparison.before), ("after", comparison.after))
    return table(
        ("Side", "Capture", "SHA-256", "Reads", "Everything read"),
        (
            (
                side,
                code(facts.path),
                code(facts.sha256) if facts.sha256 else "not known",
                str(facts.reads),
                "yes" if is_all_read(diagnosis) else "no",
            )
            for side, diagnosis in sides
            for facts in diagnosis.captures
        ),
    )


def _given(comparison: Comparison, masking: Masking) -> Iterator[str]:
    statements = comparison.before.statements
    yield f"- Policy: {code(statements.policy_path) if statements.policy_path else 'none given'}"
    if statements.templates_path:
        yield f"- Templates: {code(statements.templates_path)}"
    for word in statements.stated:
        yield f"- Stated by the person: {code(masking.stated(word))}"
    for name, value in words(comparison.before, masking, left_out=False):
        yield f"- Option: {code(f'{name} {value}'.rstrip())}"
    for side, only in (("before", comparison.together.only_before), ("after", comparison.together.only_after)):
        if only:
            listed = ", ".join(map(code, only[:ROWS]))
            yield f"- Listed only {side}: {listed}. They count for both sides where no other template fits."

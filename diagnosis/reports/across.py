"""The sections of the incident report that several reads make together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from diagnosis.comparison import CheckState, Exposure, Row, checks, exposures, matrix
from diagnosis.questions.findings import Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.grouping import caller_of
from diagnosis.reports.limits import ROWS, rest
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, table

_COLUMNS = 12  # tenants beyond these are counted together: a wider table cannot be read


def outside_cells(judgements: Iterable[Judgement]) -> set[tuple[str, str | None, str | None]]:
    """The exposures, by tenant, caller and template, in which a caller was served what it may not see."""
    return {
        (tenant, caller_of(judgement)[0], judgement.template)
        for judgement in judgements
        if judgement.principal.verdict is Verdict.NOT_CHECKED
        for tenant in judgement.tenants[-1:]
    }


def exposure_section(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """Whose documents went to whom, where a finding or a known caller makes that a question at all."""
    outside = outside_cells(judgements)
    principals = {judgement.caller.id for judgement in judgements if judgement.caller is not None}
    found = list(exposures(judgements))
    if not found or not (outside or principals):
        return
    found.sort(key=lambda one: (one.tenant, one.caller, one.template) not in outside)
    yield "## Whose documents went to whom"
    yield "Successful reads by tenant received, caller and template. An `allowed` read proves no check."
    yield table(
        (
            "Tenant received",
            "Caller",
            "Template",
            "Reads",
            "First",
            "Last",
            "Outside what the caller may see",
        ),
        (
            _exposure(one, masking, principals, (one.tenant, one.caller, one.template) in outside)
            for one in found[:ROWS]
        ),
    )
    yield from rest(len(found), "exposures")


def _exposure(one: Exposure, masking: Masking, principals: set[str], outside: bool) -> tuple[str, ...]:
    caller = masking.caller(one.caller, is_session=one.caller not in principals)
    return (
        *(
            code(masking.tenant(one.tenant)),
            code(caller),
            code(masking.uri(one.template)) if one.template else "none",
            str(one.reads),
        ),
        *(code(masking.text(time)) if time else "no time" for time in (one.first, one.last)),
        "**yes**" if outside else "not found to be",
    )


def matrix_section(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """The principal x tenant matrix, where there is more than one cell to compare."""
    rows = matrix(judgements)
    tenants = list(dict.fromkeys(tenant for row in rows for tenant, _ in row.reads))
    if len(rows) < 2 and len(tenants) < 2:
        return
    yield "## Callers and tenants"
    yield (
        "Successful reads by caller and tenant received; a cell in bold is outside what the caller may see. "
        "The order is where to look first, and no cell is a finding by itself."
    )
    shown = tenants[:_COLUMNS]
    wide = len(tenants) > _COLUMNS
    head = ("Caller", "Known by", *(code(masking.tenant(tenant)) for tenant in shown), *(["others"] if wide else []))
    yield table(head, (_matrix_row(row, shown, wide, masking) for row in rows[:ROWS]))
    yield from rest(len(rows), "callers")


def _matrix_row(row: Row, shown: Sequence[str], wide: bool, masking: Masking) -> tuple[str, ...]:
    counts = dict(row.reads)
    cells = [f"**{counts[t]}**" if t in row.foreign else str(counts[t]) if t in counts else "" for t in shown]
    others = sum(count for tenant, count in row.reads if tenant not in shown)
    caller = code(masking.caller(row.caller, is_session=row.basis == "session"))
    return (caller, row.basis, *cells, *([str(others)] if wide else []))


_STATES = {
    CheckState.EVIDENCED: "a check is evidenced: the same URI was refused to one caller and served to another",
    CheckState.MISSING: "a check is missing: at least one certain violation",
    CheckState.INCONSISTENT: "a check is inconsistent: there is evidence for one, and a certain violation",
    CheckState.NOT_EVIDENCED: "not evidenced",
}


def check_section(judgements: Sequence[Judgement], masking: Masking) -> Iterator[str]:
    """One line for each template on the check itself, where the reads show anything of it."""
    found = [check for check in checks(judgements) if check.state is not CheckState.NOT_EVIDENCED]
    if not found:
        return
    yield "## The check itself"
    yield "What the reads of one template show together. Allowed reads never prove a check."
    yield table(
        ("Template", "State", "Contrast pairs", "Certain violations"),
        (
            (code(masking.uri(check.template)), _STATES[check.state], str(len(check.pairs)), str(check.violations))
            for check in found[:ROWS]
        ),
    )
    yield from rest(len(found), "templates")

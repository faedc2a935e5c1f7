"""The comparison in a few lines: the opening sentence, and one line for each fault."""

from __future__ import annotations

from datetime import datetime

from diagnosis.after_fix.before_after import Status
from diagnosis.after_fix.comparison import Comparison
from diagnosis.reports.compare_parts import hidden, standing
from diagnosis.reports.limits import ROWS, rest
from diagnosis.reports.masking import Masking
from diagnosis.visible import visible


def render(comparison: Comparison, now: datetime | None = None) -> str:
    """Returns the summary as printable text; `now` is not used."""
    masking = Masking((*comparison.together.before, *comparison.together.after))
    counts = ", ".join(f"{status.value} {comparison.count(status)}" for status in Status)
    lines = [comparison.opening, *standing(comparison), counts]
    for each in sorted(comparison.subjects, key=lambda one: list(Status).index(one.status))[:ROWS]:
        shown = each.shown
        uri = masking.uri(shown.read.uri) if shown.read.uri is not None else "no URI"
        caller = masking.caller(shown.caller.id if shown.caller else None, is_session=False)
        span = shown.read.request.span
        where = f"{span.capture}:{span.line}"
        lines += [
            f"{each.status.value}: {each.kind.value}, {visible(caller)}, {visible(uri)} ({visible(where)})",
            f"  {visible(hidden(each, masking.of))}",
        ]
    return "\n".join((*lines, *rest(len(comparison.subjects), "faults"), ""))

"""The one sentence that a comparison begins with: for each class that is met, what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diagnosis.after_fix.before_after import Status, Subject
from diagnosis.questions.findings import FindingClass, Verdict

NOTHING = "BEFORE shows no finding and neither does AFTER: there is nothing to compare."

# For one fault, and for several that all became the same.
_ALL: dict[FindingClass, dict[Status, tuple[str, str]]] = {
    FindingClass.UNDER_ENCODING: {
        Status.GONE: ("the encoding is fixed", "all {n} encoding faults are fixed"),
        Status.STILL: ("the encoding fault is still there", "all {n} encoding faults are still there"),
        Status.NEW: ("an encoding fault is new", "{n} encoding faults are new"),
        Status.UNDECIDED: (
            "whether the encoding is fixed stays undecided",
            "whether the {n} encoding faults are fixed stays undecided",
        ),
        Status.NOT_EXERCISED: (
            "the encoding fault was not exercised again, which proves nothing",
            "the {n} encoding faults were not exercised again, which proves nothing",
        ),
    },
    FindingClass.DOUBLE_DECODE: {
        Status.GONE: ("the double decode is gone", "all {n} double decodes are gone"),
        Status.STILL: ("the double decode is still there", "all {n} double decodes are still there"),
        Status.NEW: ("a double decode is new", "{n} double decodes are new"),
        Status.UNDECIDED: (
            "whether the double decode is gone stays undecided",
            "whether the {n} double decodes are gone stays undecided",
        ),
        Status.NOT_EXERCISED: (
            "the double decode was not exercised again, which proves nothing",
            "the {n} double decodes were not exercised again, which proves nothing",
        ),
    },
    FindingClass.MISSING_AUTHORIZATION: {
        Status.GONE: (
            "the unauthorized read is no longer served, which proves no check",
            "none of the {n} unauthorized reads is served any longer, which proves no check",
        ),
        Status.STILL: ("the unauthorized read is still reachable", "all {n} unauthorized reads are still reachable"),
        Status.NEW: ("an unauthorized read is new", "{n} unauthorized reads are new"),
        Status.UNDECIDED: (
            "whether the unauthorized read is still reachable stays undecided",
            "whether the {n} unauthorized reads are still reachable stays undecided",
        ),
        Status.NOT_EXERCISED: (
            "the unauthorized read was not tried again, which proves nothing",
            "the {n} unauthorized reads were not tried again, which proves nothing",
        ),
    },
}
_REFUSED = (
    "the unauthorized read is refused now, which is consistent with a check and proves none",
    "all {n} unauthorized reads are refused now, which is consistent with a check and proves none",
)
_NOUNS = {
    FindingClass.UNDER_ENCODING: "encoding faults",
    FindingClass.DOUBLE_DECODE: "double decodes",
    FindingClass.MISSING_AUTHORIZATION: "unauthorized reads",
}
_IN_A_LIST = {
    Status.STILL: "still there",
    Status.NEW: "new",
    Status.UNDECIDED: "undecided",
    Status.NOT_EXERCISED: "not exercised again",
    Status.GONE: "gone",
}


def opening(subjects: Sequence[Subject]) -> str:
    """One sentence that is true of every subject; classes that are in neither capture are left out."""
    clauses = "; ".join(_clauses(subjects))
    return f"{clauses[0].upper()}{clauses[1:]}." if clauses else NOTHING


def _clauses(subjects: Sequence[Subject]) -> Iterator[str]:
    for kind in FindingClass:
        own = [each for each in subjects if each.kind is kind]
        statuses = {each.status for each in own}
        if len(statuses) == 1:
            one, many = _REFUSED if _all_refused(own) else _ALL[kind][own[0].status]
            yield one if len(own) == 1 else _counted(many, len(own))
        elif own:
            counts = {status: sum(each.status is status for each in own) for status in Status}
            parts = (f"{count} {_IN_A_LIST[status]}" for status, count in counts.items() if count)
            yield f"{_NOUNS[kind]}: {', '.join(parts)}"


def _counted(words: str, count: int) -> str:
    said = words.format(n=count)
    return said.replace("all 2 ", "both ").replace("none of the 2 ", "neither of the 2 ") if count == 2 else said


def _all_refused(own: Sequence[Subject]) -> bool:
    return all(each.status is Status.GONE and each.clean_verdicts == {Verdict.REFUSED} for each in own)

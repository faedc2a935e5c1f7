"""What only several reads show together: exposures, the principal x tenant matrix, checks, blast radius."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from diagnosis.callers.principals import capture_stem
from diagnosis.questions.contrast import CLOSE
from diagnosis.questions.findings import Certainty, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import DocumentKind, Outcome
from diagnosis.uris.path_safety import screen_layers

URI_LIMIT = 20  # distinct URIs kept of one exposure


@dataclass(frozen=True, slots=True)
class Exposure:
    """Documents of one tenant that one caller was served through one template.

    `caller` is the principal's id, else the session, else None. `first` and `last` are the answers' times as the
    log has them; `uris` are distinct and at most twenty.
    """

    tenant: str
    caller: str | None
    template: str | None
    reads: int
    first: str | None
    last: str | None
    uris: tuple[str, ...]


def exposures(judgements: Iterable[Judgement]) -> tuple[Exposure, ...]:
    """Groups the successful reads of known tenants by tenant received, caller and template, in log order."""
    groups: dict[tuple[str, str | None, str | None], list[Judgement]] = {}
    for judgement in judgements:
        if judgement.tenants and is_served(judgement):
            caller = judgement.caller.id if judgement.caller else judgement.read.session
            groups.setdefault((judgement.tenants[-1], caller, judgement.template), []).append(judgement)
    return tuple(_exposure(key, group) for key, group in groups.items())


def is_served(judgement: Judgement) -> bool:
    """Whether a document with content came back."""
    response = judgement.read.response
    if judgement.read.outcome is not Outcome.RESULT or response is None:
        return False
    return any(each.document.kind is not DocumentKind.EMPTY for each in response.contents)


def _exposure(key: tuple[str, str | None, str | None], group: list[Judgement]) -> Exposure:
    tenant, caller, template = key
    first, last = _first_and_last(group)
    uris = dict.fromkeys(each.read.uri for each in group if each.read.uri is not None)
    return Exposure(tenant, caller, template, len(group), first, last, tuple(uris)[:URI_LIMIT])


def _first_and_last(group: Iterable[Judgement]) -> tuple[str | None, str | None]:
    times = [time for each in group if (time := each.read.response.time if each.read.response else None)]
    return (times[0], times[-1]) if times else (None, None)


@dataclass(frozen=True, slots=True)
class Row:
    """One caller's successful reads by tenant. `foreign` are the tenants it may not see, `basis` says who it is by.

    `basis` is `principal`, or the best known stand-in: `session` or `capture`.
    """

    caller: str
    basis: str
    reads: tuple[tuple[str, int], ...]
    foreign: tuple[str, ...] = ()


def matrix(judgements: Iterable[Judgement]) -> tuple[Row, ...]:
    """Who was served whose documents, and how often; it orders the work and is never a finding.

    Rows that touch one tenant often and another one rarely come first, after rows with foreign tenants.
    """
    counts: dict[tuple[str, str], dict[str, int]] = {}
    foreign: dict[tuple[str, str], dict[str, None]] = {}
    for judgement in judgements:
        if not judgement.tenants or not is_served(judgement):
            continue
        key, tenant = _known_by(judgement), judgement.tenants[-1]
        row = counts.setdefault(key, {})
        row[tenant] = row.get(tenant, 0) + 1
        if judgement.principal.verdict is Verdict.NOT_CHECKED:
            foreign.setdefault(key, {})[tenant] = None
    rows = [
        Row(who, basis, tuple(sorted(reads.items())), tuple(foreign.get((who, basis), {})))
        for (who, basis), reads in counts.items()
    ]
    return tuple(sorted(rows, key=lambda row: (not row.foreign, -_lopsided(row), row.caller)))


def _known_by(judgement: Judgement) -> tuple[str, str]:
    if judgement.caller is not None:
        return judgement.caller.id, "principal"
    if judgement.read.session is not None:
        return judgement.read.session, "session"
    return capture_stem(judgement.read.capture), "capture"


def _lopsided(row: Row) -> float:
    """How far one tenant's reads outnumber the rarest one's; 0 where there is one tenant."""
    counts = [count for _, count in row.reads]
    return max(counts) / min(counts) if len(counts) > 1 else 0.0


class CheckState(StrEnum):
    """What the reads of one template show of a check in its handler; allowed reads never prove one."""

    EVIDENCED = "evidenced"
    MISSING = "missing"
    INCONSISTENT = "inconsistent"
    NOT_EVIDENCED = "not evidenced"


@dataclass(frozen=True, slots=True)
class ContrastPair:
    """The same URI refused to one known caller and served to another one, close in time."""

    refused: Judgement
    served: Judgement


@dataclass(frozen=True, slots=True)
class Check:
    """What the reads of one template show of the check: pairs that speak for one, violations that speak against."""

    template: str
    state: CheckState
    pairs: tuple[ContrastPair, ...]
    violations: int


def checks(judgements: Sequence[Judgement]) -> tuple[Check, ...]:
    """One line on the check itself for every template that was read, in log order."""
    templates: dict[str, list[Judgement]] = {}
    for judgement in judgements:
        if judgement.template is not None and judgement.readings:
            templates.setdefault(judgement.template, []).append(judgement)
    return tuple(_check(template, group) for template, group in templates.items())


def _check(template: str, group: list[Judgement]) -> Check:
    pairs = contrast_pairs(group)
    violations = sum(_is_certain_violation(each) for each in group)
    if pairs and violations:
        state = CheckState.INCONSISTENT
    elif violations:
        state = CheckState.MISSING
    else:
        state = CheckState.EVIDENCED if pairs else CheckState.NOT_EVIDENCED
    return Check(template, state, pairs, violations)


def _is_certain_violation(judgement: Judgement) -> bool:
    answer = judgement.principal
    return answer.verdict is Verdict.NOT_CHECKED and answer.certainty is Certainty.CERTAIN


def contrast_pairs(judgements: Iterable[Judgement]) -> tuple[ContrastPair, ...]:
    """Every refusal that another known caller's success on the same URI makes telling, one pair for each.

    The refusal must be explained neither by question 1 nor by a path screen, and lie within ten minutes.
    """
    served: dict[tuple[str, str | None], list[Judgement]] = {}
    refused: list[Judgement] = []
    for judgement in judgements:
        if judgement.caller is None:
            continue
        if is_served(judgement):
            served.setdefault((judgement.read.capture_set, judgement.read.uri), []).append(judgement)
        elif judgement.read.outcome is Outcome.ERROR and _is_unexplained(judgement):
            refused.append(judgement)
    pairs = []
    for each in refused:
        others = served.get((each.read.capture_set, each.read.uri), [])
        other = next((o for o in others if _differs(each, o) and _is_close(each, o)), None)
        if other is not None:
            pairs.append(ContrastPair(each, other))
    return tuple(pairs)


def _is_unexplained(judgement: Judgement) -> bool:
    if judgement.segments.verdict is not Verdict.INTACT or not judgement.readings:
        return False
    layers = (screen_layers(binding.raw) for binding in judgement.readings[0].bindings)
    return all(each.once is None and each.twice is None for each in layers)


def _differs(one: Judgement, other: Judgement) -> bool:
    return one.caller is not None and other.caller is not None and one.caller.id != other.caller.id


def _is_close(one: Judgement, other: Judgement) -> bool:
    """Whether two reads lie close in time; reads without a known time are not compared."""
    try:
        times = [datetime.fromisoformat(each.read.time or "") for each in (one, other)]
        return abs(times[0] - times[1]) <= CLOSE
    except (ValueError, TypeError):
        return False


@dataclass(frozen=True, slots=True)
class Radius:
    """Who else: the other reads with the same defect in the same template, or in the same matrix cell."""

    same_defect: tuple[int, ...]
    same_cell: tuple[int, ...]
    first: str | None
    last: str | None


class Radii:
    """Looks up, for many findings, which other reads share their defect or their matrix cell."""

    def __init__(self, judgements: Sequence[Judgement]) -> None:
        self._defects: dict[tuple[str | None, str], list[Judgement]] = {}
        self._cells: dict[tuple[tuple[str, str], str], list[Judgement]] = {}
        for each in judgements:
            for rule_id in dict.fromkeys(finding.rule.id for finding in each.findings):
                self._defects.setdefault((each.template, rule_id), []).append(each)
            if each.tenants and is_served(each):
                self._cells.setdefault(_cell(each), []).append(each)

    def in_cell(self, caller: str, basis: str, tenant: str) -> tuple[int, ...]:
        """The numbers of the reads that one cell of the matrix counts, in log order."""
        return tuple(each.read.number for each in self._cells.get(((caller, basis), tenant), ()))

    def of(self, judgement: Judgement, rule_id: str) -> Radius:
        """From one finding to every other read like it, by read number, with the first and last time of any."""
        defect = self._defects.get((judgement.template, rule_id), [])
        cell = self._cells.get(_cell(judgement), []) if judgement.tenants else []
        numbers = {each.read.number: each for each in (*defect, *cell)}
        first, last = _first_and_last(numbers[number] for number in sorted(numbers))
        own = judgement.read.number
        return Radius(
            same_defect=tuple(each.read.number for each in defect if each.read.number != own),
            same_cell=tuple(each.read.number for each in cell if each.read.number != own),
            first=first,
            last=last,
        )


def _cell(judgement: Judgement) -> tuple[tuple[str, str], str]:
    return _known_by(judgement), judgement.tenants[-1] if judgement.tenants else ""

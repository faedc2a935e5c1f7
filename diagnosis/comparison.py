"""What only several reads show together: whose documents went to whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import DocumentKind, Outcome

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
        if judgement.tenants and _served(judgement):
            caller = judgement.caller.id if judgement.caller else judgement.read.session
            groups.setdefault((judgement.tenants[-1], caller, judgement.template), []).append(judgement)
    return tuple(_exposure(key, group) for key, group in groups.items())


def _served(judgement: Judgement) -> bool:
    response = judgement.read.response
    if judgement.read.outcome is not Outcome.RESULT or response is None:
        return False
    return any(each.document.kind is not DocumentKind.EMPTY for each in response.contents)


def _exposure(key: tuple[str, str | None, str | None], group: list[Judgement]) -> Exposure:
    tenant, caller, template = key
    times = [time for each in group if (time := each.read.response.time if each.read.response else None)]
    uris = dict.fromkeys(each.read.uri for each in group if each.read.uri is not None)
    return Exposure(
        tenant=tenant,
        caller=caller,
        template=template,
        reads=len(group),
        first=times[0] if times else None,
        last=times[-1] if times else None,
        uris=tuple(list(uris)[:URI_LIMIT]),
    )

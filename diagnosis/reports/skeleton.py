"""A policy file to fill in: who was seen in the captures, with nothing said yet of what they may see."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from diagnosis.callers.principals import capture_stem
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Read


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The text of a policy file, and the names in the log that no policy can hold."""

    text: str
    left_out: tuple[str, ...]


@dataclass(slots=True)
class _Caller:
    kind: str
    name: str
    tenants: dict[str, None] = field(default_factory=dict)


def skeleton(judgements: Iterable[Judgement]) -> Skeleton:
    """Returns a policy with one principal for each subject, and for each session or capture that names none.

    `allowed_tenants` is null, which means unknown; `tenants_seen` are the tenants that the caller asked for or was
    served, and count for nothing. JSON in ASCII: whatever the log holds, it is text.
    """
    callers: dict[tuple[str, str], _Caller] = {}
    for each in judgements:
        kind, name = _recognised(each.read)
        caller = callers.setdefault((kind, name), _Caller(kind, name))
        caller.tenants.update(dict.fromkeys(tenant for tenant in each.tenants if _can_stand(tenant)))
    # A principal's id is a subject too: subjects come first, so that no session takes the name of one.
    ordered = sorted(callers.values(), key=lambda caller: caller.kind != "subjects")
    usable = [caller for caller in ordered if _can_be_named(caller)]
    taken: set[str] = set()
    policy = {"principals": [_principal(caller, taken) for caller in usable], "shared_tenants": []}
    left_out = tuple(caller.name for caller in ordered if not _can_be_named(caller))
    return Skeleton(json.dumps(policy, indent=2, ensure_ascii=True) + "\n", left_out)


def _recognised(read: Read) -> tuple[str, str]:
    """How a policy can recognise the caller of a read: by the member of a principal, and a name in it."""
    if read.credential is not None and read.credential.subject is not None:
        return "subjects", read.credential.subject
    return "sessions", capture_stem(read.capture) if read.session is None else read.session


def _can_be_named(caller: _Caller) -> bool:
    """Whether a policy can mean this caller: a star in it means anybody."""
    return caller.name != "*" and _can_stand(caller.name)


def _can_stand(name: str) -> bool:
    """Whether a name can stand in a file: a lone surrogate is no text that any file holds."""
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)


def _principal(caller: _Caller, taken: set[str]) -> dict[str, object]:
    name, number = caller.name, 1
    while name in taken:
        number += 1
        name = f"{caller.name} ({number})"
    taken.add(name)
    return {
        "id": name,
        "sessions": [caller.name] if caller.kind == "sessions" else [],
        "subjects": [caller.name] if caller.kind == "subjects" else [],
        "allowed_tenants": None,
        "tenants_seen": list(caller.tenants),
    }

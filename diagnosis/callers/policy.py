"""The policy file: who may see what, and which value of a read is the tenant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diagnosis.callers.policy_shape import PolicyShape


@dataclass(frozen=True, slots=True)
class PolicyPrincipal:
    """One caller of the policy: how to recognise it, and what it may see (None: unknown).

    `sessions` are session ids or capture file stems, `subjects` are token subjects or the ids of records' own
    principal fields; `"*"` in either stands for any. `stated` is True where a person said it for this run only.
    """

    id: str
    sessions: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    allowed_tenants: tuple[str, ...] | None = None
    admin: bool = False
    stated: bool = False


@dataclass(frozen=True, slots=True)
class TenantPlace:
    """Where a template's tenant stands: a variable, one path segment of it (counted from 1), or a field."""

    variable: str | None = None
    segment: int | None = None
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may see what. `tenant_of` maps a template to its tenant's place, None meaning that it has no tenant.

    `not_paths` maps a template to variables that are no paths, and so are exempt from the path screen.
    """

    principals: tuple[PolicyPrincipal, ...] = ()
    shared_tenants: tuple[str, ...] = ()
    tenant_fields: tuple[str, ...] = ()
    tenant_of: Mapping[str, TenantPlace | None] = field(default_factory=lambda: MappingProxyType({}))
    not_paths: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


ALL_TENANTS = "*"
NO_TENANT = '`*` is no tenant\'s name; a caller who may see every tenant has "admin": true in a policy file'


class PolicyError(ValueError):
    """A policy that cannot be used; the text is one sentence that names the place."""


def parse_policy(text: str) -> Policy:
    """Reads the text of a policy file.

    Raises:
        PolicyError: the text is not JSON, or not a policy; the sentence names the place.
    """
    try:
        value = json.loads(text, object_pairs_hook=_once)
    except _TwiceError as error:
        raise PolicyError(f"{error.args[0]}: it stands twice in one object") from None
    except (ValueError, RecursionError) as error:
        raise PolicyError(f"it is not JSON: {error}") from None
    # pydantic takes a tenth of a second to load, and most runs are given no policy file.
    from pydantic import ValidationError

    from diagnosis.callers.policy_shape import PolicyShape

    try:
        model = PolicyShape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise PolicyError(f"{place}: {first['msg'].removeprefix('Value error, ')}") from None
    return _frozen(model)


class _TwiceError(Exception):
    pass


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of two, JSON parsers keep the last, and the person meant both."""
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        raise _TwiceError(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return value


def _frozen(model: PolicyShape) -> Policy:
    principals = tuple(
        PolicyPrincipal(
            id=each.id,
            sessions=tuple(each.sessions),
            subjects=tuple(each.subjects),
            allowed_tenants=None if each.allowed_tenants is None else tuple(each.allowed_tenants),
            admin=each.admin,
        )
        for each in model.principals
    )
    places = {
        template: None if place is None else TenantPlace(place.variable, place.segment, place.field)
        for template, place in model.tenant_of.items()
    }
    return Policy(
        principals=principals,
        shared_tenants=tuple(model.shared_tenants),
        tenant_fields=tuple(model.tenant_fields),
        tenant_of=MappingProxyType(places),
        not_paths=MappingProxyType({key: tuple(names) for key, names in model.not_paths.items()}),
    )

"""The policy file: who may see what, and which value of a read is the tenant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PolicyPrincipal:
    """One caller of the policy: how to recognise it, and what it may see (None: unknown)."""

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
    """Who may see what. `tenant_of` maps a template to its tenant's place, None meaning that it has no tenant."""

    principals: tuple[PolicyPrincipal, ...] = ()
    shared_tenants: tuple[str, ...] = ()
    tenant_fields: tuple[str, ...] = ()
    tenant_of: Mapping[str, TenantPlace | None] = field(default_factory=dict)
    not_paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

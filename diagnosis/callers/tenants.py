"""Which value of a read is the tenant: the one requested (a variable) and the one received (a document field).

A name alone makes a tenant only where it is a strong one; a weak name needs values that overlap what callers are
said to see. Position in the URI, or standing in its authority, is never enough.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from diagnosis.callers.policy import Policy, TenantPlace
from diagnosis.reads.read import FieldValue
from diagnosis.uris.path_safety import resolve_dots

_STRONG_WORDS = ("tenant", "org", "organization", "organisation", "account", "customer", "workspace")
STRONG = frozenset(name for word in _STRONG_WORDS for name in (word, word + "id"))


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A variable's or field's name as names are compared: without case, `-` and `_`."""
    return name.lower().replace("-", "").replace("_", "")


def is_strong(name: str) -> bool:
    """Whether the name alone says that its value is a tenant."""
    return plain_name(name) in STRONG


@dataclass(frozen=True, slots=True)
class Tenant:
    """The tenants of one read.

    `requested` is the value of `variable`, decoded once; `received` the value of the document's `field`. `beside`
    are tenants of further documents in the same answer. `learnt` says that only overlapping values make the
    variable the tenant's.
    `why_not` is a reason code where no tenant can be named: `no-tenant`, `ambiguous-tenant`.
    """

    requested: str | None = None
    received: str | None = None
    variable: str | None = None
    field: str | None = None
    why_not: str = ""
    beside: tuple[str, ...] = ()
    learnt: bool = False

    @property
    def judged(self) -> str | None:
        """The tenant that the caller got: the one received, else the one requested."""
        return self.received if self.received is not None else self.requested


def tenant_variables(names: Sequence[str], policy: Policy, learned: Iterable[str] = ()) -> tuple[str, ...]:
    """The variables of a template that hold a tenant, by the best reason that names any; two are ambiguous.

    `learned` are variables whose values overlapped what callers are said to see in two or more reads.
    """
    stated = {plain_name(name) for name in policy.tenant_fields}
    by_policy = tuple(name for name in names if plain_name(name) in stated)
    if by_policy:
        return by_policy
    strong = tuple(name for name in names if is_strong(name))
    # Overlap breaks no tie between strong names: it is an overlap with what is allowed, and would clear the other one.
    overlapping = frozenset(learned)
    return strong or tuple(name for name in names if name in overlapping)


def find_tenant(
    place: TenantPlace | None,
    variables: tuple[str, ...],
    values: Mapping[str, str],
    fields: Mapping[str, FieldValue],
    policy: Policy,
) -> Tenant:
    """Names the tenant requested and received.

    `place` is the policy's word on this template, if it has one; `variables` the tenant variables otherwise;
    `values` the bound variables, decoded once; `fields` the document's identity fields.
    """
    if place is not None:
        return _placed(place, values, fields, policy)
    bound = tuple(name for name in variables if values.get(name))  # an omitted query variable names nobody
    if len({values[name] for name in bound}) > 1:
        return Tenant(why_not="ambiguous-tenant")
    variable = next(iter(bound or variables), None)
    requested = (values.get(variable) or None) if variable else None
    received = _received(variable, requested, fields, policy)
    if received is _AMBIGUOUS:
        return Tenant(requested=requested, variable=variable, why_not="ambiguous-tenant")
    field, value = received or (None, None)
    if variable is None and field is not None and value is not None:
        variable = next((name for name in values if values[name] == value), None)
    why_not = "" if requested is not None or value is not None else "no-tenant"
    learnt = variable in bound and value is None and not is_strong(variable or "") and not _is_stated(variable, policy)
    return Tenant(requested, value, variable, field, why_not, learnt=learnt)


def _is_stated(name: str | None, policy: Policy) -> bool:
    return name is not None and plain_name(name) in {plain_name(each) for each in policy.tenant_fields}


def _placed(
    place: TenantPlace,
    values: Mapping[str, str],
    fields: Mapping[str, FieldValue],
    policy: Policy,
) -> Tenant:
    """The tenant where the policy says it stands; the document's own tenant field still says whose it is."""
    requested = (values.get(place.variable) or None) if place.variable else None
    if requested is not None and place.segment is not None:
        requested = path_segment(requested, place.segment)
    field, received = place.field, None
    if field is not None:
        received = as_tenant(fields.get(field))
    else:
        # A path variable's own field states the whole path, not the tenant in it.
        named = place.variable if place.segment is None else None
        found = _received(named, requested, fields, policy, placed=True)
        if found is _AMBIGUOUS:
            return Tenant(requested=requested, variable=place.variable, why_not="ambiguous-tenant")
        field, received = found or (None, None)
    why_not = "" if requested is not None or received is not None else "no-tenant"
    return Tenant(requested, received, place.variable, field, why_not)


def path_segment(value: str, number: int) -> str | None:
    """One segment of a path, counted from 1, after dot segments are resolved; None where it has fewer."""
    segments = [segment for segment in resolve_dots(value).split("/") if segment]
    return segments[number - 1] if len(segments) >= number else None


def as_tenant(value: FieldValue) -> str | None:
    """A field's value as a tenant's name; a list of one names that one, longer lists, empty values and nulls none.

    A redaction stays what it is: a tenant is named there, and the log does not say which.
    """
    if isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or value is None or isinstance(value, tuple) or value == "":
        return None
    return str(value)


_AMBIGUOUS = ("", "")


def _received(
    variable: str | None,
    requested: str | None,
    fields: Mapping[str, FieldValue],
    policy: Policy,
    placed: bool = False,
) -> tuple[str, str] | None:
    """The document's own tenant field and value; `_AMBIGUOUS` where two disagree about it.

    Beside a variable that is the tenant by its own name, another strong name is data: acme's report may name a
    customer. A variable that was only learnt to be the tenant does not outrank a strong name of the document.
    """
    stated = {plain_name(name) for name in policy.tenant_fields}
    tenants = tenant_values(fields)
    wanted = plain_name(variable) if variable else None
    same = [name for name in tenants if wanted is not None and plain_name(name) == wanted]
    by_policy = [name for name in tenants if plain_name(name) in stated]
    strong = [name for name in tenants if is_strong(name)]
    by_name = variable is not None and (placed or is_strong(variable) or wanted in stated)
    if any(_lists_others(value, requested) for name, value in fields.items() if _names(name, wanted, stated, by_name)):
        return _AMBIGUOUS
    for group in (same, by_policy) if by_name else (by_policy, strong, same):
        if not group:
            continue
        if len({tenants[name] for name in group}) == 1:
            return group[0], tenants[group[0]]
        agreeing = [name for name in group if tenants[name] == requested]
        if not agreeing or group is same:
            return _AMBIGUOUS  # one name in two spellings with two values: nobody can say which one counts
        return agreeing[0], tenants[agreeing[0]]
    return None


def _names(name: str, wanted: str | None, stated: Collection[str], by_name: bool) -> bool:
    """Whether a field names a tenant, beside a variable that does so by its own name or by another reason."""
    plain = plain_name(name)
    return plain == wanted or plain in stated or (not by_name and is_strong(name))


def _lists_others(value: FieldValue, requested: str | None) -> bool:
    """Whether a field names several tenants, and the one that was asked for is not among them."""
    return isinstance(value, tuple) and len(value) > 1 and requested not in map(as_tenant, value)


def tenant_values(fields: Mapping[str, FieldValue]) -> dict[str, str]:
    """The fields that could name a tenant, as text."""
    return {name: tenant for name, value in fields.items() if (tenant := as_tenant(value)) is not None}


def related_values(variable: str | None, fields: Mapping[str, FieldValue]) -> tuple[str, ...]:
    """Values of fields that differ from a strong variable by `id` or spelling only: `tenant_id` for `tenant`.

    A number of the database is not comparable with a name, so they count only where they are known as tenants.
    """
    if variable is None or not is_strong(variable):
        return ()
    core, own = _core(variable), plain_name(variable)
    values = tenant_values(fields)
    return tuple(values[name] for name in values if is_strong(name) and _core(name) == core and plain_name(name) != own)


def _core(name: str) -> str:
    """A strong name without `id`, in one spelling."""
    plain = plain_name(name).removesuffix("id")
    return "org" if plain in ("organization", "organisation") else plain

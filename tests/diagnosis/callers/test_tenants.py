"""Which value is the tenant: the one requested and the one received."""

from __future__ import annotations

import pytest

from diagnosis.callers.policy import Policy, TenantPlace
from diagnosis.callers.tenants import (
    Tenant,
    as_tenant,
    find_tenant,
    is_strong,
    path_segment,
    tenant_variables,
)
from diagnosis.reads.read import FieldValue


def tenant(
    variables: tuple[str, ...] = (),
    values: dict[str, str] | None = None,
    fields: dict[str, FieldValue] | None = None,
    *stated: str,
) -> Tenant:
    return find_tenant(None, variables, values or {}, fields or {}, Policy(tenant_fields=stated))


def placed(place: TenantPlace, values: dict[str, str], fields: dict[str, FieldValue] | None = None) -> Tenant:
    return find_tenant(place, ("tenant",), values, fields or {}, Policy())


@pytest.mark.parametrize("name", ["tenant", "TENANT", "tenant_id", "tenant-id", "tenantId", "Org", "organisation_id"])
def test_strong_names(name: str) -> None:
    assert is_strong(name)


@pytest.mark.parametrize("name", ["team", "Project", "group_id", "clientId", "user"])
def test_weak_names(name: str) -> None:
    assert not is_strong(name)


@pytest.mark.parametrize("name", ["", "id", "tenants", "tenant_name", "subtenant", "month", "path", "slug"])
def test_names_that_say_nothing(name: str) -> None:
    assert not is_strong(name)


@pytest.mark.parametrize(
    ("names", "learned", "stated", "expected"),
    [
        (("tenant", "month"), (), (), ("tenant",)),
        (("month", "ORG-ID"), (), (), ("ORG-ID",)),
        (("org", "customer"), (), (), ("org", "customer")),
        (("org", "customer"), ("customer",), (), ("org", "customer")),
        (("org", "customer"), ("org", "customer"), (), ("org", "customer")),
        (("team", "month"), (), (), ()),
        (("team", "month"), ("team",), (), ("team",)),
        (("team", "tenant"), ("team",), (), ("tenant",)),
        (("month", "slug"), (), (), ()),
        (("tenant", "shop"), (), ("Shop",), ("shop",)),
        (("tenant", "shop"), (), ("elsewhere",), ("tenant",)),
        ((), ("team",), (), ()),
    ],
)
def test_the_variables_of_a_template(
    names: tuple[str, ...], learned: tuple[str, ...], stated: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert tenant_variables(names, Policy(tenant_fields=stated), learned) == expected


def test_the_one_requested() -> None:
    found = tenant(("tenant",), {"tenant": "acme", "month": "2025-10"}, {"month": "2025-10"})
    assert (found.requested, found.received, found.variable, found.judged) == ("acme", None, "tenant", "acme")


def test_the_one_received_is_judged() -> None:
    found = tenant(("tenant",), {"tenant": "acme"}, {"Tenant": "northwind"})
    assert (found.requested, found.received, found.field, found.judged) == ("acme", "northwind", "Tenant", "northwind")


def test_two_variables_with_different_values_are_ambiguous() -> None:
    found = tenant(("org", "customer"), {"org": "acme", "customer": "globex"})
    assert (found.why_not, found.judged) == ("ambiguous-tenant", None)
    assert tenant(("org", "customer"), {"org": "acme", "customer": "acme"}).judged == "acme"


def test_nothing_names_a_tenant() -> None:
    found = tenant((), {"month": "2025-10"}, {"month": "2025-10", "team": "acme"})
    assert (found.why_not, found.judged) == ("no-tenant", None)
    assert tenant(("tenant",), {}).why_not == "no-tenant"


def test_a_documents_strong_field_beside_no_tenant_variable() -> None:
    found = tenant((), {"id": "acme", "month": "2025-10"}, {"customer": "acme"})
    assert (found.requested, found.received, found.field, found.variable) == (None, "acme", "customer", "id")
    assert tenant((), {"id": "7"}, {"customer": "acme"}).variable is None


def test_another_strong_field_beside_a_tenant_variable_is_data() -> None:
    found = tenant(("tenant",), {"tenant": "acme"}, {"customer": "globex"})
    assert (found.received, found.judged, found.why_not) == (None, "acme", "")
    assert tenant(("team",), {"team": "acme"}, {"customer": "globex"}).judged == "globex"


def test_fields_that_disagree() -> None:
    fields: dict[str, FieldValue] = {"org": "acme", "customer": "globex"}
    assert tenant((), {}, fields).why_not == "ambiguous-tenant"
    assert tenant(("team",), {"team": "globex"}, fields).received == "globex"
    assert tenant((), {}, {"org": "acme", "customer": "acme"}).received == "acme"


def test_fields_that_the_policy_names() -> None:
    assert tenant((), {}, {"shop": "acme", "customer": "globex"}, "shop").received == "acme"
    found = tenant(("tenant",), {"tenant": "acme"}, {"SHOP": "northwind"}, "shop")
    assert (found.requested, found.received, found.field) == ("acme", "northwind", "SHOP")


@pytest.mark.parametrize("value", [None, "", True, False, ("", None), ()])
def test_values_that_name_no_tenant(value: FieldValue) -> None:
    assert as_tenant(value) is None
    assert tenant(("tenant",), {"tenant": "acme"}, {"tenant": value}).judged == "acme"


@pytest.mark.parametrize(
    ("value", "expected"), [("acme", "acme"), (12, "12"), ("012", "012"), (2**70, str(2**70)), (("acme",), "acme")]
)
def test_values_that_do(value: FieldValue, expected: str) -> None:
    assert as_tenant(value) == expected


def test_a_list_of_tenants_names_none_of_them_for_sure() -> None:
    asked = {"tenant": "acme"}
    assert tenant(("tenant",), asked, {"tenant": ("northwind",)}).judged == "northwind"
    assert tenant(("tenant",), asked, {"tenant": ("northwind", "globex")}).why_not == "ambiguous-tenant"
    found = tenant(("tenant",), asked, {"tenant": ("northwind", "acme")})
    assert (found.why_not, found.judged) == ("", "acme")
    assert tenant((), {"month": "1"}, {"org": ("northwind", "globex")}).why_not == "ambiguous-tenant"
    assert tenant(("tenant",), asked, {"customer": ("northwind", "globex")}).judged == "acme"  # data, beside a tenant


def test_a_variable_placed_by_the_policy() -> None:
    found = placed(TenantPlace(variable="shop"), {"shop": "acme", "tenant": "x"}, {"shop": "northwind", "tenant": "x"})
    assert (found.requested, found.received, found.judged) == ("acme", "northwind", "northwind")
    assert placed(TenantPlace(variable="shop"), {"tenant": "x"}).why_not == "no-tenant"


def test_a_field_placed_by_the_policy() -> None:
    found = placed(TenantPlace(field="owner"), {"tenant": "acme"}, {"owner": "globex", "tenant": "acme"})
    assert (found.requested, found.received) == (None, "globex")
    both = placed(TenantPlace(variable="shop", field="owner"), {"shop": "acme"}, {"owner": "globex"})
    assert (both.requested, both.received) == ("acme", "globex")


def test_a_segment_placed_by_the_policy() -> None:
    place = TenantPlace(variable="path", segment=1)
    assert placed(place, {"path": "acme/2025/x"}, {"path": "northwind/x"}).judged == "acme"
    assert placed(place, {"path": "acme/../northwind/x"}).judged == "northwind"
    assert placed(TenantPlace("path", 3), {"path": "acme/x"}).why_not == "no-tenant"


@pytest.mark.parametrize(
    ("path", "number", "segment"),
    [
        ("acme/x", 1, "acme"),
        ("/acme/x", 1, "acme"),
        ("acme//x", 2, "x"),
        ("./acme/x", 1, "acme"),
        ("acme/./x", 2, "x"),
        ("a/b/../../northwind", 1, "northwind"),
        ("acme/..", 1, None),
        ("", 1, None),
    ],
)
def test_segments_after_dots_are_resolved(path: str, number: int, segment: str | None) -> None:
    assert path_segment(path, number) == segment

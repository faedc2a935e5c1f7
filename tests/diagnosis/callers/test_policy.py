"""The policy file: every key, and one sentence that names the place of what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from diagnosis.callers.policy import Policy, PolicyError, PolicyPrincipal, TenantPlace, parse_policy


def policy(**keys: Any) -> Policy:
    return parse_policy(json.dumps({"principals": [], **keys}))


def refused(text: str) -> str:
    with pytest.raises(PolicyError) as caught:
        parse_policy(text)
    return str(caught.value)


def refusal(**keys: Any) -> str:
    return refused(json.dumps({"principals": [], **keys}))


def principal(**keys: Any) -> PolicyPrincipal:
    return policy(principals=[{"id": "ana", **keys}]).principals[0]


def test_every_key() -> None:
    found = policy(
        principals=[
            {"id": "ana", "sessions": ["s1"], "subjects": ["auth0|ana"], "allowed_tenants": ["acme"], "admin": True},
            {"id": "bo"},
        ],
        shared_tenants=["public"],
        tenant_fields=["customer"],
        tenant_of={
            "file:///srv/{+path}": {"variable": "path", "segment": 1},
            "docs://{team}/{name}": {"field": "tenant"},
            "reviews://{isbn}": None,
        },
        not_paths={"books://{isbn}": ["isbn"]},
    )
    assert found.principals == (
        PolicyPrincipal("ana", ("s1",), ("auth0|ana",), ("acme",), admin=True, stated=False),
        PolicyPrincipal("bo", (), (), None, admin=False, stated=False),
    )
    assert (found.shared_tenants, found.tenant_fields) == (("public",), ("customer",))
    assert dict(found.tenant_of) == {
        "file:///srv/{+path}": TenantPlace("path", 1, None),
        "docs://{team}/{name}": TenantPlace(None, None, "tenant"),
        "reviews://{isbn}": None,
    }
    assert dict(found.not_paths) == {"books://{isbn}": ("isbn",)}


ASTERISK = '`*` is no tenant\'s name; a caller who may see every tenant has "admin": true in a policy file'


@pytest.mark.parametrize("tenants", [["*"], ["acme", "*"], [" * "]])
def test_an_asterisk_is_no_tenant(tenants: list[str]) -> None:
    place = f"allowed_tenants.{len(tenants) - 1}"
    assert refusal(principals=[{"id": "ana", "allowed_tenants": tenants}]) == f"principals.0.{place}: {ASTERISK}"
    assert refusal(shared_tenants=tenants) == f"shared_tenants.{len(tenants) - 1}: {ASTERISK}"


def test_an_asterisk_within_a_name_is_a_character_of_it() -> None:
    assert principal(allowed_tenants=["acme*", "**"]).allowed_tenants == ("acme*", "**")


def test_all_but_principals_may_be_absent() -> None:
    assert policy() == Policy()
    assert refused("{}") == "principals: Field required"


def test_unknown_is_not_nothing() -> None:
    assert principal().allowed_tenants is None
    assert principal(allowed_tenants=None).allowed_tenants is None
    assert principal(allowed_tenants=[]).allowed_tenants == ()


def test_the_sentence_names_the_place() -> None:
    assert refusal(tenants=[]) == "tenants: Extra inputs are not permitted"
    entry = {"id": "ana", "allowed": ["acme"]}
    assert refusal(principals=[{"id": "bo"}, entry]) == "principals.1.allowed: Extra inputs are not permitted"
    assert refusal(tenant_of={"a://{x}": {"name": "x"}}) == "tenant_of.a://{x}.name: Extra inputs are not permitted"
    assert refused("[]").startswith("the whole file: ")


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({}, "principals.0.id"),
        ({"id": 5}, "principals.0.id"),
        ({"id": None}, "principals.0.id"),
        ({"id": "ana", "admin": "yes"}, "principals.0.admin"),
        ({"id": "ana", "admin": 1}, "principals.0.admin"),
        ({"id": "ana", "sessions": "s1"}, "principals.0.sessions"),
        ({"id": "ana", "sessions": [1]}, "principals.0.sessions.0"),
        ({"id": "ana", "subjects": None}, "principals.0.subjects"),
        ({"id": "ana", "allowed_tenants": "acme"}, "principals.0.allowed_tenants"),
        ({"id": "ana", "allowed_tenants": [12]}, "principals.0.allowed_tenants.0"),
        ("ana", "principals.0"),
    ],
)
def test_principals_of_wrong_types(entry: object, place: str) -> None:
    assert refusal(principals=[entry]).partition(": ")[0] == place


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ({"principals": {}}, "principals"),
        ({"principals": None}, "principals"),
        ({"shared_tenants": "public"}, "shared_tenants"),
        ({"tenant_fields": {"customer": 1}}, "tenant_fields"),
        ({"tenant_of": []}, "tenant_of"),
        ({"tenant_of": {"t": "x"}}, "tenant_of.t"),
        ({"not_paths": {"t": "x"}}, "not_paths.t"),
        ({"not_paths": {"t": None}}, "not_paths.t"),
    ],
)
def test_keys_of_wrong_types(keys: dict[str, Any], place: str) -> None:
    assert refusal(**keys).partition(": ")[0] == place


@pytest.mark.parametrize("segment", [0, -1, "1", True, 1.0, 1.5])
def test_segments_are_counted_from_1(segment: object) -> None:
    sentence = refusal(tenant_of={"t": {"variable": "path", "segment": segment}})
    assert sentence.startswith("tenant_of.t.segment: ")


def test_a_place_must_name_something() -> None:
    assert refusal(tenant_of={"t": {}}) == (
        "tenant_of.t: it names neither a variable nor a field; write null for a template without tenant"
    )
    assert refusal(tenant_of={"t": {"segment": 1, "field": "x"}}) == (
        "tenant_of.t: a segment needs the variable that it is a segment of"
    )


@pytest.mark.parametrize("text", ["", "principals: []", "{", '{"principals": []', "{} {}", "[" * 100_000])
def test_what_is_not_json(text: str) -> None:
    assert refused(text).startswith("it is not JSON: ")


def test_a_key_that_stands_twice_is_not_guessed_about() -> None:
    assert refused('{"principals": [], "tenant_of": {"t": null, "t": {"variable": "x"}}}') == (
        "t: it stands twice in one object"
    )
    assert refused('{"principals": [{"id": "ana", "allowed_tenants": ["a"], "allowed_tenants": ["b"]}]}') == (
        "allowed_tenants: it stands twice in one object"
    )


def test_no_value_of_the_file_is_repeated_in_a_sentence() -> None:
    assert "s3cret" not in refusal(principals=[{"id": "ana", "admin": "s3cret"}])


def test_a_policy_does_not_change() -> None:
    found = policy(tenant_of={"t": None})
    with pytest.raises(TypeError):
        found.tenant_of["t"] = TenantPlace("x")  # type: ignore[index]


@pytest.mark.parametrize("kind", ["sessions", "subjects"])
def test_two_principals_for_one_caller_are_refused(kind: str) -> None:
    text = json.dumps({"principals": [{"id": "a", kind: ["x"]}, {"id": "b", kind: ["x", "y"]}]})
    with pytest.raises(PolicyError, match=f"x stands in the {kind} of two principals"):
        parse_policy(text)


@pytest.mark.parametrize(
    ("template", "words"),
    [("report://{tenant}", "has no variable shop"), ("report://{tenant", "is no template")],
)
def test_a_tenant_must_stand_in_its_template(template: str, words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        parse_policy(json.dumps({"principals": [], "tenant_of": {template: {"variable": "shop"}}}))

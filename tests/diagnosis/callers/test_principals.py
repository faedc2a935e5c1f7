"""Who asked: the best source there is, and how we know."""

from __future__ import annotations

from typing import Any

import pytest

from diagnosis.callers.credentials import Credential, CredentialSource
from diagnosis.callers.policy import Policy, PolicyPrincipal
from diagnosis.callers.principals import Principal, PrincipalSource, capture_stem, resolve
from diagnosis.captures.message import Span
from diagnosis.reads.read import Read, Seen


def read(**facts: Any) -> Read:
    seen = Seen(Span("logs/desk-7.jsonl", 1, 0, 1), "0" * 64)
    return Read(0, 1, facts.pop("capture", "logs/desk-7.jsonl"), seen, "0" * 64, 1, "a://1", **facts)


def claims(subject: str | None, tenants: tuple[str, ...] | None = None, **facts: Any) -> Credential:
    source = facts.pop("source", CredentialSource.CLAIMS)
    return Credential(source, subject, None, tenants, facts.pop("claim", None), facts.pop("elevated", None), "token-1")


def found(read: Read, *principals: PolicyPrincipal, shared: tuple[str, ...] = ()) -> Principal:
    principal = resolve(read, Policy(principals, shared_tenants=shared))
    assert principal is not None
    return principal


BY_SUBJECT = PolicyPrincipal("subject", subjects=("auth0|ana",), allowed_tenants=("acme",))
BY_SESSION = PolicyPrincipal("session", sessions=("s1",), allowed_tenants=())
BY_CAPTURE = PolicyPrincipal("capture", sessions=("desk-7",))
ANYBODY = PolicyPrincipal("anybody", sessions=("*",), admin=True)


def test_nobody_says_who_asked() -> None:
    assert resolve(read(session="s1"), Policy((BY_SUBJECT, PolicyPrincipal("bo", sessions=("s2",))))) is None


def test_each_source_in_its_turn() -> None:
    asked = read(session="s1", credential=claims("auth0|ana"))
    every = [BY_SUBJECT, BY_SESSION, BY_CAPTURE, ANYBODY]
    assert [found(asked, *every[start:]).id for start in range(4)] == ["subject", "session", "capture", "anybody"]
    assert found(asked).id == "auth0|ana"


def test_the_subject_comes_before_an_earlier_line_about_the_session() -> None:
    asked = read(session="s1", credential=claims("auth0|ana"))
    principal = found(asked, ANYBODY, BY_CAPTURE, BY_SESSION, BY_SUBJECT)
    assert (principal.id, principal.source, principal.how) == (
        ("subject", PrincipalSource.POLICY, "policy: subject `auth0|ana`")
    )


def test_anybody_comes_last_wherever_it_stands() -> None:
    assert found(read(session="s1"), ANYBODY, BY_SESSION).id == "session"
    assert found(read(session="s1"), ANYBODY, BY_CAPTURE).id == "capture"


def test_the_session_comes_before_an_earlier_line_about_the_capture() -> None:
    assert found(read(session="s1"), BY_CAPTURE, BY_SESSION).id == "session"


def test_how_we_know() -> None:
    assert found(read(session="s1"), BY_SESSION).how == "policy: session `s1`"
    assert found(read(session="s9"), BY_CAPTURE).how == "policy: capture `desk-7`"
    assert found(read(), ANYBODY).how == "policy: every caller"


def test_what_the_policy_says_is_taken_whole() -> None:
    principal = found(
        read(session="s1", credential=claims("x", ("globex",), elevated="act")), BY_SESSION, shared=("p",)
    )
    assert (principal.allowed_tenants, principal.shared_tenants, principal.admin) == ((), ("p",), False)
    assert (principal.elevated, principal.subject, principal.by_person) == (None, "x", True)
    assert found(read(), ANYBODY).admin is True
    assert found(read(), BY_CAPTURE).allowed_tenants is None


def test_what_a_person_states_for_this_run() -> None:
    principal = found(read(session="s1"), PolicyPrincipal("s1", ("s1",), ("s1",), ("acme",), stated=True))
    assert (principal.source, principal.how) == (PrincipalSource.STATED, "stated by the person: session `s1`")
    assert principal.by_person


def said(who: str, *tenants: str) -> PolicyPrincipal:
    """What `--allow WHO=TENANT,...` says."""
    return PolicyPrincipal("every caller" if who == "*" else who, (who,), (who,), tenants, stated=True)


def test_what_is_stated_of_everybody_comes_before_the_policy() -> None:
    """Of one caller it comes first, whatever the order; the policy's subject, session, capture and anybody after it."""
    asked = read(session="s1", credential=claims("auth0|ana"))
    everybody, listed = said("*", "globex"), (BY_SUBJECT, BY_SESSION, BY_CAPTURE, ANYBODY)
    principal = found(asked, everybody, *listed)
    assert (principal.id, principal.source, principal.how, principal.allowed_tenants) == (
        ("every caller", PrincipalSource.STATED, "stated by the person: every caller", ("globex",))
    )
    assert found(read(session="s9", capture="x"), everybody, ANYBODY).admin is False
    for who, how in (("auth0|ana", "subject `auth0|ana`"), ("s1", "session `s1`"), ("desk-7", "capture `desk-7`")):
        principal = found(asked, everybody, said(who, "initech"), *listed)
        assert (principal.id, principal.allowed_tenants) == (who, ("initech",))
        assert principal.how == f"stated by the person: {how}"


@pytest.mark.parametrize("who", ["ana", "auth0|ana"])
def test_what_is_stated_of_a_principal_of_the_policy_counts_by_each_of_its_names(who: str) -> None:
    ana = PolicyPrincipal("ana", ("s1",), ("auth0|ana",), ("acme",), admin=True)
    principal = found(read(session="s1"), said("*", "hooli"), said(who, "globex"), ana)
    assert (principal.id, principal.allowed_tenants, principal.admin) == (who, ("globex",), False)
    assert principal.how == "stated by the person: `ana` of the policy, session `s1`"


def test_what_is_stated_of_one_session_leaves_the_others_to_the_policy() -> None:
    ana = PolicyPrincipal("ana", ("s1", "s2"), allowed_tenants=("acme",))
    assert found(read(session="s2"), said("s1", "globex"), ana).allowed_tenants == ("acme",)


def test_the_id_of_a_record_is_a_subject() -> None:
    ana = PolicyPrincipal("ana", allowed_tenants=("acme",))
    record = claims("ana", source=CredentialSource.RECORD)
    assert found(read(credential=record), ana).source is PrincipalSource.POLICY
    assert resolve(read(session="ana"), Policy((ana,))) is None


@pytest.mark.parametrize(
    ("source", "expected", "how"),
    [
        (CredentialSource.RECORD, PrincipalSource.RECORD, "the record's own principal field"),
        (CredentialSource.CLAIMS, PrincipalSource.CLAIMS, "unverified claim sub"),
        (CredentialSource.TOKEN, PrincipalSource.TOKEN, "an opaque token, known by its hash only"),
    ],
)
def test_without_a_policy_the_request_speaks(source: CredentialSource, expected: PrincipalSource, how: str) -> None:
    own = claims("bo", ("acme",), source=source, claim="tid", elevated="act")
    principal = found(read(credential=own, inherited=claims("ana")))
    assert (principal.id, principal.source, principal.how) == ("bo", expected, how)
    assert (principal.allowed_tenants, principal.tenant_claim, principal.elevated) == (("acme",), "tid", "act")
    assert not principal.by_person


def test_a_caller_without_a_name_is_known_by_its_label() -> None:
    assert found(read(credential=claims(None, source=CredentialSource.TOKEN))).id == "token-1"


def test_what_an_earlier_request_said_stays_inherited() -> None:
    asked = read(session="s9", inherited=claims("auth0|ana", ("globex",)))
    alone, listed = found(asked), found(asked, BY_SUBJECT)
    assert (alone.source, alone.id, alone.allowed_tenants) == (PrincipalSource.INHERITED, "auth0|ana", ("globex",))
    assert (listed.source, listed.id, listed.allowed_tenants) == (PrincipalSource.INHERITED, "subject", ("acme",))
    assert not listed.by_person
    assert found(asked, ANYBODY).source is PrincipalSource.POLICY


def test_whole_names_only() -> None:
    principal = found(
        read(session="s1"), PolicyPrincipal("ana", ("s1",), allowed_tenants=("acme",)), shared=("public",)
    )
    assert [principal.may_see(each) for each in ("acme", "public", "acm", "acme-2", "Acme", "")] == (
        [True, True, False, False, False, False]
    )
    unknown = found(read(session="s1"), PolicyPrincipal("ana", ("s1",)), shared=("public",))
    assert (unknown.may_see("acme"), unknown.may_see("public")) == (False, True)


def test_an_administrator_may_see_everything() -> None:
    assert found(read(), ANYBODY).may_see("acme")


@pytest.mark.parametrize(
    ("path", "stem"), [("logs/desk-7.jsonl", "desk-7"), ("a.b.log", "a.b"), ("-", "-"), ("x", "x"), (".log", ".log")]
)
def test_stems(path: str, stem: str) -> None:
    assert capture_stem(path) == stem


def test_sessions_and_stems_are_whole_names() -> None:
    assert resolve(read(session="s12"), Policy((BY_SESSION,))) is None
    assert resolve(read(capture="desk-77.jsonl"), Policy((BY_CAPTURE,))) is None

"""What is said of stated and listed callers that sent none of the reads."""

from __future__ import annotations

from typing import Any

import pytest

from app.unmatched import unmatched
from diagnosis.callers.policy import Policy, PolicyPrincipal
from diagnosis.case.entries import Entry
from diagnosis.case.stated import with_stated
from diagnosis.statements import Statements, load_statements
from tests.diagnosis.case.build import caller
from tests.diagnosis.questions.build import Log, bearer

NOBODY = "The policy names callers, and none of them sent a read of these captures."


def said(
    log: Log, *principals: PolicyPrincipal, allow: tuple[str, ...] = (), case: tuple[Entry, ...] = ()
) -> list[str]:
    stated = load_statements(allow=allow)
    policy = Policy(stated.policy.principals + principals)
    statements = with_stated(Statements(policy=policy, stated=stated.stated), case)
    return list(unmatched(statements, log.judge()))


def sessions(*names: str, **record: Any) -> Log:
    """One read in each session."""
    log = Log("report://{tenant}/{month}")
    for name in names:
        log.read("report://acme/2025-10", session=name, **record)
    return log


def listed(who: str, *names: str, subjects: tuple[str, ...] = ()) -> PolicyPrincipal:
    return PolicyPrincipal(who, names, subjects, ("acme",))


def test_every_caller_is_never_nobody() -> None:
    assert said(sessions("s1"), allow=("acme",)) == []
    assert said(sessions("s1"), listed("ana", "s1"), allow=("acme", "s1=acme")) == []
    assert said(sessions("s1"), listed("ana", "s1"), case=(caller("*", "acme"),)) == []


@pytest.mark.parametrize("who", ["s1", "trace"])
def test_a_caller_of_the_policy_of_whom_something_is_stated_did_send_reads(who: str) -> None:
    assert said(sessions("s1"), listed("ana", "s1"), allow=(f"{who}=acme",)) == []
    assert said(sessions("s1"), listed("ana", "s1"), case=(caller(who, "acme"),)) == []


@pytest.mark.parametrize("who", ["ana", "auth0|ana"])
def test_a_principal_of_the_policy_is_known_by_its_names(who: str) -> None:
    assert said(sessions("s1"), listed("ana", "s1", subjects=("auth0|ana",)), allow=(f"{who}=acme",)) == []


def test_a_stated_caller_that_nobody_is() -> None:
    sentence = "No read's caller, session or capture is s9, which {} names."
    assert said(sessions("s1"), allow=("s9=acme",)) == [sentence.format("--allow")]
    assert said(sessions("s1"), case=(caller("s9", "acme"),)) == [sentence.format("the case")]
    many = said(sessions("s1"), allow=tuple(f"x{number}=acme" for number in range(11)))
    assert (len(many), many[-1]) == (9, "So it is with 3 more stated callers.")


def test_a_policy_of_which_nobody_is() -> None:
    assert said(sessions("s1"), listed("ana", "s2"), listed("ben", "s3")) == [NOBODY]
    assert said(sessions(), listed("ana", "s2")) == []


def test_one_caller_of_several_that_nobody_is() -> None:
    found = said(sessions("s-71", "s-90"), listed("ana", "s-71"), listed("ben", "s-9O"))
    assert found == ["A read is of a caller whom nobody names, and no read is of these names of the policy: `ben`."]


def test_one_session_of_several_that_no_read_has() -> None:
    (found,) = said(sessions("s-71", "s-90"), listed("ana", "s-71", "s-9O", subjects=("auth0|ana",)))
    assert found.endswith(": session `s-9O` of `ana`.")


def test_one_subject_of_several_that_no_read_has() -> None:
    log = sessions("s1", authorization=bearer(sub="auth0|ana"))
    log.read("report://acme/2025-10", session="s2", authorization=bearer(sub="auth0|anna"))
    (found,) = said(log, listed("ana", subjects=("auth0|ana", "auth0|anne")))
    assert found.endswith(": subject `auth0|anne` of `ana`.")


def test_where_all_callers_are_known_the_others_are_not_listed() -> None:
    assert said(sessions("s1"), listed("ana", "s1", "s2"), listed("ben", "s3")) == []


def test_many_names_are_counted() -> None:
    (found,) = said(sessions("s1", "s2"), listed("ana", "s1"), *(listed(f"x{n}", f"y{n}") for n in range(500)))
    assert found.endswith("`x6`, `x7` and 492 more.")

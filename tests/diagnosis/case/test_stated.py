"""Stated callers and templates count like those of the command line, and say who stated them."""

from __future__ import annotations

from pathlib import Path

from diagnosis import diagnose
from diagnosis.callers.policy import Policy, PolicyPrincipal
from diagnosis.case.stated import with_stated
from diagnosis.questions.findings import Verdict
from diagnosis.reports.masking import Masking
from diagnosis.statements import Statements, load_statements
from tests.diagnosis.case.build import at, caller, note, template, withdrawal

TRACE = Path(__file__).parents[3] / "sample_traces" / "another-tenant.jsonl"


def stated(who: str, *tenants: str, name: str | None = None) -> PolicyPrincipal:
    return PolicyPrincipal(name or who, (who,), (who,), tenants, stated=True)


def test_nothing_stated_changes_nothing() -> None:
    base = load_statements(allow=["ana=acme"])
    assert with_stated(base, [note("text")]) is base


def test_it_stands_beside_the_command_line_and_before_the_policy() -> None:
    listed = PolicyPrincipal("ana", subjects=("ana",), allowed_tenants=("hooli",))
    typed = load_statements(allow=["ana=acme"], templates=["a://{x}"])
    base = Statements(
        policy=Policy((*typed.policy.principals, listed), shared_tenants=("public",)),
        policy_path="policy.json",
        templates=typed.templates,
        stated=typed.stated,
    )
    entries = [
        caller("ana", "globex", "acme", second=1, author="bo"),
        caller("*", "initech", second=2),
        template("b://{y}", 3, "bo"),
        template("a://{x}", 4),
    ]
    found = with_stated(base, entries)
    assert found == Statements(
        policy=Policy(
            (stated("ana", "acme", "globex"), stated("*", "initech", name="every caller"), listed),
            shared_tenants=("public",),
        ),
        policy_path="policy.json",
        templates=("b://{y}", "a://{x}"),
        stated=(
            "--allow ana=acme",
            "--template a://{x}",
            f"caller ana=globex,acme, by bo at {at(1)}",
            f"caller *=initech, by ana at {at(2)}",
            f"template b://{{y}}, by bo at {at(3)}",
            f"template a://{{x}}, by ana at {at(4)}",
        ),
    )
    assert with_stated(found, entries) == found


def test_what_is_said_of_every_caller_adds_up_with_the_command_line() -> None:
    found = with_stated(load_statements(allow=["acme"]), [caller("*", "globex")])
    assert found.policy.principals == (stated("*", "acme", "globex", name="every caller"),)


def test_what_was_taken_back_counts_no_longer() -> None:
    one, other = caller("ana", "acme", second=1), template("a://{x}", 2)
    found = with_stated(Statements(), [one, other, withdrawal(one, 3), withdrawal(other, 4)])
    assert found == Statements()


def test_stating_a_caller_judges_all_reads_again() -> None:
    diagnosis = diagnose([str(TRACE)])
    base = diagnosis.statements
    assert {each.principal.verdict for each in diagnosis.judgements} == {Verdict.CANNOT_TELL}
    said = caller("s-4c1", "acme")
    diagnosis.judge(with_stated(base, [said]))
    found = [(each.read.session, each.read.uri, each.principal.verdict) for each in diagnosis.judgements]
    assert found == [
        ("s-90e", "report://northwind/2025-10", Verdict.CANNOT_TELL),
        ("s-4c1", "report://acme/2025-09", Verdict.ALLOWED),
        ("s-4c1", "report://northwind/2025-10", Verdict.NOT_CHECKED),
    ]
    callers = [each.caller for each in diagnosis.judgements if each.caller is not None]
    assert {each.how for each in callers} == {"stated by the person: session `s-4c1`"}
    # Taken back, everything is as it was.
    diagnosis.judge(with_stated(base, [said, withdrawal(said, 1)]))
    assert {each.principal.verdict for each in diagnosis.judgements} == {Verdict.CANNOT_TELL}


def test_a_session_in_a_statement_is_masked_like_one_of_the_command_line() -> None:
    judgements = diagnose([str(TRACE)]).judgements
    (word,) = with_stated(Statements(), [caller("s-4c1", "acme", author="bo@example.com")]).stated
    assert Masking(judgements).stated(word) == f"caller session-1=acme, by [email-1] at {at(0)}"

"""What became of a fault, with every status worked out by hand from what was sent and what came back."""

from __future__ import annotations

from typing import Any

import pytest

from diagnosis.after_fix.before_after import Status, compare
from diagnosis.after_fix.opening import NOTHING, opening
from tests.diagnosis.after_fix.build import DOCS, PEOPLE, REPORT, became, subjects
from tests.diagnosis.questions.build import NOT_FOUND, SILENT, Log, content

U, D, M = "under-encoding", "double-decode", "missing-authorization"
RAW = "docs://team/a/policy/on-call/escalation"
ENCODED = "docs://team/a/policy/on-call%2Fescalation"
FORBIDDEN = {"code": -32001, "message": "Forbidden: you may not read this"}
NORTHWIND = "report://northwind/2025-10"


def log(uri: str, body: Any = "some text", *, template: str = DOCS, session: str = "s1", **more: Any) -> Log:
    """A capture with one read."""
    made = Log(template, session=session)
    made.read(uri, body, **more)
    return made


def report(tenant: str, month: str = "2025-10") -> dict[str, str]:
    return {"tenant": tenant, "month": month}


# The essay's sentence: repairing the encoding leaves an unauthorized read as reachable as it was.

BOTH = "report://{tenant}/{month}/section/{section}"


def both_faults(uri: str, session: str) -> Log:
    """Northwind's section for acme's ana, sent so and answered with what it names."""
    body = {"tenant": "northwind", "month": "2025-10", "section": "costs/R"}
    return log(uri, body, template=BOTH, session=session)


def test_a_repaired_encoding_leaves_the_unauthorized_read_as_reachable_as_it_was() -> None:
    before = both_faults("report://northwind/2025-10/section/costs/R", "s1")
    after = both_faults("report://northwind/2025-10/section/costs%2FR", "s2")
    found = subjects(before, after, PEOPLE)
    assert [(each.kind.value, each.status) for each in found] == [(U, Status.GONE), (M, Status.STILL)]
    assert opening(found) == "The encoding is fixed; the unauthorized read is still reachable."


# Question 1


def test_a_fixed_expansion_is_the_same_read() -> None:
    (found,) = subjects(log(RAW), log(ENCODED))
    assert (found.kind.value, found.status) == (U, Status.GONE)
    assert found.because == "Read again: `intact`, once."
    assert [each.judgement.read.uri for each in found.after] == [ENCODED]


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        (RAW, RAW, "still"),
        # Another value, though its beginning is the same.
        (RAW, "docs://team/a/policy/on-call", "not exercised"),
        # Half a fix: the slash is encoded and the ampersand is not.
        ("docs://team/a/policy/on-call/R&D", "docs://team/a/policy/on-call%2FR&D", "still"),
        ("docs://team/a/policy/on-call/R&D", "docs://team/a/policy/on-call%2FR%26D", "gone"),
        # A raw plus may have meant a space or a plus.
        ("docs://team/a+b/policy/x", "docs://team/a%20b/policy/x", "gone"),
        ("docs://team/a+b/policy/x", "docs://team/a%2Bb/policy/x", "gone"),
        ("docs://team/a+b/policy/x", "docs://team/ab/policy/x", "not exercised"),
        # Hex case and needless escapes change no value; other bytes do, also where neither is UTF-8.
        ("docs://team/a b/policy/%2fx", "docs://team/%61%20b/policy/%2Fx", "gone"),
        ("docs://team/a b/policy/caf%E9", "docs://team/a%20b/policy/caf%E8", "not exercised"),
        # Where the slash belongs cannot be told, so no correct URI is known to be the same read.
        ("docs://team/a/b/policy/c/policy/d", "docs://team/a%2Fb/policy/c%2Fpolicy%2Fd", "not exercised"),
    ],
)
def test_intended_values(before: str, after: str, status: str) -> None:
    assert became(log(before), log(after)) == [(U, status)]


def test_a_smuggled_parameter_is_not_gone_because_it_was_left_out() -> None:
    template = "report://{tenant}/{month}{?section}"
    before = log("report://acme/2025-10?section=a&tenant=northwind", template=template)
    after = log("report://acme/2025-10?section=a", template=template)
    assert became(before, after) == [(U, "not exercised")]


def test_the_same_bytes_are_never_a_fixed_encoding() -> None:
    after = Log(DOCS)
    after.resources(RAW)
    after.read(RAW)
    (found,) = subjects(log(RAW), after)
    assert found.status is Status.UNDECIDED
    assert [each.reason for each in found.after] == ["same-bytes"]


def test_one_faulty_read_among_clean_ones_is_still_there() -> None:
    after = Log(DOCS)
    for uri in (ENCODED, RAW, ENCODED):
        after.read(uri)
    (found,) = subjects(log(RAW), after)
    assert found.status is Status.STILL
    assert found.because == "Read again: `intact`, 2 times and `escaped` (`extra-separator`), once."


def test_question_1_needs_no_answer() -> None:
    assert became(log(RAW), log(ENCODED, SILENT)) == [(U, "gone")]


# Who asked


def test_callers_are_told_apart() -> None:
    assert became(log(RAW), log(ENCODED, session="s2"), PEOPLE) == [(U, "gone")]
    (found,) = subjects(log(RAW), log(ENCODED, session="s3"), PEOPLE)
    assert found.status is Status.NOT_EXERCISED
    assert found.because == "In AFTER it was read by `ben` only, not by `ana`. That proves nothing."


def test_an_unknown_caller_exercises_nothing_of_question_3() -> None:
    before, after = foreign("s1"), foreign("s9")
    (found,) = subjects(before, after, PEOPLE)
    assert (found.kind.value, found.status) == (M, Status.NOT_EXERCISED)
    assert "nothing says by whom" in found.because


def test_the_same_fault_by_another_caller_is_new_and_says_who_had_it() -> None:
    policy = {"principals": [{"id": name, "sessions": [name], "allowed_tenants": ["acme"]} for name in ("s1", "s2")]}
    old, new = subjects(foreign("s1"), foreign("s2"), policy)
    assert (old.status, new.status) == (Status.NOT_EXERCISED, Status.NEW)
    assert new.because == "BEFORE shows the same fault with the same values for `s1`."


# Question 2

NOTES = "notes://{folder}/{name}"
TWICE = "notes://quarter/q3%252Fdraft"


def notes(name: str | None, **more: Any) -> Log:
    """A read of `q3%2Fdraft`, and a document that states its name as given, or not at all."""
    stated = {"folder": "quarter"} | ({"name": name} if name is not None else {})
    return log(TWICE, stated, template=NOTES, **more)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("q3%2Fdraft", "gone"),  # decoded once
        ("q3%252Fdraft", "gone"),  # not decoded at all: other trouble, no double decode
        ("q3/draft", "still"),
        ("other", "undecided"),  # the document is another one, for a reason that is not known
        (None, "undecided"),  # it matches by its folder, and says nothing of the value
    ],
)
def test_double_decodes(name: str | None, status: str) -> None:
    assert became(notes("q3/draft"), notes(name)) == [(D, status)]


def test_a_match_that_does_not_state_the_value_says_so() -> None:
    (found,) = subjects(notes("q3/draft"), notes(None))
    assert [each.reason for each in found.after] == ["decode-blind"]
    assert found.because.endswith("does not state `name`, so it says nothing of a second decode.")


def test_no_answer_and_an_error() -> None:
    silent = log(TWICE, SILENT, template=NOTES)
    refused = log(TWICE, template=NOTES, error=NOT_FOUND)
    assert became(notes("q3/draft"), silent) == [(D, "not exercised")]
    (found,) = subjects(notes("q3/draft"), refused)
    assert (found.status, found.after[0].reason) == (Status.UNDECIDED, "no-document")


def test_a_read_without_an_answer_takes_nothing_from_one_that_was_answered() -> None:
    after = notes("q3%2Fdraft")
    after.read(TWICE, SILENT)
    (found,) = subjects(notes("q3/draft"), after)
    assert found.status is Status.GONE
    assert found.because == "Read again: `match`, once and `cannot_tell` (`no-answer`), once."


# Question 3


def foreign(session: str, **more: Any) -> Log:
    """Northwind's report, asked for in a session and served unless `more` says otherwise."""
    return log(NORTHWIND, report("northwind"), template=REPORT, session=session, **more)


def test_an_explicit_refusal_is_consistent_with_a_check_and_proves_none() -> None:
    found = subjects(foreign("s1"), foreign("s2", error=FORBIDDEN), PEOPLE)
    assert [each.status for each in found] == [Status.GONE]
    assert found[0].because == "Read again: `refused`, once. `refused` is consistent with a check and proves none."
    assert opening(found) == ("The unauthorized read is refused now, which is consistent with a check and proves none.")


@pytest.mark.parametrize(
    ("code", "words", "reason"),
    [
        (-32001, "Unauthorized: token expired", "not-authenticated"),
        (-32001, "authentication required", "not-authenticated"),
        (-32001, "Unauthorized: missing bearer token", "not-authenticated"),
        (-32001, "Forbidden: your session has expired", "not-authenticated"),
        (-32001, "Access denied: invalid access token", "not-authenticated"),
        (-32001, "Unauthorized", "not-authenticated"),
        (-32001, "HTTP 401 Unauthorized", "not-authenticated"),
        (401, "Forbidden", "not-authenticated"),
        (403, "rate limit exceeded", "another-cause"),
        (-32603, "Access denied: rate limit exceeded", "not-found"),
        (-32603, "no permission issues found; internal failure", "not-found"),
        (-32603, "disk error: permission denied opening /var/cache/x", "not-found"),
    ],
)
def test_an_error_before_the_check_clears_nothing(code: int, words: str, reason: str) -> None:
    (found,) = subjects(foreign("s1"), foreign("s2", error={"code": code, "message": words}), PEOPLE)
    assert (found.status, found.after[0].reason) == (Status.UNDECIDED, reason)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (403, "error"),
        (-32001, "Not authorized to read northwind"),
        (-32001, "Unauthorized: northwind is not one of your tenants"),
        (-32001, "Access denied: the token's tenant is acme"),
    ],
)
def test_a_refusal_that_may_have_been_the_check_clears(code: int, words: str) -> None:
    (found,) = subjects(foreign("s1"), foreign("s2", error={"code": code, "message": words}), PEOPLE)
    assert found.status is Status.GONE


def test_a_bare_not_found_decides_nothing_and_a_contrast_does() -> None:
    after = foreign("s2", error=NOT_FOUND)
    (alone,) = subjects(foreign("s1"), after, PEOPLE)
    assert (alone.status, alone.after[0].reason) == (Status.UNDECIDED, "not-found")
    after.read(NORTHWIND, report("northwind"), session="s3")
    (beside,) = subjects(foreign("s1"), after, PEOPLE)
    assert (beside.status, beside.after[0].reason) == (Status.GONE, "contrast")


def test_a_document_of_ones_own_clears_only_where_it_names_its_tenant() -> None:
    """BEFORE: acme's URI brought northwind's report. AFTER: acme's report, or one that names nobody."""
    own = "report://acme/2025-10"
    before = log(own, report("northwind"), template=REPORT)
    named = log(own, report("acme"), template=REPORT, session="s2")
    silent = log(own, {"month": "2025-10"}, template=REPORT, session="s2")
    assert became(before, named, PEOPLE) == [(M, "gone")]
    (found,) = subjects(before, silent, PEOPLE)
    assert (found.status, found.after[0].reason) == (Status.UNDECIDED, "tenant-not-stated")


def test_a_wider_claim_after_the_fix_clears_nothing() -> None:
    before, after = Log(REPORT), Log(REPORT)
    before.read(NORTHWIND, report("northwind"), principal={"id": "kim", "tenants": ["acme"]})
    after.read(NORTHWIND, report("northwind"), principal={"id": "kim", "tenants": ["acme", "northwind"]})
    (found,) = subjects(before, after)
    assert (found.status, found.after[0].reason) == (Status.UNDECIDED, "other-allowed-set")


def test_an_uncertain_pairing_clears_nothing() -> None:
    after = Log(REPORT, session="s2")
    first = after.request(NORTHWIND, 7)
    after.request("report://acme/2025-10", 7)
    after.reply({"id": first, "error": FORBIDDEN})
    after.reply({"id": first, "error": FORBIDDEN})
    (found,) = subjects(foreign("s1"), after, PEOPLE)
    assert (found.status, found.after[0].reason) == (Status.UNDECIDED, "pairing-uncertain")


def crossed(own: Any, others: Any) -> Log:
    """Two open reads of one caller: northwind's report gets the answer `own`, acme's the answer `others`."""
    after = Log(REPORT, session="s2")
    first, second = after.request(NORTHWIND), after.request("report://acme/2025-10")
    after.reply({"id": first, **own})
    after.reply({"id": second, **others})
    return after


def served(tenant: str) -> dict[str, Any]:
    return {"result": {"contents": [content(f"report://{tenant}/2025-10", report(tenant))]}}


def test_the_answer_of_another_read_clears_nothing() -> None:
    (found,) = subjects(foreign("s1"), crossed(served("acme"), {"error": FORBIDDEN}), PEOPLE)
    assert found.after[0].judgement.principal.verdict == "allowed"
    assert (found.status, found.after[0].reason) == (Status.UNDECIDED, "pairing-uncertain")


def test_nor_does_an_error_to_a_read_whose_answer_went_elsewhere() -> None:
    """Acme's read got northwind's report, so the refusal may have been meant for acme's read."""
    found = subjects(foreign("s1"), crossed({"error": FORBIDDEN}, served("northwind")), PEOPLE)
    # Northwind's document still reaches ana, through the other read: that one is new.
    assert [each.status for each in found] == [Status.UNDECIDED, Status.NEW]
    assert found[0].after[0].reason == "pairing-uncertain"


@pytest.mark.parametrize(
    ("second", "status"),
    [(FORBIDDEN, Status.GONE), ({"code": -32603, "message": "Internal error"}, Status.UNDECIDED)],
)
def test_two_answers_clear_only_where_they_are_the_same(second: dict[str, Any], status: Status) -> None:
    after = Log(REPORT, session="s2")
    number = after.request(NORTHWIND)
    after.reply({"id": number, "error": FORBIDDEN})
    after.reply({"id": number, "error": second})
    (found,) = subjects(foreign("s1"), after, PEOPLE)
    assert found.status is status


# New ones, and none


def test_new_faults_say_what_before_knows_of_them() -> None:
    (unread,) = subjects(log("docs://team/a/policy/other"), log(RAW))
    assert unread.status is Status.NEW
    assert unread.because == "Nobody asked for these values in BEFORE, so the fault may be as old as the others."
    (broken,) = subjects(log(ENCODED), log(RAW))
    assert broken.status is Status.NEW
    assert broken.because == "In BEFORE the same caller asked for the same values: `intact`."


def test_nothing_to_compare() -> None:
    clean = log(ENCODED).judge()
    assert compare(clean, clean) == ()
    assert opening(()) == NOTHING


def test_repeated_reads_are_one_subject() -> None:
    before = Log(DOCS)
    before.read(RAW)
    before.read(RAW)
    (found,) = subjects(before, log(ENCODED))
    assert len(found.before) == 2


def test_a_read_without_a_uri_is_never_joined() -> None:
    before = Log(REPORT)
    before.ask("resources/read", {}, {"contents": []})
    assert became(before, before) == []


# The sentence


def test_every_mix_of_one_class_is_counted() -> None:
    before, after = Log(DOCS), Log(DOCS)
    for name in ("a/1", "b/1", "c/1", "d/1"):
        before.read(f"docs://team/x/policy/{name}")
    after.read("docs://team/x/policy/a%2F1")
    after.read("docs://team/x/policy/b/1")
    after.read("docs://team/x/policy/e/1")
    assert opening(subjects(before, after)) == "Encoding faults: 1 still there, 1 new, 2 not exercised again, 1 gone."


def test_several_faults_of_one_fate_are_said_together() -> None:
    before, after = Log(DOCS), Log(DOCS)
    for name in ("a", "b"):
        before.read(f"docs://team/x/policy/{name}/1")
        after.read(f"docs://team/x/policy/{name}%2F1")
    assert opening(subjects(before, after)) == "Both encoding faults are fixed."
    assert opening(subjects(after, before)) == "2 encoding faults are new."

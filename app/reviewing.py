"""The case and the filter of a command line: what reviewers said, and which reads are shown because of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import click

from app.cases import open_case
from diagnosis.case import Case, CaseError
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.asked import about_shown
from diagnosis.reports.choices import NO_REDACTION, REDACTED, Choices
from diagnosis.reports.tally import counted_as
from diagnosis.selection import Selection

# What `--scope` takes beside the beginning of a fingerprint.
EVERYTHING, CONFIRMED = "all", "confirmed"
_BEGINNING = re.compile(r"[0-9a-f]{8,64}").fullmatch


class Decisions:
    """A case as the filter language asks for it."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def state(self, fingerprint: str) -> str:
        """`new`, `confirmed` or `dismissed`."""
        return self._case.state_of(fingerprint).state.value

    def notes(self, fingerprint: str) -> Sequence[str]:
        """The texts of its notes."""
        return [note.text for note in self._case.state_of(fingerprint).notes]


def check_filter(text: str | None) -> None:
    """Refuses, before anything is read, a filter that cannot be used, with a caret under the place."""
    if text is None:
        return
    from diagnosis.query.errors import QueryError  # only who filters pays for the parser
    from diagnosis.query.filters import parse_filter

    try:
        parse_filter(text)
    except QueryError as error:
        raise click.UsageError(f"{error.sentence}\n  {text}\n  {' ' * error.column}^") from None


def check_case(case_files: Sequence[str], *, to_read: bool = False) -> None:
    """Refuses, before anything is read, case files that cannot be used.

    The first need not be there yet, but with `to_read`: what is only read is a slip of the pen where it is missing.
    """
    try:
        case = Case.open(case_files, "")
    except CaseError as error:
        raise click.UsageError(str(error)) from None
    missing = [path for path in case_files if path not in case.files]
    if to_read and missing:
        raise click.UsageError(f"There is no case file {missing[0]}.")


def check_sessions(diagnosis: Diagnosis) -> None:
    """Refuses a session that no read is of: a slip of the pen is no clean report."""
    for session in diagnosis.options.sessions if diagnosis.judgements else ():
        if not any(map(Selection(sessions=frozenset((session,))).covers, diagnosis.judgements)):
            raise click.UsageError(f"No read is of a session or a capture with the name {session}.")


def reviewed(diagnosis: Diagnosis, case_files: Sequence[str]) -> Case:
    """Opens the case of captures that were read, and judges anew where it holds statements.

    Raises `click.UsageError` for a case file that cannot be used.
    """
    try:
        case = open_case(case_files, diagnosis.captures)
    except CaseError as error:
        raise click.UsageError(str(error)) from None
    statements = case.statements(diagnosis.statements)
    if statements is not diagnosis.statements:
        diagnosis.judge(statements)
    return case


def choices_of(case: Case, *, no_redact: bool, aliases: bool) -> Choices:
    """What a report is told of the case, and what it hides."""
    hidden = replace(NO_REDACTION if no_redact else REDACTED, aliases=aliases)
    stated = tuple(each.stated for each in case.contradictions if each.stated)
    return Choices(redaction=hidden, reviews=case.state_of, case_files=tuple(case.files.items()), contradictions=stated)


def show_only(diagnosis: Diagnosis, text: str | None, scope: str, case: Case, *, strict: bool = False) -> None:
    """Limits what is shown to the reads that a filter matches and that have a finding in the scope.

    Raises `click.UsageError` where that shows no read, and a read that would count is among those that are not shown.
    Only a case in which nobody has confirmed anything yet may leave nothing to show.
    """
    if scope == CONFIRMED and diagnosis.judgements and not case.files:
        raise click.UsageError("No finding is confirmed: there is no case file of these captures, and none is given.")
    tests = []
    if text is not None:
        from diagnosis.query.filters import parse_filter
        from diagnosis.query.values import Beside

        tests.append(parse_filter(text, Beside(Decisions(case))).matches)
    if scope != EVERYTHING:
        tests.append(in_scope(scope, case))
    if scope not in (EVERYTHING, CONFIRMED) and not any(map(tests[-1], diagnosis.judgements)):
        raise click.UsageError(f"No finding's fingerprint begins with {scope}.")  # a slip of the pen is no clean report
    decisive = tests[:-1] if scope == CONFIRMED else tests
    _refuse_nothing_shown(diagnosis, decisive, strict)
    if tests:
        diagnosis.limit_to(lambda judgement: all(matches(judgement) for matches in tests))


def about_nothing_shown(diagnosis: Diagnosis) -> tuple[str, ...]:
    """What is said of the reads that are not shown, where none is: it may be a slip of the pen."""
    return () if diagnosis.shown() else tuple(about_shown(diagnosis))


def _refuse_nothing_shown(diagnosis: Diagnosis, tests: Sequence[Callable[[Judgement], bool]], strict: bool) -> None:
    """Where nothing is shown nothing is decided: status 0 would be a false green."""
    covers = diagnosis.selection.covers
    if any(covers(each) and all(matches(each) for matches in tests) for each in diagnosis.judgements):
        return
    counting = sum(
        bool(each.findings) or (strict and any(answer.verdict is Verdict.CANNOT_TELL for answer in each.answers))
        for each in diagnosis.judgements
    )
    if counting:
        raise click.UsageError(
            f"No read is within what was asked for, and {counted_as(counting, 'read')} outside of it would count: "
            "nothing is decided."
        )


def chosen_scope(context: click.Context, option: click.Parameter, word: str) -> str:
    """`all`, `confirmed`, or the beginning of a finding's fingerprint."""
    if word in (EVERYTHING, CONFIRMED) or _BEGINNING(word):
        return word
    raise click.BadParameter(f"{word} is neither {EVERYTHING} nor {CONFIRMED} nor 8 or more digits of a fingerprint.")


def in_scope(scope: str, case: Case) -> Callable[[Judgement], bool]:
    """Whether a read is in the scope that `--scope` names."""
    if scope == CONFIRMED:
        return lambda judgement: any(case.state_of(each.fingerprint).confirmed for each in judgement.findings)
    return lambda judgement: any(each.fingerprint.startswith(scope) for each in judgement.findings)

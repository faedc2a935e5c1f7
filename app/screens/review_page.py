"""What a person decides and states on the main screen; saved at once, and judged anew where it matters."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual import on

from app.cases import author, open_case
from app.loading import Overview
from app.reviewing import Decisions
from app.screens.filter_page import FilterPage
from app.widgets.counts import counted
from app.widgets.prompt import Prompt
from diagnosis.case import Case, CaseError, Review, State
from diagnosis.query.values import Beside
from diagnosis.questions.findings import Finding
from diagnosis.statements import StatementError, Statements, parse_allow

REASON, NOTE, CALLER, TEMPLATE = "reason", "note", "caller", "template"
_QUESTIONS = {
    REASON: "Why are these findings none?",
    NOTE: "Note on the findings of this read:",
    CALLER: "Who may see what? [WHO=]TENANT[,TENANT]; WHO is a principal, a subject, a session or a capture.",
    TEMPLATE: "Which template does the server have?",
}
_MARKS = {State.CONFIRMED: "+", State.DISMISSED: "x"}


class ReviewPage(FilterPage):
    """A screen on which findings are reviewed. `case` is there once everything was read."""

    def __init__(self, case_files: Sequence[str] = ()) -> None:
        super().__init__()
        self.case: Case | None = None
        self.prompt = Prompt()
        self.reviewed = (0, 0)
        self._case_files = case_files
        self._base: Statements | None = None

    def open_case(self) -> None:
        """Opens the case of what was read; where that cannot be, decisions are kept while the program runs."""
        self._base = self.diagnosis.statements
        try:
            self.case = open_case(self._case_files, self.diagnosis.captures)
        except CaseError as error:
            self.toast(str(error), "warning")
            self.case = Case.open([], author())
        self.beside = Beside(Decisions(self.case), self.overview.sessions)
        if self.case.statements(self._base) is not self._base:
            self.judge_again()
        self.count_reviews()

    def close_case(self) -> None:
        """Everything is read anew, by what was stated before the case; what was decided is saved."""
        if self._base is not None:
            self.diagnosis.statements = self._base
        self.case, self.reviewed = None, (0, 0)

    def count_reviews(self) -> None:
        """How many of all findings somebody decided."""
        if self.case is None:
            return
        states = [
            self.case.state_of(finding.fingerprint).state
            for judgement in self.diagnosis.judgements
            for finding in judgement.findings
        ]
        self.reviewed = (sum(state is not State.NEW for state in states), len(states))

    def mark_of(self, index: int) -> str:
        """`+` confirmed, `x` dismissed, `*` only noted, "" nothing: the word on the read's gravest finding."""
        if self.case is None:
            return ""
        reviews = [self.case.state_of(each.fingerprint) for each in self.overview.judgements[index].findings]
        for state in (State.CONFIRMED, State.DISMISSED):
            if any(review.state is state for review in reviews):
                return _MARKS[state]
        return "*" if any(review.notes for review in reviews) else ""

    def review_of(self, fingerprint: str) -> str:
        """What is known of a finding's review, in words; the text is as typed."""
        return "" if self.case is None else in_words(self.case.state_of(fingerprint))

    def action_confirm(self) -> None:
        """The findings of this read are real."""
        for case, finding in self._findings():
            case.confirm(finding.fingerprint)
        self._decided()

    def action_dismiss_findings(self) -> None:
        """They are none, for a reason that is asked for."""
        if self._findings():
            self._ask(REASON)

    def action_note(self) -> None:
        """A note on them."""
        if self._findings():
            self._ask(NOTE)

    def action_undo(self) -> None:
        """Takes back the last word on them."""
        undone = [case.undo(finding.fingerprint) for case, finding in self._findings()]
        if undone and not any(undone):
            self.toast("There is no word of yours on this read to take back.")
        self._decided()

    def action_state_caller(self) -> None:
        """Who the caller is, and what it may see."""
        judgement = self.judgement
        if self._ready() and judgement is not None:
            who = judgement.caller.id if judgement.caller else judgement.read.session
            self._ask(CALLER, f"{who}=" if who else "")

    def action_state_template(self) -> None:
        """A template of the server."""
        judgement = self.judgement
        if self._ready() and judgement is not None:
            self._ask(TEMPLATE, judgement.template or judgement.read.uri or "")

    @on(Prompt.Left)
    def leave_prompt(self) -> None:
        """Nothing is decided."""
        self.prompt.close()
        self.list.rows.focus()

    @on(Prompt.Answered)
    def take_answer(self, event: Prompt.Answered) -> None:
        """Keeps what was typed, or says why it cannot be kept."""
        try:
            self._keep(event.purpose, event.text)
        except (CaseError, StatementError) as error:
            self.prompt.refuse(str(error))
            return
        self.leave_prompt()
        if event.purpose in (CALLER, TEMPLATE):
            self.judge_again()
        self._decided()

    def judge_again(self) -> None:
        """Judges all reads by what is stated now; the screen stays usable meanwhile."""
        self.run_worker(self._judge(), group="judge", exclusive=True)

    def _keep(self, purpose: str, text: str) -> None:
        if self.case is None:
            return
        if purpose == CALLER:
            caller = parse_allow(text)
            self.case.state_caller(caller.sessions[0], caller.allowed_tenants or ())
        elif purpose == TEMPLATE:
            self.case.state_template(text)
        for case, finding in self._findings() if purpose in (REASON, NOTE) else ():
            if purpose == REASON:
                case.dismiss(finding.fingerprint, text)
            else:
                case.note(finding.fingerprint, text)

    async def _judge(self) -> None:
        assert self.case is not None and self._base is not None
        statements = self.case.statements(self._base)
        self.toast("Judging all reads again by what is stated.")
        await asyncio.to_thread(self.diagnosis.judge, statements)
        self.overview = await asyncio.to_thread(Overview.of, self.diagnosis.judgements, self.diagnosis.selection)
        self.beside = Beside(Decisions(self.case), self.overview.sessions)
        self._decided()
        self.filter_on(again=True)

    def _ask(self, purpose: str, text: str = "") -> None:
        self.prompt.ask(purpose, _QUESTIONS[purpose], text)

    def _ready(self) -> bool:
        if self.case is None:
            self.toast("The load goes on: wait for its end, or stop it with Esc.", "warning")
        return self.case is not None

    def _findings(self) -> list[tuple[Case, Finding]]:
        """The findings of the read under the cursor, with the case that keeps what is said of them."""
        judgement = self.judgement
        if not self._ready() or self.case is None or judgement is None:
            return []
        if not judgement.findings:
            self.toast("This read has no finding.")
        return [(self.case, finding) for finding in judgement.findings]

    def _decided(self) -> None:
        if self.case is not None and self.case.trouble:
            self.toast(self.case.trouble, "warning")
        self.count_reviews()
        self.draw()


def in_words(review: Review) -> str:
    """`confirmed by ana`, `dismissed by ana: the client is a test`, with notes and contradictions."""
    words = "unreviewed"
    if review.state is not State.NEW:
        reason = f": {review.reason}" if review.reason else ""
        words = f"{review.state.value} by {review.author}{reason}"
    if review.contradicted:
        words += "; reviewers disagree"
    if review.notes:
        words += f"; {counted(len(review.notes), 'note')}, the last: {review.notes[-1].text}"
    return words

"""The case file: what reviewers decided, noted and stated about findings, each with author and time, append-only.

case = Case.open(["case.json"], author="ana")     # reads all files, writes to the first; CaseError says what is wrong
case.confirm(finding.fingerprint)                 # also dismiss, reopen, note, state_caller, state_template, undo
case.trouble                                      # "" or one sentence: the entry counts, and is not saved
case.state_of(finding.fingerprint).state          # new, confirmed or dismissed; .reason, .author, .notes, .contradicted
diagnosis.judge(case.statements(base))            # what people stated, beside the command line and the files
reviews(case, judgement), overview(case, judgements)     # plain data for reports

The text of a case is typed by people or comes from a file of theirs: it is shown through `visible()`, like a log's.
"""

from diagnosis.case.case import Case
from diagnosis.case.entries import (
    CaseError,
    Decided,
    Decision,
    Entry,
    Note,
    StatedCaller,
    StatedTemplate,
    Withdrawal,
    standing,
)
from diagnosis.case.reviews import Contradiction, Review, State
from diagnosis.case.section import Overview, Reviewed, overview, reviews

__all__ = [
    "Case",
    "CaseError",
    "Contradiction",
    "Decided",
    "Decision",
    "Entry",
    "Note",
    "Overview",
    "Review",
    "Reviewed",
    "State",
    "StatedCaller",
    "StatedTemplate",
    "Withdrawal",
    "overview",
    "reviews",
    "standing",
]

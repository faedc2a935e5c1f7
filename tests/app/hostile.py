"""A diagnosis whose every text was written by an enemy, and a program that shows it in a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.tui import TriageApp
from diagnosis.callers.principals import Principal, PrincipalSource
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.message import Span
from diagnosis.ledger import CaptureFacts, Progress, Refusal
from diagnosis.questions.findings import Answer, Evidence, Finding, Remark
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Seen
from tests.app.build import FakeDiagnosis, facts, incident, judgement

# Window title, clipboard, colours that nothing of ours uses, C1 controls, bidirectional overrides,
# zero width, tags, a lone surrogate, and markup that crashes or runs an action.
ATTACKS = (
    "\x1b]0;PWNED\x07",
    "\x1b]52;c;UFdORUQ=\x1b\\",
    "\x1b[97;5mPWNED",
    "\x9b97;5mPWNED\x9d0;PWNED\x9c",
    "\u202egnp.exe\u202c\u2066\u2069",
    "a\u200bb\u200d\ufeff\u00ad\U000e0041",
    "\ud800",
    "[/] [b] [@click=app.quit]x[/] [link=http://x]y[/link]",
    "nul\x00 back\x08 tab\t new\nline\r del\x7f so\x0e",
    "e" + "\u0301" * 30,
)
ALL = " ".join(ATTACKS)

# What must never reach a terminal as it is, beside the escape sequences of Textual itself.
FORBIDDEN = frozenset(
    character
    for attack in ATTACKS
    for character in attack
    if not character.isprintable() and character not in "\x1b\n\r\ud800"
) | {"\ufffd"}


def hostile() -> FakeDiagnosis:
    """One read for each attack, then reads of every kind with all of them."""
    reads = [
        judgement(number, f"docs://a/{attack}/b", "docs://a/{+name}", session=attack, caller=_caller(attack))
        for number, attack in enumerate(ATTACKS)
    ]
    for one in incident():
        read = replace(one.read, number=len(reads), session=ALL, time=ALL, uri=ALL, capture=ALL, server=ALL)
        read = replace(read, channel=ALL, request_id=ALL, doubts=(ALL,), notes=(ALL,))
        reads.append(_poisoned(replace(one, read=read, readings=(), template=ALL, tenants=(ALL,))))
    diagnosis = HostileDiagnosis(reads)
    span = Span(ALL, 1, 0, 10, (ALL,))
    diagnosis.problems = [Skipped(Kind.UNREADABLE, span, ALL, ALL.encode("utf-8", "surrogatepass"))]
    diagnosis.refusals = [Refusal(ALL, "missing", ALL, ((ALL, ALL),))]
    facts_of: CaptureFacts = facts(ALL, len(reads))
    diagnosis.captures = [replace(facts_of, unreadable=1, why=ALL)]
    return diagnosis


class HostileDiagnosis(FakeDiagnosis):
    """Its captures hold the attacks as bytes."""

    def evidence(self, place: Seen) -> bytes | None:
        """A record with everything in it, as JSON and beside JSON."""
        return b'{"jsonrpc": "2.0", "x": "' + ALL.encode("utf-8", "surrogatepass") + b'\xff"}'


class CrashingDiagnosis(HostileDiagnosis):
    """Shows a read, and fails with text of the log in its hands."""

    def evidence(self, place: Seen) -> bytes | None:
        """Never comes back."""
        text_of_the_log = ALL
        raise KeyError(text_of_the_log)


class StuckDiagnosis(FakeDiagnosis):
    """Its load never ends, and does not listen when it is told to stop."""

    def read(self, batch: float = 0.1) -> Iterator[Progress]:
        """Says that it began, and no more."""
        yield Progress(1, 2, 0, 0)
        threading.Event().wait()


def _caller(text: str) -> Principal:
    return Principal(
        text, PrincipalSource.CLAIMS, text, (text,), (text,), elevated=text, tenant_claim=text, subject=text
    )


def _poisoned(one: Judgement) -> Judgement:
    changes: dict[str, Any] = {
        "segments": _answer(one.segments),
        "document": _answer(one.document),
        "principal": _answer(one.principal),
        "remarks": tuple(_remark(remark) for remark in one.remarks),
        "caller": _caller(ALL),
    }
    return replace(one, **changes)


def _answer(answer: Answer) -> Answer:
    findings = tuple(_finding(finding) for finding in answer.findings)
    return replace(answer, because=ALL, missing=ALL, reason=ALL, findings=findings)


def _finding(finding: Finding) -> Finding:
    return replace(finding, summary=ALL, fix=ALL, because=ALL, evidence=_evidence())


def _remark(remark: Remark) -> Remark:
    return replace(remark, summary=ALL, evidence=_evidence())


def _evidence() -> tuple[Evidence, ...]:
    return (Evidence(Seen(Span(ALL, 1, 0, 10, (ALL,)), "0" * 64), ALL),)


def main() -> None:
    """Shows it in the terminal."""
    diagnosis = hostile()
    if "stuck" in sys.argv:
        diagnosis = StuckDiagnosis([])
    if "crash" in sys.argv:
        diagnosis = CrashingDiagnosis(list(diagnosis._all))
    app = TriageApp([ALL], opener=lambda *_: diagnosis)
    app.run()
    sys.exit(app.return_code)


if __name__ == "__main__":
    main()

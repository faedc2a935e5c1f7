"""What a read says for each field of a filter. A value that the log lacks is absent, never empty text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from diagnosis.query.quantities import took
from diagnosis.questions.findings import Answer, Remark
from diagnosis.questions.judgement import Judgement
from diagnosis.questions.states import State, state
from diagnosis.reads.read import Outcome, Scalar
from diagnosis.uris.percent import decode


class Reviews(Protocol):
    """What reviewers said of findings; a finding is known by its fingerprint."""

    def state(self, fingerprint: str) -> str:
        """`new`, `confirmed` or `dismissed`."""
        ...

    def notes(self, fingerprint: str) -> Sequence[str]:
        """The texts of its notes."""
        ...


class NoReviews:
    """Nobody has reviewed anything: every finding is new and has no note."""

    def state(self, fingerprint: str) -> str:
        """Always `new`."""
        return "new"

    def notes(self, fingerprint: str) -> Sequence[str]:
        """None."""
        return ()


@dataclass(frozen=True, slots=True)
class Beside:
    """What a filter asks for and no read holds: reviews, and the short names of sessions (by session id)."""

    reviews: Reviews = field(default_factory=NoReviews)
    session_names: Mapping[str, str] = field(default_factory=dict)


Values = Callable[[Judgement, Beside], Sequence[str]]
Quantities = Callable[[Judgement], Sequence[int]]
Times = Callable[[Judgement], Sequence[str]]


def _one(text: str | None) -> Sequence[str]:
    return () if text is None else (text,)


_STATES = tuple(each.word for each in State)


def state_of(question: int) -> Values:
    """The state of the answer to question 0, 1 or 2."""
    return lambda judgement, _: (_STATES[state(judgement.answers[question])],)


def states(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The states of all three answers."""
    return [_STATES[state(answer)] for answer in judgement.answers]


def segments(judgement: Judgement, _: Beside) -> Sequence[str]:
    """Verdict and reason of question 1."""
    return _verdict_and_reason(judgement.segments)


def document(judgement: Judgement, _: Beside) -> Sequence[str]:
    """Verdict and reason of question 2."""
    return _verdict_and_reason(judgement.document)


def principal(judgement: Judgement, _: Beside) -> Sequence[str]:
    """Verdict and reason of question 3."""
    return _verdict_and_reason(judgement.principal)


def _verdict_and_reason(answer: Answer) -> Sequence[str]:
    return answer.verdict, answer.reason


def _remarks(judgement: Judgement) -> Iterator[Remark]:
    for answer in judgement.answers:
        yield from answer.remarks
    yield from judgement.remarks


def classes(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The classes of the findings."""
    kinds = (finding.rule.finding_class for finding in judgement.findings)
    return [kind for kind in kinds if kind is not None]


def rules(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The rules of findings and remarks."""
    found = [finding.rule.id for finding in judgement.findings]
    return found + [remark.rule.id for remark in _remarks(judgement)]


def remark_names(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The rules of the remarks, without `remark/`."""
    return [remark.rule.id.removeprefix("remark/") for remark in _remarks(judgement)]


def owners(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The owners of the findings."""
    return [finding.rule.owner for finding in judgement.findings if finding.rule.owner is not None]


def certainties(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The certainties of the findings."""
    return [finding.certainty for finding in judgement.findings]


def severities(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The severities of findings and remarks."""
    found = [finding.rule.severity for finding in judgement.findings]
    return found + [remark.severity for remark in _remarks(judgement)]


def uri(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The URI as it was sent."""
    return _one(judgement.read.uri)


def template(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The template that explains the URI."""
    return _one(judgement.template)


def tenants(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The tenants asked for and received."""
    return judgement.tenants


def caller(judgement: Judgement, _: Beside) -> Sequence[str]:
    """Every name of the caller: the principal's, the token's or record's, and those in the policy."""
    known = judgement.caller
    return () if known is None else (known.id, *_one(known.subject), *known.subjects)


def session(judgement: Judgement, beside: Beside) -> Sequence[str]:
    """The session id, and its short name where the screen gives it one."""
    known = judgement.read.session
    return () if known is None else (known, *_one(beside.session_names.get(known)))


def capture(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The capture's path as it was given."""
    return (judgement.read.capture,)


def server(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The server's name or URL."""
    return _one(judgement.read.server or None)


_STATUS = {Outcome.RESULT: ("ok",), Outcome.ERROR: ("error",), Outcome.NONE: ("open",)}


def status(judgement: Judgement, _: Beside) -> Sequence[str]:
    """What came back: `ok`, `error`, or `open` where no answer came."""
    return _STATUS[judgement.read.outcome]


def request_id(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The request's id, written as in JSON, but text without its quotes."""
    return (_written(judgement.read.request_id),)


def _written(value: Scalar) -> str:
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else json.dumps(value)


def review_states(judgement: Judgement, beside: Beside) -> Sequence[str]:
    """How far the review of each finding is."""
    return [beside.reviews.state(finding.fingerprint) for finding in judgement.findings]


def notes(judgement: Judgement, beside: Beside) -> Sequence[str]:
    """The notes of reviewers on the findings."""
    return [note for finding in judgement.findings for note in beside.reviews.notes(finding.fingerprint)]


def variable_names(judgement: Judgement, _: Beside) -> Sequence[str]:
    """The names of the template's variables that the URI binds."""
    return [binding.name for alignment in judgement.readings for binding in alignment.bindings]


def variable(name: str) -> Values:
    """The values of one variable in any reading of the URI: as sent, and with one layer of encoding taken off."""

    def values(judgement: Judgement, _: Beside) -> Sequence[str]:
        found: list[str] = []
        for alignment in judgement.readings:
            for binding in alignment.bindings:
                if binding.name == name:
                    for raw in (binding.raw, *(binding.items or ())):
                        found += (raw, decode(raw)) if "%" in raw else (raw,)
        return found

    return values


def number(judgement: Judgement) -> Sequence[int]:
    """The read's number in the list, counted from 1."""
    return (judgement.read.number + 1,)


def lines(judgement: Judgement) -> Sequence[int]:
    """The lines of the request and of its answer."""
    read = judgement.read
    asked = read.request.span.line
    return (asked,) if read.response is None else (asked, read.response.seen.span.line)


def code(judgement: Judgement) -> Sequence[int]:
    """The code of the JSON-RPC error."""
    response = judgement.read.response
    found = response.failure.code if response is not None and response.failure is not None else None
    return () if found is None else (found,)


def durations(judgement: Judgement) -> Sequence[int]:
    """Microseconds between request and answer."""
    read = judgement.read
    if read.time is None or read.response is None or read.response.time is None:
        return ()
    found = took(read.time, read.response.time)
    return () if found is None else (found,)


def times(judgement: Judgement) -> Sequence[str]:
    """When the request was sent, as the log has it."""
    return _one(judgement.read.time)

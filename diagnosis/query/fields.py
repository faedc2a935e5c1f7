"""The fields of a filter: help, completion, error messages and docs/filter.md are made from this one table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from diagnosis.query import values, vocabulary
from diagnosis.query.values import Quantities, Times, Values
from diagnosis.questions.findings import Certainty, FindingClass, Owner, Severity
from diagnosis.questions.states import State


class Kind(Enum):
    """How a field compares: its operators, and what they do in words."""

    WORD = ((":",), "one of the words listed")
    PATH = ((":",), "a rule, or the beginning of its path")
    NAME = ((":", "=", "~"), "the whole name, letter for letter")
    TEXT = ((":", "=", "~"), "`:` a part of the text, `=` the whole of it")
    NUMBER = ((":", "=", "<", "<=", ">", ">="), "a whole number or a range")
    DURATION = ((":", "=", "<", "<=", ">", ">="), "a number with us, ms, s, m or h, or a range")
    TIME = ((":", "=", "<", "<=", ">", ">="), "a time of day, a date, or both, or a range")

    def __init__(self, operators: tuple[str, ...], words: str) -> None:
        self.operators = operators
        self.words = words


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `words` say what it compares, `values`, `quantities` or `times` give what a read says for it.

    `fixed` are the only values there are where the kind is WORD or PATH; a NAME with fixed values also takes them, and
    `fixed_values` says what they are compared with. `present`: completion offers the values that a capture holds.
    """

    name: str
    kind: Kind
    words: str
    example: str
    values: Values | None = None
    quantities: Quantities | None = None
    times: Times | None = None
    fixed: tuple[str, ...] = ()
    fixed_values: Values | None = None
    present: bool = False


_STATES = tuple(each.word for each in State)
_CLASSES = tuple(each.value for each in FindingClass)
_OWNERS = tuple(each.value for each in Owner)
_CERTAINTIES = tuple(each.value for each in Certainty)
_SEVERITIES = tuple(each.value for each in Severity)

VARIABLE = "var."

FIELDS: tuple[Field, ...] = (
    Field("q1", Kind.WORD, "state of question 1", "q1:fault", values.state_of(0), fixed=_STATES),
    Field("q2", Kind.WORD, "state of question 2", "q2:suspect", values.state_of(1), fixed=_STATES),
    Field("q3", Kind.WORD, "state of question 3", "q3:undecided", values.state_of(2), fixed=_STATES),
    Field("any", Kind.WORD, "state of any of the three questions", "any:fault", values.states, fixed=_STATES),
    Field(
        "segments",
        Kind.WORD,
        "verdict or reason of question 1",
        "segments:escaped",
        values.segments,
        fixed=vocabulary.SEGMENTS,
    ),
    Field(
        "document",
        Kind.WORD,
        "verdict or reason of question 2",
        "document:echo-only",
        values.document,
        fixed=vocabulary.DOCUMENT,
    ),
    Field(
        "principal",
        Kind.NAME,
        "verdict or reason of question 3; any other value is a caller's name",
        "principal:no-principal",
        values.caller,
        fixed=vocabulary.PRINCIPAL,
        fixed_values=values.principal,
        present=True,
    ),
    Field("class", Kind.WORD, "class of a finding", "class:double-decode", values.classes, fixed=_CLASSES),
    Field("rule", Kind.PATH, "rule of a finding or remark", "rule:segments", values.rules, fixed=vocabulary.RULE_PATHS),
    Field(
        "remark",
        Kind.WORD,
        "a remark, without `remark/`",
        "remark:crossed-response",
        values.remark_names,
        fixed=vocabulary.REMARKS,
    ),
    Field("owner", Kind.WORD, "owner of a finding", 'owner:"read handler"', values.owners, fixed=_OWNERS),
    Field(
        "certainty",
        Kind.WORD,
        "certainty of a finding",
        "certainty:certain",
        values.certainties,
        fixed=_CERTAINTIES,
    ),
    Field(
        "severity",
        Kind.WORD,
        "severity of a finding or remark",
        "severity:severe",
        values.severities,
        fixed=_SEVERITIES,
    ),
    Field("uri", Kind.TEXT, "URI as it was sent", "uri~^report:", values.uri, present=True),
    Field("template", Kind.TEXT, "template that explains the URI", "template:{tenant}", values.template, present=True),
    Field("var.NAME", Kind.NAME, "value of a variable, as sent or decoded once", "var.month:2025-10"),
    Field("tenant", Kind.NAME, "tenant asked for or received", "tenant:northwind", values.tenants, present=True),
    Field("caller", Kind.NAME, "who asked: principal, subject", "caller:ana", values.caller, present=True),
    Field("session", Kind.NAME, "session, by its id or its short name", "session:s3", values.session, present=True),
    Field("capture", Kind.TEXT, "capture's path", "capture:monday.log", values.capture, present=True),
    Field("server", Kind.TEXT, "server's name or URL", "server:reports", values.server, present=True),
    Field("status", Kind.WORD, "what came back", "status:error", values.status, fixed=("ok", "error", "open")),
    Field("code", Kind.NUMBER, "code of the error that came back", "code:-32002", quantities=values.code),
    Field("id", Kind.NAME, "request's id", "id:41", values.request_id),
    Field("took", Kind.DURATION, "time from request to answer", "took>200ms", quantities=values.durations),
    Field("at", Kind.TIME, "when the request was sent", "at>=09:14", times=values.times),
    Field("line", Kind.NUMBER, "line of the request or its answer", "line:79", quantities=values.lines),
    Field("number", Kind.NUMBER, "number of the read in the list", "number:10..20", quantities=values.number),
    Field(
        "review",
        Kind.WORD,
        "review of a finding",
        "review:new",
        values.review_states,
        fixed=("new", "confirmed", "dismissed"),
    ),
    Field("note", Kind.TEXT, "reviewers' notes on a finding", "note:*", values.notes),
)

NAMES = tuple(field.name for field in FIELDS)
_BY_NAME = {field.name: field for field in FIELDS}


def field_named(name: str) -> Field | None:
    """The field of this name; `var.x` is the field of the variable `x`. None where there is none."""
    lower = name.lower()
    if lower.startswith(VARIABLE) and len(name) > len(VARIABLE):
        own = name[len(VARIABLE) :]
        return replace(_BY_NAME["var.NAME"], name=VARIABLE + own, values=values.variable(own), present=True)
    return _BY_NAME.get(lower)

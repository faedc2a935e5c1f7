"""The JSON report: everything that was concluded, for programs.

URIs, session ids and request ids stand as they are in the capture, but for the secrets inside them: programs join
on them. A document's body is nowhere in it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson

from diagnosis.comparison import exposures
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import Answer, Evidence, Finding, FindingClass, Question, Remark
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Scalar
from diagnosis.reports.asked import given, not_shown
from diagnosis.reports.choices import DEFAULT, Choices
from diagnosis.reports.masking import Masking
from diagnosis.reports.redact import Mask
from diagnosis.reports.tally import is_partial, remarks_of, tally
from diagnosis.reports.version import version
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Alignment, Binding

if TYPE_CHECKING:
    from diagnosis.reports import schema

JSON_LOUD = "NOT REDACTED: credentials stand here as they stand in the log. Do not pass this on."

Object = dict[str, Any]

_PRETTY = orjson.OPT_INDENT_2
_BEYOND_ASCII = re.compile(r"[\x7f-\U0010ffff]+")


def render(diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT) -> str:
    """Returns the report as JSON text, ASCII only, the same for the same diagnosis; `now` is not used.

    Lone surrogates and control characters of a URI are JSON escapes, so a reader gets it back exactly.
    """
    return "".join(pieces(diagnosis, now, choices))


def pieces(diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT) -> Iterator[str]:
    """Yields the same text, read by read: of a large log the report is larger than all that is known of it."""
    judgements = diagnosis.shown()
    masking = _masking(judgements, choices)
    yield "{"
    for name, value in _before(diagnosis, choices).items():
        yield f'\n  "{name}": {_indented(value, 2)},'
    yield '\n  "reads": ['
    for index, each in enumerate(judgements):
        yield f"{',' if index else ''}\n    {_indented(_read(each, masking), 4)}"
    yield "\n  ]" if judgements else "]"
    for name, value in _behind(diagnosis, judgements, masking, choices).items():
        yield f',\n  "{name}": {_indented(value, 2)}'
    yield "\n}\n"


def _indented(value: object, depth: int) -> str:
    return encoded(value).replace("\n", "\n" + " " * depth)  # no string of JSON holds a line break


def _in_ascii(text: bytes) -> bytes:
    if text.isascii() and b"\x7f" not in text:
        return text
    return _BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text.decode("utf-8")).encode("ascii")


def encoded(value: object) -> str:
    """Returns JSON text in ASCII. orjson is four times as fast, but knows no lone surrogate or large integer."""
    try:
        return _in_ascii(orjson.dumps(value, option=_PRETTY)).decode("ascii")
    except TypeError:
        return json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False)


def report(diagnosis: Diagnosis, choices: Choices = DEFAULT) -> schema.Report:
    """Returns the report as its documented shape."""
    from diagnosis.reports.schema import Report  # pydantic takes a while to load, and writing a report needs none of it

    return Report.model_validate(contents(diagnosis, choices))


def contents(diagnosis: Diagnosis, choices: Choices = DEFAULT) -> Object:
    """Returns what the report says, in the documented order: `schema.Report` as plain data."""
    judgements = diagnosis.shown()
    masking = _masking(judgements, choices)
    return {
        **_before(diagnosis, choices),
        "reads": [_read(each, masking) for each in judgements],
        **_behind(diagnosis, judgements, masking, choices),
    }


def _masking(judgements: Sequence[Judgement], choices: Choices) -> Masking:
    return Masking(judgements, replace(choices.redaction, people=False))


def _before(diagnosis: Diagnosis, choices: Choices) -> Object:
    return {
        "schema": "misread-report/1",
        "notice": None if choices.redaction.secrets else JSON_LOUD,
        "tool": {"name": "misread", "version": version()},
        "captures": _captures(diagnosis),
    }


def _behind(diagnosis: Diagnosis, judgements: Sequence[Judgement], masking: Masking, choices: Choices) -> Object:
    return {
        "exposures": _exposures(judgements, masking),
        "inputs": _inputs(diagnosis, masking, choices),
        "problems": _problems(diagnosis, masking),
        "summary": _summary(diagnosis, judgements),
        # Last, because only now everything has its label.
        "redaction": {
            "secrets": choices.redaction.secrets,
            "aliases": choices.redaction.aliases,
            "removed": masking.labels.counts(),
        },
    }


def variables(readings: Iterable[Alignment]) -> dict[str, str | list[str]]:
    """Returns the variables that every reading binds alike, decoded once; a list of values stays a list."""
    bound = [_bound(reading) for reading in readings]
    if not bound:
        return {}
    return {name: value for name, value in bound[0].items() if all(other.get(name) == value for other in bound)}


def _bound(reading: Alignment) -> Mapping[str, str | list[str]]:
    return {binding.name: _value(binding) for binding in reading.bindings}


def _value(binding: Binding) -> str | list[str]:
    if binding.items is not None:
        return [decode(item) for item in binding.items]
    return decode(binding.raw)


def _captures(diagnosis: Diagnosis) -> list[Object]:
    sets = {path: each.name for each in diagnosis.sets for path in each.paths}
    return [
        {
            "path": facts.path,
            "format": facts.format,
            "sha256": facts.sha256,
            "lines": facts.lines,
            "blank": facts.blank,
            "messages": facts.messages,
            "other": facts.other,
            "unreadable": facts.unreadable,
            "reads": facts.reads,
            "set": sets.get(facts.path),
        }
        for facts in diagnosis.captures
    ]


def _read(judgement: Judgement, masking: Masking) -> Object:
    read = judgement.read
    mask = masking.of(judgement)
    caller = judgement.caller
    return {
        "session": None if read.session is None else masking.text(read.session),
        "request_id": _request_id(read.request_id, masking),
        "uri": None if read.uri is None else masking.uri(read.uri, judgement),
        "time": None if read.time is None else masking.text(read.time),
        "outcome": read.outcome.value,
        "template": None if judgement.template is None else masking.uri(judgement.template, judgement),
        "variables": masked(variables(judgement.readings), mask),
        "principal": None
        if caller is None
        else {
            "id": masking.caller(caller.id, is_session=False),
            "source": caller.source.value,
            "allowed_tenants": None
            if caller.allowed_tenants is None
            else [masking.tenant(tenant) for tenant in caller.allowed_tenants],
        },
        "questions": {
            "segments": _answer(judgement.segments, mask),
            "document": _answer(judgement.document, mask),
            "principal": _answer(judgement.principal, mask),
        },
        "findings": [_finding(finding, mask) for finding in judgement.findings],
        "remarks": [_remark(remark, mask) for remark in remarks_of(judgement)],
        "span": {"file": read.request.span.capture, "line": read.request.span.line},
        "answer_span": None
        if read.response is None
        else {"file": read.response.seen.span.capture, "line": read.response.seen.span.line},
        "time_basis": read.time_basis,
        "time_logged": None if read.time_logged is None else masking.text(read.time_logged),
        "witnesses": [
            {"file": each.request.span.capture, "line": each.request.span.line} for each in judgement.witnesses
        ],
    }


def _answer(answer: Answer, mask: Mask) -> dict[str, str]:
    return {"verdict": answer.verdict.value, "reason": answer.reason, "because": mask(answer.because)}


def _finding(finding: Finding, mask: Mask) -> Object:
    rule = finding.rule
    assert rule.finding_class is not None and rule.owner is not None, rule.id
    return {
        "rule": rule.id,
        "class": rule.finding_class.value,
        "certainty": finding.certainty.value,
        "severity": rule.severity.value,
        "subject": mask(finding.subject),
        "owner": rule.owner.value,
        "summary": mask(finding.summary),
        "fix": mask(finding.fix),
        "fingerprint": finding.fingerprint,
        "new": finding.new,
        "evidence": [_evidence(evidence, mask) for evidence in finding.evidence],
    }


def _remark(remark: Remark, mask: Mask) -> Object:
    return {
        "rule": remark.rule.id,
        "severity": remark.severity.value,
        "certainty": remark.certainty.value,
        "summary": mask(remark.summary),
        "evidence": [_evidence(evidence, mask) for evidence in remark.evidence],
    }


def _evidence(evidence: Evidence, mask: Mask) -> Object:
    span = evidence.seen.span
    return {
        "file": span.capture,
        "line": span.line,
        "offset": span.offset,
        "length": span.length,
        "layers": [mask(layer) for layer in span.layers],
        "sha256": evidence.seen.sha256,
        "what": mask(evidence.what),
    }


def masked(values: dict[str, str | list[str]], mask: Mask) -> dict[str, str | list[str]]:
    """Returns variables with their secrets hidden; a comma that makes a list may be one of a secret."""
    return {
        name: mask(value) if isinstance(value, str) else _masked_items(value, mask) for name, value in values.items()
    }


def _masked_items(items: list[str], mask: Mask) -> list[str]:
    whole = ",".join(items)
    hidden = mask(whole)
    return items if hidden == whole else hidden.split(",")


def _request_id(request_id: Scalar, masking: Masking) -> Scalar:
    """JSON has no infinity; an id that overflowed to it is told in words."""
    if isinstance(request_id, float) and not math.isfinite(request_id):
        return str(request_id)
    return masking.text(request_id) if isinstance(request_id, str) else request_id


def _exposures(judgements: Iterable[Judgement], masking: Masking) -> list[Object]:
    return [
        {
            "tenant": masking.tenant(exposure.tenant),
            "caller": None if exposure.caller is None else masking.caller(exposure.caller, is_session=False),
            "template": None if exposure.template is None else masking.uri(exposure.template),
            "reads": exposure.reads,
            "first": None if exposure.first is None else masking.text(exposure.first),
            "last": None if exposure.last is None else masking.text(exposure.last),
            # Which names stand in these URIs is known of each read only; there they have their aliases.
            "uris": [] if masking.redaction.aliases else [masking.uri(uri) for uri in exposure.uris],
        }
        for exposure in exposures(judgements)
    ]


def _inputs(diagnosis: Diagnosis, masking: Masking, choices: Choices) -> Object:
    statements = diagnosis.statements
    return {
        "policy": statements.policy_path,
        "templates": statements.templates_path,
        "stated": [masking.stated(word) for word in statements.stated],
        "contradictions": [masking.stated(word) for word in choices.contradictions],
        "options": _options(diagnosis, masking),
        "partial": is_partial(diagnosis),
        "changed_while_reading": any(facts.changed for facts in diagnosis.captures),
        "left_out": list(diagnosis.options.left_out),
        "sets": [
            {"name": each.name, "captures": list(each.paths), "why": each.why, "parted": list(each.parted)}
            for each in diagnosis.sets
        ],
        "alike": [{"one": each.one, "other": each.other, "reads": each.reads} for each in diagnosis.alike],
    }


def _options(diagnosis: Diagnosis, masking: Masking) -> dict[str, str | bool | list[str]]:
    def masked_value(value: str | bool | list[str]) -> str | bool | list[str]:
        if isinstance(value, list):
            return [masking.typed(each) for each in value]
        return masking.typed(value) if isinstance(value, str) else value

    return {name: masked_value(value) for name, value in given(diagnosis.options).items()}


def _problems(diagnosis: Diagnosis, masking: Masking) -> list[Object]:
    """Files that were not read at all stand first, at line 0; then the lines that could not be read."""
    files = [
        {"file": refusal.path, "line": 0, "offset": 0, "reason": masking.text(refusal.sentence)}
        for refusal in diagnosis.refusals
    ]
    lines = [
        {
            "file": skipped.span.capture,
            "line": skipped.span.line,
            "offset": skipped.span.offset,
            "reason": masking.text(skipped.why),
        }
        for skipped in diagnosis.problems
    ]
    return files + lines


def _summary(diagnosis: Diagnosis, shown: Sequence[Judgement]) -> Object:
    counted, hidden = tally(shown), not_shown(diagnosis)
    return {
        "reads": counted.reads,
        "findings": {
            "under-encoding": counted.findings[FindingClass.UNDER_ENCODING],
            "double-decode": counted.findings[FindingClass.DOUBLE_DECODE],
            "missing-authorization": counted.findings[FindingClass.MISSING_AUTHORIZATION],
        },
        "cannot_tell": {
            "segments": counted.cannot_tell[Question.SEGMENTS],
            "document": counted.cannot_tell[Question.DOCUMENT],
            "principal": counted.cannot_tell[Question.PRINCIPAL],
        },
        "not_shown": {"reads": len(hidden), "with_findings": sum(bool(each.findings) for each in hidden)},
    }

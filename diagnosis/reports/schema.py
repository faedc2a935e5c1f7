"""The documented shape of the JSON report, `misread-report/1`; docs/report.schema.json is made from it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, StrictBool, StrictInt, WithJsonSchema


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a string is due here")
    return value


def _request_id(value: object) -> object:
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError("a JSON scalar is due here")


# pydantic's own `str` refuses lone surrogates, which a URI of a log may hold; its unions turn 1.0 into 1.
Text = Annotated[str, PlainValidator(_text), WithJsonSchema({"type": "string"})]
RequestId = Annotated[
    str | int | float | bool | None,
    PlainValidator(_request_id),
    WithJsonSchema({"type": ["string", "number", "boolean", "null"]}),
]
Count = Annotated[StrictInt, Field(ge=0)]

Class = Literal["under-encoding", "double-decode", "missing-authorization"]
Certainty = Literal["certain", "likely", "possible"]
Severity = Literal["severe", "mild"]


class Shape(BaseModel):
    """Nothing beyond the documented fields."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Tool(Shape):
    """The program that wrote the report."""

    name: Literal["misread"]
    version: Text


class Capture(Shape):
    """One capture file. `messages` and `reads` count JSON-RPC messages, the other counts are lines.

    `set` names the stream of several captures that it is a part of, null where it stands alone.
    """

    path: Text
    format: Text
    sha256: Text
    lines: Count
    blank: Count
    messages: Count
    other: Count
    unreadable: Count
    reads: Count
    set: Text | None = None


class Principal(Shape):
    """Who asked; `allowed_tenants` is null where it is unknown."""

    id: Text
    source: Literal["stated", "policy", "record", "claims", "token", "inherited"]
    allowed_tenants: list[Text] | None


class Segments(Shape):
    """Question 1: did the URI escape its segments?"""

    verdict: Literal["intact", "escaped", "cannot_tell"]
    reason: Text
    because: Text


class Document(Shape):
    """Question 2: does the document match the request?"""

    verdict: Literal["match", "mismatch", "cannot_tell"]
    reason: Text
    because: Text


class PrincipalCheck(Shape):
    """Question 3: was a principal check performed? `allowed` proves no check in the server."""

    verdict: Literal["allowed", "not_checked", "refused", "cannot_tell"]
    reason: Text
    because: Text


class Questions(Shape):
    """The three answers; always all three."""

    segments: Segments
    document: Document
    principal: PrincipalCheck


class Evidence(Shape):
    """A place in a capture: offset and length in bytes, decompressed, and the path inside that record."""

    file: Text
    line: StrictInt
    offset: StrictInt
    length: StrictInt
    layers: list[Text]
    sha256: Text
    what: Text


class Finding(Shape):
    """A fault of one of the three classes; the first evidence is the primary one.

    `new` says whether the baseline lacks it; null where none was given.
    """

    rule: Text
    finding_class: Class = Field(validation_alias="class", serialization_alias="class")
    certainty: Certainty
    severity: Severity
    subject: Text
    owner: Literal["client", "between", "read handler"]
    summary: Text
    fix: Text
    fingerprint: Text
    new: StrictBool | None = None
    evidence: list[Evidence]


class Remark(Shape):
    """Real, worth showing, and none of the three classes."""

    rule: Text
    severity: Severity
    certainty: Certainty
    summary: Text
    evidence: list[Evidence]


class Place(Shape):
    """Where a message stands."""

    file: Text
    line: StrictInt


class Read(Shape):
    """One `resources/read` and what was concluded about it; reads stand in capture order.

    `time` is RFC 3339 in UTC but for the bases `relative` and `none`, where it is the log's own text; `time_logged` is
    always that. `witnesses` are the places of the same read in other captures of the same traffic.
    """

    session: Text | None
    request_id: RequestId
    uri: Text | None
    time: Text | None
    outcome: Literal["result", "error", "none"]
    template: Text | None
    variables: dict[Text, Text | list[Text]]
    principal: Principal | None
    questions: Questions
    findings: list[Finding]
    remarks: list[Remark]
    span: Place
    answer_span: Place | None
    time_basis: Text
    time_logged: Text | None = None
    witnesses: list[Place] = []


class Exposure(Shape):
    """Whose documents went to whom; at most 20 URIs are listed."""

    tenant: Text
    caller: Text | None
    template: Text | None
    reads: Count
    first: Text | None
    last: Text | None
    uris: list[Text]


class CaptureSet(Shape):
    """Captures that were read as one stream, in its order; `parted` do not follow the part before them."""

    name: Text
    captures: list[Text]
    why: Text
    parted: list[Text]


class Alike(Shape):
    """Two captures, or sets of them, that look like the same traffic and were counted as two."""

    one: Text
    other: Text
    reads: Count


class Inputs(Shape):
    """What the person gave beside the captures, and whether everything was read.

    `left_out` are the files of a folder that are no captures. `contradictions` are what reviewers state differently.
    """

    policy: Text | None
    templates: Text | None
    stated: list[Text]
    contradictions: list[Text] = []
    options: dict[str, Text | bool | list[Text]]
    partial: StrictBool
    changed_while_reading: StrictBool
    left_out: list[Text] = []
    sets: list[CaptureSet] = []
    alike: list[Alike] = []


class Problem(Shape):
    """A line that a message was due in and that could not be read; line 0 means the whole file."""

    file: Text
    line: StrictInt
    offset: StrictInt
    reason: Text


class FindingCounts(Shape):
    """Findings by class."""

    under_encoding: Count = Field(validation_alias="under-encoding", serialization_alias="under-encoding")
    double_decode: Count = Field(validation_alias="double-decode", serialization_alias="double-decode")
    missing_authorization: Count = Field(
        validation_alias="missing-authorization", serialization_alias="missing-authorization"
    )


class CannotTell(Shape):
    """Answers that the log does not decide, by question."""

    segments: Count
    document: Count
    principal: Count


class NotShown(Shape):
    """Reads outside the time or the sessions that were asked for, and how many of them have a finding."""

    reads: Count = 0
    with_findings: Count = 0


class Summary(Shape):
    """How much of everything there is among the reads that are shown."""

    reads: Count
    findings: FindingCounts
    cannot_tell: CannotTell
    not_shown: NotShown = NotShown()


class Redaction(Shape):
    """What was hidden: whether secrets are, whether tenants and principals have aliases, and how many of each kind."""

    secrets: StrictBool
    aliases: StrictBool
    removed: dict[Text, Count]


class Report(Shape):
    """A whole JSON report. `notice` says that credentials were not removed; null where they were."""

    schema_name: Literal["misread-report/1"] = Field(validation_alias="schema", serialization_alias="schema")
    notice: Text | None = None
    tool: Tool
    captures: list[Capture]
    reads: list[Read]
    exposures: list[Exposure]
    inputs: Inputs
    problems: list[Problem]
    summary: Summary
    redaction: Redaction


def schema_text() -> str:
    """Returns the JSON Schema of the report as it is checked in."""
    schema: dict[str, Any] = Report.model_json_schema(mode="serialization")
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"

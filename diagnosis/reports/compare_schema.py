"""The documented shape of a comparison, `misread-compare/1`; docs/compare.schema.json is made from it."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import Field, StrictBool

from diagnosis.reports.schema import Class, Count, Place, Shape, Text, Tool

Status = Literal["still", "new", "undecided", "not exercised", "gone"]


class Capture(Shape):
    """One capture file of a side."""

    path: Text
    sha256: Text
    reads: Count


class Side(Shape):
    """What was read of one side, and whether that was everything."""

    captures: list[Capture]
    reads: Count
    all_read: StrictBool
    only_listed_here: list[Text]


class Inputs(Shape):
    """What the person gave beside the captures; it counts for both sides."""

    policy: Text | None
    templates: Text | None
    stated: list[Text]
    options: dict[str, Text | bool | list[Text]]


class Before(Shape):
    """A read of BEFORE that shows the fault."""

    uri: Text | None
    span: Place
    fingerprints: list[Text]


class After(Shape):
    """A read of AFTER that asked for the same, and the answer to the question of the class.

    `says` is `faulty`, `clean`, `open` (the log does not decide) or `silent` (no answer came).
    """

    uri: Text | None
    span: Place
    says: Literal["faulty", "clean", "open", "silent"]
    verdict: Text
    reason: Text
    because: Text
    fingerprints: list[Text]


class Subject(Shape):
    """One fault by template, variables, caller and class, and what became of it."""

    status: Status
    finding_class: Class = Field(validation_alias="class", serialization_alias="class")
    rules: list[Text]
    template: Text | None
    variables: dict[Text, Text | list[Text]]
    caller: Text | None
    because: Text
    before: list[Before]
    after: list[After]


class Counts(Shape):
    """Subjects by status."""

    still: Count
    new: Count
    undecided: Count
    not_exercised: Count = Field(validation_alias="not exercised", serialization_alias="not exercised")
    gone: Count


class Comparison(Shape):
    """A whole comparison; subjects stand by class, those of BEFORE first."""

    schema_name: Literal["misread-compare/1"] = Field(validation_alias="schema", serialization_alias="schema")
    tool: Tool
    opening: Text
    notes: list[Text]
    before: Side
    after: Side
    inputs: Inputs
    subjects: list[Subject]
    summary: Counts


def schema_text() -> str:
    """Returns the JSON Schema of a comparison as it is checked in."""
    schema: dict[str, Any] = Comparison.model_json_schema(mode="serialization")
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"

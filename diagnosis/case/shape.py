"""The documented shape of a case file, `misread-case/1`; docs/case.schema.json is made from it."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from diagnosis.callers.policy import ALL_TENANTS, NO_TENANT
from diagnosis.case.entries import CaseError
from diagnosis.statements import StatementError, check_template
from diagnosis.visible import visible

TEXT_LIMIT = 10_000  # characters of a note or a reason: some pages
NAME_LIMIT = 1_000  # characters of an author, a caller or a tenant

_HASH = re.compile(r"[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)


def _text_up_to(limit: int, *, may_be_empty: bool = False) -> PlainValidator:
    """pydantic's own `str` refuses lone surrogates, which a name taken from a log may hold."""

    def check(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError("a string is due here")
        if not value.strip() and not (may_be_empty and not value):
            raise ValueError("it is empty")
        if len(value) > limit:
            raise ValueError(f"it is longer than {limit:,} characters")
        return value

    return PlainValidator(check)


def _time(value: object) -> str:
    if isinstance(value, str) and _TIME.fullmatch(value):
        try:
            datetime.fromisoformat(value)
            return value
        except ValueError:
            pass  # the 30th of February
    raise ValueError("a time in UTC is due here, such as 2026-12-01T10:05:36.741000Z")


def _hash(value: object) -> str:
    if isinstance(value, str) and _HASH.fullmatch(value):
        return value
    raise ValueError("64 hexadecimal digits in lower case are due here")


Text = Annotated[
    str, _text_up_to(TEXT_LIMIT), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": TEXT_LIMIT})
]
Reason = Annotated[
    str, _text_up_to(TEXT_LIMIT, may_be_empty=True), WithJsonSchema({"type": "string", "maxLength": TEXT_LIMIT})
]
Name = Annotated[
    str, _text_up_to(NAME_LIMIT), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_LIMIT})
]
Time = Annotated[str, PlainValidator(_time), WithJsonSchema({"type": "string", "format": "date-time"})]
Hash = Annotated[str, PlainValidator(_hash), WithJsonSchema({"type": "string", "pattern": f"^{_HASH.pattern}$"})]


def _says_something(text: str) -> bool:
    """Whether anything of it is drawn: blanks and characters of no width are no reason."""
    return any(not each.isspace() and visible(each) == each for each in text)


class Shape(BaseModel):
    """Members that are not documented are allowed, and kept when the file is written again."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True)


class EntryShape(Shape):
    """`id` is the SHA-256 of the entry's other members as JSON; without it the entry gets one."""

    kind: str
    id: Hash | None = None
    time: Time
    author: Name


class DecisionShape(EntryShape):
    """A finding is confirmed, dismissed or reopened; a dismissal needs a reason."""

    kind: Literal["decision"]
    fingerprint: Hash
    decided: Literal["confirmed", "dismissed", "reopened"]
    reason: Reason = ""

    @model_validator(mode="after")
    def _says_why(self) -> Self:
        if self.decided == "dismissed" and not _says_something(self.reason):
            raise ValueError("a dismissal needs a reason")
        return self


class NoteShape(EntryShape):
    """A note on a finding."""

    kind: Literal["note"]
    fingerprint: Hash
    text: Text


class CallerShape(EntryShape):
    """Who may see what: `who` is a principal, subject, session or capture's name; `"*"` is every caller."""

    kind: Literal["caller"]
    who: Name
    tenants: Annotated[list[Name], Field(min_length=1, max_length=1_000)]

    @field_validator("tenants")
    @classmethod
    def _names_tenants(cls, value: list[str]) -> list[str]:
        if any(each.strip() == ALL_TENANTS for each in value):
            raise ValueError(NO_TENANT)
        return value


class TemplateShape(EntryShape):
    """A template of the server (RFC 6570)."""

    kind: Literal["template"]
    template: Text

    @field_validator("template")
    @classmethod
    def _parses(cls, value: str) -> str:
        try:
            check_template(value)
        except StatementError:
            raise ValueError("it is no RFC 6570 template") from None
        return value


class WithdrawalShape(EntryShape):
    """Takes an earlier entry back."""

    kind: Literal["withdrawal"]
    entry: Hash


SHAPES: dict[str, type[EntryShape]] = {
    "decision": DecisionShape,
    "note": NoteShape,
    "caller": CallerShape,
    "template": TemplateShape,
    "withdrawal": WithdrawalShape,
}


class CaseFile(Shape):
    """A whole case file; its entries stand in the order of time."""

    schema_name: Literal["misread-case/1"] = Field(validation_alias="schema", serialization_alias="schema")
    entries: list[
        Annotated[
            DecisionShape | NoteShape | CallerShape | TemplateShape | WithdrawalShape, Field(discriminator="kind")
        ]
    ]


def known_members(value: dict[str, Any], place: str = "") -> dict[str, Any]:
    """The documented members of an entry, checked.

    Raises:
        CaseError: a member is missing or is not what it should be; the text names the place, without a full stop.
    """
    kind = value.get("kind")
    shape = SHAPES.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise CaseError(f"{place}kind: it is none of {', '.join(SHAPES)}")
    # Members that are not documented stay outside: pydantic refuses some names of them.
    documented = {name: value[name] for name in shape.model_fields if name in value}
    try:
        return shape.model_validate(documented).model_dump(exclude_none=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = place + ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise CaseError(
            f"{where}: {message}" if first["loc"] else f"{place.rstrip('.')}: {message}".lstrip(": ")
        ) from None


def schema_text() -> str:
    """Returns the JSON Schema of a case file as it is checked in."""
    schema: dict[str, Any] = CaseFile.model_json_schema(mode="serialization")
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"

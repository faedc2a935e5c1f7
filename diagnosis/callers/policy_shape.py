"""The shape of a policy file, checked field by field; only a run that is given one loads this."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, model_validator

from diagnosis.callers.policy import ALL_TENANTS, NO_TENANT
from diagnosis.uris.templates import TemplateError, parse


def _names_a_tenant(value: str) -> str:
    """Tenants are whole names: an asterisk would make an administrator of a caller whose line says `admin: false`."""
    if value.strip() == ALL_TENANTS:
        raise ValueError(NO_TENANT)
    return value


_Tenant = Annotated[StrictStr, AfterValidator(_names_a_tenant)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class _Principal(_Strict):
    id: StrictStr
    sessions: list[StrictStr] = []
    subjects: list[StrictStr] = []
    allowed_tenants: list[_Tenant] | None = None
    admin: StrictBool = False
    tenants_seen: list[StrictStr] = []  # a note of `misread policy` to the person who fills it in


class _Place(_Strict):
    variable: StrictStr | None = None
    segment: StrictInt | None = Field(default=None, ge=1)
    field: StrictStr | None = None

    @model_validator(mode="after")
    def _names_a_place(self) -> Self:
        if self.segment is not None and self.variable is None:
            raise ValueError("a segment needs the variable that it is a segment of")
        if self.variable is None and self.field is None:
            raise ValueError("it names neither a variable nor a field; write null for a template without tenant")
        return self


class PolicyShape(_Strict):
    """A policy file as a person writes it: nothing unknown in it, no caller twice, every place in its template."""

    principals: list[_Principal]
    shared_tenants: list[_Tenant] = []
    tenant_fields: list[StrictStr] = []
    tenant_of: dict[StrictStr, _Place | None] = {}
    not_paths: dict[StrictStr, list[StrictStr]] = {}

    @model_validator(mode="after")
    def _names_each_caller_once(self) -> Self:
        """Of two lines for one caller the first would silently win, and accuse where the second one allows."""
        for kind in ("sessions", "subjects"):
            names = Counter(name for each in self.principals for name in {*getattr(each, kind)})
            twice = next((name for name, count in names.items() if count > 1), None)
            if twice is not None:
                raise ValueError(f"{twice} stands in the {kind} of two principals")
        return self

    @model_validator(mode="after")
    def _places_stand_in_their_templates(self) -> Self:
        for template, place in self.tenant_of.items():
            if place is not None and place.variable is not None and f"{place.variable}" not in _names_in(template):
                raise ValueError(f"tenant_of: {template} has no variable {place.variable}")
        return self


def _names_in(template: str) -> tuple[str, ...]:
    try:
        return parse(template).variables
    except TemplateError as error:
        raise ValueError(f"tenant_of: {template} is no template: {error}") from None

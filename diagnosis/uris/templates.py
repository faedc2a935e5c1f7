"""URI templates, all four levels of RFC 6570: parse a template, expand it with values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from diagnosis.uris.characters import NOT_URI, encode_reserved, encode_value

MAX_TEMPLATE = 8 * 1024
MAX_VARIABLES = 256
OPERATORS = "+#./;?&"

_NAME = re.compile(r"(?:[A-Za-z0-9_\-]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_\-]|%[0-9A-Fa-f]{2})+)*")
_PREFIX = re.compile(r"[1-9][0-9]{0,3}")

Scalar = str | int | float | bool | None
Value = Scalar | Sequence[Scalar] | Mapping[str, Scalar]


class TemplateError(ValueError):
    """A text that is no template: `offset` is where, `reason` is one sentence."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(f"{reason} (offset {offset})")
        self.offset = offset
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of an expression; `prefix` is the N of `{name:N}` (RFC 6570 section 2.4)."""

    name: str
    explode: bool = False
    prefix: int | None = None


@dataclass(frozen=True, slots=True)
class Literal:
    """The template's own text between expressions, as written; offsets into the template."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Expression:
    """One `{...}`: operator ("" for simple expansion) and variables; offsets include the braces."""

    operator: str
    variables: tuple[Variable, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template.

    `dialect` is "rfc6570" or "fastmcp", where `{path*}` means any number of segments. `variables` are the
    names in order, no repeats. `fixed_beginning` is the literal text up to the first expression. `irregular`
    are the places (offset, what) that RFC 6570 forbids and real servers accept: a `-` in a name, a raw
    character that no URI may hold in a literal.
    """

    text: str
    parts: tuple[Literal | Expression, ...]
    dialect: str = "rfc6570"
    variables: tuple[str, ...] = field(init=False, compare=False)
    fixed_beginning: str = field(init=False, compare=False)
    irregular: tuple[tuple[int, str], ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        names = (v.name for part in self.parts if isinstance(part, Expression) for v in part.variables)
        first = self.parts[0] if self.parts else None
        object.__setattr__(self, "variables", tuple(dict.fromkeys(names)))
        object.__setattr__(self, "fixed_beginning", first.text if isinstance(first, Literal) else "")
        object.__setattr__(self, "irregular", tuple(_irregular(self.parts)))

    def __hash__(self) -> int:  # equal templates have equal texts, and the hash of a str is kept
        return hash(self.text)


def _irregular(parts: tuple[Literal | Expression, ...]) -> Iterator[tuple[int, str]]:
    for part in parts:
        if isinstance(part, Literal):
            for found in NOT_URI.finditer(part.text):
                yield part.start + found.start(), "a raw character that no URI may hold"
        elif any("-" in variable.name for variable in part.variables):
            yield part.start, "a name with a hyphen"


@lru_cache(maxsize=4096)
def parse(text: str, dialect: str = "rfc6570") -> Template:
    """Parse a template of at most 8 KiB and 256 variables (RFC 6570 section 2), or raise TemplateError.

    `dialect` "fastmcp" changes only the meaning of `{path*}`.
    """
    if len(text) > MAX_TEMPLATE:
        raise TemplateError(MAX_TEMPLATE, f"A template may have at most {MAX_TEMPLATE} characters.")
    parts: list[Literal | Expression] = []
    at = count = 0
    while at < len(text):
        if text[at] == "{":
            expression = _expression(text, at)
            count += len(expression.variables)
            if count > MAX_VARIABLES:
                raise TemplateError(at, f"A template may have at most {MAX_VARIABLES} variables.")
            parts.append(expression)
            at = expression.end
        else:
            end = text.find("{", at)
            end = len(text) if end < 0 else end
            if "}" in text[at:end]:
                raise TemplateError(text.index("}", at), "A closing brace has no opening brace.")
            parts.append(Literal(text[at:end], at, end))
            at = end
    return Template(text, tuple(parts), dialect)


def _expression(text: str, start: int) -> Expression:
    end = text.find("}", start)
    if end < 0:
        raise TemplateError(start, "The opening brace is never closed.")
    body, at = text[start + 1 : end], start + 1
    operator = body[0] if body and body[0] in OPERATORS else ""
    if body and body[0] in "=,!@|":
        raise TemplateError(at, f"The operator {body[0]!r} is reserved for extensions.")
    at += len(operator)
    if at == end:
        raise TemplateError(at, "The expression names no variable.")
    variables = []
    for piece in text[at:end].split(","):
        variables.append(_variable(piece, at))
        at += len(piece) + 1
    return Expression(operator, tuple(variables), start, end + 1)


def _variable(piece: str, at: int) -> Variable:
    name = _NAME.match(piece)
    if name is None:
        raise TemplateError(at, "A variable name is missing or starts with a character that names cannot hold.")
    rest = piece[name.end() :]
    if not rest:
        return Variable(name[0])
    if rest == "*":
        return Variable(name[0], explode=True)
    if rest[0] == ":" and _PREFIX.fullmatch(rest[1:]):
        return Variable(name[0], prefix=int(rest[1:]))
    if rest[0] == ":":
        raise TemplateError(at + name.end(), "A prefix length is a number from 1 to 9999 and takes no explode mark.")
    raise TemplateError(at + name.end(), "A variable name holds a character that names cannot hold.")


def expand(template: Template, values: Mapping[str, Value]) -> str:
    """Expand a template (RFC 6570 section 3).

    Values are text, numbers, booleans (`true`, `false`), None (undefined), sequences or mappings of those.
    Undefined and empty lists vanish together with the operator's prefix. TemplateError: a prefix on a list or
    a mapping.
    """
    return "".join(
        encode_reserved(part.text) if isinstance(part, Literal) else _expand(part, values, template.dialect)
        for part in template.parts
    )


def _expand(part: Expression, values: Mapping[str, Value], dialect: str) -> str:
    operator = part.operator
    first = "" if operator == "+" else operator
    between = {"": ",", "+": ",", "#": ",", "?": "&"}.get(operator, operator)
    pieces: list[str] = []
    for variable in part.variables:
        value = values.get(variable.name)
        if dialect == "fastmcp" and variable.explode and not operator:
            pieces.extend(_path(value))
        else:
            pieces.extend(_pieces(variable, value, part))
    return first + between.join(pieces) if pieces else ""


def _path(value: Value) -> Iterator[str]:
    """FastMCP's `{path*}`: each segment encoded, the slashes between them kept."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        yield "/".join(encode_value(_text(item)) for item in value if item is not None)
    elif value is not None and not isinstance(value, Mapping):
        yield "/".join(encode_value(segment) for segment in _text(value).split("/"))


def _pieces(variable: Variable, value: Value, part: Expression) -> Iterator[str]:
    encode = encode_reserved if part.operator in ("+", "#") else encode_value
    named = part.operator in (";", "?", "&")
    empty = "" if part.operator == ";" else "="  # `;name` but `?name=`

    def with_name(name: str, text: str) -> str:
        return f"{name}={text}" if text else name + empty

    if isinstance(value, Mapping):
        pairs = [(encode(key), encode(_text(item))) for key, item in value.items() if item is not None]
        if variable.explode:
            yield from (with_name(k, v) if named else f"{k}={v}" for k, v in pairs)
            return
        items = [text for pair in pairs for text in pair]
    elif isinstance(value, Sequence) and not isinstance(value, str):
        items = [encode(_text(item)) for item in value if item is not None]
        if variable.explode:
            yield from (with_name(variable.name, item) if named else item for item in items)
            return
    elif value is not None:
        text = encode(_text(value)[: variable.prefix])
        yield with_name(variable.name, text) if named else text
        return
    else:
        return
    if variable.prefix is not None:
        raise TemplateError(part.start, f"{variable.name!r} has a prefix, which a list or a mapping cannot have.")
    if items:
        yield with_name(variable.name, ",".join(items)) if named else ",".join(items)


def _text(value: Scalar) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)

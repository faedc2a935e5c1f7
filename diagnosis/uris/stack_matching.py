"""How one known stack would match a URI, worked out from its row of data and from our own alignment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from diagnosis.uris.alignment import align
from diagnosis.uris.characters import TRIPLET
from diagnosis.uris.path_safety import resolve_dots
from diagnosis.uris.reading import Alignment, Binding
from diagnosis.uris.stack_data import Stack
from diagnosis.uris.templates import Expression, Literal, Template, TemplateError, parse
from diagnosis.wording import characters, quoted

_ENCODED_DOT = re.compile("%2e", re.IGNORECASE)
_QUERY = ("?", "&")


def shapes(template: Template | str) -> tuple[tuple[str, str], ...]:
    """The shapes of a template that some parser refuses: (name in the data, in words), in no order of weight."""
    if isinstance(template, Template):
        return _shapes(template)
    try:
        return _shapes(parse(template))
    except TemplateError as wrong:
        before = template[: wrong.offset]
        if template.rfind("{") > template.rfind("}"):
            return (("unclosed", "a brace that is never closed"),)
        if template[wrong.offset : wrong.offset + 1] == "}" and before.rfind("{") <= before.rfind("}"):
            return ()  # a closing brace alone is text to a parser that is laxer than ours
        return (("malformed", "a text that is no template"),)


@lru_cache(maxsize=4096)
def _shapes(template: Template) -> tuple[tuple[str, str], ...]:
    expressions = [part for part in template.parts if isinstance(part, Expression)]
    variables = [(each, variable) for each in expressions for variable in each.variables]
    names = [variable.name for _, variable in variables]
    fastmcp = template.dialect == "fastmcp"  # its `{path*}` is no explode
    exploded = [each.operator for each, variable in variables if variable.explode and (each.operator or not fastmcp)]
    many = [each for each, variable in variables if _takes_many(each.operator, variable.explode)]
    found = {
        "adjacent": (_has_adjacent(template), "two variables with nothing between them"),
        "two multi-segment": (len(many) > 1, "two variables of many segments"),
        "repeated": (len(set(names)) < len(names), "a name that is used twice"),
        "prefix": (any(variable.prefix is not None for _, variable in variables), "a prefix such as `{v:3}`"),
        "explode in a query": (any(each in _QUERY for each in exploded), "an exploded query variable"),
        "explode elsewhere": (any(each in ("", "+", "#") for each in exploded), "an explode mark without a separator"),
        "hyphen": (any("-" in name for name in names), "a name with a hyphen"),
        "encoded name": (any("%" in name for name in names), "a percent-encoded name"),
        "two queries": (sum(each.operator == "?" for each in expressions) > 1, "two `{?...}` expressions"),
    }
    return tuple((name, words) for name, (there, words) in found.items() if there)


def _takes_many(operator: str, explode: bool) -> bool:
    return operator in ("+", "#") or (explode and operator in ("/", ".", ";"))


def _has_adjacent(template: Template) -> bool:
    """Whether a variable begins where another ends; most operators put a character of their own between."""
    for before, part in zip(template.parts, template.parts[1:], strict=False):
        if isinstance(before, Expression) and isinstance(part, Expression):
            if part.operator in ("", "+"):
                return True
            if any(_takes_many(part.operator, v.explode) and v.explode for v in part.variables):
                return True
    return False


def knows(stack: Stack, template: Template) -> bool:
    """Whether the data say how a stack matches a template, and its parser takes it."""
    if any(stack.shapes.get(name) for name, _ in shapes(template)):
        return False
    return all(
        _kind(part, template) == "?"
        or (_kind(part, template) in stack.values and (len(part.variables) == 1 or stack.several is True))
        for part in template.parts
        if isinstance(part, Expression)
    )


def _kind(part: Expression, template: Template) -> str:
    """An expression's name in the data: its operator, with a star where it is exploded; "?" for all of a query."""
    if part.operator in _QUERY and _has_query(template):
        return "?"
    if not any(variable.explode for variable in part.variables):
        return part.operator
    return "path*" if template.dialect == "fastmcp" and not part.operator else part.operator + "*"


def _has_query(template: Template) -> bool:
    """Whether the template ends in a run of query expressions that begins with `{?...}`."""
    run: list[str] = []
    for part in reversed(template.parts):
        if isinstance(part, Literal) or part.operator not in _QUERY:
            break
        run.append(part.operator)
    return bool(run) and run[-1] == "?"


def why_not(stack: Stack, uri: str, template: Template) -> str | None:
    """Why a stack would not match a URI, as a verb with the stack for its subject; None where it would.

    Meaningful only where `knows` holds. Where the readings of a URI are too many to look at it is None as well.
    """
    if stack.authority_space == "refused" and " " in uri.partition("://")[2].partition("/")[0]:
        return "would refuse the space in the authority"
    seen = as_seen(stack, uri, template)
    aligned = align(seen, template)
    if aligned is None and stack.literals == "any case":
        seen, template = seen.lower(), _folded(template)
        aligned = align(seen, template)
    if aligned is None:
        return f"would look for {quoted(seen)}, which does not fit the template"
    if aligned.capped:
        return None
    first = None
    for each in aligned.found:
        reason = next(_objections(stack, seen, each), None)
        if reason is None:
            return None
        first = first or reason
    return first


def as_seen(stack: Stack, uri: str, template: Template) -> str:
    """The URI as a stack's matcher gets it: what its URL type and its router rewrite before."""
    if stack.controls == "removed":
        uri = re.sub("[\t\r\n]", "", uri).strip(" ")
    scheme, colon, rest = uri.partition("://")
    if stack.scheme == "lowered":
        scheme = scheme.lower()
    if stack.cut and not _has_query(template):
        rest = re.split(f"[{re.escape(stack.cut)}]", rest, maxsplit=1)[0]
    if stack.dots in ("removed", "removed, encoded too") and colon:
        rest = _without_dots(rest, encoded=stack.dots != "removed")
    if stack.trailing_slash_ignored:
        rest = rest.removesuffix("/")
    return scheme + colon + rest


def _without_dots(rest: str, encoded: bool) -> str:
    """What follows `scheme://` without dot segments in its path; what needs no change stays as it is."""
    end = next((at for at, character in enumerate(rest) if character in "?#"), len(rest))
    start = rest.find("/", 0, end)
    if start < 0:
        return rest
    segments = rest[start:end].split("/")
    plain = [_ENCODED_DOT.sub(".", each) if encoded else each for each in segments]
    dots = [each in (".", "..") for each in plain]
    if not any(dots):
        return rest
    path = "/".join(p if dot else segment for p, dot, segment in zip(plain, dots, segments, strict=True))
    return rest[:start] + resolve_dots(path) + rest[end:]


@lru_cache(maxsize=256)
def _folded(template: Template) -> Template:
    texts = (template.text[each.start : each.end] for each in template.parts)
    folded = (text if text.startswith("{") else text.lower() for text in texts)
    return parse("".join(folded), template.dialect)


def _objections(stack: Stack, uri: str, alignment: Alignment) -> Iterator[str]:
    """Why a stack would not take this alignment."""
    template = alignment.template
    if stack.bare_percent == "refused" and "%" in TRIPLET.sub("", uri):
        yield "would fail to decode a `%` without two hex digits"
    literals = (part.text for part in template.parts if isinstance(part, Literal))
    if stack.literals == "exact" and any(
        uri[start:end] != text for (start, end), text in zip(alignment.literals, literals, strict=False)
    ):
        yield "would compare the template's own text byte by byte"
    if stack.only_legal:
        for offence in alignment.offences:
            if offence.character != "," or not offence.variable:  # a comma in a value makes a list
                where = quoted(offence.variable) if offence.variable else "the query"
                yield f"would refuse the raw {_character(offence.character)} in {where}"
    for index, part in enumerate(template.parts):
        if isinstance(part, Expression) and _kind(part, template) != "?":
            bound = [each for each in alignment.bindings if each.part == index]
            yield from _value_objections(stack, part, _kind(part, template), bound)
    if _has_query(template):
        yield from _query_objections(stack, alignment)


def _value_objections(stack: Stack, part: Expression, kind: str, bound: list[Binding]) -> Iterator[str]:
    rule = stack.values[kind]
    written = quoted("{" + part.operator + ",".join(each.name for each in part.variables) + "}")
    if rule.rule == "unsupported":
        yield f"would not support {written}"
        return
    if rule.omitted is False and len(bound) < len(part.variables):
        missing = next(v.name for v in part.variables if v.name not in {each.name for each in bound})
        yield f"would not match without {quoted(missing)}"
    for binding in bound:
        # The items of an exploded list stand between the operator's own separators.
        texts = binding.items if kind.endswith("*") and binding.items is not None else (binding.raw,)
        refused = [character for text in texts for character in text if character in rule.refuses]
        if refused and rule.rule == "one segment":
            yield f"would take {written} for one segment"
        elif refused:
            yield f"would refuse the raw {_character(refused[0])} in {quoted(binding.name)}"
        if rule.empty is False and not binding.raw:
            yield f"would refuse the empty value of {quoted(binding.name)}"


def _query_objections(stack: Stack, alignment: Alignment) -> Iterator[str]:
    rule, template = stack.query.rule, alignment.template
    parts = {i: part for i, part in enumerate(template.parts) if isinstance(part, Expression)}
    declared = [v.name for part in parts.values() if part.operator in _QUERY for v in part.variables]
    bound = [each for each in alignment.bindings if parts[each.part].operator in _QUERY]
    names = [each.name for each in bound]
    if rule == "unsupported":
        yield "would not support query expressions"
    if rule in ("any order", "in order", "all in order") and alignment.undeclared:
        yield f"would refuse the parameter {quoted(alignment.undeclared[0].name)}, which the template does not declare"
    if rule == "all in order" and names != declared:
        yield "would match only with every query parameter, in the template's order"
    if rule == "in order" and names != [name for name in declared if name in names]:
        yield "would match query parameters only in the template's order"
    if stack.query.empty is False and any(not each.raw for each in bound):
        yield "would refuse an empty query parameter"


def _character(character: str) -> str:
    return "space" if character == " " else characters(character)

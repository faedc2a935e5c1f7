"""The identity fields of a returned document: its top-level names and values, never its body."""

from __future__ import annotations

import base64
import binascii
import csv
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson
import yaml

from diagnosis.reads.read import Document, DocumentKind, FieldValue, Scalar
from diagnosis.wording import quoted

JSON_LIMIT = 16 * 1024 * 1024  # bytes of body that are parsed as JSON
TEXT_LIMIT = 1024 * 1024  # characters of body that are read as CSV
YAML_LIMIT = 64 * 1024  # characters read as YAML, which takes about 4 s a megabyte
FIELD_LIMIT = 256  # fields kept of one document, and items of one list
VALUE_LIMIT = 1024  # characters; a longer value identifies nothing and would be a body
SHORT = 32  # characters of a value that is likely to come again
DEPTH_LIMIT = 64  # levels of YAML; its scanner grows with the square of open brackets

_TEXTUAL = ("json", "yaml", "csv", "xml", "markdown", "javascript")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
# orjson turns integers past 64 bits into floats; none has fewer digits than this.
_MANY_DIGITS = re.compile(r"[0-9]{19}")
_BASE64_SPACE = str.maketrans("", "", " \t\r\n")
# A line of YAML that cannot mean anything else: a plain name at its beginning, one space, and a plain value of
# harmless characters or a quoted one without escapes. The line breaks of YAML (NEL, LS, PS) are not among them.
_PLAIN_LINE = re.compile(
    r"([A-Za-z][A-Za-z0-9_-]{0,63}): "
    r'(?:([A-Za-z0-9][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*)|"([ !#-\[\]-~\xa1-\u1fff]*)")'
).fullmatch
_YAML_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


def document(text: object, blob: object, media_type: str | None) -> Document:
    """Reads the identity fields of one content item (`text` or `blob`, as they stand in the message).

    A blob is decoded only for textual media types (base64, RFC 4648; the alphabet for URLs and line breaks are
    accepted, because servers write both); other media are `BINARY`. Nothing here raises: what cannot be read is
    `UNREADABLE` with its reason.
    """
    kind = _bare_type(media_type)
    if isinstance(text, str):
        return _of_text(text, kind)
    if not isinstance(blob, str):
        return Document(DocumentKind.EMPTY, why="it has neither text nor blob")
    if not (kind.startswith("text/") or any(word in kind for word in _TEXTUAL)):
        return Document(DocumentKind.BINARY, size=len(blob) * 3 // 4, why=f"a blob of type {kind or 'unknown'}")
    try:
        data = blob.translate(_BASE64_SPACE)
        standard = base64.b64decode(data, altchars=b"-_" if "-" in data or "_" in data else None, validate=True)
        return _of_text(standard.decode("utf-8"), kind)
    except (binascii.Error, ValueError):
        return Document(DocumentKind.UNREADABLE, size=len(blob), why="the blob is not base64 of UTF-8 text")


def _bare_type(media_type: str | None) -> str:
    return (media_type or "").partition(";")[0].strip().lower()


def _of_text(text: str, kind: str) -> Document:
    size = len(text.encode("utf-8", "surrogatepass"))
    body = text.removeprefix("\ufeff")
    start = body.lstrip()
    if not start:
        return Document(DocumentKind.EMPTY, size=size, why="the text is empty")
    if start[0] == "{" or "json" in kind:
        read = _json(body, size, strict="json" in kind)
        if read is not None:
            return read
    if "yaml" in kind:
        return _yaml(body, DocumentKind.YAML, size)
    if kind in {"text/csv", "application/csv"}:
        return _csv(body, size)
    matter = _front_matter(body)
    if matter is not None:
        return _yaml(matter, DocumentKind.FRONT_MATTER, size)
    return Document(DocumentKind.TEXT, size=size, why="free text names no fields")


def _json(body: str, size: int, strict: bool) -> Document | None:
    """The document as JSON; None where it only looked like JSON and its media type does not claim it."""
    if size > JSON_LIMIT:
        return Document(DocumentKind.UNREADABLE, size=size, why=f"the JSON is larger than {JSON_LIMIT} bytes")
    try:
        value = _loads(body)
    except (ValueError, RecursionError):
        if not strict:
            return None
        return Document(DocumentKind.UNREADABLE, size=size, why="its media type says JSON and it is not JSON")
    if value in (None, "", [], {}):
        return Document(DocumentKind.EMPTY, size=size, why="the JSON holds nothing")
    if not isinstance(value, dict):
        return Document(DocumentKind.JSON, size=size, why="the JSON is no object, so it names no fields")
    doubt = _twice_in(body, value)
    if len(value) == 1:
        (only,) = value.values()
        if isinstance(only, dict):
            value = only
            doubt = doubt or _twice_in(body, value)
    fields = _fields(value.items())
    doubt = doubt or (f"it has more than {FIELD_LIMIT} fields" if len(value) > FIELD_LIMIT else "")
    why = "" if fields else "no plain value stands on top"
    return Document(DocumentKind.JSON, fields=fields, size=size, why=why, doubt=doubt)


def _twice_in(body: str, value: Mapping[str, object]) -> str:
    """Says so where a top-level key stands twice: parsers keep the last one, and another reader may keep the first.

    The second look is taken only where a key's text occurs more than once at all, and stops at 1 MiB.
    """
    if len(body) > TEXT_LIMIT or all(body.count(f'"{name}"') < 2 and "\\" not in name for name in value):
        return ""
    seen: list[str] = []

    def pairs(found: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in found]
        if dict(found).keys() == value.keys() and len(names) > len(set(names)):
            seen.extend(name for name in names if names.count(name) > 1)
        return dict(found)

    try:
        json.loads(body, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return ""
    return f"it names {quoted(seen[0])} twice" if seen else ""


def _loads(body: str) -> Any:
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return json.loads(body)  # it knows lone surrogates and depths that orjson refuses
    if not _holds_float(value, 3) or _MANY_DIGITS.search(body) is None:
        return value
    try:
        return json.loads(body)
    except (ValueError, RecursionError):  # integers of more than 4,300 digits, depths that only orjson knows
        return value


def _holds_float(value: object, levels: int) -> bool:
    """Whether a number that fields are made of is a float, be it one that was an integer past 64 bits.

    Fields stand at most three levels deep: an item of a list of the only object. To look for digits takes far longer.
    """
    if type(value) is float:
        return True
    if levels == 0 or not isinstance(value, (dict, list)):
        return False
    return any(_holds_float(each, levels - 1) for each in (value.values() if isinstance(value, dict) else value))


def _fields(pairs: Iterable[tuple[object, object]]) -> tuple[tuple[str, FieldValue], ...]:
    kept: dict[str, FieldValue] = {}
    for name, value in pairs:
        if len(kept) >= FIELD_LIMIT:
            break
        if isinstance(name, str) and len(name) <= VALUE_LIMIT and _identifies(value):
            kept[name] = tuple(value) if isinstance(value, list) else _shared(value)  # type: ignore[assignment]
    return tuple(kept.items())


def _shared(value: object) -> object:
    """The value, and one object for equal short texts: tenants and months are the same in very many documents."""
    return sys.intern(value) if type(value) is str and len(value) <= SHORT else value


def _identifies(value: object) -> bool:
    if isinstance(value, list):
        return len(value) <= FIELD_LIMIT and all(_is_scalar(item) for item in value)
    return _is_scalar(value)


def _is_scalar(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= VALUE_LIMIT
    return value is None or isinstance(value, (bool, int, float))


def _front_matter(body: str) -> str | None:
    """The YAML between a first line of `---` and the next line of `---` or `...`; None where there is none."""
    if not body.startswith("---"):
        return None
    lines = _lines(body[:TEXT_LIMIT])
    if next(lines).rstrip() != "---":
        return None
    matter: list[str] = []
    for line in lines:
        if line.rstrip() in {"---", "..."}:
            return "\n".join(matter)
        matter.append(line)
    return None


def _lines(text: str) -> Iterator[str]:
    start = 0
    for found in _LINE_BREAK.finditer(text):
        yield text[start : found.start()]
        start = found.end()
    yield text[start:]


def _yaml(body: str, kind: DocumentKind, size: int) -> Document:
    """Reads a top-level mapping from YAML's event stream.

    The base loader keeps every scalar a string and the event stream never expands an alias, so a document cannot
    grow here and `012` stays `012`.
    """
    if len(body) > YAML_LIMIT:
        return Document(DocumentKind.UNREADABLE, size=size, why=f"the YAML is longer than {YAML_LIMIT} characters")
    doubts: list[str] = []
    try:
        found = _plain_mapping(body)
        fields = _fields((_mapping(body, doubts) if found is None else found).items())
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):  # overflow: an escape past Unicode
        why = f"its {kind.value} does not parse, or nests deeper than {DEPTH_LIMIT} levels"
        return Document(DocumentKind.UNREADABLE, size=size, why=why)
    why = "" if fields else "it is no mapping"
    return Document(kind, fields=fields, size=size, why=why, doubt=next(iter(doubts), ""))


def _plain_mapping(body: str) -> Mapping[str, object] | None:
    """What `_mapping` finds, where every line is a plain `name: value`; None where one is anything else.

    Front matter is nearly always so, and PyYAML takes half a millisecond for three such lines.
    """
    found: dict[str, object] = {}
    for line in body.split("\n"):
        matched = _PLAIN_LINE(line)
        if matched is None:
            return None
        name, plain, quoted_value = matched.groups()
        if name in found or name in _YAML_NULLS or len(found) >= FIELD_LIMIT:
            return None
        found[name] = quoted_value if plain is None else None if plain in _YAML_NULLS else plain
    return found


_NESTED = object()  # the value of a key that holds a deeper structure


def _mapping(body: str, doubts: list[str]) -> Mapping[str, object]:
    """The top-level mapping of the first document; what another reader may see otherwise is added to `doubts`."""
    depth = 0
    key: str | None = None
    items: list[Scalar] | None = None
    found: dict[str, object] = {}
    for event in yaml.parse(body, Loader=yaml.BaseLoader):
        if isinstance(event, yaml.DocumentStartEvent) and found:
            doubts.append("it holds a second YAML document")
        if len(found) > FIELD_LIMIT:
            doubts.append(f"it has more than {FIELD_LIMIT} fields")
        if (doubts and isinstance(event, yaml.DocumentStartEvent)) or len(found) > FIELD_LIMIT:
            break
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEPTH_LIMIT:
                raise ValueError("too deep")
            if depth == 1 and not isinstance(event, yaml.MappingStartEvent):
                return {}
            # A sequence straight under a key is a list of values; anything deeper names nothing.
            items = [] if depth == 2 and key is not None and isinstance(event, yaml.SequenceStartEvent) else None
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            if depth == 1 and key is None:
                key = ""  # a collection as a key: its value names nothing
            elif depth == 1 and key is not None:
                found[key] = _NESTED if items is None else items
                key, items = None, None
        elif depth == 1:
            value = _scalar(event)
            if isinstance(event, yaml.AliasEvent) or value == "<<":
                doubts.append("it uses an alias or a merge key, which is not looked up")
            if key is None:
                key = value if isinstance(value, str) else ""
                if key in found:
                    doubts.append(f"it names {quoted(key)} twice")
            else:
                found[key] = value
                key = None
        elif depth == 2 and items is not None:
            items.append(_scalar(event))
    found.pop("", None)
    return {name: value for name, value in found.items() if value is not _NESTED}


def _scalar(event: yaml.Event) -> Scalar:
    if not isinstance(event, yaml.ScalarEvent):
        return None  # an alias: what it stands for is not looked up
    if event.style is None and event.value in _YAML_NULLS:
        return None
    return str(event.value)


def _csv(body: str, size: int) -> Document:
    if len(body) > TEXT_LIMIT:
        return Document(DocumentKind.UNREADABLE, size=size, why=f"the CSV is longer than {TEXT_LIMIT} characters")
    try:
        rows = [row for row in csv.reader(io.StringIO(body, newline=""), strict=True) if row]
    except csv.Error:
        return Document(DocumentKind.UNREADABLE, size=size, why="the CSV does not parse")
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return Document(DocumentKind.CSV, size=size, why="it has no header with rows under it")
    columns = zip(rows[0], zip(*rows[1:], strict=True), strict=True)
    uniform = ((name, values[0]) for name, values in columns if len(set(values)) == 1)
    twice = next((name for name in rows[0] if rows[0].count(name) > 1), None)
    doubt = f"it names {quoted(twice)} twice" if twice is not None else ""
    return Document(DocumentKind.CSV, fields=_fields(uniform), size=size, doubt=doubt)

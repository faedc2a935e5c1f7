"""One JSON text to Python values, and what was odd about it. JSON is never repaired."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import orjson

BOM = b"\xef\xbb\xbf"
DUPLICATE_KEY = "duplicate-key"
RECOVERED = "recovered"
LONE_SURROGATE = "lone-surrogate"
NOT_CHECKED = "duplicates-not-checked"

_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# A letter written as \u0061 hides a key or a method from a search; nothing but malice or a test writes one.
_HIDDEN = re.compile(r"\\u00[67]").search
_HIDDEN_BYTES = re.compile(rb"\\u00[67]").search


@dataclass(frozen=True, slots=True)
class Decoded:
    """The documents of one JSON text, or the reason why there are none.

    `values` holds one document, or several where a line lost its line break (note `recovered`). `notes` are
    `duplicate-key` (the last one wins), `recovered`, `lone-surrogate` and `duplicates-not-checked`. Where
    `reason` is set, `values` is empty; `truncated` says that the text ended before the document did.
    """

    values: tuple[Any, ...]
    notes: tuple[str, ...] = ()
    reason: str = ""
    truncated: bool = False


def decode(text: bytes | str) -> Decoded:
    """Decodes with orjson, and with the standard decoder where orjson refuses or would lose something.

    orjson turns integers past 64 bits into floats, refuses lone surrogates, byte order marks and a second
    document, and drops duplicate keys in silence.
    """
    try:
        value = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return decode_exactly(text)
    return looked_at(text, value)


def looked_at(text: bytes | str, value: Any) -> Decoded:
    """The documents of a text that orjson has read as `value`, with a second look where it deserves one."""
    # A record that wraps a message is none itself; whoever takes the message out asks for the second look.
    bare = type(value) is list or (
        type(value) is dict and ("jsonrpc" in value or "method" in value or "result" in value)
    )
    again = bare and wants_second_look(text, value)
    return second_look(text, value) if again else Decoded((value,))


def plain_message(text: bytes | str) -> dict[str, Any] | None:
    """The JSON-RPC message that is the whole of `text`, where nothing about it is odd; else None, and
    `decode` says more. The short way that most records of a large log take.
    """
    try:
        value = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return None
    return value if is_plain(text, value, value) else None


def is_plain(text: bytes | str, whole: Any, value: Any) -> bool:
    """Whether a `value` inside the `whole` of a `text` is a JSON-RPC message, and the text needs no second look at it.

    What `is_message` and `wants_second_look` say, in one step, for every line of a large log comes by here; where a
    second look is wanted it is spared if it is sure to find nothing.
    """
    if type(value) is not dict or value.get("jsonrpc") != "2.0":
        return False
    request = "method" in value
    if not (request or "result" in value or "error" in value):
        return False
    return not (_about_a_read(value) or _may_hide(text, request)) or names_each_key_once(text, whole)


def names_each_key_once(text: bytes | str, value: Any) -> bool:
    """Whether it is certain that the standard decoder finds in `text` the `value` that orjson found, and nothing odd.

    Members are counted. Each shows as `":` where no space stands before a colon. The same two signs inside a string
    follow a backslash, and these are left out where no key can end in a backslash; at the beginning of a string they
    only add to the count. So where there are as many as members that orjson kept, it dropped none of two of one name.
    A float may have been a large integer, and more than 256 objects and lists may nest too deep for that decoder.
    This takes 10 microseconds for a read's answer, the decoder and what is around it 35.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    if b" :" in data or b"\n" in data or b"\t" in data or b"\r" in data:
        return False
    members, containers = 0, 0
    inside = [value]
    for each in inside:  # grows on the way
        if type(each) is dict:
            members += len(each)
            inside += each.values()
        elif type(each) is list:
            inside += each
        elif type(each) is float:
            return False
        else:
            continue
        containers += 1
        if containers > 256:
            return False
    shown = data.count(b'":')
    if shown != members and b'\\\\"' not in data:
        shown -= data.count(b'\\":')
    return shown == members


def second_look(text: bytes | str, value: Any) -> Decoded:
    """The standard decoder's answer, or `value` with a note where that decoder cannot follow (depth,
    digits).
    """
    exact = decode_exactly(text)
    return exact if not exact.reason else Decoded((value,), (NOT_CHECKED,))


def wants_second_look(text: bytes | str, value: Any) -> bool:
    """Whether a JSON-RPC message in `text`, or a batch of them, deserves the slow decoder.

    That is a read or its answer, an id that may have been an integer past 64 bits, and a message in whose
    text a duplicate key may hide a read.
    """
    if type(value) is dict:
        return _about_a_read(value) or _may_hide(text, "method" in value)
    if type(value) is list:
        about = any(type(each) is dict and _about_a_read(each) for each in value)
        return about or _may_hide(text, True) or _may_hide(text, False)
    return False


def _about_a_read(message: dict[str, Any]) -> bool:
    if type(message.get("id")) is float:
        return True
    method = message.get("method")
    # A cancellation names a request by its id, so that id must be exact too.
    if method is not None:
        return bool(method == "resources/read" or method == "notifications/cancelled")
    result = message.get("result")
    return type(result) is dict and "contents" in result


def _may_hide(text: bytes | str, request: bool) -> bool:
    """Whether `text` has the word that a hidden read, or the hidden answer to one, would have."""
    if isinstance(text, bytes):
        if (b"resources" if request else b'"contents"') in text:
            return True
        return b"\\u00" in text and _HIDDEN_BYTES(text) is not None
    if ("resources" if request else '"contents"') in text:
        return True
    return "\\u00" in text and _HIDDEN(text) is not None


def decode_exactly(text: bytes | str) -> Decoded:
    """Decodes with the standard decoder: exact integers, duplicate keys seen, several documents accepted."""
    if isinstance(text, bytes):
        try:
            text = text.removeprefix(BOM).decode("utf-8")
        except UnicodeDecodeError as error:
            return Decoded((), reason=f"not UTF-8 (byte {error.start} of the text)")
    duplicates: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(found)
        if len(members) != len(found):
            duplicates.append(DUPLICATE_KEY)
        return members

    decoder = json.JSONDecoder(object_pairs_hook=pairs, parse_constant=_refuse, strict=True)
    values: list[Any] = []
    try:
        position = _after_space(text, 0)
        while position < len(text) or not values:
            value, position = decoder.raw_decode(text, position)
            values.append(value)
            position = _after_space(text, position)
    except RecursionError:
        return Decoded((), reason="nested too deep")
    except json.JSONDecodeError as error:
        return _broken(text, error, len(values))
    except ValueError as error:
        return Decoded((), reason=str(error) if isinstance(error, _Constant) else "a number has too many digits")
    return Decoded(tuple(values), _notes(text, values, duplicates))


def first_document(text: bytes) -> tuple[Decoded, int]:
    """Decodes the JSON document at the beginning of `text` and says at which byte it ends; the rest is not
    read.

    For records that carry other text behind their JSON. The document must be closed; nothing is guessed.
    """
    try:
        characters = text.decode("utf-8")
        _, end = json.JSONDecoder(parse_constant=_refuse, strict=True).raw_decode(characters)
    except (ValueError, RecursionError):
        return decode_exactly(text), len(text)
    length = len(characters[:end].encode("utf-8"))
    return decode(text[:length]), length


class _Constant(ValueError):
    """A word that the standard decoder accepts although JSON has no such number."""


def _refuse(word: str) -> Any:
    raise _Constant(f"{word} is not a JSON number")


def _after_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _broken(text: str, error: json.JSONDecodeError, earlier: int) -> Decoded:
    if error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()):
        return Decoded((), reason="the JSON is not closed", truncated=True)
    if earlier:
        return Decoded((), reason=f"text after the JSON, which is not JSON (character {error.pos})")
    return Decoded((), reason=f"not JSON: {error.msg[:1].lower()}{error.msg[1:]} (character {error.pos})")


def _notes(text: str, values: list[Any], duplicates: list[str]) -> tuple[str, ...]:
    notes = [*duplicates[:1]]
    if len(values) > 1:
        notes.append(RECOVERED)
    if _SURROGATE.search(text) and not _encodable(values):
        notes.append(LONE_SURROGATE)
    return tuple(notes)


def _encodable(values: list[Any]) -> bool:
    """Whether the values can be written as UTF-8: half a surrogate pair cannot."""
    try:
        json.dumps(values, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    except (ValueError, RecursionError):
        return True
    return True

"""Layers of percent-encoding, and the ladder that compares a request URI with an echo."""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from urllib.parse import unquote_to_bytes

from diagnosis.uris.characters import NOT_URI, TRIPLET, UNRESERVED, encode_reserved

_DOUBLE = re.compile(r"%25[0-9A-Fa-f]{2}")
_BEYOND_ASCII = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_HIERARCHICAL = re.compile(r"([a-z][a-z0-9+.\-]*:)(?://([^/?#]*))?(/[^?#]*)?(.*)", re.DOTALL)
_PORTS = {"http:": ":80", "https:": ":443", "ws:": ":80", "wss:": ":443", "ftp:": ":21"}
_REMOVED = str.maketrans("", "", "\t\r\n")
_OUTER = "".join(map(chr, range(33)))  # what URL parsers cut off at both ends: controls and blanks
_DRIVE = re.compile(r"(/[A-Za-z])%3[Aa](?=/|$)")
_MAX_LAYERS = 8  # deeper nesting than this is "different"
_NAMESPACE = re.compile(r"[A-Za-z0-9.\-]+(?:_+|[/:+])")
_SCHEME_NAMESPACE = re.compile(r"[A-Za-z][A-Za-z0-9.\-_]*(?:\+|:(?://)?|/|_+)")


def decode(text: str) -> str:
    """Take away one layer of percent-encoding; bytes that are no UTF-8 become U+FFFD, `+` stays."""
    if "%" not in text:
        return text
    return unquote_to_bytes(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")


def decode_form(text: str) -> str:
    """Take away one layer as a form decoder does: `+` is a space (application/x-www-form-urlencoded)."""
    return decode(text.replace("+", " "))


def decode_bytes_ok(text: str) -> bool:
    """Whether the bytes under one layer are UTF-8, so that `decode` loses nothing (`caf%E9` does)."""
    try:
        unquote_to_bytes(text.encode("utf-8", "surrogatepass")).decode()
    except UnicodeDecodeError:
        return False
    return True


def illegal_characters(uri: str) -> tuple[tuple[int, str], ...]:
    """The characters (offset, character) that no URI may hold raw; also `%` without two hex (RFC 3986, 2)."""
    return tuple((found.start(), found[0]) for found in NOT_URI.finditer(uri))


def has_double(text: str) -> bool:
    """Whether one decode leaves a `%HH`: only there a second decode can show."""
    return _DOUBLE.search(text) is not None


class Rung(IntEnum):
    """How an echo differs from the request URI: the first that holds, as what became of the request."""

    BYTE_EQUAL = 0
    FILL_EQUAL = 1  # equal once what no URI may hold is percent-encoded
    CASE_NORMAL = 2  # scheme in lower case, hex in upper case, unreserved triplets decoded
    PATH_NORMAL = 3  # dot segments; for http and its like also host case, default port, empty path
    CONTROL_STRIPPED = 4  # tabs, line breaks and outer blanks removed
    ONE_LAYER_LOST = 5
    TWO_LAYERS_LOST = 6  # or more
    ONE_LAYER_ADDED = 7  # a % became %25
    RESERVED_ADDED = 8  # only reserved characters became %HH (`'` became `%27`)
    FORM_OR_UNICODE = 9  # `+` read as a space, or another Unicode normal form
    NEAR = 10  # only case, a trailing or doubled slash, or the spelling of a drive letter
    DIFFERENT = 11


def rung(request: str, echo: str) -> Rung:
    """The first rung of the ladder on which an echo equals the request."""
    if request == echo:
        return Rung.BYTE_EQUAL
    if encode_reserved(request) == encode_reserved(echo):
        return Rung.FILL_EQUAL
    if case_normal(request) == case_normal(echo):
        return Rung.CASE_NORMAL
    asked, got = path_normal(request), path_normal(echo)
    if asked == got:
        return Rung.PATH_NORMAL
    if path_normal(_stripped(request)) == path_normal(_stripped(echo)):
        return Rung.CONTROL_STRIPPED
    if _DRIVE.sub(r"\1:", asked) == _DRIVE.sub(r"\1:", got):  # two ways to write a path, no layer
        return Rung.NEAR
    lost = _layers_lost(request, echo, got)
    if lost:
        return Rung.ONE_LAYER_LOST if lost == 1 else Rung.TWO_LAYERS_LOST
    if "%" in echo and path_normal(decode(echo)) == asked:
        return Rung.ONE_LAYER_ADDED if has_double(echo) else Rung.RESERVED_ADDED
    if _form_normal(request) == _form_normal(echo) or _unicode_normal(request) == _unicode_normal(echo):
        return Rung.FORM_OR_UNICODE
    return Rung.NEAR if _near_normal(request) == _near_normal(echo) else Rung.DIFFERENT


def _layers_lost(request: str, echo: str, got: str) -> int:
    """How many decodes lead from the request to the echo; 0 where none does.

    An exact equality comes before a normal one: a raw space for `%2520` is two decodes, although encoding
    that space again makes it look like one.
    """
    layers = [request]
    while len(layers) <= _MAX_LAYERS and (below := decode(layers[-1])) != layers[-1]:
        layers.append(below)
    for count, text in enumerate(layers[1:], 1):
        if text == echo:
            return count
    for count, text in enumerate(layers[1:], 1):
        if path_normal(text) == got:
            return count
    return 0


def case_normal(uri: str) -> str:
    """What RFC 3986 section 6.2.2 calls equal for any scheme, without dot segments and host case."""
    filled = TRIPLET.sub(_plainer, encode_reserved(uri))
    scheme = _SCHEME.match(filled)
    return scheme[0].lower() + filled[scheme.end() :] if scheme else filled


def _plainer(found: re.Match[str]) -> str:
    character = chr(int(found[0][1:], 16))
    return character if character in UNRESERVED else found[0].upper()


def path_normal(uri: str) -> str:
    """`case_normal`, and dot segments resolved; for http and its like also host case, port and empty path.

    The authority of any other scheme is left alone: in `report://{tenant}/...` it is a value.
    """
    normal = case_normal(uri)
    parts = _HIERARCHICAL.fullmatch(normal)
    if parts is None:
        return normal
    scheme, authority, path, rest = parts[1], parts[2], parts[3] or "", parts[4]
    if authority is None and not path:
        return normal
    path = remove_dot_segments(path)
    if scheme in _PORTS and authority is not None:
        authority = authority.lower().removesuffix(_PORTS[scheme])
        path = path or "/"
    return scheme + ("" if authority is None else "//" + authority) + path + rest


def remove_dot_segments(path: str) -> str:
    """Resolve `.` and `..` in a path that starts with `/` (RFC 3986 section 5.2.4); doubled slashes stay."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _stripped(uri: str) -> str:
    return uri.strip(_OUTER).translate(_REMOVED)


def _form_normal(uri: str) -> str:
    return case_normal(uri.replace("+", "%20"))


def _unicode_normal(uri: str) -> str:
    """Composed characters (NFC); only triplets beyond ASCII are decoded."""
    return case_normal(unicodedata.normalize("NFC", _BEYOND_ASCII.sub(lambda found: decode(found[0]), uri)))


def _near_normal(uri: str) -> str:
    folded = case_normal(uri).lower()
    scheme, there, rest = folded.partition("://")
    if not there:
        return folded.rstrip("/")
    cut = min((at for at in (rest.find("?"), rest.find("#")) if at >= 0), default=len(rest))
    path = re.sub("//+", "/", _DRIVE.sub(r"\1:", rest[:cut]))
    # The slash that begins a path of an empty authority is no trailing one: `x:///` is not `x://`.
    return scheme + there + (path[0] + path[1:].rstrip("/") if path else "") + rest[cut:]


def children(request: str, echo: str) -> bool:
    """Whether the echo lies under the requested URI: a sub-resource, as of a folder."""
    above, below = path_normal(request), path_normal(echo)
    if "?" in above or "#" in above:
        return False
    base = above if above.endswith("/") else above + "/"
    return below.startswith(base) and len(below) > len(base)


def prefix_removed(request: str, echo: str) -> bool:
    """Whether the echo is the request without a leading namespace, as gateways add one.

    Before the scheme (`alpha+file:///p`, echo `file:///p`) or as the first name after it (`ui://north_panel`,
    echo `ui://panel`; `docs://mount/team/x`, echo `docs://team/x`).
    """
    if not echo or request == echo:
        return False
    if _SCHEME.match(echo) and request.endswith(echo):
        return _SCHEME_NAMESPACE.fullmatch(request[: -len(echo)]) is not None
    scheme, there, rest = echo.partition("://")
    asked_scheme, _, asked_rest = request.partition("://")
    if not there or not rest or scheme.lower() != asked_scheme.lower() or not asked_rest.endswith(rest):
        return False
    return _NAMESPACE.fullmatch(asked_rest[: len(asked_rest) - len(rest)]) is not None

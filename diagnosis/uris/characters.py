"""Which characters a URI may hold (RFC 3986 section 2), and percent-encoding the ones it may not."""

from __future__ import annotations

import re
from functools import lru_cache

UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
RESERVED = ":/?#[]@!$&'()*+,;="
SEPARATORS = "/?#"  # what cuts a URI into the pieces that matchers compare
TOLERATED = "!'()*"  # what encodeURIComponent leaves raw

TRIPLET = re.compile(r"%[0-9A-Fa-f]{2}")
NOT_UNRESERVED = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~%]")
NOT_URI = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")
_NOT_BARE = re.compile(r"[^A-Za-z0-9\-._~]")


def _encoded(found: re.Match[str]) -> str:
    return encode_character(found[0])


@lru_cache(maxsize=1024)
def encode_character(character: str) -> str:
    """The percent-encoding of a text's UTF-8 bytes in upper-case hex; a lone surrogate has three."""
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def encode_value(text: str) -> str:
    """Percent-encode all but unreserved characters, `%` too (RFC 6570 section 3.2.1, "U")."""
    return _NOT_BARE.sub(_encoded, text)


def encode_reserved(text: str) -> str:
    """Percent-encode what no URI may hold; reserved characters and valid `%HH` stay (RFC 6570, "U+R")."""
    return NOT_URI.sub(_encoded, text)


def upper_hex(text: str) -> str:
    """The same text with the hex digits of every `%HH` in upper case; lengths do not change."""
    if "%" not in text:
        return text
    return TRIPLET.sub(lambda found: found[0].upper(), text)

"""Which encoder left its mark on a URI: worth naming, and no accusation, because official SDKs leave them too."""

from __future__ import annotations

import re

from diagnosis.uris.percent import decode_bytes_ok
from diagnosis.uris.reading import Alignment

_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")


def fingerprint(uri: str, alignment: Alignment) -> str:
    """One sentence on the encoder that a URI with offences looks like; "" where none is known to.

    Of these, encodeURI and URL types escape spaces and letters beyond ASCII and leave `&`, `/` and `'` raw; a URL
    type also resolves dots (Python 1.x and FastMCP clients send what pydantic's URL type makes of a URI). Go's
    template library writes one byte for a letter up to U+00FF, and the TypeScript SDK expands several-variable
    expressions without encoding.
    """
    offending = {each.character for each in alignment.offences}
    if any(not each.isascii() or each == " " for each in offending):
        return "No encoder ran over the values." if not _TRIPLET.search(uri) else ""
    if _several(alignment):
        return "The TypeScript SDK expands several variables in one expression like this, without encoding them."
    if _TRIPLET.search(uri) and offending & set("&/?#=+:@;,$"):
        return "Some characters are escaped and reserved ones are not, as encodeURI or a URL type leaves them."
    return ""


def _several(alignment: Alignment) -> bool:
    """Whether every offence stands in a value of a several-variable expression without an operator."""
    parts = {each.name: each.part for each in alignment.bindings if each.operator == ""}
    shared = {name for name, part in parts.items() if list(parts.values()).count(part) > 1}
    return bool(shared) and all(each.variable in shared for each in alignment.offences)


def bare_bytes(uri: str) -> str:
    """A sentence on percent triplets that are no UTF-8, such as `caf%E9`; "" where there are none."""
    if decode_bytes_ok(uri):
        return ""
    return "It holds bytes that are no UTF-8, such as `%E9` for `é`: Go's template library writes them."

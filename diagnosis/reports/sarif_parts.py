"""The smallest objects of a SARIF log: messages, places, and names of files as URIs."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from diagnosis.captures.message import Span
from diagnosis.visible import visible

Json = dict[str, Any]


def message(text: str) -> Json:
    """A plain text message (OASIS SARIF 2.1.0, 3.11) that shows this text and is nothing more.

    Braces are doubled, for single ones are placeholders (3.11.5); `](`, which would make a link (3.11.6), is broken
    by an escape; backticks, which some viewers take for markup, become apostrophes.
    """
    shown = "\n".join(visible(line) for line in text.split("\n")).replace("`", "'")
    inert = shown.replace("](", "]\\u{28}")
    return {"text": inert.replace("{", "{{").replace("}", "}}") or "-"}


def artifact_location(path: str, index: int | None = None) -> Json:
    """A capture by the name that the person gave: a relative reference stays one (3.4, RFC 3986)."""
    location: Json = {"uri": file_uri(path)}
    return location if index is None else {**location, "index": index}


def file_uri(path: str) -> str:
    """A file name as a URI reference, byte for byte; nothing in it is taken for a scheme, a host or a query."""
    named = quote(path.encode("utf-8", "surrogateescape" if _from_the_system(path) else "surrogatepass"))
    return f"/.{named}" if named.startswith("//") else named


def _from_the_system(path: str) -> bool:
    """Whether every surrogate in a name stands for a byte that is no UTF-8, as file names from the system have it."""
    return all(not "\ud800" <= character <= "\udfff" or "\udc80" <= character <= "\udcff" for character in path)


def region(span: Span) -> Json:
    """The record in the decompressed capture: its line from 1, its bytes from 0 (3.30)."""
    place: Json = {"byteOffset": span.offset, "byteLength": span.length}
    return {"startLine": span.line, **place} if span.line > 0 else place

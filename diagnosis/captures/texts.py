"""Bytes to UTF-8 text: UTF-16 and UTF-32 by their mark or their NULs, and the colours of a terminal."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from diagnosis.captures.compression import Broken

ESCAPE = b"\x1b"
# SGR sequences, and the erase that grep writes beside each of its own. Other sequences are not colours and stay.
_COLOURS = re.compile(rb"\x1b\[(?:[0-9;:]{0,64}m|K)")
_BEGUN = re.compile(rb"\x1b(?:\[[0-9;:]{0,64})?\Z")
_LONGEST = 70

# UTF-32 first: its mark begins with that of UTF-16.
_MARKS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_SAMPLE = 1024


def charset_of(head: bytes) -> str | None:
    """The codec of text that is not UTF-8: by a byte order mark, or by NULs in every other byte; else None.

    JSON and log lines begin with ASCII, so half of UTF-16's bytes are NULs there, nearly all on one side.
    """
    sample = head[: min(_SAMPLE, len(head) & ~1)]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    most = len(sample) // 4
    for mark, codec in _MARKS:
        # A mark alone may be two stray bytes before UTF-8, which would turn the whole log into signs of another script.
        if head.startswith(mark) and (even if codec.endswith("be") else odd) > most // 2:
            return codec
    if len(sample) >= 4 and even * 16 <= odd > most:
        return "utf-16-le"
    if len(sample) >= 4 and odd * 16 <= even > most:
        return "utf-16-be"
    return None


def as_utf8(blocks: Iterable[bytes], codec: str) -> Iterator[bytes]:
    """Yields the text as UTF-8, without its byte order mark.

    Half a surrogate pair becomes bytes that are not UTF-8, so that its line alone is unreadable. Raises `Broken` where
    the last character is cut.
    """
    decoder = codecs.getincrementaldecoder(codec)("surrogatepass")
    begun = False
    try:
        for block in blocks:
            text = decoder.decode(block)
            if text and not begun:
                text, begun = text.removeprefix("\ufeff"), True
            yield text.encode("utf-8", "surrogatepass")
        yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise Broken(f"the {codec.upper()} text is broken: {error.reason}") from error


def is_coloured(text: bytes) -> bool:
    """Whether a terminal's colours stand in a text."""
    return ESCAPE in text and _COLOURS.search(text) is not None


def without_colours(text: bytes) -> bytes:
    """The text without a terminal's colours; no JSON encoder writes them, so no message loses anything."""
    return _COLOURS.sub(b"", text)


def colourless(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same for blocks; a sequence may stand across two of them."""
    held = b""
    for block in blocks:
        block = held + block
        cut = _BEGUN.search(block, max(0, len(block) - _LONGEST))
        end = cut.start() if cut else len(block)
        yield without_colours(block[:end])
        held = block[end:]
    yield held

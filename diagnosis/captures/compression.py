"""Compressed streams undone block by block: whatever stands before a fault is kept, never guessed beyond it."""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

STEP = 256 * 1024  # bytes that one call may produce: a bomb fills no more than this at once
PIECE = 16 * 1024  # bytes given to a decompressor at once; a fault loses what one piece would have given
MEMORY = 128 * 1024 * 1024  # what a stream may ask for its window; zstd has the same default


class Broken(Exception):
    """A stream that cannot be read any further; the text is one phrase."""


class _Corrupt(Exception):
    """A fault inside the data; `last` holds the bytes that the same piece gave before it."""

    def __init__(self, why: str, last: bytes = b"") -> None:
        super().__init__(why)
        self.last = last


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Compression:
    """One way to compress: its name for people, how a stream begins, and what undoes it."""

    name: str
    begins: Callable[[bytes], bool]
    make: Callable[[], _Decompressor]
    sign: int = 0  # bytes that decide whether another stream begins; 0: there is only one


class _Inflate:
    """The decompressor of zlib in the shape of the others; it gives all bytes in front of a fault."""

    def __init__(self, window: int) -> None:
        self._one = zlib.decompressobj(window)
        self._held = b""
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._one.eof

    @property
    def unused_data(self) -> bytes:
        return self._one.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        data = self._held + data
        before = self._one.copy()
        try:
            out = self._one.decompress(data, max_length)
        except zlib.error as error:
            raise _Corrupt(str(error), _before_fault(before, data)) from error
        self._held = self._one.unconsumed_tail
        self.needs_input = not self._held and len(out) < max_length
        return out


def _before_fault(state: zlib._Decompress, data: bytes) -> bytes:
    """What a faulty piece gives when it is fed byte by byte; a wrong checksum stands behind all of it."""
    out = bytearray()
    try:
        for position in range(len(data)):
            out += state.decompress(data[position : position + 1])
    except zlib.error:
        pass
    return bytes(out)


def _zstd_begins(head: bytes) -> bool:
    # The second is a skippable frame, which parallel compressors write first.
    return head[:4] == b"\x28\xb5\x2f\xfd" or (head[1:4] == b"\x2a\x4d\x18" and head[:1] in b"PQRSTUVWXYZ[\\]^_")


GZIP = Compression("gzip", lambda head: head[:3] == b"\x1f\x8b\x08", lambda: _Inflate(31), 3)
ZSTD = Compression("zstd", _zstd_begins, zstd.ZstdDecompressor, 4)
BZIP2 = Compression("bzip2", lambda head: head[:3] == b"BZh" and head[3:4].isdigit(), bz2.BZ2Decompressor, 4)
XZ = Compression(
    "xz",
    lambda head: head[:6] == b"\xfd7zXZ\x00",
    lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MEMORY),
    6,
)
DEFLATE = Compression("deflate", lambda head: True, lambda: _Inflate(-15))
COMPRESSIONS = (GZIP, ZSTD, BZIP2, XZ)
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
_FAULTS = (zlib.error, lzma.LZMAError, zstd.ZstdError, OSError, ValueError, EOFError)


def compression_of(head: bytes) -> Compression | None:
    """Which compression bytes begin with, by their content and never by a file's name."""
    for each in COMPRESSIONS:
        if each.begins(head):
            # "BZh9" may be the beginning of a text; the block that follows may not.
            return each if each is not BZIP2 or head[4:10] in _BZIP2_BLOCKS else None
    return None


def unpacked(blocks: Iterable[bytes], kind: Compression) -> Iterator[bytes]:
    """Yields the decompressed bytes of all streams that stand one after another in `blocks`.

    NULs between and behind streams are padding. Raises `Broken` after the last good byte where the data is cut
    or corrupt, or where something else follows it.
    """
    stream: _Decompressor | None = None
    first, rest = True, b""
    pieces = _pieces(blocks)
    for piece in pieces:
        data = rest + piece
        rest = b""
        while data or (stream is not None and not stream.needs_input):
            if stream is None:
                data = data if first else data.lstrip(b"\0")
                if len(data) < kind.sign:
                    rest = data
                    break
                if not first and not (kind.sign and kind.begins(data)):
                    raise Broken(_behind(kind, len(data) + sum(map(len, pieces))))
                stream, first = kind.make(), False
            try:
                out = stream.decompress(data, STEP)
            except _Corrupt as error:
                yield error.last
                raise Broken(_fault(kind, error)) from error
            except _FAULTS as error:
                raise Broken(_fault(kind, error)) from error
            if out:
                yield out
            data = b""
            if stream.eof:
                data, stream = stream.unused_data, None
    if stream is not None or (first and rest):
        raise Broken(f"the {kind.name} data ends early: the file was cut")
    if rest:
        raise Broken(_behind(kind, len(rest)))


def _pieces(blocks: Iterable[bytes]) -> Iterator[bytes]:
    for block in blocks:
        for position in range(0, len(block), PIECE):
            yield block[position : position + PIECE]


def _behind(kind: Compression, length: int) -> str:
    return f"{length} bytes behind the end of the {kind.name} data are not {kind.name}"


def _fault(kind: Compression, error: Exception) -> str:
    # A changed byte may give other text for a while, until a checksum tells.
    return f"the {kind.name} data cannot be read on, and what stands before may be damaged: {error}"

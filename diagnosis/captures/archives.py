"""The members of a zip archive: where each stands in the file. Nothing is ever unpacked to disk."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from zlib import crc32

from diagnosis.captures.compression import BZIP2, DEFLATE, XZ, ZSTD, Broken, Compression

MEMBER_LIMIT = 1000
_DIRECTORY_LIMIT = 4 * 1024 * 1024  # bytes of the list of members, which is held in memory
_ENCRYPTED = 0x1
_LOCAL = struct.Struct("<4s22xHH")
_METHODS: dict[int, Compression | None] = {0: None, 8: DEFLATE, 12: BZIP2, 93: ZSTD, 95: XZ}


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive: its name as written there, and the bytes that hold it.

    A name that climbs out of the archive is only shown: no path is ever made of it.
    """

    name: str
    compression: Compression | None
    start: int
    packed: int
    size: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A member that cannot be read, and why, in one sentence."""

    name: str
    sentence: str


class BadArchive(Exception):
    """An archive whose list of members cannot be read; the text is one sentence."""


def is_zip(head: bytes) -> bool:
    """Whether bytes begin a zip archive; the second sign is an empty one."""
    return head[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def members_of(read: Callable[[int, int], bytes], size: int) -> list[Member | Unlisted]:
    """Lists the files of an archive in its own order; `read` takes a length and an offset.

    Raises `BadArchive` where there is no list, or one longer than 4 MiB.
    """
    try:
        with zipfile.ZipFile(_File(read, size)) as archive:
            entries = [each for each in archive.infolist() if not each.is_dir()]
    except _TooLong:
        limit = _DIRECTORY_LIMIT // 2**20
        raise BadArchive(f"The list of members of this zip archive is longer than {limit} MiB.") from None
    except (zipfile.BadZipFile, OSError, ValueError, struct.error, NotImplementedError, OverflowError) as error:
        raise BadArchive("This zip archive is cut or broken: its list of members cannot be read.") from error
    found = [_member(read, size, each) for each in entries[:MEMBER_LIMIT]]
    if len(entries) > MEMBER_LIMIT:
        rest = len(entries) - MEMBER_LIMIT
        found.append(
            Unlisted("", f"The first {MEMBER_LIMIT} members of the zip archive were read; {rest} more were not.")
        )
    return found


def checked(blocks: Iterable[bytes], member: Member) -> Iterator[bytes]:
    """Passes the bytes of a member on; raises `Broken` behind them where its size or checksum does not fit."""
    length, checksum = 0, 0
    for block in blocks:
        length += len(block)
        checksum = crc32(block, checksum)
        yield block
    if length != member.size:
        raise Broken(f"the member has {length} bytes where the archive says {member.size}")
    if checksum != member.checksum:
        raise Broken("the checksum of the zip member does not fit its bytes: any of them may be damaged")


def _member(read: Callable[[int, int], bytes], size: int, entry: zipfile.ZipInfo) -> Member | Unlisted:
    if entry.flag_bits & _ENCRYPTED:
        return Unlisted(entry.filename, "This zip member is encrypted: unpack the archive with its password.")
    if entry.compress_type not in _METHODS:
        return Unlisted(
            entry.filename, f"This zip member is compressed with method {entry.compress_type}, which is not read."
        )
    header = read(_LOCAL.size, entry.header_offset) if 0 <= entry.header_offset < size else b""
    if len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
        return Unlisted(entry.filename, "This zip member does not stand where the archive says.")
    _, name, extra = _LOCAL.unpack(header)
    start = entry.header_offset + _LOCAL.size + name + extra
    method = _METHODS[entry.compress_type]
    return Member(entry.filename, method, start, entry.compress_size, entry.file_size, entry.CRC)


class _TooLong(Exception):
    pass


class _File(io.RawIOBase):
    """What `zipfile` needs to find the list of members; it refuses to hold a list that is too long."""

    def __init__(self, read: Callable[[int, int], bytes], size: int) -> None:
        self._read = read
        self._size = size
        self._position = 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = 0, /) -> int:
        base = (0, self._position, self._size)[whence]
        if base + offset < 0:
            raise OSError("before the beginning")
        self._position = base + offset
        return self._position

    def read(self, length: int | None = -1, /) -> bytes:
        if length is None or length < 0:
            length = max(0, self._size - self._position)
        if length > _DIRECTORY_LIMIT:
            raise _TooLong
        data = self._read(length, self._position)
        self._position += len(data)
        return data

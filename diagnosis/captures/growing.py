"""A file that a program still writes: its lines as they come, until somebody says that no more are wanted."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum, auto
from stat import S_ISREG

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures.files import CaptureFile, open_descriptor
from diagnosis.captures.lines import CutLine
from diagnosis.captures.message import Span
from diagnosis.captures.sources import HEAD, DiskFailed, Source, _Digest
from diagnosis.captures.unpack import layers_of

ONE_DOCUMENT = "A capture that is one document cannot be followed: it was read once."
PACKED = "A capture that must be unpacked or converted first cannot be followed: it was read once."

_MARK = 4096  # bytes of the beginning that tell one file from another that took its place


class Sight(Enum):
    """What stands at the path of a file that is being followed."""

    SAME = auto()
    CUT = auto()  # the same file, with less in it or with another beginning
    OTHER = auto()
    GONE = auto()


class Growing(Source):
    """One file that is followed. `more` is asked where all of it was read: True looks again, False ends the text.

    Blocks end with a line, so that half a line waits on the disk for its rest; `half` says that the text ended with
    one. `once` says why a capture cannot be followed; it is read as any other then. The bytes of a span are read from
    wherever the file lies now in its folder, and whoever asks must check them by their hash: size and time say nothing
    of a file that grows.
    """

    def __init__(self, file: CaptureFile, labels: TokenLabels, name: str, more: Callable[[], bool]) -> None:
        super().__init__(file, labels)
        self.path = name
        self.half = False
        self.once = "" if self.layers.none else PACKED
        self._more = more
        self._identity = _identity(os.fstat(file.descriptor))
        self._mark = b""
        self._consumed = 0
        self._over = False

    @property
    def size(self) -> int:
        """Bytes of the text that were read; until no more are wanted no line is at the end."""
        if self.once:
            return super().size
        return self.bytes_read - self.colours.removed if self._over else 2**63

    @property
    def file_size(self) -> int:
        """Bytes that were read, which `sha256` is of."""
        return super().file_size if self.once else self.bytes_read

    @property
    def drained(self) -> bool:
        """Whether the next line has to be waited for."""
        return not self.once and self._consumed >= self.bytes_read

    @property
    def linked(self) -> bool:
        """Whether the open file still has a name: one that was rotated has, one that was replaced has none."""
        return os.fstat(self._file.descriptor).st_nlink > 0

    def look_again(self) -> None:
        """Finds the layers anew: a file that was empty said nothing about them."""
        self.layers = layers_of(None, self._beginning)
        self.once = "" if self.layers.none else PACKED

    def sight(self) -> Sight:
        """Looks whether the file at the path is still the one that is read."""
        try:
            there = os.stat(self._file.path)
        except OSError:
            return Sight.GONE
        if not S_ISREG(there.st_mode):
            return Sight.GONE
        if _identity(there) != self._identity:
            # Until something stands in the new file its writer may still have the old one open.
            return Sight.OTHER if there.st_size else Sight.SAME
        try:
            beginning = self._file.read(len(self._mark), 0)
        except OSError:
            return Sight.SAME  # reading on says what is wrong
        cut = there.st_size < self.bytes_read or beginning != self._mark
        return Sight.CUT if cut else Sight.SAME

    def lines(self) -> Iterator[tuple[int, int, bytes]]:
        """Yields the lines, as of any capture, and notes where the last one ends."""
        for number, offset, line in super().lines():
            length = line.length if type(line) is CutLine else len(line)
            self._consumed = offset + length + 1 + self.colours.removed
            yield number, offset, line

    def whole(self) -> bytes:
        """The whole text as it is now: what is one document is not waited for."""
        self.once = self.once or ONE_DOCUMENT
        return super().whole()

    def read_many(self, spans: Sequence[Span]) -> list[bytes | None]:
        """The bytes at all `spans`, unchecked; None where the file is gone or shorter."""
        if self.once:
            return super().read_many(spans)
        with self._found() as descriptor:
            if descriptor < 0:
                return [None] * len(spans)
            found = [os.pread(descriptor, each.length, each.offset) for each in spans]
        return [data if len(data) == each.length else None for data, each in zip(found, spans, strict=True)]

    @contextmanager
    def _found(self) -> Iterator[int]:
        """A descriptor of this very file, whatever its name is by now; -1 where it is gone."""
        if self._open:
            yield self._file.descriptor
            return
        descriptor = _open_again(self._file.path, self._identity)
        try:
            yield descriptor
        finally:
            if descriptor >= 0:
                os.close(descriptor)

    def _disk(self, descriptor: int, step: int = HEAD, digest: _Digest | None = None) -> Iterator[bytes]:
        if digest is None or self.once:
            yield from super()._disk(descriptor, step, digest)
            return
        position = 0
        while True:
            try:
                block = os.pread(descriptor, step, position)
            except OSError as error:
                raise DiskFailed(f"the disk gives no more: {os.strerror(error.errno or 0)}") from error
            # A line longer than a block is held where lines are cut, and not read again for every look.
            whole = block if len(block) == step and b"\n" not in block else block[: block.rfind(b"\n") + 1]
            if not whole:
                if self._more():
                    continue
                self._over, self.half, whole = True, bool(block), block
            if position < _MARK:
                self._mark = (self._mark + whole)[:_MARK]
            position += len(whole)
            digest.update(whole)
            if whole:
                yield whole
            if self._over:
                return

    def _finish(self, disk: Iterator[bytes], digest: _Digest | None, failed: bool) -> None:
        if not self.once:
            self._file.changed()  # that it grew is no change: what was read of it stands
        super()._finish(disk, digest, failed)
        self._mark = b""  # a log that is rotated for days has thousands of parts


def fingerprint(data: bytes) -> str:
    """The SHA-256 (hex) of bytes, as a place in a capture keeps it."""
    return hashlib.sha256(data).hexdigest()


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _open_again(path: str, identity: tuple[int, int]) -> int:
    """Opens the file with this identity at its path, or under the name that it was given in the same folder."""
    for name in _candidates(path, identity):
        try:
            descriptor = open_descriptor(name)
        except OSError:
            continue
        if _identity(os.fstat(descriptor)) == identity:
            return descriptor
        os.close(descriptor)
    return -1


def _candidates(path: str, identity: tuple[int, int]) -> Iterator[str]:
    yield path
    try:
        with os.scandir(os.path.dirname(path) or ".") as entries:
            yield from (each.path for each in entries if each.inode() == identity[1])
    except OSError:
        return

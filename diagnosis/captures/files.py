"""A file on disk that is opened once, for one capture or for every member of an archive."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

BLOCK = 1024 * 1024


class SourceError(Exception):
    """A capture that cannot be opened; the text is one sentence for a person.

    `kind` is `missing`, `not-a-file`, `permission` or `error`.
    """

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class CaptureFile:
    """An open regular file, with the size and time it had when it was opened or last read to its end.

    The descriptor is given back when the last of its users lets it go; a named file can still be read again.
    """

    def __init__(self, path: str, descriptor: int, *, reopens: bool) -> None:
        self.path = path
        self.descriptor = descriptor
        self.stamp = _stamp(os.fstat(descriptor))
        self._reopens = reopens
        self._users = 0
        self._sha256: str | None = None

    def use(self) -> None:
        """Counts one more user; a named file that was let go by all others is opened again."""
        if self.descriptor < 0 and self._reopens:
            self.descriptor = open_descriptor(self.path)
        self._users += 1

    def release(self) -> None:
        """Counts one user less; behind the last one the descriptor is closed."""
        self._users -= 1
        if self._users <= 0 and self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def read(self, length: int, offset: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer at the end of the file."""
        return os.pread(self.descriptor, length, offset)

    def changed(self) -> bool:
        """Whether size or time are other than remembered; they are remembered anew."""
        now = _stamp(os.fstat(self.descriptor))
        changed = now != self.stamp
        self.stamp = now
        return changed

    def sha256(self) -> str | None:
        """The hash of the whole file, in a pass of its own that is made once; None where the disk fails."""
        if self._sha256 is None:
            digest = hashlib.sha256()
            position = 0
            try:
                while block := self.read(BLOCK, position):
                    position += len(block)
                    digest.update(block)
            except OSError:
                return None
            self._sha256 = digest.hexdigest()
        return self._sha256

    @contextmanager
    def again(self) -> Iterator[int | None]:
        """A descriptor to read spans from; None where the file has changed, shrunk or gone."""
        descriptor, opened = self.descriptor, False
        try:
            if descriptor < 0 and self._reopens:
                try:
                    descriptor, opened = open_descriptor(self.path), True
                except OSError:
                    descriptor = -1
            yield descriptor if descriptor >= 0 and self.unchanged(descriptor) else None
        finally:
            if opened:
                os.close(descriptor)

    def unchanged(self, descriptor: int) -> bool:
        """Whether a descriptor of this file still has the remembered size and time."""
        try:
            return _stamp(os.fstat(descriptor)) == self.stamp
        except OSError:
            return False


def open_file(path: str, stdin: BinaryIO | None = None) -> CaptureFile:
    """Opens a regular file, or keeps standard input (`-`) in an unlinked temporary file of mode 0600.

    Raises `SourceError` for a missing file, a folder, a device, a named pipe (never waited for) and anything the
    system refuses.
    """
    if path == "-":
        return CaptureFile(path, _keep(stdin), reopens=False)
    try:
        descriptor = open_descriptor(path)
    except OSError as error:
        raise _refused(error) from error
    except ValueError as error:
        raise SourceError("missing", "This is no file name: it holds a NUL.") from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise SourceError("not-a-file", f"This is {_what(mode)}, not a regular file.")
    return CaptureFile(path, descriptor, reopens=True)


def open_descriptor(path: str) -> int:
    """Opens a path for reading; without O_NONBLOCK a named pipe waits for a writer that may never come."""
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)


def _keep(stdin: BinaryIO | None) -> int:
    stream = stdin if stdin is not None else getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise SourceError("missing", "Standard input is closed.")
    with tempfile.TemporaryFile() as kept:
        try:
            shutil.copyfileobj(stream, kept, BLOCK)
            kept.flush()
        except OSError as error:
            raise _refused(error) from error
        os.fchmod(kept.fileno(), 0o600)
        return os.dup(kept.fileno())


def _stamp(found: os.stat_result) -> tuple[int, int]:
    return found.st_size, found.st_mtime_ns


def _refused(error: OSError) -> SourceError:
    if error.errno == errno.ENOENT:
        return SourceError("missing", "There is no such file.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return SourceError("permission", "Reading it is not permitted.")
    if error.errno == errno.ELOOP:
        return SourceError("error", "This symbolic link leads back to itself.")
    return SourceError("error", f"It cannot be read: {os.strerror(error.errno or 0)}.")


def _what(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"

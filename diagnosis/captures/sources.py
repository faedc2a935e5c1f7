"""Opens a capture once, hashes it while it is read, and gives the bytes of any span again."""

from __future__ import annotations

import errno
import hashlib
import mmap
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import BinaryIO

from diagnosis.callers.credentials import TOKEN_LABELS, TokenLabels
from diagnosis.captures.message import Span

HEAD = 64 * 1024
BLOCK = 1024 * 1024
LONGEST_LINE = 64 * 1024 * 1024


class SourceError(Exception):
    """A capture that cannot be opened; the text is one sentence for a person.

    `kind` is `missing`, `not-a-file`, `permission` or `error`.
    """

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class CutLine(bytes):
    """The beginning of a line longer than `LONGEST_LINE`; `length` is the whole line's, in bytes."""

    length: int = 0


class Source:
    """The bytes of one capture.

    Use it as a context manager or call `close`. `size` is in bytes, `bytes_read` counts what a pass has
    seen so far, and `sha256` is None until one pass reached the end. `labels` names tokens for this run.
    """

    def __init__(self, path: str, descriptor: int, labels: TokenLabels, *, reopens: bool) -> None:
        self.path = path
        self.labels = labels
        self.bytes_read = 0
        self.sha256: str | None = None
        self.changed_while_reading = False
        self._descriptor = descriptor
        self._reopens = reopens
        self._stamp = _stamp(os.fstat(descriptor))

    @property
    def size(self) -> int:
        """Bytes of the capture: when it was opened, or after a full pass when that pass ended."""
        return self._stamp[0]

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the file descriptor back; spans of a named file can still be read."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def head(self) -> bytes:
        """The first 64 KiB, or less where the capture is shorter."""
        return os.pread(self._descriptor, HEAD, 0)

    def lines(self) -> Iterator[tuple[int, int, bytes]]:
        r"""Yields `(number, offset, bytes)` of every physical line, split at `\n` and at nothing else.

        Numbers count from 1, offsets are bytes. The `\n` is left out; a `\r` before it is kept, because it is
        part of the record and of its length. A line over 64 MiB comes as a `CutLine` that holds its first
        bytes.
        """
        digest = hashlib.sha256()
        number, offset = 0, 0
        held: list[bytes] = []
        held_size = 0
        for block in self._blocks():
            digest.update(block)
            pieces = block.split(b"\n")
            last = pieces.pop()
            for piece in pieces:
                number += 1
                if held_size:
                    held.append(piece)
                    length = held_size + len(piece)
                    line = _joined(held, length)
                    held, held_size = [], 0
                else:
                    line, length = piece, len(piece)
                yield number, offset, line
                offset += length + 1
            if last:
                held_size += len(last)
                # Beyond the limit only the beginning is kept: the line is counted, not loaded.
                if held_size <= LONGEST_LINE or not held:
                    held.append(last)
        if held_size:
            yield number + 1, offset, _joined(held, held_size)
        self._finish(digest.hexdigest())

    def mmap(self) -> mmap.mmap | bytes:
        """The whole capture as a read-only map, hashed; it closes with its last reference. `b""` if empty."""
        if self.size == 0:
            self._finish(hashlib.sha256().hexdigest())
            return b""
        whole = mmap.mmap(self._descriptor, 0, access=mmap.ACCESS_READ)
        with memoryview(whole) as view:
            digest = hashlib.sha256(view).hexdigest()
        self._finish(digest)
        return whole

    def read(self, span: Span) -> bytes | None:
        """The bytes of `span` again; None where the capture has changed, shrunk or gone since it was read."""
        opened = self._descriptor < 0
        if opened and not self._reopens:
            return None
        try:
            descriptor = _open(self.path) if opened else self._descriptor
        except OSError:
            return None
        try:
            if _stamp(os.fstat(descriptor)) != self._stamp:
                return None
            data = os.pread(descriptor, span.length, span.offset)
        finally:
            if opened:
                os.close(descriptor)
        return data if len(data) == span.length else None

    def _blocks(self) -> Iterator[bytes]:
        position = 0
        while block := os.pread(self._descriptor, BLOCK, position):
            position += len(block)
            self.bytes_read = position
            yield block

    def _finish(self, digest: str) -> None:
        """Remembers what the bytes were: the hash belongs to this size and this time."""
        now = _stamp(os.fstat(self._descriptor))
        self.changed_while_reading = self.changed_while_reading or now != self._stamp
        self._stamp = now
        self.sha256 = digest


def open_source(path: str, stdin: BinaryIO | None = None, labels: TokenLabels = TOKEN_LABELS) -> Source:
    """Opens the regular file at `path`, or keeps standard input (`-`) in an unlinked temporary file of
    mode 0600.

    `stdin` stands in for the process's standard input. Raises `SourceError` for a missing file, a folder, a
    device, a named pipe (never waited for) and anything the system refuses.
    """
    if path == "-":
        return Source(path, _keep(stdin), labels, reopens=False)
    try:
        descriptor = _open(path)
    except OSError as error:
        raise _refused(error) from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise SourceError("not-a-file", f"This is {_what(mode)}, not a regular file.")
    return Source(path, descriptor, labels, reopens=True)


def _open(path: str) -> int:
    # Without O_NONBLOCK the opening of a named pipe waits for a writer that may never come.
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


def _joined(parts: list[bytes], length: int) -> bytes:
    if length <= LONGEST_LINE:
        return b"".join(parts)
    line = CutLine(parts[0][:HEAD])
    line.length = length
    return line


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

"""Gives the text of a capture, hashes its file on the way, and gives the bytes of any span again."""

from __future__ import annotations

import hashlib
import io
import mmap
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import BinaryIO, Protocol

from diagnosis.callers.credentials import TOKEN_LABELS, TokenLabels
from diagnosis.captures.archives import BadArchive, Member, is_zip, members_of
from diagnosis.captures.colours import Colours
from diagnosis.captures.compression import Broken
from diagnosis.captures.files import BLOCK, CaptureFile, open_file
from diagnosis.captures.files import SourceError as SourceError
from diagnosis.captures.lines import CutLine as CutLine
from diagnosis.captures.lines import split
from diagnosis.captures.message import Span
from diagnosis.captures.spans import cut_out
from diagnosis.captures.texts import is_coloured, without_colours
from diagnosis.captures.unpack import LIMITS, Allowance, Layers, LimitReached, Limits, Tap, Trouble, amount, layers_of

HEAD = 64 * 1024
LONGEST_LINE = 64 * 1024 * 1024
WHOLE_LIMIT = 1024**3  # bytes of a one-document capture, which stands in memory while it is cut


class _Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


class DiskFailed(Broken):
    """The system refuses to read on."""


@dataclass(frozen=True, slots=True)
class Unopened:
    """A member of an archive that cannot be read, and why, in one sentence."""

    path: str
    kind: str
    sentence: str


class Source:
    """The text of one capture: what is in a file, or in a member of an archive, behind its `layers`.

    Use it as a context manager or call `close`. Offsets, `size` and `bytes_read` are those of the text: for a plain
    file its own bytes, else the decompressed ones, as UTF-8. `packed_size` and `packed_read` are bytes on disk.
    `sha256` is that of the file on disk and None until one pass reached the end; `trouble` then says why the
    text ends before the file does. `head_fault` says so of the first 64 KiB. `line_count` is known behind a pass to the
    end. `labels` names tokens for this run.
    """

    def __init__(
        self, file: CaptureFile, labels: TokenLabels, member: Member | None = None, name: str = "",
        allowance: Allowance | None = None,
    ) -> None:  # fmt: skip
        self.path = f"{file.path}!{name}" if member is not None else file.path
        self.labels = labels
        self.bytes_read = 0
        self.sha256: str | None = None
        self.changed_while_reading = False
        self.trouble: Trouble | None = None
        self.colours = Colours()
        self.line_count = 0
        self.head_fault = ""
        self._file = file
        self._member = member
        self._counted = False
        self._allowance = allowance or Allowance()
        self._allowed: int | None = None
        self._length = 0
        self._tap = Tap()
        self._open = True
        file.use()
        self.layers = layers_of(member, self._beginning)

    @property
    def size(self) -> int:
        """Bytes of the text: a plain file's when it was opened or last read to its end, else what was read so far."""
        return (self._file.stamp[0] if self.layers.none else self._length) - self.colours.removed

    @property
    def drained(self) -> bool:
        """Whether the next line has to be waited for: never, but in a capture that is followed."""
        return False

    @property
    def file_size(self) -> int:
        """Bytes of the file that `sha256` is of."""
        return self._file.stamp[0]

    @property
    def packed_size(self) -> int:
        """Bytes on disk that this capture takes: the file, or a member's share of it."""
        member = self.layers.member
        return member.packed if member is not None else self.file_size

    @property
    def packed_read(self) -> int:
        """Bytes on disk that the current pass has come to."""
        return self.bytes_read if self.layers.none else self._tap.taken

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the file descriptor back; spans of a named file can still be read."""
        if self._open:
            self._open = False
            self._file.release()

    def reopen(self) -> None:
        """Opens the file again for a further pass; raises `OSError` where it is gone."""
        if not self._open:
            self._file.use()
            self._open = True

    def head(self) -> bytes:
        """The first 64 KiB of the text without colours, or less where it is shorter."""
        return without_colours(self._beginning(self.layers))

    def lines(self) -> Iterator[tuple[int, int, bytes]]:
        r"""Yields `(number, offset, bytes)` of every physical line, split at `\n` and at nothing else.

        Numbers count from 1, offsets are bytes. The `\n` is left out; a `\r` before it is kept, because it is
        part of the record and of its length. A line over 64 MiB comes as a `CutLine` that holds its first
        bytes. Of a line with a terminal's colours the text without them comes, at its offset in the colourless text;
        `colours` knows where the file has it.
        """
        self.colours = Colours()
        self.line_count = yield from split(self._text(), self.colours, LONGEST_LINE)

    def whole(self) -> bytes:
        """The whole text in memory, hashed; the first GiB of a longer one.

        It is a copy and no map of the file: a file that is cut while it is mapped kills the process that looks.
        Colours are taken out as one more layer.
        """
        if is_coloured(self._beginning(self.layers)):
            self.layers = replace(self.layers, coloured=True)
        kept = io.BytesIO()
        for block in self._text(WHOLE_LIMIT):
            kept.write(block)
        text = kept.getvalue()
        self.line_count = text.count(b"\n") + (not text.endswith(b"\n") and bool(text))
        return text

    def mmap(self) -> mmap.mmap | bytes:
        """The same, by the name that formats call it."""
        return self.whole()

    def read(self, span: Span) -> bytes | None:
        """The bytes of `span` again; None where the capture has changed, shrunk or gone since it was read."""
        return self.read_many((span,))[0]

    def read_many(self, spans: Sequence[Span]) -> list[bytes | None]:
        """The bytes of all `spans` again, in one pass; None for each that `read` would give None for.

        A compressed capture is decompressed up to the end of the last one.
        """
        nothing: list[bytes | None] = [None] * len(spans)
        with self._file.again() as descriptor:
            if descriptor is None:
                return nothing
            try:
                if self.layers.none:
                    return [_exactly(os.pread(descriptor, each.length, each.offset), each) for each in spans]
                found = cut_out(self._undone(self._disk(descriptor), Tap()), spans)
            except OSError:
                return nothing
            return found if self._file.unchanged(descriptor) else nothing

    def _beginning(self, layers: Layers) -> bytes:
        """The first 64 KiB behind `layers`; what stands in front of a fault, where there is one."""
        found = bytearray()
        self.head_fault = ""
        blocks = layers.undone(self._disk(self._file.descriptor, HEAD), Tap(), LIMITS, LIMITS.total)
        try:
            for block in blocks:
                found += block
                if len(found) >= HEAD:
                    break
        except Broken as broken:
            self.head_fault = str(broken)
        return bytes(found[:HEAD])

    def _text(self, most: int | None = None) -> Iterator[bytes]:
        """The text block by block; a pass to the end finds the hash, and what is wrong."""
        if self._allowed is None:
            self._allowed = self._allowance.left
        digest: _Digest | None = hashlib.sha256() if self.layers.member is None else None
        self._tap = Tap()
        self._length = self.bytes_read = 0
        self.trouble = None
        disk = self._disk(self._file.descriptor, BLOCK if self.layers.none else HEAD, digest)
        failed = False
        try:
            for block in self._undone(disk, self._tap):
                if most is not None and self._length + len(block) > most:
                    block = block[: most - self._length]
                    self._advance(block)
                    yield block
                    raise LimitReached(f"the first {amount(most)} of it was read: a document is not read further")
                self._advance(block)
                yield block
        except Broken as broken:
            limited, failed = isinstance(broken, LimitReached), isinstance(broken, DiskFailed)
            self.trouble = Trouble(str(broken), self._length, limited)
        self._finish(disk, digest, failed)

    def _advance(self, block: bytes) -> None:
        self._length += len(block)
        self.bytes_read = self._length

    def _undone(self, disk: Iterable[bytes], tap: Tap) -> Iterator[bytes]:
        allowed = self._allowance.left if self._allowed is None else self._allowed
        return self.layers.undone(disk, tap, self._allowance.limits, allowed)

    def _disk(self, descriptor: int, step: int = HEAD, digest: _Digest | None = None) -> Iterator[bytes]:
        """The bytes on disk that hold this capture; raises `DiskFailed` where the disk fails."""
        member = self._member
        position, end = (member.start, member.start + member.packed) if member is not None else (0, None)
        while end is None or position < end:
            try:
                block = os.pread(descriptor, step if end is None else min(step, end - position), position)
            except OSError as error:
                raise DiskFailed(f"the disk gives no more: {os.strerror(error.errno or 0)}") from error
            if not block:
                return
            position += len(block)
            if digest is not None:
                digest.update(block)
            yield block

    def _finish(self, disk: Iterator[bytes], digest: _Digest | None, failed: bool) -> None:
        """Remembers what the bytes were: the hash belongs to this size and this time."""
        if not self._counted:
            self._counted = True
            self._allowance.left -= self._length if not self.layers.none else 0
        try:
            # The hash is of the whole file, also where its text ended early.
            for _ in disk:
                pass
        except DiskFailed:
            failed = True
        self.changed_while_reading = self._file.changed() or self.changed_while_reading
        if failed:
            self.sha256 = None
        else:
            self.sha256 = digest.hexdigest() if digest is not None else self._file.sha256()


def open_source(path: str, stdin: BinaryIO | None = None, labels: TokenLabels = TOKEN_LABELS) -> Source:
    """Opens the regular file at `path`, or standard input (`-`), as one capture.

    `stdin` stands in for the process's standard input. Raises `SourceError` for a missing file, a folder, a
    device, a named pipe (never waited for) and anything the system refuses. The members of an archive are captures of
    their own: `open_sources` opens them.
    """
    return Source(open_file(path, stdin), labels)


def open_sources(
    path: str, stdin: BinaryIO | None = None, labels: TokenLabels = TOKEN_LABELS, limits: Limits = LIMITS
) -> Iterator[Source | Unopened]:
    """Yields the captures of `path`: the file itself, or each member of a zip archive as `archive.zip!member`.

    A member that cannot be read is `Unopened`. Raises what `open_source` raises.
    """
    file = open_file(path, stdin)
    file.use()
    try:
        allowance = Allowance(limits)
        try:
            if not is_zip(file.read(4, 0)):
                yield Source(file, labels, allowance=allowance)
                return
            members = members_of(file.read, file.stamp[0])
        except BadArchive as error:
            raise SourceError("error", str(error)) from error
        except OSError as error:
            raise SourceError("error", f"It cannot be read: {os.strerror(error.errno or 0)}.") from error
        if not members:
            raise SourceError("error", "This zip archive holds no file.")
        taken: set[str] = set()
        for member in members:
            name = _unused(member.name, taken)
            if isinstance(member, Member):
                yield Source(file, labels, member, name, allowance)
            else:
                yield Unopened(f"{path}!{name}" if name else path, "error", member.sentence)
    finally:
        file.release()


def _unused(name: str, taken: set[str]) -> str:
    """The name of a member, made different where the archive has it twice: a capture's path is its key."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}#{number}", number + 1
    taken.add(found)
    return found


def _exactly(data: bytes, span: Span) -> bytes | None:
    return data if len(data) == span.length else None

"""Writes a report file: new, private, and whole or absent."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress


class WritingError(Exception):
    """A report could not be written; the text is one sentence, which may hold the file's name as it is."""


def write_report(path: str, data: bytes | Iterable[bytes], *, force: bool = False) -> None:
    """Writes `data`, whole or in pieces, to a new file at `path`, mode 0600; `force` replaces what is there.

    The bytes go to a temporary file in the same folder first and get their name last. Naming by a hard link
    fails where the name exists, also as a link; `force` renames, which replaces a link and not its target.

    Raises:
        WritingError: the name exists, the folder is missing or read-only, the disk is full, ...
    """
    try:
        _write(os.path.abspath(path), (data,) if isinstance(data, bytes) else data, force)
    except FileExistsError:
        raise WritingError(f"{path} exists; --force replaces it.") from None
    except (OSError, ValueError) as error:
        raise WritingError(f"{path} was not written: {_reason(error)}.") from None


def refuse_existing(path: str) -> None:
    """Says early, before a long capture is read, that a name is taken.

    Raises:
        WritingError: something, if only a dangling link, has this name.
    """
    if os.path.lexists(path):
        raise WritingError(f"{path} exists; --force replaces it.")


def _write(path: str, pieces: Iterable[bytes], force: bool) -> None:
    folder = os.path.dirname(path)
    handle, temporary = tempfile.mkstemp(prefix=".misread-", dir=folder)  # mkstemp's mode is 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if force:
            os.replace(temporary, path)
        else:
            os.link(temporary, path, follow_symlinks=False)
        _sync_folder(folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _sync_folder(folder: str) -> None:
    """Makes the new name as durable as the bytes, where the system lets a folder be synced."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return "the name holds a character that no file name can hold"
    if error.errno in (errno.EPERM, errno.ENOTSUP) and error.filename2 is not None:
        return "this file system has no hard links; --force writes with a rename"
    return (error.strerror or type(error).__name__).rstrip(".").lower()

"""Reads a case file and puts a new one in its place: private, whole or unchanged, and never through a link."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from diagnosis.case.entries import CaseError
from diagnosis.case.text import FILE_LIMIT

if sys.platform != "win32":
    import fcntl

# A save takes some milliseconds; who holds the lock longer is stopped or hangs on a disk of its own.
LOCK_SECONDS = 2.0
_TRY_EVERY = 0.01
# How often a file may change between reading and renaming, where the file system has no locks.
_ATTEMPTS = 5


def read_file(path: str, *, follow: bool = False) -> bytes | None:
    """The bytes of a case file, one more than the limit at most; None where nothing has that name.

    Raises:
        CaseError: it cannot be read, is no regular file, or is a symbolic link (unless `follow`). The text goes on
            after the file's name, and has no full stop.
    """
    return _read(path, follow)[0]


def replace_file(path: str, change: Callable[[bytes | None], bytes], *, new_folder: bool = False) -> None:
    """Puts `change(bytes that are there now)` in the place of a file; the new file has mode 0600.

    A lock on the folder, and a look at the file just before it is replaced, keep two programs from losing each
    other's changes. With `new_folder` missing folders are made, mode 0700.

    Raises:
        CaseError: what is there cannot be read or replaced. The file is as it was then.
    """
    folder = os.path.dirname(path)
    try:
        if new_folder:
            _make_folder(folder)
        with _locked(folder):
            for _ in range(_ATTEMPTS):
                if _changed_once(path, folder, change):
                    return
    except (OSError, ValueError) as error:
        if isinstance(error, CaseError):
            raise
        raise CaseError(_reason(error)) from None
    raise CaseError("another program keeps changing it")


def _changed_once(path: str, folder: str, change: Callable[[bytes | None], bytes]) -> bool:
    """Writes the new file and gives it its name; False where the old one changed meanwhile."""
    before, stamp = _read(path, follow=False)
    if stamp is not None and not stamp.st_mode & 0o222:
        raise CaseError("the file is read-only")  # a rename would not mind
    after = change(before)
    if after == before:
        return True
    handle, temporary = tempfile.mkstemp(prefix=".misread-", dir=folder)  # mkstemp's mode is 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        if _same(stamp, _stamp(path)):
            os.replace(temporary, path)
            _sync_folder(folder)
            return True
        return False
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _read(path: str, follow: bool) -> tuple[bytes | None, os.stat_result | None]:
    # O_NONBLOCK: a FIFO of that name would wait for its other end for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        if not follow:
            no_follow = getattr(os, "O_NOFOLLOW", 0)
            if not no_follow and os.path.islink(path):  # the second best, where the system cannot refuse by itself
                raise CaseError(_LINK)
            flags |= no_follow
        handle = os.open(path, flags)
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise CaseError("it is no regular file")
            return file.read(FILE_LIMIT + 1), found
    except FileNotFoundError:
        return None, None
    except (OSError, ValueError) as error:
        if isinstance(error, CaseError):
            raise
        raise CaseError(_reason(error)) from None


def _stamp(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None


def _same(first: os.stat_result | None, second: os.stat_result | None) -> bool:
    if first is None or second is None:
        return first is second
    marks = [(each.st_dev, each.st_ino, each.st_size, each.st_mtime_ns) for each in (first, second)]
    return marks[0] == marks[1]


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    """Holds the folder's lock, which leaves no file behind; goes on without one where there are none."""
    handle = None
    try:
        if sys.platform != "win32":
            handle = _lock(folder)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _lock(folder: str) -> int | None:
    """A handle that holds the lock until it is closed; None where this file system locks no folders."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder that may be written and not listed
        return None
    give_up = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return handle
        except BlockingIOError:
            if time.monotonic() >= give_up:
                os.close(handle)
                raise CaseError("another program is writing there and does not end") from None
            time.sleep(_TRY_EVERY)
        except OSError:
            os.close(handle)
            return None


def _make_folder(folder: str) -> None:
    """Makes the missing folders down to this one, for this user alone (`makedirs` gives only the last its mode)."""
    if os.path.isdir(folder):
        return
    above = os.path.dirname(folder)
    if above != folder:
        _make_folder(above)
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)


def _sync_folder(folder: str) -> None:
    """Makes the new name as durable as the bytes, where the system lets a folder be synced."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_LINK = "it is a symbolic link, and none is followed"


def _reason(error: OSError | ValueError) -> str:
    if not isinstance(error, OSError):
        return "the name holds a character that no file name can hold"
    if error.errno == errno.ELOOP:
        return _LINK
    return (error.strerror or type(error).__name__).rstrip(".").lower()

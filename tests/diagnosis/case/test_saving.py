"""Faults: what happens to entries and files when a save goes wrong."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from diagnosis.case import CaseError, Note, saving
from diagnosis.case.text import FILE_LIMIT, Contents, parse, render
from tests.diagnosis.case.build import FIRST, SECOND, Clock, names, note, opened

FULL = "no space left on device"


def texts(path: Path) -> list[str]:
    """The notes in a file."""
    return [each.text for each in parse(path.read_bytes()).entries if isinstance(each, Note)]


def kept(name: Path, reason: str, entries: str) -> str:
    return f"The case file {name} was not saved: {reason}; {entries} kept only while this program runs."


def test_nothing_is_written_before_the_first_entry(tmp_path: Path) -> None:
    case = opened(tmp_path / "case.json")
    assert case.undo() is None
    assert case.save()
    assert names(tmp_path) == []


def test_a_saved_file_is_private_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    case = opened(path)
    case.note(FIRST, "first")
    path.chmod(0o644)
    case.note(FIRST, "second")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(tmp_path) == ["case.json"]
    assert texts(path) == ["first", "second"]


def test_missing_folders_are_made_for_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "misread" / "cases" / "case.json"
    case = opened(path, new_folder=True)
    assert names(tmp_path) == []
    case.note(FIRST, "first")
    assert case.trouble == ""
    for folder in (path.parent, path.parent.parent, path.parent.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert texts(path) == ["first"]


def test_missing_folders_are_not_made_unasked(tmp_path: Path) -> None:
    path = tmp_path / "typing-error" / "case.json"
    case = opened(path)
    case.note(FIRST, "first")
    assert case.trouble == kept(path, "no such file or directory", "1 entry is")
    assert names(tmp_path) == []


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    opened(path).note(FIRST, "first")
    before = path.read_bytes()
    path.chmod(0o400)
    case = opened(path)
    case.note(FIRST, "second")
    case.note(FIRST, "third")
    assert case.trouble == kept(path, "the file is read-only", "2 entries are")
    assert [each.text for each in case.state_of(FIRST).notes] == ["first", "second", "third"]
    assert path.read_bytes() == before
    path.chmod(0o600)
    assert case.save()
    assert (case.trouble, case.unsaved) == ("", 0)
    assert texts(path) == ["first", "second", "third"]


def test_a_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The owner of all files may write everywhere, so the refusal of the system is played.
    def refuse(*args: object, **options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    path = tmp_path / "case.json"
    case = opened(path)
    monkeypatch.setattr("tempfile.mkstemp", refuse)
    case.note(FIRST, "first")
    assert case.trouble == kept(path, "permission denied", "1 entry is")
    assert case.unsaved == 1
    monkeypatch.undo()
    case.note(FIRST, "second")
    assert (case.trouble, case.unsaved) == ("", 0)
    assert texts(path) == ["first", "second"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write into every folder")
def test_a_folder_without_the_right_to_write(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    case = opened(folder / "case.json")
    case.note(FIRST, "first")
    assert case.trouble == kept(folder / "case.json", "permission denied", "1 entry is")


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_never_followed(tmp_path: Path, exists: bool) -> None:
    target, link = tmp_path / "target.json", tmp_path / "case.json"
    if exists:
        target.write_bytes(render(Contents((note("theirs"),))))
    case = opened(link)
    link.symlink_to(target)  # after the case was opened
    case.note(FIRST, "first")
    assert case.trouble == kept(link, "it is a symbolic link, and none is followed", "1 entry is")
    assert link.is_symlink() and target.exists() == exists
    assert not exists or texts(target) == ["theirs"]
    with pytest.raises(CaseError, match=r"cannot be used: it is a symbolic link, and none is followed\.$"):
        opened(link)
    if exists:  # a file that is only read may have any name
        assert [each.text for each in opened(tmp_path / "own.json", link).state_of(FIRST).notes] == ["theirs"]


def test_a_link_that_comes_between_is_replaced_and_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, path = tmp_path / "target", tmp_path / "case.json"
    target.write_bytes(b"precious")
    replace = os.replace

    def race(source: str, destination: str) -> None:
        path.symlink_to(target)
        replace(source, destination)

    monkeypatch.setattr(os, "replace", race)
    opened(path).note(FIRST, "first")
    assert target.read_bytes() == b"precious"
    assert not path.is_symlink() and texts(path) == ["first"]


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "case.json"
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    for paths in ([path], [tmp_path / "own.json", path]):
        with pytest.raises(CaseError, match=rf"^The case file {path} cannot be used: (it is no regular|is a dir)"):
            opened(*paths)


@pytest.mark.parametrize("part", [0, 1, 40, -3])
def test_a_half_written_file_is_refused_and_left_alone(tmp_path: Path, part: int) -> None:
    path = tmp_path / "case.json"
    case = opened(path)
    case.note(FIRST, "first")
    half = path.read_bytes()[:part]
    path.write_bytes(half)
    with pytest.raises(CaseError, match=r"cannot be used: it is (not JSON, or only a part of it|empty)"):
        opened(path)
    case.note(FIRST, "second")  # the case that is open does not write over it either
    assert case.unsaved == 1
    assert case.trouble.startswith(f"The case file {path} was not saved: it is ")
    assert path.read_bytes() == half


def test_a_file_that_was_removed_is_written_whole_again(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    path.write_bytes(render(Contents((note("theirs"),), '{"tool":"other"}')))
    case = opened(path)
    path.unlink()
    case.note(FIRST, "mine")
    assert sorted(texts(path)) == ["mine", "theirs"]
    assert parse(path.read_bytes()).extra == '{"tool":"other"}'


def test_an_older_copy_in_its_place_takes_nothing_away(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    case = opened(path)
    case.note(FIRST, "first")
    older = path.read_bytes()
    case.note(FIRST, "second")
    path.write_bytes(older)
    case.note(FIRST, "third")
    assert texts(path) == ["first", "second", "third"]


def test_a_system_that_cannot_refuse_links_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_NOFOLLOW")
    (tmp_path / "target.json").write_bytes(render(Contents()))
    (tmp_path / "case.json").symlink_to(tmp_path / "target.json")
    with pytest.raises(CaseError, match=r"it is a symbolic link, and none is followed\.$"):
        opened(tmp_path / "case.json")


def test_two_cases_on_one_file_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    ana, bo = opened(path), opened(path, author="bo", clock=Clock(1))
    for number in range(3):
        ana.note(FIRST, f"ana {number}")
        bo.note(FIRST, f"bo {number}")
    expected = ["ana 0", "ana 1", "ana 2", "bo 0", "bo 1", "bo 2"]
    assert sorted(texts(path)) == expected
    assert sorted(each.text for each in bo.state_of(FIRST).notes) == expected
    ana.confirm(FIRST)  # a save shows what the other one did
    bo.dismiss(FIRST, "a test tenant")
    assert bo.state_of(FIRST).contradicted and not ana.state_of(FIRST).contradicted
    ana.note(SECOND, "more")
    assert ana.state_of(FIRST).contradicted


def test_a_member_that_another_program_added_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    case = opened(path)
    case.note(FIRST, "first")
    path.write_bytes(path.read_bytes().replace(b'"entries"', b'"tool": "other", "entries"'))
    case.note(FIRST, "second")
    assert parse(path.read_bytes()).extra == '{"tool":"other"}'
    assert texts(path) == ["first", "second"]


def test_a_change_between_reading_and_renaming_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file system has no locks, another program may write in the middle of a save."""
    path = tmp_path / "case.json"
    ana, bo = opened(path), opened(path, author="bo")
    ana.note(FIRST, "before")
    real, times = os.fsync, iter(range(10))
    monkeypatch.setattr(saving, "_lock", lambda folder: None)

    def meanwhile(handle: int) -> None:
        if next(times) == 0:
            bo.note(FIRST, "between")
        real(handle)

    monkeypatch.setattr(os, "fsync", meanwhile)
    ana.note(FIRST, "after")
    assert ana.trouble == ""
    assert sorted(texts(path)) == ["after", "before", "between"]
    assert names(tmp_path) == ["case.json"]


def test_a_file_that_never_rests_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "case.json"
    case = opened(path)
    stamps = iter(range(100))
    monkeypatch.setattr(saving, "_same", lambda first, second: next(stamps) < 0)
    case.note(FIRST, "first")
    assert case.trouble == kept(path, "another program keeps changing it", "1 entry is")
    assert names(tmp_path) == []


def test_a_lock_that_is_held_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "LOCK_SECONDS", 0.0)
    path = tmp_path / "case.json"
    case = opened(path)
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    case.note(FIRST, "first")
    assert case.trouble == kept(path, "another program is writing there and does not end", "1 entry is")
    os.close(handle)
    assert case.save()
    assert texts(path) == ["first"]


def test_a_folder_that_cannot_be_locked_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    path = tmp_path / "case.json"
    opened(path).note(FIRST, "first")
    assert texts(path) == ["first"]


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file may grow past this size: what a full disk does to a program, by the system itself."""
    before, on_signal = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, on_signal)


def test_a_file_that_cannot_grow_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    case = opened(path)
    case.note(FIRST, "first")
    before = path.read_bytes()
    with files_up_to(len(before) + 10):
        case.note(FIRST, "second")
    assert case.trouble == kept(path, "file too large", "1 entry is")
    assert path.read_bytes() == before
    assert names(tmp_path) == ["case.json"]
    assert case.save()
    assert texts(path) == ["first", "second"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path = tmp_path / "case.json"
    case = opened(path)
    case.note(FIRST, "first")
    before = path.read_bytes()

    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    case.note(FIRST, "second")
    assert case.trouble == kept(path, FULL, "1 entry is")
    assert path.read_bytes() == before
    assert names(tmp_path) == ["case.json"]


def test_a_file_that_would_be_too_large_to_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diagnosis.case.case.FILE_LIMIT", 300)
    path = tmp_path / "case.json"
    case = opened(path)
    case.note(FIRST, "x" * 200)
    assert case.trouble == kept(path, "it would be larger than 0 MiB", "1 entry is")
    assert FILE_LIMIT == 16 * 2**20
    assert names(tmp_path) == []


def test_an_interrupted_save_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(handle: int) -> None:
        raise KeyboardInterrupt

    case = opened(tmp_path / "case.json")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        case.note(FIRST, "first")
    assert names(tmp_path) == []
    monkeypatch.undo()
    assert case.save()
    assert texts(tmp_path / "case.json") == ["first"]

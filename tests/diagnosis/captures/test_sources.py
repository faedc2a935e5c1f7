from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
from pathlib import Path

import pytest

from diagnosis.captures import sources
from diagnosis.captures.message import Span
from diagnosis.captures.sources import CutLine, SourceError, open_source


def write(folder: Path, data: bytes) -> str:
    path = folder / "log"
    path.write_bytes(data)
    return str(path)


def test_lines_are_split_at_line_feeds_only(tmp_path: Path) -> None:
    data = b"one\r\n\ntwo\rthree\xe2\x80\xa8four\nlast"
    with open_source(write(tmp_path, data)) as source:
        assert list(source.lines()) == [
            (1, 0, b"one\r"),
            (2, 5, b""),
            (3, 6, b"two\rthree\xe2\x80\xa8four"),
            (4, 23, b"last"),
        ]
        assert source.sha256 == hashlib.sha256(data).hexdigest()
        assert source.bytes_read == source.size == len(data)


def test_a_hash_needs_a_full_pass(tmp_path: Path) -> None:
    with open_source(write(tmp_path, b"a\nb\n")) as source:
        lines = source.lines()
        next(lines)
        lines.close()
        assert source.sha256 is None


@pytest.mark.parametrize("block", [1, 2, 3, 7])
def test_blocks_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    data = b"alpha\n\nbe\r\n\ngamma"
    monkeypatch.setattr(sources, "BLOCK", block)
    with open_source(write(tmp_path, data)) as source:
        found = list(source.lines())
    assert [line for _, _, line in found] == data.split(b"\n")
    assert all(data[offset : offset + len(line)] == line for _, offset, line in found)
    assert source.sha256 == hashlib.sha256(data).hexdigest()


def test_a_line_over_the_limit_is_counted_and_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK", 4)
    monkeypatch.setattr(sources, "LONGEST_LINE", 10)
    with open_source(write(tmp_path, b"ok\n" + b"x" * 25 + b"\nafter")) as source:
        first, long, after = source.lines()
    assert first == (1, 0, b"ok")
    assert long[:2] == (2, 3) and isinstance(long[2], CutLine)
    assert long[2].length == 25 and len(long[2]) < 25
    assert after == (3, 29, b"after")


def test_an_empty_file(tmp_path: Path) -> None:
    with open_source(write(tmp_path, b"")) as source:
        assert source.head() == b"" and list(source.lines()) == [] and source.mmap() == b""
        assert source.sha256 == hashlib.sha256().hexdigest()


def test_a_span_is_read_again_also_after_closing(tmp_path: Path) -> None:
    path = write(tmp_path, b"one\ntwo\n")
    source = open_source(path)
    span = Span(path, 2, 4, 3)
    assert source.read(span) == b"two"
    source.close()
    assert source.read(span) == b"two"
    assert source.read(Span(path, 2, 4, 99)) is None


def test_a_changed_file_gives_no_span(tmp_path: Path) -> None:
    path = write(tmp_path, b"one\ntwo\n")
    with open_source(path) as source:
        list(source.lines())
        Path(path).write_bytes(b"one\nTWO and more\n")
        assert source.read(Span(path, 1, 0, 3)) is None


def test_the_time_of_a_file_counts_too(tmp_path: Path) -> None:
    path = write(tmp_path, b"one\n")
    with open_source(path) as source:
        os.utime(path, ns=(1, 1))
        assert source.read(Span(path, 1, 0, 3)) is None


def test_a_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, b"one\n")
    with open_source(path) as source:
        lines = source.lines()
        next(lines)
        with open(path, "ab") as more:
            more.write(b"two\n")
        assert [line for _, _, line in lines] == [b"two"]
        assert source.changed_while_reading and source.size == 8
        assert source.read(Span(path, 2, 4, 3)) == b"two"


def test_a_removed_file(tmp_path: Path) -> None:
    path = write(tmp_path, b"one\n")
    source = open_source(path)
    source.close()
    os.unlink(path)
    assert source.read(Span(path, 1, 0, 3)) is None


def test_standard_input_is_kept_for_its_owner_alone() -> None:
    with open_source("-", io.BytesIO(b"one\ntwo")) as source:
        assert [line for _, _, line in source.lines()] == [b"one", b"two"]
        assert source.read(Span("-", 2, 4, 3)) == b"two"
        kept = os.fstat(source._file.descriptor)
        assert stat.S_IMODE(kept.st_mode) == 0o600 and kept.st_nlink == 0
    assert source.read(Span("-", 2, 4, 3)) is None


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.symlink(tmp_path / "loop", tmp_path / "loop")
    os.symlink(tmp_path / "nowhere", tmp_path / "dangling")
    expected = {
        "pipe": "not-a-file",
        "": "not-a-file",
        "loop": "error",
        "none": "missing",
        "dangling": "missing",
    }
    for name, kind in expected.items():
        with pytest.raises(SourceError) as refused:
            open_source(str(tmp_path / name))
        assert refused.value.kind == kind
        assert str(refused.value).endswith(".")
    with pytest.raises(SourceError) as device:
        open_source("/dev/null")
    assert device.value.kind == "not-a-file" and "device" in str(device.value)


def test_no_descriptor_is_lost(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    path = write(tmp_path, b"{}")
    for _ in range(20):
        open_source(path).close()
        with pytest.raises(SourceError):
            open_source(str(tmp_path))
        open_source("-", io.BytesIO(b"x")).close()
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert after == before


def test_a_file_that_is_cut_while_it_is_read_whole_kills_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BLOCK", 4096)
    path = write(tmp_path, b"[" + b"1,\n" * 10_000 + b"1]")
    with open_source(path) as source:
        kept = source._advance

        def cut(block: bytes) -> None:
            kept(block)
            os.truncate(path, 5000)

        monkeypatch.setattr(source, "_advance", cut)
        text = source.whole()
        assert len(text) == 5000 and text[4998:] == b"\n1" and source.changed_while_reading
        assert source.size == 5000 and source.sha256 == hashlib.sha256(text).hexdigest()


def test_a_document_is_held_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "WHOLE_LIMIT", 10)
    data = b"0123456789abc"
    with open_source(write(tmp_path, data)) as source:
        assert source.whole() == data[:10]
        assert source.trouble is not None and source.trouble.limited and "first 10 bytes" in source.trouble.why
        assert source.sha256 == hashlib.sha256(data).hexdigest()


def test_a_disk_that_fails_is_trouble_and_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK", 4)
    real = os.pread

    def failing(descriptor: int, length: int, offset: int) -> bytes:
        if offset >= 8:
            raise OSError(errno.EIO, "Input/output error")
        return real(descriptor, length, offset)

    path = write(tmp_path, b"one\ntwo\nthree\n")
    with open_source(path) as source:
        monkeypatch.setattr(os, "pread", failing)
        assert [line for _, _, line in source.lines()] == [b"one", b"two"]
        assert source.trouble is not None and "disk" in source.trouble.why and source.sha256 is None
        assert source.read(Span(path, 3, 8, 5)) is None


def test_a_name_with_a_nul_is_no_file() -> None:
    with pytest.raises(SourceError) as refused:
        open_source("a\0b")
    assert refused.value.kind == "missing"

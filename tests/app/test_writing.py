from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app.writing import WritingError, refuse_existing, write_report


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_private(tmp_path: Path) -> None:
    write_report(str(tmp_path / "report.md"), b"text")
    assert (tmp_path / "report.md").read_bytes() == b"text"
    assert stat.S_IMODE((tmp_path / "report.md").stat().st_mode) == 0o600
    assert names(tmp_path) == ["report.md"]


def test_a_relative_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_report("report.md", b"text")
    assert names(tmp_path) == ["report.md"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    target.write_bytes(b"old")
    with pytest.raises(WritingError, match=r"report\.md exists; --force replaces it\."):
        write_report(str(target), b"new")
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["report.md"]


def test_force_replaces(tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    target.write_bytes(b"old")
    write_report(str(target), b"new", force=True)
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert names(tmp_path) == ["report.md"]


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_never_followed(tmp_path: Path, exists: bool) -> None:
    target = tmp_path / "target"
    if exists:
        target.write_bytes(b"precious")
    link = tmp_path / "report.md"
    link.symlink_to(target)
    with pytest.raises(WritingError, match="exists"):
        write_report(str(link), b"new")
    with pytest.raises(WritingError, match="exists"):
        refuse_existing(str(link))
    write_report(str(link), b"new", force=True)
    assert not link.is_symlink()
    assert target.exists() == exists
    assert not exists or target.read_bytes() == b"precious"


@pytest.mark.parametrize("force", [True, False])
@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing/report.md", "no such file or directory"), ("a\0b", "no file name can hold")],
)
def test_what_cannot_be_written(tmp_path: Path, name: str, reason: str, force: bool) -> None:
    with pytest.raises(WritingError, match=reason):
        write_report(f"{tmp_path}/{name}", b"text", force=force)
    assert names(tmp_path) == []


@pytest.mark.parametrize("force", [True, False])
def test_a_folder_is_never_replaced(tmp_path: Path, force: bool) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(WritingError):
        write_report(str(tmp_path / "folder"), b"text", force=force)
    assert names(tmp_path) == ["folder"]


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WritingError, match="was not written: no space left on device"):
        write_report(str(tmp_path / "report.md"), b"text")
    assert names(tmp_path) == []


def test_a_file_system_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, target: str, **options: object) -> None:
        raise PermissionError(1, "Operation not permitted", source, None, target)

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(WritingError, match="has no hard links; --force"):
        write_report(str(tmp_path / "report.md"), b"text")
    assert names(tmp_path) == []

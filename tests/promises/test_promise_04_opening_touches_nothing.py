"""Opening a log makes no network connection, starts no process, writes no file and reads none but the log's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.samples import find_sample
from tests.bad_inputs import corpus
from tests.diagnosis.captures.samples import samples
from tests.promises.hostile_log import log
from tests.promises.logs import SAMPLES, own_files

ROOT = Path(__file__).parents[2]
FORMATS = ROOT.parent / "shared" / "formats"


def told(folder: Path, captures: list[Path]) -> list[str]:
    """What opening them touched."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(folder)}
    environment |= {"XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder)}
    command = [sys.executable, "-m", "tests.promises.watched", str(folder), *map(os.fspath, captures)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, timeout=300, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert list(folder.iterdir()) == []
    return done.stdout.decode().splitlines()


def test_the_samples_of_the_program(tmp_path: Path) -> None:
    captures = [Path(each) for name in SAMPLES for each in find_sample(name).captures]
    assert told(tmp_path, captures) == []


def test_every_format(tmp_path: Path) -> None:
    inputs, work = tmp_path / "inputs", tmp_path / "work"
    inputs.mkdir()
    work.mkdir()
    captures = []
    for number, (name, data) in enumerate(samples()):
        captures.append(inputs / f"{number}-{name}".replace("/", "_"))
        captures[-1].write_bytes(data)
    assert told(work, captures) == []


def test_hostile_files(tmp_path: Path) -> None:
    evil = tmp_path / "names a file.jsonl"  # every text in it is a path or a URL that could be followed
    evil.write_bytes(log("file:///etc/passwd") + log("https://evil.example/x") + log("../../../../etc/passwd"))
    (work := tmp_path / "work").mkdir()
    assert told(work, [evil, *own_files()]) == []


@pytest.mark.skipif(not FORMATS.is_dir(), reason="the captures of other tools are not beside the repository")
def test_captures_of_other_tools(tmp_path: Path) -> None:
    captures = sorted(each for each in FORMATS.rglob("*") if each.is_file() and each.stat().st_size < 1_000_000)
    assert len(captures) > 20
    assert told(tmp_path, captures) == []


@pytest.mark.skipif(not corpus.MAKE.is_file(), reason=corpus.ABSENT)
def test_the_larger_set(tmp_path: Path) -> None:
    captures = [
        corpus.path_of(name) for name, entry in corpus.index().items() if entry["group"] not in ("scale", "special")
    ]
    assert told(tmp_path, captures) == []


def test_the_hook_sees_what_it_looks_for(tmp_path: Path) -> None:
    code = (
        "import os, sys, subprocess, socket, tempfile\n"
        "from tests.promises.watched import watch\n"
        "told = []\n"
        "sys.addaudithook(watch(told, frozenset()))\n"
        "open('/etc/hostname' if os.path.exists('/etc/hostname') else '/etc/passwd').close()\n"
        "open('made', 'w').close()\n"
        "os.rename('made', 'moved')\n"
        "subprocess.run([sys.executable, '-c', ''])\n"
        "socket.socket(socket.AF_INET).close()\n"
        "tempfile.mkstemp()\n"
        "print(*(each.split()[0] for each in told))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    seen = done.stdout.split()
    assert {"reads", "writes", "os.rename", "subprocess.Popen", "socket.__new__", "tempfile.mkstemp"} <= set(seen)

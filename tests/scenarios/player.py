"""Plays a fault: a list of steps from a JSON file that write a log, break it, and open or follow it meanwhile.

`append`, `append-part`, `append-text`, `truncate`, `rename`, `create`, `replace`, `unlink`, `overwrite` write to a log
(`path` names another file); `create-file`, `folder`, `special` and `many` prepare. `open` reads the log, `follow` reads
it from its beginning and goes on with the steps behind it, one at each time that the reader waits; `wait` is a look at
which nothing happened. `run` runs the program in a process of its own, with `env`, `umask`, `close` (descriptors),
`limit` (bytes of a file), `full` (its output has no room) and `read` (bytes of its output, then the reader goes away).
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diagnosis import Diagnosis, diagnose
from diagnosis.ledger import Progress

ROOT = Path(__file__).parents[2]
DEADLINE = 60
Step = dict[str, Any]


@dataclass(slots=True)
class Played:
    """What came of it: a diagnosis, or a process that ended."""

    diagnosis: Diagnosis | None = None
    status: int | None = None
    out: bytes = b""
    err: bytes = b""


def record(words: str) -> bytes:
    """`ask 1` and `answer 1`: a request and its answer, as a line."""
    kind, _, name = words.partition(" ")
    number: object = int(name) if name.isascii() and name.isdigit() else name
    uri = f"docs://acme/{name}"
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": number}
    if kind == "ask":
        body |= {"method": "resources/read", "params": {"uri": uri}}
    else:
        body |= {"result": {"contents": [{"uri": uri, "text": f"text {name}"}]}}
    return json.dumps(body, ensure_ascii=False).encode() + b"\n"


def play(folder: Path, steps: Sequence[Step]) -> Played:
    """Plays the steps in a folder."""
    played, left = Played(), list(steps)
    while left:
        step = left.pop(0)
        if step["do"] == "follow":
            played.diagnosis = _follow(folder, left)
            left = []
        elif step["do"] == "open":
            played.diagnosis = diagnose([str(folder / "log")])
        elif step["do"] == "run":
            _run(folder, step, played)
        else:
            _write(folder, step)
    return played


def _follow(folder: Path, steps: Sequence[Step]) -> Diagnosis:
    (folder / "log").touch()
    diagnosis, left = Diagnosis([str(folder / "log")]), list(steps)

    def wait(progress: Progress) -> bool:
        if left:
            _write(folder, left.pop(0))
            return True
        return False

    for _ in diagnosis.follow(wait, now=lambda: 0.0):
        pass
    return diagnosis


def _write(folder: Path, step: Step) -> None:
    path = folder / step.get("path", "log")
    match step["do"]:
        case "append":
            _append(path, b"".join(map(record, step["records"])))
        case "append-part":
            _append(path, record(step["record"])[step["from"] : step.get("to")])
        case "append-text":
            _append(path, step["text"].encode())
        case "many":
            _append(path, b"".join(record(f"ask {n}") + record(f"answer {n}") for n in range(step["reads"])))
        case "truncate":
            os.truncate(path, step["size"])
        case "rename":
            path.rename(folder / step["to"])
        case "create":
            path.touch()
        case "replace":
            (folder / "new").write_bytes(b"".join(map(record, step["records"])))
            os.replace(folder / "new", path)
        case "unlink":
            path.unlink()
        case "overwrite":
            with path.open("r+b") as file:
                file.write(step["text"].encode())
        case "create-file":
            path.write_text(step["text"])
        case "folder":
            path.mkdir(mode=int(step["mode"], 8))
        case "special":
            _special(path, step["kind"])
        case "wait":
            pass
        case other:
            raise ValueError(f"no step is called {other}")


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def _special(path: Path, kind: str) -> None:
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        here = os.getcwd()
        os.chdir(path.parent)  # an address has room for some hundred bytes only
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
        os.chdir(here)
    else:
        path.symlink_to(path.name if kind == "loop" else "..")


def _run(folder: Path, step: Step, played: Played) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm"} | step.get("env", {})
    child = subprocess.Popen(
        [sys.executable, "-m", "app", *step["args"]],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=os.open("/dev/full", os.O_WRONLY) if step.get("full") else subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: _prepare(step),
    )
    with child:
        if "read" in step:
            assert child.stdout is not None
            played.out = child.stdout.read(step["read"])
            child.stdout.close()
            child.stdout = None
        try:
            out, played.err = child.communicate(timeout=DEADLINE)
        finally:
            child.kill()
    played.out = played.out or out or b""
    played.status = child.returncode


def _prepare(step: Step) -> None:
    """What a process is given before it begins."""
    import resource

    if "umask" in step:
        os.umask(int(step["umask"], 8))
    for descriptor in step.get("close", ()):
        os.close(descriptor)
    if "limit" in step:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # else the signal ends it; a full disk is an error and no signal
        resource.setrlimit(resource.RLIMIT_FSIZE, (step["limit"], step["limit"]))


def scenarios() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every JSON file beside this one, by its name."""
    for path in sorted(Path(__file__).parent.glob("*.json")):
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))

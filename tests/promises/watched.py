"""Opens captures, with the report command and on the screen, and prints what Python's audit events say was touched.

Run as a program: every event from the first import on is looked at. The first argument is a folder to write into, the
others are captures. Each line it prints is an event that opening a log must not cause.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
# The program, the interpreter and what is installed for it, and what an interpreter reads of its system.
OUR_OWN = tuple(
    str(Path(each).resolve())
    for each in {
        *(str(ROOT / name) for name in ("app", "diagnosis", "sample_traces", "tests")),
        *(sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.dirname(sys.executable))),
        *sysconfig.get_paths().values(),
        *("/proc/self", "/dev/null", "/dev/urandom", "/usr/share/zoneinfo", "/etc/localtime", "/usr/lib/locale"),
    }
)
# What must not happen at all. A pair of sockets inside the process is how an event loop wakes itself.
NEVER = (
    *("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostby"),
    *("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "pty."),
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown"),
    *(
        "os.utime",
        "os.setxattr",
        "os.removexattr",
        "shutil.",
        "tempfile.",
        "webbrowser.",
        "urllib.",
        "http.",
        "ftplib.",
    ),
    *("smtplib.", "imaplib.", "poplib.", "nntplib.", "telnetlib.", "ctypes.dlopen", "os.kill", "os.putenv"),
)


def watch(told: list[str], captures: frozenset[str]) -> Callable[[str, tuple[object, ...]], None]:
    """An audit hook that writes down what must not happen."""

    state = os.path.realpath(os.environ.get("XDG_STATE_HOME", os.devnull))  # what was decided on an earlier day

    def hook(event: str, args: tuple[object, ...]) -> None:
        if event == "open":
            path, mode, flags = args[0], args[1], args[2]
            if isinstance(path, int):
                return
            name = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
            writes = bool(isinstance(flags, int) and flags & WRITING) or (isinstance(mode, str) and mode[:1] in "wax")
            if writes and name != os.devnull:
                told.append(f"writes {name!a}")
            elif not writes and name not in captures and not name.startswith((*OUR_OWN, state)):
                told.append(f"reads {name!a}")
        elif event == "socket.__new__" and args[1] != getattr(__import__("socket"), "AF_UNIX", None):
            told.append(f"{event} {args[1:]}")
        elif event.startswith(NEVER):
            told.append(f"{event} {args!a}"[:200])

    return hook


def main(folder: str, captures: list[str]) -> None:
    """Opens the captures one by one for a report, and all together on the screen."""
    told: list[str] = []
    sys.addaudithook(watch(told, frozenset(map(os.path.realpath, captures))))
    import asyncio

    from app import cli
    from app.tui import TriageApp

    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        for capture in captures:
            for form in ("json", "markdown") if len(captures) < 100 else ("text",):
                cli.run(["report", "--format", form, "--", capture])
        asyncio.run(_visit(TriageApp(captures)))
    for line in dict.fromkeys(told):
        print(line)


async def _visit(app: object) -> None:
    from app.tui import TriageApp

    assert isinstance(app, TriageApp)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.workers.wait_for_complete()
        for key in ("G", "m", "r", "p", "s", "escape", "exclamation_mark", "escape", "M", "escape", "T", "escape", "y"):
            await pilot.press(key)
            await app.workers.wait_for_complete()
        # The export dialog makes the report and shows its beginning; it is left before anything is written.
        await pilot.press("e")
        await app.workers.wait_for_complete()
        await pilot.press("escape")
        await pilot.pause()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

r"""Stands between a client and a server on their standard streams, and keeps every line that passes.

    python wiretap.py LOG [--session NAME] -- COMMAND...

With a session each line is kept as a record with time, direction and session around the message, else bare. The bytes
of a message are never changed: they go into the log before they go on, so that no answer precedes its request.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
from datetime import UTC, datetime
from typing import BinaryIO


class Log:
    """The log file; two threads write to it."""

    def __init__(self, file: BinaryIO, session: str | None) -> None:
        self._file = file
        self._session = session
        self._lock = threading.Lock()

    def keep(self, line: bytes, direction: str) -> None:
        """Writes one line that passed."""
        with self._lock:
            self._file.write((line if self._session is None else self._record(line, direction)) + b"\n")
            self._file.flush()

    def _record(self, line: bytes, direction: str) -> bytes:
        beside = {"ts": datetime.now(UTC).isoformat(), "dir": direction, "session": self._session}
        return json.dumps(beside).encode()[:-1] + b', "message": ' + line + b"}"


def carry(lines: BinaryIO, to: BinaryIO, log: Log, direction: str) -> None:
    """Carries lines from one side to the other until the first side ends; then the other side's stream ends too."""
    with to:
        for line in lines:
            log.keep(line.rstrip(b"\r\n"), direction)
            try:
                to.write(line)
                to.flush()
            except BrokenPipeError:
                return


def main() -> int:
    """Runs the server and returns its exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--session")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    with (
        open(given.log, "wb") as file,
        subprocess.Popen(given.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server,
    ):
        assert server.stdin is not None and server.stdout is not None
        log = Log(file, given.session)
        requests = threading.Thread(
            target=carry, args=(sys.stdin.buffer, server.stdin, log, "client->server"), daemon=True
        )
        requests.start()
        carry(server.stdout, sys.stdout.buffer, log, "server->client")
        return server.wait(timeout=10)


if __name__ == "__main__":
    sys.exit(main())

"""The floor that everything is compared with: nothing but the parsing, in a process of its own.

python -m benchmarks.floor lines|document FILE
"""

from __future__ import annotations

import sys
from pathlib import Path

import orjson


def lines(path: Path) -> None:
    """Parses the JSON of each line: all of it, or what follows the anchor of a text log."""
    loads = orjson.loads
    with open(path, "rb") as file:
        for line in file:
            loads(line if line[:1] == b"{" else line[line.index(b": {") + 2 :])


def document(path: Path) -> None:
    """Parses the file as one document."""
    orjson.loads(path.read_bytes())


if __name__ == "__main__":
    {"lines": lines, "document": document}[sys.argv[1]](Path(sys.argv[2]))

"""The table of shared sample captures that lie beside the repository: which format each is, and what it holds."""

from __future__ import annotations

import csv
from pathlib import Path

FOLDER = Path(__file__).parents[4] / "shared" / "formats"
TABLE = FOLDER / "EXPECTED.tsv"
# Formats whose name in the table is another than the reader's: several names are one reader.
NAMES = {
    "claude-desktop-server": "claude-desktop",
    "claude-desktop-main": "claude-desktop",
    "vscode-mcp": "vscode",
    "raw-ndjson": "json-rpc",
    "raw-json-concat": "json-rpc",
    # The message of the sample stands behind one string: an envelope. The reader for fields begins behind two.
    "wrapped-field": "enveloped",
}


def table() -> list[dict[str, str]]:
    """The rows of the table, and none where it is absent."""
    if not TABLE.is_file():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))

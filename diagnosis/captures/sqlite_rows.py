"""Rows of a table in an SQLite file that somebody else may have written to do harm.

The file is opened read-only and immutable: nothing is locked, no journal is replayed, nothing is written. Only one
ordinary table is read, row by row in the order of its rowids, with limits on rows, on the size of a value and on
the work for a row; views, virtual tables, functions, extensions and other files are refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from diagnosis.captures.sources import Source

MAGIC = b"SQLite format 3\0"
ROW_LIMIT = 5_000_000
VALUE_LIMIT = 64 * 1024 * 1024
STEPS = 100_000  # instructions of SQLite's machine between two looks at the work done
STEPS_LIMIT = 1_000  # looks that one row may take
IN_MEMORY = 256 * 1024 * 1024
_ALLOWED = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its rowid, and the texts and numbers of its columns; a text that is no UTF-8 is None."""

    rowid: int
    values: dict[str, str | int | float | None]


def rows_of(source: Source, table: str, columns: tuple[str, ...]) -> Iterator[Row | str]:
    """Yields the rows of `table` with those of the `columns` that it has; a text says why no more can be read."""
    try:
        connection = _opened(source)
    except (sqlite3.Error, MemoryError, OverflowError, ValueError) as error:
        yield f"SQLite cannot open it: {error}"
        return
    if connection is None:
        limit = IN_MEMORY // 2**20
        yield f"a database that is not a file of its own is read up to {limit} MiB; unpack or save it first"
        return
    try:
        yield from _rows(connection, table, columns)
    except (sqlite3.Error, OverflowError, ValueError) as error:
        yield f"the database is damaged or refused: {error}"
    finally:
        connection.close()


def _opened(source: Source) -> sqlite3.Connection | None:
    path = Path(source.path)
    if source.layers.none and source.path != "-" and path.is_file():
        uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        return _guarded(sqlite3.connect(uri, uri=True, isolation_level=None))
    if source.size > IN_MEMORY:
        return None
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.deserialize(bytes(source.mmap()))
    return _guarded(connection)


def _guarded(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.execute("PRAGMA mmap_size=0")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.text_factory = bytes
    connection.set_authorizer(_allow)
    return connection


def _allow(action: int, *names: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


def _rows(connection: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> Iterator[Row | str]:
    work = _Work()
    connection.set_progress_handler(work.step, STEPS)
    found = connection.execute("SELECT type, sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    if found is None or found[0] != b"table" or not (found[1] or b"").upper().startswith(b"CREATE TABLE"):
        yield f"there is no ordinary table {table}"
        return
    named = connection.execute(f'SELECT * FROM "{table}" LIMIT 0').description or ()
    if any(each[0].lower() == "rowid" for each in named):
        # A column of that name hides the real one, and ordering by it would sort the whole table.
        yield f"the table {table} has a column of its own that is called rowid"
        return
    have = [name for name in columns if name in {each[0] for each in named}]
    selected = ", ".join(["rowid", *(f'"{name}"' for name in have)])
    for count, row in enumerate(connection.execute(f'SELECT {selected} FROM "{table}" ORDER BY rowid')):
        if count >= ROW_LIMIT:
            yield f"more than {ROW_LIMIT} rows; the rest was not read"
            return
        work.begin()
        yield Row(row[0], {name: _plain(value) for name, value in zip(have, row[1:], strict=True)})


class _Work:
    """Stops a row that takes too many steps: a hostile schema can ask for endless ones."""

    def __init__(self) -> None:
        self._taken = 0

    def begin(self) -> None:
        self._taken = 0

    def step(self) -> int:
        self._taken += 1
        return int(self._taken > STEPS_LIMIT)


def _plain(value: object) -> str | int | float | None:
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return None
    return value if isinstance(value, int | float) else None

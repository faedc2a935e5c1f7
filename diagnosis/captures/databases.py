"""SQLite recordings as captures: every row is a record whose place is its table and its rowid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.message import Message, Span
from diagnosis.captures.recordings import NO_MESSAGE, Record
from diagnosis.captures.records import skipped
from diagnosis.captures.sources import Source
from diagnosis.captures.sqlite_rows import MAGIC, rows_of

HEADER = 100  # bytes of a database's header: a row has no bytes of its own that could be shown again

Reader = Callable[[Record], Sequence[Message | Skipped]]


def claim(head: bytes, table: str, signs: tuple[str, ...]) -> Claim:
    """Certain where the head of a database holds the words of the table's definition."""
    if not head.startswith(MAGIC):
        return Claim(Sureness.NO, "it is no SQLite database")
    if all(sign.encode("ascii") in head for sign in (table, *signs)):
        return Claim(Sureness.CERTAIN, f"an SQLite database with a table {table} that has {', '.join(signs)}")
    return Claim(Sureness.NO, f"the database defines no table {table} with {', '.join(signs)} in its beginning")


def from_rows(source: Source, table: str, columns: tuple[str, ...], read: Reader) -> Iterator[Message | Skipped]:
    """Yields what `read` finds in each row of the table, by rowid."""
    whole = source.mmap()
    header = bytes(whole[:HEADER])
    # The map would keep the file open in memory beside SQLite's own pages.
    del whole
    number = 0
    for row in rows_of(source, table, columns):
        if isinstance(row, str):
            yield skipped(Kind.UNREADABLE, Span(source.path, 1, 0, len(header), (table,)), header, row)
            continue
        span = Span(source.path, 1, 0, len(header), (table, f"rowid {row.rowid}"))
        record = Record(dict(row.values), span, header, number, source.labels)
        number += 1
        yield from read(record) or (skipped(Kind.OTHER, span, header, NO_MESSAGE),)

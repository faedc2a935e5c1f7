"""The files of a diagnosis: each is open while it is read and no longer, and its bytes can be had again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures import NotACapture, Unopened, glances_of, items_of, open_sources, recognise
from diagnosis.captures.contract import CaptureFormat
from diagnosis.captures.growing import Growing, fingerprint
from diagnosis.captures.sources import Source, SourceError
from diagnosis.ledger import Refusal
from diagnosis.reads.read import Seen
from diagnosis.reads.sets import Item, Opened


class Files:
    """Opens captures and reads them; what cannot be opened or is no capture is in `refusals`, never an exception.

    A folder may hold more captures than a process may have open. `failed` says that reading one failed on the way.
    """

    def __init__(self, labels: TokenLabels, capture_format: str | None) -> None:
        self.refusals: list[Refusal] = []
        self.failed = False
        self._labels = labels
        self._format = capture_format
        self._sources: dict[str, Source] = {}

    def opened(self, family: Sequence[str]) -> list[Opened]:
        """The captures of paths that are looked at together."""
        found: list[Opened] = []
        for path in family:
            for each in self._open(path):
                if len(family) > 1:
                    let_go(each.source)
                found.append(each)
        return found

    def keep(self, source: Source) -> None:
        """Remembers where the bytes of a capture are."""
        self._sources[source.path] = source

    def items(self, opened: Opened) -> Iterator[Item]:
        """What a capture holds, up to its end or to a fault of the disk; what was read until then is kept."""
        return self._read(opened, items_of)

    def glances(self, opened: Opened) -> Iterator[Item]:
        """The same, with glances in the place of messages where that is enough at first."""
        return self._read(opened, glances_of)

    def _read(self, opened: Opened, reading: Callable[[Source, CaptureFormat], Iterator[Item]]) -> Iterator[Item]:
        try:
            opened.source.reopen()
            yield from reading(opened.source, opened.detection.format)
            let_go(opened.source)
        except OSError as error:
            self.failed = True
            sentence = f"Reading it failed on the way: {(error.strerror or 'unknown error').lower()}."
            self.refusals.append(Refusal(opened.source.path, "error", sentence))

    def evidence(self, seen: Seen) -> bytes | None:
        """The bytes of a span, read again from the capture; None where the file has changed since."""
        source = self._sources.get(seen.span.capture)
        try:
            data = source.read(seen.span) if source is not None else None
        except OSError:
            return None
        if data is not None and isinstance(source, Growing) and fingerprint(data) != seen.sha256:
            return None
        return data

    def refuse(self, path: str, error: NotACapture | OSError) -> None:
        """Keeps the sentence about a file that is no capture, or that the system does not let us read."""
        if isinstance(error, NotACapture):
            self.refusals.append(Refusal(path, "not-a-capture", str(error), error.reasons))
        else:
            self.refusals.append(Refusal(path, "error", f"It cannot be read: {(error.strerror or '').lower()}."))

    def _open(self, path: str) -> Iterator[Opened]:
        """The captures of a path: one, or those among the members of an archive."""
        try:
            for source in open_sources(path, labels=self._labels):
                if isinstance(source, Unopened):
                    self.refusals.append(Refusal(source.path, source.kind, source.sentence))
                    continue
                try:
                    found = recognise(source, self._format)
                except NotACapture as error:
                    self.refuse(source.path, error)
                    source.close()
                else:
                    self.keep(source)
                    yield Opened(source, found)
        except SourceError as error:
            self.refusals.append(Refusal(path, error.kind, str(error)))
        except OSError as error:
            self.refuse(path, error)


def let_go(source: Source) -> None:
    """Gives the descriptor back; nobody can open standard input again to see the evidence."""
    if source.path != "-":
        source.close()


def each_once(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths without those that name a file which another one names already."""
    named: dict[object, str] = {}
    for path in paths:
        named.setdefault(_identity(path), path)
    return tuple(named.values())


def size_of(path: str) -> int:
    """Bytes of a file for the progress of a load; 0 where it cannot be known before."""
    try:
        return os.stat(path).st_size if path != "-" else 0
    except (OSError, ValueError):
        return 0


def _identity(path: str) -> object:
    """What two spellings of one file have in common."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return path
    return (found.st_dev, found.st_ino) if path != "-" else path

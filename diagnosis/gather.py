"""The first step: capture files to reads, and the facts that stand beside them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures import SIDECARS, Detection, NotACapture
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import DUPLICATE_KEY
from diagnosis.captures.families import families
from diagnosis.captures.frames import Glance
from diagnosis.captures.message import Message
from diagnosis.captures.sources import Source, SourceError
from diagnosis.files import Files, each_once, let_go, size_of
from diagnosis.follow import Followed, refusal
from diagnosis.ledger import CaptureFacts, Progress, SetFacts, Tally, facts_of
from diagnosis.options import Options
from diagnosis.reads.clock import Clock
from diagnosis.reads.context import Context
from diagnosis.reads.pairing import Pairing
from diagnosis.reads.read import Read
from diagnosis.reads.sets import CaptureSet, paths_of, sets_of

PROBLEM_LIMIT = 10_000  # unreadable lines that are kept one by one; all of them are counted
READ_LIMIT = 1_000_000  # reads of one diagnosis, some 5 kB each; reading ends with the last of them
TEXT_LIMIT = 512 * 1024 * 1024  # characters of URIs and document fields of all reads; reading ends where they are full
_FORGETS = 2**16  # messages between two looks at what waits for an answer: its count is paid once for so many
_HIDDEN = "one object names a key twice; another reader may see another message here"


class Gather:
    """Reads captures, one set after another, and keeps what judging needs; never a body.

    `reads` stand in capture order and keep their numbers; `taken()` gives the numbers of those that are new or were
    answered since it was last asked. `sidecars` are the sets that only say who asked; `orphans` counts the answers with
    documents that belong to no read. `caught_up` says that the capture which is `followed` was read to the end it had.
    """

    def __init__(self, paths: Sequence[str], options: Options, labels: TokenLabels) -> None:
        self.paths = each_once(paths)
        self.files = Files(labels, options.capture_format)
        self.context = Context()
        self.reads: list[Read] = []
        self.captures: list[CaptureFacts] = []
        self.sets: list[SetFacts] = []
        self.problems: list[Skipped] = []
        self.sidecars: set[str] = set()
        self.orphans = 0
        self.stopped = False
        self.full = False  # of reads, or of their text
        self.problems_cut = False
        self.forgot = False
        self.followed: Followed | None = None
        self.caught_up = False
        self._ended_early = False
        self._options = options
        self._shifts = dict(options.shifts)
        self._clock = Clock(options.zone, self._shifts)
        self._labels = labels
        self._position = 0
        self._load = _Load(sum(size_of(path) for path in self.paths))
        self._changed: dict[int, Read] = {}
        self._fresh: set[int] = set()
        self._text = 0
        self._wait: Callable[[], bool] | None = None
        self._running: _Running | None = None

    @property
    def partial(self) -> bool:
        """Whether reading was stopped, or failed on the way."""
        return self._ended_early or self.files.failed

    def run(self, batch: float) -> Iterator[Progress]:
        """Reads to the end, or until `stopped` is set; yields about every `batch` seconds and at the end."""
        load = self._load
        if self.followed is not None:
            yield from self._follow(self.followed, batch)
        for family in families(self.paths, self._options.join) if self.followed is None else ():
            for captures in sets_of(self.files.opened(family), self._options.join):
                yield from self._gather(captures, batch)
                for source, _ in captures.members:
                    load.done += source.packed_read if self.partial else source.packed_size
                    let_go(source)
        load.total = max(load.total, load.done)
        yield self._progress(load.done if self.partial else load.total)

    def follow(self, wait: Callable[[], bool]) -> str:
        """Makes `run` go on behind the end of the one capture; returns the sentence that says why it cannot, or "".

        `wait` is asked whenever everything was read that is there, and may take its time; False ends the following.
        """
        why = refusal(self.paths)
        if not why:
            self._wait = wait
            try:
                capture_format = self._options.capture_format
                self.followed = Followed(self.paths[0], self._labels, capture_format, self._awaited)
            except SourceError:
                return ""  # opening it says so once more, and keeps it
        return why

    def _awaited(self) -> bool:
        self.caught_up = True
        return not self.stopped and self._wait is not None and self._wait()

    def _follow(self, captures: Followed, batch: float) -> Iterator[Progress]:
        try:
            yield from self._gather(captures, batch)
        except (NotACapture, OSError) as error:
            self.files.refuse(captures.name, error)
        finally:
            captures.close()
        self._load.done = sum(source.packed_read for source, _ in captures.members)

    def count_so_far(self) -> None:
        """Brings the counts of the captures that are still read up to date."""
        if self._running is not None:
            self._count(self._running)

    def taken(self) -> list[int]:
        """The numbers of the reads that are new or were answered since this was last asked, in order."""
        self._place()
        numbers = sorted(self._fresh)
        self._fresh.clear()
        return numbers

    def _place(self) -> None:
        """Puts new and answered reads into their places."""
        for number in sorted(self._changed):
            if number < len(self.reads):
                self.reads[number] = self._changed[number]
            else:
                self.reads.append(self._changed[number])
        self._fresh.update(self._changed)
        self._changed.clear()

    def _gather(self, captures: CaptureSet | Followed, batch: float) -> Iterator[Progress]:
        """Reads one set: its captures share the conversations, and each has its own counts."""
        if self.stopped:
            self._ended_early = True
            return
        pairing = Pairing(captures.name, self.context, len(self.reads), self._position, self._clock)
        tallies = [self._tally(source, found) for source, found in captures.members]
        running = self._running = _Running(captures, tallies, pairing, len(self.captures))
        load = self._load
        load.total = max(load.total, *(source.packed_size for source, _ in captures.members), 0)
        due = time.monotonic() + batch
        # Of what stands alone nothing is asked before it is paired; parts of a set are put in order by their times.
        alone = isinstance(captures, CaptureSet) and len(captures.members) == 1
        for index, item in captures.items(self.files.glances if alone else self.files.items, pairing):
            if index >= len(tallies):
                self._count_members(running)
            tally = tallies[index]
            if not isinstance(item, Glance):
                self._take(item, tally, pairing)
            elif (reads := pairing.glance(item)) is not None:
                tally.count_message(item.line)
                self._paired(reads, pairing)
            else:
                for whole in item.whole():
                    self._take(whole, tally, pairing)
            if self.stopped:
                self._ended_early = True
                break
            if time.monotonic() >= due:
                yield self._progress(load.done + sum(source.packed_read for source, _ in captures.members))
                due = time.monotonic() + batch
        for read in pairing.finish(stopped=self.stopped):
            self._changed[read.number] = read
        self._position = pairing.position
        self.orphans += pairing.orphans
        self._place()
        self._count(running)
        self._finish(captures)
        self._running = None

    def _count_members(self, running: _Running) -> None:
        """Begins the counts of parts that came while the set is read."""
        shift = self._shifts.get(running.captures.name)
        for source, found in running.captures.members[len(running.tallies) :]:
            if shift is not None:  # the clock of a log that was rotated is the same
                self._shifts[source.path] = shift
            running.tallies.append(self._tally(source, found))

    def _tally(self, source: Source, found: Detection) -> Tally:
        self.files.keep(source)
        tally = Tally()
        for unread in found.mixed:
            tally.unreadable += 1
            self._keep(replace(unread, span=replace(unread.span, capture=source.path)))
        return tally

    def _paired(self, reads: Sequence[Read], pairing: Pairing) -> None:
        """Counts a message, and keeps the reads that it began or changed."""
        self._load.messages += 1
        if reads:
            for read in reads:
                self._changed[read.number] = read
            self._weigh(reads)
        if not pairing.position % _FORGETS:
            self.forgot = pairing.forget() or self.forgot

    def _take(self, item: Message | Skipped, tally: Tally, pairing: Pairing) -> None:
        tally.count(item)
        if isinstance(item, Message):
            reads = pairing.feed(item)
            self._paired(reads, pairing)
            if DUPLICATE_KEY in item.notes and not reads:
                # A read may hide behind a second `method`, and an answer behind a second `id`.
                tally.unreadable += 1
                self._keep(Skipped(Kind.UNREADABLE, item.span, _HIDDEN, item.record[:200]))
        elif item.kind is Kind.UNREADABLE:
            self._keep(item)

    def _keep(self, problem: Skipped) -> None:
        if len(self.problems) < PROBLEM_LIMIT:
            self.problems.append(problem)
        else:
            self.problems_cut = True

    def _weigh(self, reads: Sequence[Read]) -> None:
        """Ends reading where more reads, or more of their text, would have to be kept than there is room for."""
        self._text += sum(_text_of(read) for read in reads)
        if reads[-1].number + 1 >= READ_LIMIT or self._text > TEXT_LIMIT:
            self.stopped = self.full = True

    def _count(self, running: _Running) -> None:
        self._count_members(running)
        reads = Counter(read.capture for read in running.pairing.reads)
        self.captures[running.first :] = [
            facts_of(source, found, tally, reads[source.path], self.stopped)
            for (source, found), tally in zip(running.captures.members, running.tallies, strict=True)
        ]

    def _finish(self, captures: CaptureSet | Followed) -> None:
        if all(found.format.name in SIDECARS for _, found in captures.members):
            self.sidecars.add(captures.name)
        if len(captures.members) > 1:
            paths = paths_of(captures.members)
            self.sets.append(SetFacts(captures.name, paths, captures.why, tuple(captures.parted)))

    def progress(self) -> Progress:
        """How far a capture that is followed has come."""
        members = self.followed.members if self.followed is not None else []
        return self._progress(sum(source.packed_read for source, _ in members))

    def _progress(self, seen: int) -> Progress:
        self._place()
        load, said = self._load, self.followed.said if self.followed is not None else 0
        return Progress(seen, load.total, load.messages, len(self.reads), following=self.caught_up, notices=said)


def _text_of(read: Read) -> int:
    """Characters of a read's URI and of the fields of its answer."""
    size = len(read.uri or "")
    for content in read.response.contents if read.response is not None else ():
        for name, value in content.document.fields:
            size += len(name) + (len(value) if isinstance(value, str) else 8)
    return size


@dataclass(frozen=True, slots=True)
class _Running:
    """The set that is being read, with the counts of its captures; `first` is the place of their facts."""

    captures: CaptureSet | Followed
    tallies: list[Tally]
    pairing: Pairing
    first: int


@dataclass(slots=True)
class _Load:
    """How far a load has come, in bytes on disk."""

    total: int
    done: int = 0
    messages: int = 0

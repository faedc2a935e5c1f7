"""Goes on reading a capture behind its end: what comes is awaited, whatever becomes of the file meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures import Detection, NotACapture, SourceError, Sureness, recognise
from diagnosis.captures.archives import is_zip
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.files import open_file
from diagnosis.captures.growing import Growing, Sight
from diagnosis.captures.message import Message
from diagnosis.captures.sources import HEAD
from diagnosis.reads.clock import before
from diagnosis.reads.pairing import Pairing
from diagnosis.reads.sets import Item, Opened, Reader

# Asked where everything was read that is there: True looks again, False ends the following.
Wait = Callable[[], bool]

STREAM = "one log, followed while it was written; each part is what came after the file was rotated, replaced or cut"
GROWN = "followed while it was written"
UNFINISHED = "a line that was still being written when following ended"
INPUT = "Standard input cannot be followed: it was read once."
ARCHIVE = "An archive cannot be followed: it was read once."
SEVERAL = "Only one capture can be followed: these were read once."

ROTATED = "The file was rotated: the new one is followed."
REPLACED = "The file was replaced by another one, which is followed."
CUT = "The file was cut or written anew; what was written just before that may be missing."
VANISHED = "The file is gone; what was read is kept, and its return is awaited."

PATIENCE = 2  # looks for a file that is gone before that is said: while a log is rotated its name is free for a moment
NOTICES = 100  # that are kept; a log that is rotated for days says the same thing again and again


class Followed:
    """A capture that is followed, and the files that took its place: a set that grows, with the parts in order.

    It is read like a `CaptureSet`. The first part has the path as its name, later ones `PATH#2` and so on. `notices`
    are sentences about what became of the file, the newest last; `said` counts all that there were. Whatever stands
    half written is waited for.
    """

    why = STREAM

    def __init__(self, path: str, labels: TokenLabels, capture_format: str | None, wait: Wait) -> None:
        self.name = path
        self.members: list[Opened] = []
        self.parted: list[str] = []
        self.notices: list[str] = []
        self.said = 0
        self.ended = False
        self._labels = labels
        self._format = capture_format
        self._wait = wait
        self._parts = 0
        self._leaving = False
        self._cut = False
        self._missed = 0
        self._source = self._open()

    def items(self, read: Reader, pairing: Pairing) -> Iterator[tuple[int, Item]]:
        """Yields everything as it comes, with the index of its part; raises `NotACapture` for what is none."""
        last: str | None = None
        source: Growing | None = self._source
        while source is not None:
            found = self._recognised(source)
            if found is not None:
                index = len(self.members)
                self.members.append(Opened(source, found))
                begins = index > 0
                if self._cut:  # an answer that comes now may be that of a request which was lost
                    self._part(source, pairing)
                    begins = self._cut = False
                for item in read(self.members[index]):
                    if isinstance(item, Message) and item.time is not None:
                        if begins and last is not None and before(item.time, last):
                            self._part(source, pairing)
                        begins, last = False, item.time
                    yield index, self._settled(item, source)
                pairing.next_part()
            if source.once:
                self._say(source.once)
                self.ended = True
            source.close()
            source = self._next()

    def close(self) -> None:
        """Gives the descriptor of the last part back; its bytes can still be read."""
        self._source.close()

    def _part(self, source: Growing, pairing: Pairing) -> None:
        self.parted.append(source.path)
        pairing.part_ways()

    def _settled(self, item: Item, source: Growing) -> Item:
        """Half a line, where following ended, is no fault of the log: its other half was not there yet."""
        if not (source.half and self.ended) or not isinstance(item, Skipped) or item.kind is not Kind.UNREADABLE:
            return item
        reaches_end = item.span.offset + item.span.length >= source.bytes_read
        return replace(item, kind=Kind.OTHER, why=UNFINISHED) if reaches_end else item

    def _open(self) -> Growing:
        file = open_file(self.name)
        self._parts += 1
        name = self.name if self._parts == 1 else f"{self.name}#{self._parts}"
        self._leaving = False
        self._source = Growing(file, self._labels, name, self._more)
        return self._source

    def _more(self) -> bool:
        """Waits for the rest of the file that is read; False where it is over with this file."""
        if self._leaving:  # another file took its place, and everything in this one was read since
            return False
        if not self._wait():
            self.ended = True
            return False
        sight = self._source.sight()
        if sight is Sight.CUT:
            self._say(CUT)
            self._cut = True
            return False
        if sight is Sight.OTHER:
            self._say(ROTATED if self._source.linked else REPLACED)
            self._leaving = True
        self._missed = self._missed + 1 if sight is Sight.GONE else 0
        if self._missed == PATIENCE:
            self._say(VANISHED)
        return True

    def _next(self) -> Growing | None:
        """The file that stands at the path now; waited for where there is none."""
        while not self.ended:
            try:
                return self._open()
            except SourceError:
                self.ended = not self._wait()
        return None

    def _recognised(self, source: Growing) -> Detection | None:
        """The format, once the beginning shows messages; that of the part before where it never does.

        None where the file was replaced before it held a line.
        """
        while True:
            source.look_again()
            head = source.head()
            found, refused = self._tried(source)
            enough = len(head) >= HEAD or bool(source.once)
            if found is not None and (enough or self._format is not None or found.sureness >= Sureness.LIKELY):
                return replace(found, why=f"{found.why}; {GROWN}")
            going = not enough and self._more()
            if going and not self._leaving:
                continue
            self._leaving = False
            found = found or (self.members[-1].detection if self.members and head else None)
            if found is None and refused is not None and not self.members and (enough or self.ended):
                raise refused
            return found

    def _tried(self, source: Growing) -> tuple[Detection | None, NotACapture | None]:
        try:
            return recognise(source, self._format), None
        except NotACapture as error:
            return None, error

    def _say(self, sentence: str) -> None:
        self.said += 1
        self.notices.append(sentence)
        del self.notices[:-NOTICES]


def refusal(paths: tuple[str, ...]) -> str:
    """Why these captures cannot be followed, in one sentence; "" where that shows only while they are read."""
    if len(paths) != 1:
        return SEVERAL
    if paths[0] == "-":
        return INPUT
    try:
        file = open_file(paths[0])
    except SourceError:
        return ""
    file.use()
    try:
        return ARCHIVE if is_zip(file.read(4, 0)) else ""
    except OSError:
        return ""
    finally:
        file.release()


@dataclass(slots=True)
class Pace:
    """When everything that came is judged again: at calm moments, and so that it never takes most of the time.

    Judging takes time in proportion to all reads. It is done when nothing came for `CALM` seconds, or did not cease to
    come for `LONGEST`, and never sooner than `SHARE` times what the last one took: a log of hours is judged less
    often, and what comes is read no slower.
    """

    CALM = 1.0
    LONGEST = 5.0
    SHARE = 20.0

    now: Callable[[], float] = time.monotonic
    settled: bool = False
    seen: int = -1  # bytes that were read when it was looked last
    _changed: float = 0.0
    _ended: float = float("-inf")
    _cost: float = 0.0

    def changed(self) -> None:
        """Something came that is judged provisionally."""
        self.settled = False
        self._changed = self.now()

    def due(self) -> bool:
        """Whether now is the time."""
        now = self.now()
        since = now - self._ended
        calm = now - self._changed >= self.CALM or since >= self.LONGEST
        return not self.settled and calm and since >= self.SHARE * self._cost

    def judged(self, began: float) -> None:
        """All was judged; `began` is when that was begun."""
        self._ended = self.now()
        self._cost = self._ended - began
        self.settled = True

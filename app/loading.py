"""Reads the captures in a thread and keeps the screen told, ten times a second at most."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from threading import Thread
from typing import Protocol

from textual.message import Message

from app.events import LoadEnded, LoadFailed, ReadsArrived
from app.widgets.glyphs import State, state
from diagnosis.captures.contract import Skipped
from diagnosis.comparison import Radii, Row, matrix
from diagnosis.ledger import CaptureFacts, Progress, Refusal, SetFacts
from diagnosis.options import Options
from diagnosis.questions.findings import Severity
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Read, Seen
from diagnosis.reads.witnesses import Alike
from diagnosis.selection import Selection
from diagnosis.statements import Statements

# Seconds between two batches: faster than a person sees, slow enough for a line over SSH.
BATCH = 0.1

# 1 for the states that are faults or suspicions: looking at 200,000 of them takes 2 ms so.
_FAULTY = bytes(one <= State.SUSPECT for one in range(256))

# The longest session id that the list shows as it is.
_SHORT = 4


class Diagnosed(Protocol):
    """What the screens need of a `Diagnosis`."""

    captures: Sequence[CaptureFacts]
    refusals: Sequence[Refusal]
    judgements: Sequence[Judgement]
    problems: Sequence[Skipped]
    statements: Statements
    options: Options
    selection: Selection
    sets: Sequence[SetFacts]
    alike: Sequence[Alike]
    partial: bool

    def shown(self) -> Sequence[Judgement]:
        """The judgements that the options ask for."""
        ...

    def read(self, batch: float = BATCH) -> Iterator[Progress]:
        """Yields `Progress` while it reads."""
        ...

    def follow(self, wait: Callable[[Progress], bool], batch: float = BATCH) -> Iterator[Progress]:
        """Reads from the beginning and on behind the end; `wait` waits for more."""
        ...

    @property
    def limits(self) -> Sequence[str]:
        """Sentences on what counts and what is not known."""
        ...

    @property
    def followed(self) -> bool:
        """Whether the capture was read behind the end that it had."""
        ...

    @property
    def notices(self) -> Sequence[str]:
        """What became of the file that is followed, or why it is not."""
        ...

    def stop(self) -> None:
        """Ends a running `read()`."""
        ...

    def judge(self, statements: Statements) -> None:
        """Judges all reads again."""
        ...

    def evidence(self, seen: Seen) -> bytes | None:
        """The bytes of a place in a capture."""
        ...


@dataclass(frozen=True, slots=True)
class Across:
    """What only several reads show together. It takes a pass over all of them, so it is made once for a load."""

    matrix: tuple[Row, ...]
    radii: Radii

    @classmethod
    def of(cls, judgements: Sequence[Judgement]) -> Across:
        """Compares reads that will not change any more."""
        return cls(matrix(judgements), Radii(judgements))


class Overview:
    """What is known of all reads at once: the states of their answers, severe remarks, short names of sessions.

    It is filled as reads arrive, so that nothing on the screen depends on what was looked at. `worth` marks the
    reads that a person must look at, `of_session` has the reads of each session in order. `asked_for` marks the reads
    inside of `selection`, and is None where that limits nothing. `judgements` are those that it was filled from: at
    the end of a load there may be fewer of them, in another list, before the screen hears of it.
    """

    def __init__(self, selection: Selection | None = None) -> None:
        self._selection = None if selection is None or selection.everything else selection
        self.asked_for = None if self._selection is None else bytearray()
        self.states = (bytearray(), bytearray(), bytearray())
        self.severe = bytearray()
        self.worth = bytearray()
        self.of_session: dict[tuple[str | None, str], list[int]] = {}
        self.across: Across | None = None
        self.judgements: Sequence[Judgement] = ()
        self.sessions: dict[str, str] = {}
        self.widest_name = 0
        self._names: set[str] = set()
        self._named = 0
        self._open: list[int] = []

    @classmethod
    def of(cls, judgements: Sequence[Judgement], selection: Selection | None = None) -> Overview:
        """The overview of reads that will not change any more."""
        overview = cls(selection)
        overview.update(judgements)
        overview.across = Across.of(judgements)
        return overview

    def update(self, judgements: Sequence[Judgement]) -> None:
        """Takes in new reads, and reads that had no answer before."""
        self.judgements = judgements
        known = len(self.states[0])
        waiting = self._open
        self._open = []
        for index in (*waiting, *range(known, len(judgements))):
            judgement = judgements[index]
            if index >= known:
                self._name(judgement.read.session)
                self.of_session.setdefault(session_key(judgement.read), []).append(index)
                self.worth.append(False)
                for states in self.states:
                    states.append(State.VOID)
                self.severe.append(False)
                if self.asked_for is not None and self._selection is not None:
                    self.asked_for.append(self._selection.covers(judgement))
            for states, answer in zip(self.states, judgement.answers, strict=True):
                states[index] = state(answer)
            self.severe[index] = _has_severe_remark(judgement)
            self.worth[index] = self.severe[index] or any(states[index] <= State.SUSPECT for states in self.states)
            if judgement.read.response is None:
                self._open.append(index)

    def __len__(self) -> int:
        return len(self.states[2])

    @property
    def left_out(self) -> int:
        """How many reads lie outside of the time and the sessions that the command line asks for."""
        return 0 if self.asked_for is None else self.asked_for.count(0)

    def count(self, question: int, *states: State) -> int:
        """How many answers to a question are in these states."""
        return sum(self.states[question].count(one) for one in states)

    @property
    def undecided(self) -> int:
        """How many answers, of all three questions, the log does not decide."""
        return sum(self.count(question, State.UNDECIDED) for question in range(3))

    def faulty(self, question: int) -> list[int]:
        """The reads with a fault or a suspicion of this question."""
        return list(compress(range(len(self)), self.states[question].translate(_FAULTY)))

    @property
    def severe_remarks(self) -> int:
        """How many reads have a severe remark."""
        return sum(self.severe)

    def has_finding(self, index: int) -> bool:
        """Whether any answer to this read is a fault or a suspicion, or a remark on it is severe."""
        return bool(self.worth[index])

    def session_of(self, read: Read) -> Sequence[int]:
        """The reads of the same session, in order; without sessions those of the capture."""
        return self.of_session.get(session_key(read), ())

    def _name(self, session: str | None) -> None:
        """Long session ids get a short name, in the order in which they first appear."""
        if session is None or session in self.sessions:
            return
        name = session
        if len(name) > _SHORT or name in self._names:
            # The number never goes back, so that a name that is taken is met once and not for every session.
            self._named = max(self._named, len(self.sessions)) + 1
            while f"s{self._named}" in self._names:
                self._named += 1
            name = f"s{self._named}"
        self._names.add(name)
        self.sessions[session] = name
        self.widest_name = max(self.widest_name, len(name))


def session_key(read: Read) -> tuple[str | None, str]:
    """What the reads of one session have in common: its id, or the stream of captures where there is none."""
    return (read.session, "" if read.session is not None else read.capture_set)


def _has_severe_remark(judgement: Judgement) -> bool:
    answers = (answer.remarks for answer in judgement.answers)
    return any(one.severity is Severity.SEVERE for remarks in (judgement.remarks, *answers) for one in remarks)


Reading = Callable[[Diagnosed, Callable[[Message], object]], LoadEnded]


def read_once(diagnosis: Diagnosed, post: Callable[[Message], object]) -> LoadEnded:
    """Reads to the end of the captures, or until `diagnosis.stop()`."""
    overview, progress = Overview(diagnosis.selection), None
    for progress in diagnosis.read(BATCH):
        if not progress.done:
            overview.update(diagnosis.judgements)
            post(ReadsArrived(progress, overview))
    return LoadEnded(progress, Overview.of(diagnosis.judgements, diagnosis.selection))


async def load_in_thread(diagnosis: Diagnosed, post: Callable[[Message], object], reading: Reading = read_once) -> None:
    """Reads to the end in a thread that nobody waits for when the program ends.

    A thread worker would be waited for, and judging many reads at the end of a load cannot be interrupted.
    """
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def run() -> None:
        load(diagnosis, post, reading)
        with suppress(RuntimeError):  # the loop is closed: the program ended first
            loop.call_soon_threadsafe(done.set)

    Thread(target=run, daemon=True).start()
    await done.wait()


def load(diagnosis: Diagnosed, post: Callable[[Message], object], reading: Reading = read_once) -> None:
    """Reads to the end, and says that it came or why it did not."""
    try:
        ended = reading(diagnosis, post)
    except Exception as error:  # whatever happened, what was read before it stays on the screen
        post(LoadFailed(_reasons(error)))
    else:
        post(ended)


def _reasons(error: Exception) -> tuple[str, ...]:
    """What a person can do something with; a fault of the program is named without its values."""
    if isinstance(error, OSError) and error.strerror:
        return (f"{error.filename}: {error.strerror}",)
    if isinstance(error, ValueError) and str(error):
        return tuple(str(error).splitlines())
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}, line {frame.lineno}"
    return (f"A fault of misread itself: {type(error).__name__} in {place}.",)


def share(progress: Progress) -> int:
    """How much of the captures was read, in percent; 100 only at the end."""
    if not progress.bytes_total:
        return 100 if progress.done else 0
    return min(100 if progress.done else 99, progress.bytes_read * 100 // progress.bytes_total)

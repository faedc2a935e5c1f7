"""The whole path from capture files to judged reads, and what was learnt on the way."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures import Detection, NotACapture, Unopened, items_of, open_sources, recognise
from diagnosis.captures.contract import Kind, Skipped
from diagnosis.captures.decoding import DUPLICATE_KEY
from diagnosis.captures.message import Message
from diagnosis.captures.sources import Source, SourceError
from diagnosis.ledger import CaptureFacts, Progress, Refusal, Tally, facts_of
from diagnosis.questions import judge
from diagnosis.questions.fingerprints import marked
from diagnosis.questions.judgement import Judgement
from diagnosis.questions.survey import Survey
from diagnosis.reads.context import LIST_LIMIT, TEMPLATE_LIMIT, Context
from diagnosis.reads.pairing import Pairing
from diagnosis.reads.read import Read, Seen
from diagnosis.statements import Statements

PROBLEM_LIMIT = 10_000  # unreadable lines that are kept one by one; all of them are counted


class Diagnosis:
    """Holds the reads of one or several captures and their judgements.

    `read()` gathers in batches; a read keeps its index once seen, and its answer replaces what stands there.
    `judge()` judges all reads again, from what was gathered, without opening a file. Two diagnoses with the same
    `labels` give equal tokens equal names.
    """

    def __init__(
        self,
        paths: Sequence[str],
        statements: Statements | None = None,
        capture_format: str | None = None,
        labels: TokenLabels | None = None,
    ) -> None:
        self.paths = tuple(paths)
        self.statements = statements or Statements()
        self.captures: list[CaptureFacts] = []
        self.refusals: list[Refusal] = []
        self.judgements: list[Judgement] = []
        self.problems: list[Skipped] = []
        self.partial = False
        self.options: dict[str, str | bool | int] = {}  # what else the report was asked for, by option name
        self._format = capture_format
        self._reads: list[Read] = []
        self._context = Context()
        self._survey = Survey(self._context, self.statements)
        self._sources: dict[str, Source] = {}
        self._labels = labels or TokenLabels()
        self._stopped = False
        self._position = 0
        self._done_bytes = 0
        self._message_count = 0
        self._changed: dict[int, Read] = {}
        self._unjudged: set[int] = set()

    def read(self, batch: float = 0.1) -> Iterator[Progress]:
        """Reads the captures; yields about every `batch` seconds, with all reads so far judged provisionally.

        What cannot be opened or is no capture is in `refusals`, never an exception.
        """
        paths = tuple(dict.fromkeys(self.paths))
        total = sum(_size_of(path) for path in paths)
        for path in paths:
            # One after another: a folder may hold more captures than a process may have open.
            for source, detection in self._open(path):
                yield from self._gather(source, detection, max(total, source.packed_size), batch)
                self._done_bytes += source.packed_read if self.partial else source.packed_size
                if path != "-":  # nobody can open standard input again to see the evidence
                    source.close()
        seen = self._done_bytes if self.partial else max(total, self._done_bytes)
        total = max(total, self._done_bytes)
        yield from self._judge_all(seen, total, batch)
        yield Progress(seen, total, self._message_count, len(self._reads), done=True)

    def stop(self) -> None:
        """Asks a running `read()` to end at its next message; everything is labelled partial then."""
        self._stopped = True

    def judge(self, statements: Statements) -> None:
        """Judges every read again with other statements."""
        self.statements = statements
        for _ in self._judge_all(0, 0, float("inf")):
            pass

    def judged_with(self, statements: Statements) -> list[Judgement]:
        """What all reads would be judged to be with other statements; nothing that is held changes."""
        survey = Survey(self._context, statements)
        survey.add(self._reads)
        return list(marked(judge(read, survey) for read in self._reads))

    @property
    def listed_templates(self) -> tuple[str, ...]:
        """Every template that any capture lists, each once, in the order of listing."""
        return self._context.listed_templates()

    def _judge_all(self, seen: int, total: int, batch: float) -> Iterator[Progress]:
        """Judges all reads by all that is known now; what was judged provisionally stands until then."""
        self._keep()
        self._unjudged.clear()
        self._survey = Survey(self._context, self.statements)
        self._survey.add(self._reads)
        judged: list[Judgement] = []
        due = time.monotonic() + batch
        for read in self._reads:
            judged.append(judge(read, self._survey))
            if time.monotonic() >= due:
                yield Progress(seen, total, self._message_count, len(self._reads))
                due = time.monotonic() + batch
        self.judgements[:] = marked(judged)

    @property
    def limits(self) -> tuple[str, ...]:
        """A sentence for each limit that was reached, so that what is missing is never taken for absent."""
        if not self._context.full:
            return ()
        return (
            f"More was listed than is kept: {TEMPLATE_LIMIT:,} templates and {LIST_LIMIT:,} resources or typed values "
            "of each capture count, later ones do not.",
        )

    def evidence(self, seen: Seen) -> bytes | None:
        """The bytes of a span, read again from the capture; None where the file has changed since."""
        source = self._sources.get(seen.span.capture)
        try:
            return source.read(seen.span) if source is not None else None
        except OSError:
            return None

    def _open(self, path: str) -> list[tuple[Source, Detection]]:
        """The captures of a path: one, or those among the members of an archive."""
        found: list[tuple[Source, Detection]] = []
        try:
            for source in open_sources(path, labels=self._labels):
                if isinstance(source, Unopened):
                    self.refusals.append(Refusal(source.path, source.kind, source.sentence))
                    continue
                try:
                    found.append((source, recognise(source, self._format)))
                    self._sources[source.path] = source
                except NotACapture as error:
                    self.refusals.append(Refusal(source.path, "not-a-capture", str(error), error.reasons))
                    source.close()
        except SourceError as error:
            self.refusals.append(Refusal(path, error.kind, str(error)))
        except OSError as error:
            self.refusals.append(Refusal(path, "error", f"It cannot be read: {(error.strerror or '').lower()}."))
        return found

    def _gather(self, source: Source, detection: Detection, total: int, batch: float) -> Iterator[Progress]:
        if self._stopped:
            self.partial = True
            return
        pairing = Pairing(source.path, self._context, len(self._reads), self._position)
        tally = Tally()
        for unread in detection.mixed:
            tally.unreadable += 1
            self.problems.append(replace(unread, span=replace(unread.span, capture=source.path)))
        due = time.monotonic() + batch
        for item in self._items(source, detection):
            tally.count(item)
            if isinstance(item, Message):
                self._message_count += 1
                reads = pairing.feed(item)
                for read in reads:
                    self._changed[read.number] = read
                if DUPLICATE_KEY in item.notes and not reads:
                    # A read may hide behind a second `method`, and an answer behind a second `id`.
                    tally.unreadable += 1
                    self.problems.append(Skipped(Kind.UNREADABLE, item.span, _HIDDEN, item.record[:200]))
            elif item.kind is Kind.UNREADABLE and len(self.problems) < PROBLEM_LIMIT:
                self.problems.append(item)
            if self._stopped:
                self.partial = True
                break
            if time.monotonic() >= due:
                self._judge_changed()
                done = self._done_bytes + source.packed_read
                yield Progress(done, total, self._message_count, len(self._reads))
                due = time.monotonic() + batch
        for read in pairing.finish(stopped=self._stopped):
            self._changed[read.number] = read
        self._position = pairing.position
        self._keep()
        self.captures.append(facts_of(source, detection, tally, len(pairing.reads), self._stopped))

    def _items(self, source: Source, detection: Detection) -> Iterator[Message | Skipped]:
        """What a capture holds, up to its end or to a fault of the disk; what was read until then is kept."""
        try:
            yield from items_of(source, detection.format)
        except OSError as error:
            self.partial = True
            sentence = f"Reading it failed on the way: {(error.strerror or 'unknown error').lower()}."
            self.refusals.append(Refusal(source.path, "error", sentence))

    def _keep(self) -> None:
        """Puts new and answered reads into their places."""
        for number in sorted(self._changed):
            if number < len(self._reads):
                self._reads[number] = self._changed[number]
            else:
                self._reads.append(self._changed[number])
        self._unjudged.update(self._changed)
        self._changed.clear()

    def _judge_changed(self) -> None:
        """Judges new and answered reads by what is known so far; the end of the load judges all again."""
        self._keep()
        reads = [self._reads[number] for number in sorted(self._unjudged)]
        self._unjudged.clear()
        self._survey.add(reads)
        for read in reads:
            judgement = judge(read, self._survey)
            if read.number < len(self.judgements):
                self.judgements[read.number] = judgement
            else:
                self.judgements.append(judgement)


_HIDDEN = "one object names a key twice; another reader may see another message here"


def _size_of(path: str) -> int:
    """Bytes of a file for the progress of a load; 0 where it cannot be known before."""
    try:
        return os.stat(path).st_size if path != "-" else 0
    except (OSError, ValueError):
        return 0


def diagnose(
    paths: Sequence[str], statements: Statements | None = None, capture_format: str | None = None
) -> Diagnosis:
    """Reads and judges captures to the end."""
    diagnosis = Diagnosis(paths, statements, capture_format)
    for _ in diagnosis.read(batch=float("inf")):
        pass
    return diagnosis

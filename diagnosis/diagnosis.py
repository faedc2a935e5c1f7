"""The whole path from capture files to judged reads, and what was learnt on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf

from diagnosis.callers.credentials import LABEL_LIMIT, TokenLabels
from diagnosis.captures.contract import Skipped
from diagnosis.follow import Pace
from diagnosis.gather import PROBLEM_LIMIT, READ_LIMIT, Gather
from diagnosis.gather import TEXT_LIMIT as READ_TEXT
from diagnosis.ledger import CaptureFacts, Progress, Refusal, SetFacts
from diagnosis.options import Options
from diagnosis.questions import judge
from diagnosis.questions.fingerprints import marked
from diagnosis.questions.judgement import Judgement
from diagnosis.questions.readings import replaced
from diagnosis.questions.same_traffic import joined
from diagnosis.questions.survey import Survey
from diagnosis.reads.context import LIST_LIMIT, TEMPLATE_LIMIT
from diagnosis.reads.context import TEXT_LIMIT as LIST_TEXT
from diagnosis.reads.pairing import CONVERSATION_LIMIT, OPEN_LIMIT
from diagnosis.reads.read import Read, Seen
from diagnosis.reads.sidecars import Groups, witnessed
from diagnosis.reads.witnesses import Alike, alike
from diagnosis.selection import Selection
from diagnosis.statements import Statements
from diagnosis.wording import quoted


class Diagnosis:
    """Holds the reads of one or several captures and their judgements.

    `read()` gathers in batches; a read keeps its index while it is gathered, and its answer replaces what stands
    there. `judge()` judges all reads again, from what was gathered, without opening a file. `judgements` are all that
    is known, `shown()` those that the options ask for. `alike` are captures that look like the same traffic. Two
    diagnoses with the same `labels` give equal tokens equal names.
    """

    def __init__(
        self,
        paths: Sequence[str],
        statements: Statements | None = None,
        options: Options | None = None,
        labels: TokenLabels | None = None,
    ) -> None:
        self.paths = tuple(paths)
        self.statements = statements or Statements()
        self.options = options or Options()
        self.selection = Selection.of(self.options)
        self.judgements: list[Judgement] = []
        self.alike: tuple[Alike, ...] = ()
        self._labels = labels or TokenLabels()
        self._gather = Gather(paths, self.options, self._labels)
        self._survey = Survey(self._gather.context, self.statements)
        self._finished = False
        self._ending = False
        self._not_followed = ""

    @property
    def captures(self) -> list[CaptureFacts]:
        """What is known of each capture that was read."""
        return self._gather.captures

    @property
    def sets(self) -> list[SetFacts]:
        """The captures that were read as one stream."""
        return self._gather.sets

    @property
    def refusals(self) -> list[Refusal]:
        """The files that could not be opened, or that no format claims."""
        return self._gather.files.refusals

    @property
    def problems(self) -> list[Skipped]:
        """The unreadable lines, up to a limit."""
        return self._gather.problems

    @property
    def partial(self) -> bool:
        """Whether reading was stopped, or failed, before the end."""
        return self._gather.partial

    @property
    def notices(self) -> Sequence[str]:
        """What became of a capture that is followed, in sentences, the newest last; or why it was not followed."""
        if self._gather.followed is not None:
            return self._gather.followed.notices
        return (self._not_followed,) if self._not_followed else ()

    @property
    def followed(self) -> bool:
        """Whether a capture was read behind the end that it had."""
        return self._gather.caught_up

    def shown(self) -> Sequence[Judgement]:
        """The judgements that the options ask for, in order; all where they limit nothing."""
        if self.selection.everything:
            return self.judgements
        return [each for each in self.judgements if self.selection.covers(each)]

    def limit_to(self, where: Callable[[Judgement], bool]) -> None:
        """Limits what is shown to the reads that a filter matches, beside what the options say."""
        self.selection = replace(self.selection, where=where)

    def read(self, batch: float = 0.1, *, provisional: bool = True) -> Iterator[Progress]:
        """Reads the captures; yields about every `batch` seconds, with all reads so far judged provisionally.

        Without `provisional` all is judged once, at the end.
        """
        progress = Progress(0, 0, 0, 0)
        for progress in self._gather.run(batch):
            if provisional:
                self._judge_changed()
            yield progress
        self._finished = True
        if not self.options.same_traffic:
            self.alike = alike(self._gather.reads)
        yield from self._judge_all(progress, batch)
        yield replace(progress, reads=len(self.judgements), done=True)

    def follow(
        self,
        wait: Callable[[Progress], bool],
        batch: float = 0.1,
        now: Callable[[], float] = time.monotonic,
    ) -> Iterator[Progress]:
        """Reads the one capture from its beginning, and on behind its end, while a program still writes it.

        `wait` is called in between whenever everything was read that is there: it sleeps, since nothing here does,
        and returns False where following ends. All reads are judged then, what came last provisionally until a calm
        moment (`Pace`). What cannot be followed is read once, and `notices` says why.
        """
        self._gather = Gather(self.paths, self.options, self._labels)
        self._survey = Survey(self._gather.context, self.statements)
        self._finished = self._ending = False
        self.judgements = []
        self.alike = ()
        pace = Pace(now)
        self._not_followed = self._gather.follow(lambda: self._pause(wait, pace))
        return self.read(batch)

    def _pause(self, wait: Callable[[Progress], bool], pace: Pace) -> bool:
        """Judges what came, and everything where it is time, and lets `wait` wait."""
        progress = self._gather.progress()
        if self._judge_changed() or pace.seen != progress.bytes_read:  # a list of templates changes answers as well
            pace.seen = progress.bytes_read
            pace.changed()
        if pace.due():
            began = pace.now()
            self._gather.count_so_far()
            for _ in self._judge_all(progress, inf):
                pass
            pace.judged(began)
        return not self._ending and wait(replace(progress, settled=pace.settled)) and not self._ending

    def stop(self) -> None:
        """Asks a running `read()` to end at its next message; everything is labelled partial then.

        Following ends where everything is read that is there, and leaves nothing out; asked twice it ends at once.
        """
        if self._gather.caught_up and not self._ending:
            self._ending = True
        else:
            self._gather.stopped = True

    def judge(self, statements: Statements) -> None:
        """Judges every read again with other statements."""
        self.statements = statements
        for _ in self._judge_all(Progress(0, 0, 0, 0), inf):
            pass

    def judged_with(self, statements: Statements) -> list[Judgement]:
        """What all reads would be judged to be with other statements; nothing that is held changes."""
        reads, groups = self._witnessed()
        survey = Survey(self._gather.context, statements)
        survey.add(reads)
        judged = [judge(read, survey) for read in reads]
        return list(marked(joined(judged, groups) if groups else judged))

    @property
    def listed_templates(self) -> tuple[str, ...]:
        """Every template that any capture lists, each once, in the order of listing."""
        return self._gather.context.listed_templates()

    @property
    def limits(self) -> tuple[str, ...]:
        """Sentences on what is not known, so that what is missing is never taken for absent."""
        found = []
        if self._gather.context.full:
            found.append(
                f"More was listed than is kept: {TEMPLATE_LIMIT:,} templates and {LIST_LIMIT:,} resources or typed "
                f"values of each capture count, with {LIST_TEXT // 2**20} MiB of text in all; later ones do not."
            )
        gather = self._gather
        if gather.full:
            found.append(
                f"Reading ended before the end: {READ_LIMIT:,} reads are kept, with {READ_TEXT // 2**20} MiB of URIs "
                "and document fields. Split the captures to see the rest."
            )
        if gather.problems_cut:
            found.append(f"The first {PROBLEM_LIMIT:,} unreadable lines are listed; all of them are counted.")
        if gather.forgot:
            found.append(
                f"More waited for answers than is kept: of {OPEN_LIMIT:,} requests that are no reads, and of "
                f"{CONVERSATION_LIMIT:,} conversations, the oldest were forgotten. What came late for them may stand "
                "with no caller, or at another request of the same id."
            )
        if self._labels.full:
            found.append(f"Only the first {LABEL_LIMIT:,} tokens and callers have names of their own.")
        if orphans := self._gather.orphans:
            found.append(
                f"Answers with documents that belong to no read in these captures: {orphans:,}. Their requests may be "
                "in another file; --join all reads captures as one stream."
            )
        found += (
            f"The given template {quoted(text)} takes the place of listed ones with the same beginning: {count}."
            for text, count in replaced(self.listed_templates, self.statements.templates).items()
        )
        return tuple(found)

    def evidence(self, seen: Seen) -> bytes | None:
        """The bytes of a span, read again from the capture; None where the file has changed since."""
        return self._gather.files.evidence(seen)

    def _judge_all(self, progress: Progress, batch: float) -> Iterator[Progress]:
        """Judges all reads by all that is known now; what was judged provisionally stands until then."""
        self._gather.taken()
        reads, groups = self._witnessed()
        self._survey = Survey(self._gather.context, self.statements)
        self._survey.add(reads)
        judged: list[Judgement] = []
        due = time.monotonic() + batch
        for read in reads:
            judged.append(judge(read, self._survey))
            if time.monotonic() >= due:
                yield progress
                due = time.monotonic() + batch
        # A new list: where views are joined it is shorter, and somebody may be looking at the old one just now.
        self.judgements = list(marked(joined(judged, groups) if groups else judged))

    def _witnessed(self) -> tuple[Sequence[Read], Groups]:
        """The reads with what other logs say of their callers, and which are the same; no groups where none can be.

        While reads come in, the number of a read is its place, and nothing is joined.
        """
        gather = self._gather
        if not self._finished or not (self.options.same_traffic or gather.sidecars):
            return gather.reads, ()
        found = witnessed(gather.reads, gather.sidecars, same_traffic=self.options.same_traffic)
        return found.reads, found.groups

    def _judge_changed(self) -> bool:
        """Judges new and answered reads by what is known so far; the end of the load judges all again.

        Returns whether there were any.
        """
        reads = [self._gather.reads[number] for number in self._gather.taken()]
        self._survey.add(reads)
        for read in reads:
            judgement = judge(read, self._survey)
            if read.number < len(self.judgements):
                self.judgements[read.number] = judgement
            else:
                self.judgements.append(judgement)
        return bool(reads)


def diagnose(paths: Sequence[str], statements: Statements | None = None, options: Options | None = None) -> Diagnosis:
    """Reads and judges captures to the end."""
    diagnosis = Diagnosis(paths, statements, options)
    for _ in diagnosis.read(batch=inf, provisional=False):
        pass
    return diagnosis

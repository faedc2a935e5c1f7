"""The main screen: counts, the list of reads, and the read under the cursor."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from app.events import LoadEnded, LoadFailed, ReadsArrived
from app.exporting import ALL, ONLY_CONFIRMED, Part, shown, this_finding
from app.following import nap
from app.keys import EVERYWHERE, READS, TRIAGE, bindings
from app.loading import Across, Diagnosed, Overview
from app.screens.export import ExportScreen
from app.screens.follow_page import FollowPage
from app.screens.matrix import MatrixScreen
from app.screens.page import Page
from app.screens.problems import ProblemsScreen, unreadable_lines
from app.screens.read import ReadScreen
from app.screens.timeline import TimelineScreen
from app.screens.unsaved import UnsavedScreen, keeps_unsaved
from app.shown import Shown, next_like, only_faults
from app.widgets import counts
from app.widgets.glyphs import State
from app.widgets.lines import Lines, line
from app.widgets.plain import Line
from app.widgets.read_list import ReadList, span_of
from app.widgets.read_panes import ReadPanes
from diagnosis.ledger import Progress
from diagnosis.questions.judgement import Judgement


class TriageScreen(FollowPage):
    """Wires the loading thread, the list and the panes; what it shows was concluded elsewhere."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(TRIAGE, READS)
    PLACES: ClassVar[tuple[str, ...]] = (TRIAGE, READS, EVERYWHERE)

    def __init__(
        self,
        diagnosis: Diagnosed,
        shown_name: str,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        case_files: Sequence[str] = (),
        *,
        follow: bool = False,
        rest: Callable[[], None] = nap,
    ) -> None:
        super().__init__(case_files, follow=follow, rest=rest)
        self.diagnosis = diagnosis
        self.shown_name = shown_name
        self.now = now
        self.overview = Overview()
        self.progress: Progress | None = None
        self.reading = True
        self.failure: tuple[str, ...] = ()
        self.counts = counts.Counts()
        self.list = ReadList()
        self.list.rows.mark = self.mark_of
        self.panes = ReadPanes()

    def body(self) -> ComposeResult:
        """Counts, filter, list, panes."""
        yield self.counts
        yield self.filter_bar
        yield self.prompt
        yield self.list
        yield self.panes

    def on_mount(self) -> None:
        """Starts to read."""
        self.list.rows.focus()
        self.draw()
        self.begin()

    def on_unmount(self) -> None:
        """Nobody waits for the load any more."""
        self.diagnosis.stop()

    @property
    def judgement(self) -> Judgement | None:
        """The read under the cursor."""
        index = self.list.rows.read_index
        return None if index is None else self.overview.judgements[index]

    def triage_screen(self) -> TriageScreen:
        """This screen."""
        return self

    @on(ReadsArrived)
    def take_reads(self, event: ReadsArrived) -> None:
        """Shows what came in; the cursor stays where it is."""
        self.progress, self.overview = event.progress, event.overview
        self.take_following(event)
        self.draw()
        self.filter_on(again=event.progress.settled)

    @on(LoadEnded)
    def end_load(self, event: LoadEnded) -> None:
        """From now on the answers are final, though they may be of a part only."""
        self.reading = False
        self.overview = event.overview
        if not self.diagnosis.partial:
            self.progress = event.progress
        if self.end_following(event):
            self.follow_again()
            return
        self.open_case()
        self.draw()
        self.filter_on(again=True)

    @on(LoadFailed)
    def fail_load(self, event: LoadFailed) -> None:
        """Says why, and keeps what was read."""
        self.reading = False
        self.failure = event.lines
        self.open_case()
        self.draw()

    @on(Lines.Moved)
    def show_read(self) -> None:
        """Shows the read under the cursor in the panes."""
        self.cursor_moved()
        self.show_read_in_panes(self)

    @property
    def provisional(self) -> bool:
        """Whether answers may still change."""
        settled = self.progress is not None and self.progress.settled
        return (self.reading and not settled) or bool(self.failure)

    def draw(self) -> None:
        rows = self.list.rows
        rows.provisional = self.provisional
        rows.set_notice(self._notice())
        self.list.show(self.overview.judgements, self.overview, self.rows())
        self.keep_to_end()
        unreadable = unreadable_lines(self.diagnosis)
        second = counts.joined(self._second_line())
        self.counts.show(self.shown_name, self.overview, unreadable, self.reviewed, second)
        self.show_read()
        for page in self.app.screen_stack:
            if isinstance(page, Page) and page is not self:
                page.read_changed()

    def _second_line(self) -> list[Line]:
        """How far the load is, what is left out, and what stays open."""
        lines: list[Line] = []
        if self.failure:
            lines.append(line(("stopped by an error: ", "fault"), self.failure[0]))
        elif following := self.follow_lines():
            lines += following
        elif self.reading and self.progress:
            lines.append(counts.loading_line(self.progress))
        elif self.diagnosis.partial and not self.reading:
            lines.append(counts.partial_line(self.progress))
        if self.shown is not None:
            lines.append(self._shown_line(self.shown))
        if not lines and not self.reading and self.diagnosis.captures:
            lines.append(line((f"{counts.counted(self._messages(), 'message')}, read to the end", "dim")))
        if self.overview.left_out:
            words = f"{counts.counted(self.overview.left_out, 'read')} outside of what was asked for not shown"
            lines.append(line((words, "undecided")))
        if refused := len(self.diagnosis.refusals):
            lines.append(line((f"{counts.counted(refused, 'file')} not opened", "undecided"), ("  ! says why", "dim")))
        if not self.reading and (notes := len(self.diagnosis.limits)):
            lines.append(line((counts.counted(notes, "note"), "undecided"), ("  ! has them", "dim")))
        if self.diagnosis.alike:
            lines.append(line(("captures look like the same traffic", "undecided"), ("  --same-traffic", "dim")))
        if any(capture.changed for capture in self.diagnosis.captures):
            lines.append(line(("a capture changed while it was read", "undecided")))
        if self.shown is None and not self.reading and self._nobody_known():
            lines.append(line(("question 3 is decided for no read: its answers say what is missing", "dim")))
        return lines

    def _shown_line(self, shown: Shown) -> Line:
        """What the list is narrowed to."""
        reads, judgements = self.list.rows.rows, self.overview.judgements
        when = span_of(judgements[reads[0]].read, judgements[reads[-1]].read) if shown.timed and reads else ""
        if self.filtering is not None and self.filtering.upto < len(self.overview):
            when = f", scanning {self.filtering.upto * 100 // len(self.overview)} %"
        return counts.shown_line(shown.words, self.list.rows.total, len(self.overview), when)

    def _nobody_known(self) -> bool:
        undecided, void = (self.overview.count(2, one) for one in (State.UNDECIDED, State.VOID))
        return undecided > 0 and undecided + void == len(self.overview)

    def _messages(self) -> int:
        return sum(capture.messages for capture in self.diagnosis.captures)

    def _notice(self) -> list[Line]:
        """What stands in place of the list while it is empty."""
        if self.failure:
            return [line(f"  {sentence}") for sentence in self.failure]
        if self.shown is not None and len(self.overview):
            notice = [line(f"  0 of {counts.counted(len(self.overview), 'read')}.  ")]
            if self.filtering is not None and self.filtering.hindrance:
                notice.append(line(f"  {self.filtering.hindrance}"))
            return [*notice, line(("  0 shows all.", "dim"))]
        if self.reading:
            return [line(("  waiting for the first read ..." if self.following else "  reading ...", "dim"))]
        notice = []
        for refusal in self.diagnosis.refusals:
            notice.append(line("  ", (refusal.path, "strong"), f": {refusal.sentence}"))
            notice += [line(("    ", "dim"), (name, "strong"), f": {why}") for name, why in refusal.reasons]
        if self.diagnosis.captures:
            notice.append(line(f"  {counts.counted(self._messages(), 'message')}, no resources/read."))
        return notice + [
            line(("  ", "dim"), capture.path, f": {capture.why or capture.format}")
            for capture in self.diagnosis.captures
        ]

    def action_finding(self, step: int) -> None:
        """The next read with a fault, a suspicion or a severe remark."""
        if not self._go(step, self.overview.has_finding):
            self.toast(f"There is no {_further(step)} finding or severe remark.")

    def action_in_session(self, step: int) -> None:
        """The next read of the same session."""
        judgement = self.judgement
        if judgement is None:
            return
        reads = self.overview.session_of(judgement.read)
        at = bisect_left(reads, judgement.read.number)
        ahead = reads[at + 1 :] if step > 0 else reads[:at][::-1]
        read = next((index for index in ahead if self.list.rows.shows(index)), None)
        if read is None:
            self.toast(f"There is no {_further(step)} read of this session.")
            return
        self.list.rows.go_to(read)
        self.show_read()

    def _go(self, step: int, wanted: Callable[[int], bool]) -> bool:
        """Moves the cursor to the next row whose read is wanted."""
        rows = self.list.rows
        for row in range(rows.cursor + step, rows.total if step > 0 else -1, step):
            if wanted(row if rows.rows is None else rows.rows[row]):
                rows.cursor = row
                self.show_read()
                return True
        return False

    def action_only(self, question: int) -> None:
        """Only faults of one question; again for all."""
        wanted = only_faults(question)
        self.show_only(None if self.shown == wanted else wanted)

    def action_all(self) -> None:
        """All reads."""
        self.show_only(None)

    def action_alike(self) -> None:
        """Who else: only the reads that have this read's finding; again for its next one."""
        judgement = self.judgement
        if judgement is None or not self._compared():
            return
        shown = next_like(judgement, self.shown)
        if shown is None:
            self.toast("This read has no finding to look for in others.")
        else:
            self.show_only(shown)

    def action_matrix(self) -> None:
        """Who was served whose documents."""
        across = self._compared()
        if across is not None:
            self.app.push_screen(MatrixScreen(self, across.matrix))

    def action_timeline(self) -> None:
        """All findings by time."""
        self.app.push_screen(TimelineScreen(self))

    def go_to(self, read: int) -> None:
        """Puts the list's cursor on a read; where the list is narrowed to others, all are shown again."""
        if not self.list.rows.shows(read):
            self.show_only(None)
        self.list.rows.go_to(read)
        self.show_read()

    def _compared(self) -> Across | None:
        """What several reads show together; known once no more of them come."""
        if self.following and self.overview.across is not None:
            return self.overview.across  # of the last calm moment
        if self.reading:
            self.toast("The load goes on: wait for its end, or stop it with Esc.", "warning")
        elif self.overview.across is None:  # the load failed: what was read until then is compared
            self.overview.across = Across.of(self.diagnosis.judgements)
        return None if self.reading else self.overview.across

    def action_stop(self) -> None:
        """Stops the load; later shows all reads again; later goes back to the samples."""
        if self.reading:
            self.diagnosis.stop()
        elif self.shown is not None:
            self.action_all()
        elif len(self.app.screen_stack) > 1:
            self._leave()

    def _leave(self) -> None:
        """Back to the samples; asks first where entries would be lost."""
        if self.case is None or not keeps_unsaved(self.case):
            self.dismiss()
            return
        asking = UnsavedScreen(self.case)
        self.app.push_screen(asking, lambda _: self._dismiss_if(asking.leaves))

    def _dismiss_if(self, leaves: bool) -> None:
        if leaves:
            self.dismiss()

    def action_open_read(self) -> None:
        """The read on a full screen."""
        if self.judgement is not None:
            self.app.push_screen(ReadScreen(self))

    def action_side(self, side: str) -> None:
        """Messages, principal or session beside the answers; on a full screen where there is no room beside them."""
        if self.judgement is None:
            return
        if self.has_class("-wide"):
            self.panes.side = side
        else:
            self.app.push_screen(ReadScreen(self, side))

    def action_export(self) -> None:
        """The incident report."""
        if self.reading:
            self.toast("The load goes on: wait for its end, or stop it with Esc.", "warning")
        else:
            case_files = [self.case.path] if self.case is not None and self.case.path else []
            inputs = (*(capture.path for capture in self.diagnosis.captures), *self._case_files, *case_files)
            self.app.push_screen(ExportScreen(self.diagnosis, self.now, self.case, self._parts(), inputs))

    def _parts(self) -> tuple[Part, ...]:
        """What a report can be limited to: what is shown only where the list is narrowed, one finding where one is."""
        parts = [ALL]
        if self.shown is not None:
            chosen = f"chosen on the screen: {self.shown.words}"
            words = chosen if self.filtering is None else self.filtering.wanted.text
            parts.append(shown(self.rows() or (), words))
        parts.append(ONLY_CONFIRMED)
        if self.judgement is not None and self.judgement.findings:
            parts.append(this_finding(self.judgement.findings[0].fingerprint))
        return tuple(parts)

    def action_problems(self) -> None:
        """The lines that no message came from."""
        self.app.push_screen(ProblemsScreen(self.diagnosis))


def _further(step: int) -> str:
    return "further" if step > 0 else "earlier"


def name_of(paths: list[str]) -> str:
    """What the header calls the captures."""
    first = Path(paths[0]).name or paths[0]
    return first if len(paths) == 1 else f"{first} and {len(paths) - 1} more"

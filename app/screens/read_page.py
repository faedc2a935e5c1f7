"""The keys of a read, which the main screen and the full screen of one read share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app.clipboard import CLIPBOARD_LIMIT, is_too_long
from app.exporting import finding_text
from app.screens.page import Page
from app.widgets.read_panes import ReadPanes
from diagnosis.questions.judgement import Judgement
from diagnosis.reports.redact import Labels, mask_emails, mask_uri
from diagnosis.visible import visible

if TYPE_CHECKING:
    from app.screens.triage import TriageScreen


class ReadPage(Page):
    """A screen with `panes` that show one read."""

    panes: ReadPanes

    def triage_screen(self) -> TriageScreen:
        """The main screen that the read belongs to."""
        raise NotImplementedError

    @property
    def judgement(self) -> Judgement | None:
        """The read that is shown."""
        raise NotImplementedError

    def show_read_in_panes(self, triage: TriageScreen) -> None:
        """Shows the read as it is judged now, and its session."""
        judgement = self.judgement
        self.panes.display = judgement is not None
        if judgement is not None:
            reviews = {each.fingerprint: triage.review_of(each.fingerprint) for each in judgement.findings}
            self.panes.show(judgement, triage.diagnosis.evidence, triage.provisional, reviews)
            self.panes.show_session(judgement, triage.overview.judgements, triage.overview)

    def action_next_reading(self) -> None:
        """Another way to lay the URI over its template, where there are several."""
        if not self.panes.lane.next_reading():
            self.toast("There is no other reading of this URI.")

    def action_exact(self) -> None:
        """Exact bytes, or indented."""
        self.panes.messages.toggle_exact()

    def action_copy_uri(self) -> None:
        """Sends the URI to the terminal, which may or may not put it on the clipboard: nothing tells us."""
        uri = self.judgement.read.uri if self.judgement else None
        if uri is None:
            self.toast("There is no URI to copy.")
            return
        # What is pasted leaves the team as easily as a report; and a pasted newline would run as a command.
        covered = mask_emails(mask_uri(uri, labels := Labels()), labels)
        text = visible(covered)
        if is_too_long(text):
            self.toast(f"The URI was not copied: it has more than {CLIPBOARD_LIMIT:,} bytes.", "warning")
            return
        self.app.copy_to_clipboard(text)
        hidden = "" if covered == uri else ", with its secrets replaced by labels"
        escaped = "" if text == covered else ", with its control characters escaped"
        self.toast(f"The URI was sent to the terminal's clipboard{hidden}{escaped}.")

    def action_copy_findings(self) -> None:
        """Sends what the report says of this read's findings to the terminal's clipboard."""
        judgement = self.judgement
        if judgement is None or not judgement.findings:
            self.toast("There is no finding to copy.")
        elif self.triage_screen().reading:
            self.toast("The load goes on: wait for its end, or stop it with Esc.", "warning")
        else:
            self.run_worker(self._copy_findings(judgement), group="copy", exclusive=True)

    async def _copy_findings(self, judgement: Judgement) -> None:
        triage = self.triage_screen()
        text = await asyncio.to_thread(finding_text, triage.diagnosis, judgement, triage.case, CLIPBOARD_LIMIT)
        if not text:
            words = f"Not copied: a finding's text has more than {CLIPBOARD_LIMIT:,} bytes. e writes it to a file."
            self.toast(words, "warning")
            return
        self.app.copy_to_clipboard(text)
        copied, found = text.count("### Finding "), len(judgement.findings)
        what = "The findings were" if copied == found else f"{copied} of {found} findings were"
        self.toast(f"{what} sent to the terminal's clipboard as Markdown, with secrets replaced by labels.")

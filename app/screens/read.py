"""One read on a full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from app.keys import CLOSING, EVERYWHERE, READS, bindings
from app.screens.read_page import ReadPage
from app.widgets.read_panes import ReadPanes
from diagnosis.questions.judgement import Judgement

if TYPE_CHECKING:
    from app.screens.triage import TriageScreen


class ReadScreen(ReadPage):
    """Shows the read under the list's cursor, and moves that cursor along."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(READS)
    PLACES: ClassVar[tuple[str, ...]] = (READS, CLOSING, EVERYWHERE)

    def __init__(self, triage: TriageScreen, side: str = "answers") -> None:
        super().__init__()
        self.triage = triage
        self.panes = ReadPanes()
        self._side = side

    def body(self) -> ComposeResult:
        """The panes of a read."""
        yield self.panes

    def on_mount(self) -> None:
        """Shows the read."""
        self.panes.side = self._side
        self.read_changed()
        self._focus()

    @property
    def judgement(self) -> Judgement | None:
        """The read under the list's cursor."""
        return self.triage.judgement

    def triage_screen(self) -> TriageScreen:
        """The main screen below this one."""
        return self.triage

    def read_changed(self) -> None:
        """Shows the read as it is judged now."""
        self.show_read_in_panes(self.triage)

    def action_finding(self, step: int) -> None:
        """The next read with a fault, a suspicion or a severe remark."""
        self.triage.action_finding(step)
        self.read_changed()

    def action_in_session(self, step: int) -> None:
        """The next read of the same session."""
        self.triage.action_in_session(step)
        self.read_changed()

    def action_export(self) -> None:
        """The incident report."""
        self.triage.action_export()

    def action_alike(self) -> None:
        """Only reads like this one; what is shown of it stays, and [ ] n N go among them."""
        self.triage.action_alike()
        self.read_changed()

    def action_side(self, side: str) -> None:
        """Messages, principal or session; again for the answers."""
        self.panes.side = "answers" if self.panes.side == side else side
        self._focus()

    def _focus(self) -> None:
        """Keys that scroll go to the pane that was asked for."""
        panes = self.panes
        sides = {"messages": panes.messages, "principal": panes.facts, "session": panes.session}
        sides.get(panes.side, panes.answers).focus()

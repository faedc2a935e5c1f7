"""One read: the lane on top, the answers, and beside them its messages or its facts."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive

from app.widgets.answers import Answers
from app.widgets.facts import Facts
from app.widgets.messages_view import Evidence, MessagesView
from app.widgets.plain import plain
from app.widgets.uri_lane import UriLane
from diagnosis.questions.judgement import Judgement

# Rows that the lane leaves to the answers, their border among them.
_ANSWERS = 8


class ReadPanes(Vertical):
    """`side` says what stands beside the answers, or in their place where there is no room: CSS decides."""

    DEFAULT_CSS = """
    ReadPanes > UriLane { height: 7; border: round $foreground 30%; }
    ReadPanes > Horizontal > *, ReadPanes > UriLane { border-title-color: $foreground; border-title-style: bold; }
    ReadPanes > Horizontal { height: 1fr; }
    ReadPanes > Horizontal > * { width: 1fr; height: 1fr; border: round $foreground 30%; }
    ReadPanes *:focus { border: round $accent; }
    """

    side: reactive[str] = reactive("answers")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lane = UriLane()
        self.answers = Answers()
        self.messages = MessagesView()
        self.facts = Facts()
        self._shown: tuple[Judgement, bool] | None = None

    def compose(self) -> ComposeResult:
        """The lane over the panes."""
        yield self.lane
        with Horizontal():
            yield self.answers
            yield self.messages
            yield self.facts

    def on_mount(self) -> None:
        """Names the panes."""
        self.messages.border_title = plain("Messages")
        self.facts.border_title = plain("Principal")

    def watch_side(self, old: str, new: str) -> None:
        """Lets the style sheet show another pane."""
        self.remove_class(f"-{old}")
        self.add_class(f"-{new}")

    def on_resize(self) -> None:
        """The lane may have more room now, or less."""
        self._fit_lane()

    def _fit_lane(self) -> None:
        """A lane of many rows grows as far as the answers keep room for the verdicts and what is wrong."""
        room = self.size.height - _ANSWERS
        self.lane.styles.min_height = max(1, min(self.lane.total + self.lane.gutter.height, room))

    def show(self, judgement: Judgement, evidence: Evidence, provisional: bool) -> None:
        """Shows one read in all panes; what is shown already stays as it was scrolled."""
        if self._shown is not None and self._shown[0] is judgement and self._shown[1] is provisional:
            return
        self._shown = (judgement, provisional)
        self.lane.show_judgement(judgement)
        self._fit_lane()
        self.answers.provisional = provisional
        self.answers.border_title = plain("Answers, provisional" if provisional else "Answers")
        self.answers.show_judgement(judgement)
        self.facts.show_judgement(judgement)
        self.messages.show_judgement(judgement, evidence)

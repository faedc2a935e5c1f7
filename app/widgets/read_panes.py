"""One read: the lane on top, the answers, and beside them its messages, its facts or its session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive

from app.loading import Overview
from app.widgets.answers import Answers
from app.widgets.facts import Facts
from app.widgets.find_bar import FindBar
from app.widgets.messages_view import MessagesView
from app.widgets.plain import plain
from app.widgets.records import Evidence
from app.widgets.session_view import SessionView
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
    ReadPanes Lines:focus { border: round $accent; }
    """

    side: reactive[str] = reactive("answers")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lane = UriLane()
        self.answers = Answers()
        self.messages = MessagesView()
        self.facts = Facts()
        self.session = SessionView()
        self.find_bar = FindBar()
        self._shown: tuple[Judgement, bool] | None = None
        self._reviews: Mapping[str, str] = {}

    def compose(self) -> ComposeResult:
        """The lane over the panes."""
        yield self.lane
        with Horizontal():
            yield self.answers
            yield self.messages
            yield self.facts
            yield self.session
        yield self.find_bar

    def on_mount(self) -> None:
        """Names the pane that has one name."""
        self.facts.border_title = plain("Principal")

    def watch_side(self, old: str, new: str) -> None:
        """Lets the style sheet show another pane."""
        self.remove_class(f"-{old}")
        self.add_class(f"-{new}")

        if new != "messages" and self.messages.wanted:
            self.messages.action_end_find()

    def on_resize(self) -> None:
        """The lane may have more room now, or less."""
        self._fit_lane()

    def _fit_lane(self) -> None:
        """A lane of many rows grows as far as the answers keep room for the verdicts and what is wrong."""
        room = self.size.height - _ANSWERS
        self.lane.styles.min_height = max(1, min(self.lane.total + self.lane.gutter.height, room))

    def show(
        self,
        judgement: Judgement,
        evidence: Evidence,
        provisional: bool,
        reviews: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Shows one read in all panes; what is shown already stays as it was scrolled."""
        if self._shown is not None and self._shown[0] is judgement and self._shown[1] is provisional:
            if reviews != self._reviews:
                self._reviews = reviews
                self.answers.show_judgement(judgement, reviews)
            return
        self._shown, self._reviews = (judgement, provisional), reviews
        self.lane.show_judgement(judgement)
        self._fit_lane()
        self.answers.provisional = provisional
        self.answers.border_title = plain("Answers, provisional" if provisional else "Answers")
        self.answers.show_judgement(judgement, reviews)
        self.facts.show_judgement(judgement)
        self.messages.show_judgement(judgement, evidence)

    def show_session(self, judgement: Judgement, judgements: Sequence[Judgement], overview: Overview) -> None:
        """Shows the session around a read, which may have grown since."""
        self.session.provisional = self.answers.provisional
        self.session.show_judgement(judgement, judgements, overview)

    @on(MessagesView.FindAsked)
    def open_find(self) -> None:
        """Asks for the text to find."""
        self.find_bar.ask()

    @on(FindBar.Typed)
    def find(self, event: FindBar.Typed) -> None:
        """Searches the messages."""
        self.messages.find(event.wanted)

    @on(MessagesView.Found)
    def say_found(self, event: MessagesView.Found) -> None:
        """Says which place of how many is shown."""
        self.find_bar.say(event.words if self.messages.wanted else "")

    @on(FindBar.Left)
    def leave_find(self, event: FindBar.Left) -> None:
        """The messages have the keys again."""
        self.messages.focus()
        if event.ended:
            self.messages.action_end_find()

    @on(MessagesView.FindEnded)
    def close_find(self) -> None:
        """Nothing is looked for any more."""
        self.find_bar.close()

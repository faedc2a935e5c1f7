"""A virtual list: it draws the lines that are on the screen and knows nothing of the others.

Measured with 200,000 rows: 0.4 s to the first rows and 2 ms a key; DataTable took 24 s, OptionList 5 s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from app.keys import LINES, bindings
from app.widgets.plain import Line, Piece, width

# How far one press of `h` or `l` goes.
SIDE_STEP = 8

LOOKS = (
    *("dim", "strong", "title"),
    *("fault", "suspect", "undecided", "void", "clear"),
    *("key", "string", "number"),
    *("mark", "offence", "variable", "literal"),
    *("found", "current"),
)


class Lines(ScrollView, can_focus=True, inherit_bindings=False):
    """The base of every pane that shows lines.

    A subclass says how many lines there are (`set_total`) and what one looks like (`head`, `tail`). The head
    stays in place when the tail is moved sideways.
    """

    DEFAULT_CSS = """
    Lines {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $foreground;
        & > .lines--cursor { background: $block-cursor-background 12%; }
        & > .lines--dim, & > .lines--void { text-style: dim; }
        & > .lines--fault { color: $text-error; text-style: bold reverse; }
        & > .lines--suspect { color: $text-warning; text-style: bold; }
        & > .lines--undecided { color: $text-warning; }
        & > .lines--clear { color: $text-success; }
        & > .lines--strong { text-style: bold; }
        & > .lines--title { text-style: bold; color: $text-accent; }
        & > .lines--key { color: $text-primary; }
        & > .lines--string { color: $text-success; }
        & > .lines--number { color: $text-accent; }
        & > .lines--mark { color: $text-error; text-style: bold; }
        & > .lines--offence { color: $text-error; text-style: bold reverse; }
        & > .lines--variable { text-style: underline; }
        & > .lines--literal { text-style: none; }
        & > .lines--found { text-style: bold underline; }
        & > .lines--current { text-style: bold reverse; }
    }
    /* Without colour, a colour for a fault is only a darker grey. */
    Lines:nocolor > .lines--fault, Lines:nocolor > .lines--offence, Lines:nocolor > .lines--mark { color: $foreground; }
    /* A stronger background leaves the amber letters of a light theme below 2:1. */
    Lines:focus > .lines--cursor { background: $block-cursor-background 25%; text-style: bold; }
    /* Colours of the terminal's own palette do not blend, and a whole one would hide the text on it. */
    Lines:ansi > .lines--cursor, Lines:ansi:focus > .lines--cursor { background: ansi_default; text-style: bold; }
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(LINES)
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"lines--{look}" for look in LOOKS} | {"lines--cursor"}
    HAS_CURSOR: ClassVar[bool] = True

    @dataclass
    class Moved(Message):
        """The cursor went to another line."""

        lines: Lines
        index: int

        @property
        def control(self) -> Lines:
            """The list whose cursor moved."""
            return self.lines

    # Repainting all lines for a cursor step costs 17 times the bytes of repainting two.
    cursor: reactive[int] = reactive(0, repaint=False)
    left: reactive[int] = reactive(0)
    total: reactive[int] = reactive(0)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.notice: list[Line] = []

    @property
    def room(self) -> int:
        """The cells of a line: the last column belongs to the scrollbar, whether it is there or not."""
        return max(0, self.size.width - 1)

    def head(self, index: int) -> Line:
        """The part of a line that never moves sideways."""
        return ()

    def tail(self, index: int) -> Line:
        """The rest of the line."""
        raise NotImplementedError

    def faded(self, index: int) -> bool:
        """Whether the line is drawn dim, because what it says is not final."""
        return False

    def set_total(self, total: int) -> None:
        """Says how many lines there are; the cursor stays on its line where that still exists."""
        self.total = total
        self.virtual_size = Size(1, total)
        self.cursor = max(0, min(self.cursor, total - 1))
        self.refresh()

    def set_notice(self, lines: list[Line]) -> None:
        """Says what stands in place of the lines while there are none."""
        self.notice = lines
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draws the line `y` of what is on the screen."""
        cells, base = self.size.width, self.rich_style
        if not self.total:
            line = self.notice[y] if y < len(self.notice) else ()
            return Strip(self._segments(line, base)).crop_extend(0, cells, base)
        index = y + self.scroll_offset.y
        if index >= self.total:
            return Strip.blank(cells, base)
        if self.HAS_CURSOR and index == self.cursor:
            base = base + self.get_component_rich_style("lines--cursor")
        return self._strip(index, base).crop_extend(0, cells, base)

    def _strip(self, index: int, base: Style) -> Strip:
        head, tail = self.head(index), self.tail(index)
        if self.HAS_CURSOR:
            # The cursor is seen without colour too.
            head = [Piece("▌" if index == self.cursor else " ", "strong"), *head]
        if self.faded(index):
            base = base + Style(dim=True)
        fixed = Strip(self._segments(head, base))
        room = max(0, self.room - fixed.cell_length)
        rest = Strip(self._segments(tail, base))
        over = rest.cell_length - self.left > room > 0
        moved = rest.crop(self.left, self.left + room - over)
        return Strip([*fixed, *moved, *([Segment("…", base)] if over else [])])

    def _segments(self, line: Line, base: Style) -> Iterator[Segment]:
        for piece in line:
            look = self.get_component_rich_style(f"lines--{piece.look}", partial=True) if piece.look else None
            yield Segment(piece.text, base + look if look else base)

    def validate_cursor(self, cursor: int) -> int:
        """Keeps the cursor on a line."""
        return max(0, min(cursor, self.total - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Repaints the two lines and keeps the cursor on the screen."""
        if old != new:
            self.refresh_line(old)
            self.refresh_line(new)
            self.keep_in_view(new)
            self.post_message(self.Moved(self, new))

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the line that was clicked."""
        offset = event.get_content_offset(self)
        if offset is not None and self.HAS_CURSOR and self.total:
            self.cursor = offset.y + self.scroll_offset.y

    def keep_in_view(self, index: int) -> None:
        """Scrolls no further than it must to show the line."""
        top, height = self.scroll_offset.y, self.size.height
        if index < top:
            self.scroll_to(y=index, animate=False, force=True)
        elif height and index >= top + height:
            self.scroll_to(y=index - height + 1, animate=False, force=True)

    def _step(self, lines: int) -> None:
        if self.HAS_CURSOR:
            self.cursor += lines
        else:
            self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True)

    def action_cursor_down(self) -> None:
        """One line down."""
        self._step(1)

    def action_cursor_up(self) -> None:
        """One line up."""
        self._step(-1)

    def action_first(self) -> None:
        """The first line."""
        self._step(-self.total)

    def action_last(self) -> None:
        """The last line."""
        self._step(self.total)

    def action_page(self, pages: int) -> None:
        """A screen further, or back."""
        self._step(pages * max(1, self.size.height - 1))

    def action_half_page(self, pages: int) -> None:
        """Half a screen further, or back."""
        self._step(pages * max(1, self.size.height // 2))

    def action_sideways(self, steps: int) -> None:
        """Moves the tails of the lines, as far as the longest one on the screen goes."""
        top = self.scroll_offset.y
        shown = range(top, min(self.total, top + self.size.height))
        longest = max((self.HAS_CURSOR + width(self.head(i)) + width(self.tail(i)) for i in shown), default=0)
        self.left = max(0, min(self.left + steps * SIDE_STEP, longest - self.room))


def line(*parts: str | tuple[str, str] | Piece) -> Line:
    """A line from text, pairs of text and look, and pieces."""
    return [part if isinstance(part, Piece) else Piece(*([part] if isinstance(part, str) else part)) for part in parts]

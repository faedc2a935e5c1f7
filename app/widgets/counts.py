"""The two lines on top: what the whole file holds, and what the list shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content
from textual.widgets import Static

from app.loading import Overview, share
from app.widgets.glyphs import LETTERS, State
from app.widgets.lines import line
from app.widgets.plain import Line, Piece, content
from diagnosis.ledger import Progress
from diagnosis.visible import shorten, visible

# Room for the name of the file, so that the counts fit a terminal of 80 columns.
_NAME = 28
# Room for what the list is narrowed to, so that the numbers behind it stay in sight there.
_WORDS = 44

# Without colour, a colour for a fault is only a darker grey: `show` leaves it out then.
_LOOKS = {
    "strong": "bold",
    "fault": "bold $text-error",
    "undecided": "bold $text-warning",
    "dim": "$text-muted",
}


class Counts(Static):
    """Counts are of the whole file whatever is shown, and the undecided answers are always among them."""

    DEFAULT_CSS = """
    Counts { height: 2; text-wrap: nowrap; text-overflow: ellipsis; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)

    def show(self, name: str, overview: Overview, unreadable: int, reviewed: tuple[int, int], second: Line) -> None:
        """Shows the counts, and the second line under them."""
        first = counts_line(name, overview, unreadable, reviewed)
        looks = _LOOKS | {"fault": "bold"} if self.app.no_color else _LOOKS
        self.update(Content.assemble(content(first, looks), "\n", content(second, looks)))


def counts_line(name: str, overview: Overview, unreadable: int, reviewed: tuple[int, int] = (0, 0)) -> Line:
    """`incident.jsonl  1,284 reads  E 12 e 2  M 3  A 22  ? 140  ! 3`; `!` are reads with a severe remark.

    `reviewed` are the findings that somebody decided, and all findings.
    """
    pieces = [
        Piece(shorten(visible(name), _NAME), "strong", shown=True),
        Piece(f"  {counted(len(overview), 'read')}"),
    ]
    for question, letter in enumerate(LETTERS):
        faults, suspects = overview.count(question, State.FAULT), overview.count(question, State.SUSPECT)
        pieces.append(Piece(f"  {letter} {faults:,}", "fault" if faults else ""))
        if suspects:
            pieces.append(Piece(f" {letter.lower()} {suspects:,}", "undecided"))
    pieces.append(Piece(f"  ? {overview.undecided:,}", "undecided" if overview.undecided else ""))
    if severe := overview.severe_remarks:
        pieces.append(Piece(f"  ! {severe:,}", "undecided"))
    if unreadable:
        pieces.append(Piece(f"  {unreadable:,} unreadable", "undecided"))
    if reviewed[0]:
        pieces.append(Piece(f"  reviewed {reviewed[0]:,} of {reviewed[1]:,}", "dim"))
    return pieces


def loading_line(progress: Progress) -> Line:
    """`412 MB of 1.0 GB  41 %  2,100,000 messages  Esc stops`."""
    read, total = size(progress.bytes_read), size(progress.bytes_total)
    return line(
        ("reading ", "strong"),
        f"{read} of {total}  {share(progress)} %  {progress.messages:,} messages  answers may change",
        ("  Esc stops", "dim"),
    )


def following_line(progress: Progress, new: int) -> Line:
    """`following  1,234 messages  answers may change  +12 new  Esc ends`; `new` came since the cursor left the end."""
    pieces: list[tuple[str, str] | str] = [("following ", "strong"), f" {counted(progress.messages, 'message')}"]
    if not progress.settled:
        pieces.append("  answers may change")
    if new:
        pieces += [(f"  +{new:,} new", "strong"), ("  G shows", "dim")]
    return line(*pieces, ("  Esc ends", "dim"))


def followed_line(until: datetime, messages: int) -> Line:
    """`followed until 09:14:02 UTC  1,234 messages`: what was written later is not there."""
    return line(f"followed until {until:%H:%M:%S} UTC", (f"  {counted(messages, 'message')}", "dim"))


def partial_line(progress: Progress | None) -> Line:
    """A stopped load says so for as long as the screen stands."""
    read = f"only the first {share(progress)} % was read" if progress else "the load was stopped before its end"
    return line(("partial: ", "undecided"), read)


def shown_line(words: str, shown: int, of: int, when: str = "") -> Line:
    """What the list is narrowed to: how many reads of all, and from when to when."""
    return line(
        f"{shorten(visible(words), _WORDS)}: {shown:,} of {of:,} shown{when}",
        ("  0 shows all", "dim"),
    )


def joined(lines: Sequence[Line]) -> Line:
    """Several second lines on one."""
    pieces: list[Piece] = []
    for one in lines:
        if one:
            pieces += [Piece("  "), *one] if pieces else one
    return pieces


def counted(number: int, noun: str) -> str:
    """`1 read`, `2 reads`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def size(length: int) -> str:
    """Bytes in the unit that leaves three figures."""
    amount, unit = float(length), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if amount < 1000 or unit == "TB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 10 else f"{amount:.1f} {unit}"

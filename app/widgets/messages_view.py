"""Request and response as they stand in the log, read again from the capture."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from textual import events

from app.widgets.embedded import message_text
from app.widgets.json_text import highlighted, indented, inner_texts, parts
from app.widgets.lines import Lines, line
from app.widgets.plain import Line, Piece
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Seen
from diagnosis.visible import visible

Evidence = Callable[[Seen], bytes | None]

# A record is laid out up to this size (it takes 0.3 s); beyond it the exact bytes are shown.
LARGEST = 4_000_000
# No more than this of one record is shown at all, and the pane says so.
SHOWN = 16_000_000
# JSON inside strings is unfolded this many times for one record.
_INNER = 16


@dataclass(frozen=True, slots=True)
class Source:
    """A line of text before folding: `kind` is `title`, `json` or `text`."""

    text: str
    kind: str


class MessagesView(Lines):
    """Lines that are too long for the pane go on below, so that a body of one line can be read to its end."""

    HAS_CURSOR: ClassVar[bool] = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.exact = False
        self._judgement: Judgement | None = None
        self._evidence: Evidence | None = None
        self._sources: list[Source] = []
        self._rows: list[tuple[int, int, int]] = []
        self._row = lru_cache(256)(self._draw_row)

    def show_judgement(self, judgement: Judgement, evidence: Evidence) -> None:
        """Shows the messages of one read."""
        self._judgement, self._evidence = judgement, evidence
        self._load()

    def toggle_exact(self) -> None:
        """Exact bytes, or laid out."""
        self.exact = not self.exact
        self._load()

    def tail(self, index: int) -> Line:
        """One row of a line."""
        return self._row(index)

    def _draw_row(self, index: int) -> Line:
        number, start, end = self._rows[index]
        source = self._sources[number]
        if source.kind == "title":
            return line((source.text[start:end], "title"))
        if source.kind == "json" and start == 0:
            return highlighted(source.text[start:end])
        return [Piece(source.text[start:end], "string" if source.kind == "json" else "")]

    def on_resize(self, event: events.Resize) -> None:
        """Folds again."""
        self._fold()

    def _load(self) -> None:
        judgement, evidence = self._judgement, self._evidence
        if judgement is None or evidence is None:
            return
        read = judgement.read
        sources = list(record("request", read.request, read.time, evidence, self.exact))
        answers = ([read.response] if read.response else []) + list(read.extra)
        for number, response in enumerate(answers):
            name = "response" if number == 0 else f"further response {number}"
            sources += [Source("", "text"), *record(name, response.seen, response.time, evidence, self.exact)]
        if not answers:
            sources += [
                Source("", "text"),
                Source(f"no response: {read.no_answer or 'none in this log'}", "title"),
            ]
        self._sources = sources
        self.scroll_to(y=0, animate=False, force=True)
        self._fold()

    def _fold(self) -> None:
        cells = self.room
        if cells < 2:
            return
        self._rows = [row for number, one in enumerate(self._sources) for row in folded(number, one.text, cells)]
        self._row.cache_clear()
        self.set_total(len(self._rows))


def record(name: str, seen: Seen, time: str | None, evidence: Evidence, exact: bool) -> Iterable[Source]:
    """One message: its title, then its text."""
    span = seen.span
    where = f"{name}  {span.capture}  line {span.line}" + (f"  {' '.join(span.layers)}" if span.layers else "")
    yield Source(f"{where}  {time or ''}".rstrip(), "title")
    data = evidence(seen)
    if data is None:
        yield Source("the file has changed since it was read: these bytes cannot be shown", "text")
        return
    text = data[:SHOWN].decode("utf-8", "surrogateescape")
    if exact or len(data) > LARGEST:
        if not exact:
            yield Source(f"exact bytes: {len(data):,} bytes are too many to indent", "title")
        yield from (Source(part, "text") for part in text.split("\n"))
    else:
        message = message_text(text, span.layers)
        if message is not None:
            yield from laid_out(message)
            yield Source("the whole entry that holds this message", "title")
        yield from laid_out(text, unfold=message is None)
    if len(data) > SHOWN:
        yield Source(f"the first {SHOWN:,} of {len(data):,} bytes", "title")


def laid_out(text: str, *, unfold: bool = True) -> Iterable[Source]:
    """The JSON of a record indented, between the text around it; then the JSON that its strings hold, and so on."""
    before, values, after = parts(text)
    yield from _text(before)
    waiting = list(values)
    for number, one in enumerate(waiting):
        if number == len(values):
            yield from _text(after)
        if number >= len(values):
            yield Source("the JSON inside a string above", "title")
        yield from (Source(part, "json") for part in indented(one))
        for inner in inner_texts(one) if unfold else ():
            if len(waiting) - len(values) < _INNER:
                waiting.append(inner)
    if len(waiting) == len(values):
        yield from _text(after)


def _text(text: str) -> Iterable[Source]:
    """Text that is no JSON, line by line as it stands there."""
    if text.strip():
        yield from (Source(part, "text") for part in text.strip().split("\n"))


def folded(number: int, text: str, cells: int) -> Iterable[tuple[int, int, int]]:
    """The rows of one line, cut by characters.

    What is not printable takes up to ten cells, what is wide takes two; such lines are cut shorter.
    """
    if len(text) <= cells and text.isascii() and text.isprintable():
        yield number, 0, len(text)
        return
    step = cells if text.isascii() and text.isprintable() and "\\u{" not in text else 0
    if step:
        yield from ((number, start, min(start + step, len(text))) for start in range(0, len(text), step))
        return
    start = used = 0
    for position, character in enumerate(text):
        need = _cells(character)
        if used + need > cells and position > start:
            yield number, start, position
            start, used = position, 0
        used += need
    yield number, start, len(text)


@lru_cache(4096)
def _cells(character: str) -> int:
    """Room for one character, whatever stands beside it."""
    if character.isascii() and character.isprintable():
        return 2 if character == "\\" else 1
    return max(2, len(visible(character)))

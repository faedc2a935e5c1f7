"""The messages of a read as lines of text: the JSON laid out, what its strings hold under them, the decode ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from app.widgets.embedded import message_text
from app.widgets.json_text import indented, inner_texts, parts
from diagnosis.questions.judgement import Judgement
from diagnosis.questions.ladder import Ladder, ladders
from diagnosis.reads.read import Seen

Evidence = Callable[[Seen], bytes | None]

# A record is laid out up to this size (it takes 0.3 s); beyond it the exact bytes are shown.
LARGEST = 4_000_000
# No more than this of one record is shown at all, and the pane says so.
SHOWN = 16_000_000
# JSON inside strings is unfolded this many times for one record.
_INNER = 16
# A longer string is cut where its JSON stands unfolded under it: nobody should scroll past the same text twice.
_TWICE = 400

_WORDS = 13  # the widest words of a step but one


@dataclass(frozen=True, slots=True)
class Source:
    """A line of text before folding: `kind` is `title`, `json`, `text`, or `equal` for a step that the answer has."""

    text: str
    kind: str


def messages(judgement: Judgement, evidence: Evidence, exact: bool) -> Iterator[Source]:
    """Request, ladder and answers of one read."""
    read = judgement.read
    yield from record("request", read.request, read.time, evidence, exact)
    if not exact:
        for one in ladders(judgement):
            yield from ladder(one)
    answers = ([read.response] if read.response else []) + list(read.extra)
    for number, response in enumerate(answers):
        name = "response" if number == 0 else f"further response {number}"
        yield Source("", "text")
        yield from record(name, response.seen, response.time, evidence, exact)
    if not answers:
        yield Source("", "text")
        yield Source(f"no response: {read.no_answer or 'none in this log'}", "title")


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
    """The JSON of a record indented, between the text around it; JSON that a string holds stands under that string."""
    before, values, after = parts(text)
    left = iter(range(_INNER if unfold else 0))
    yield from _text(before)
    for value in values:
        yield from _unfolded(value, left, "")
    yield from _text(after)


def _unfolded(text: str, left: Iterator[int], margin: str) -> Iterable[Source]:
    """The lines of a JSON text; `left` gives one for each string that may still be unfolded."""
    for row in indented(text):
        inner = next(inner_texts(row), None) if '"' in row and ("{" in row or "[" in row) else None
        if inner is None or next(left, None) is None:
            yield Source(margin + row, "json")
            continue
        under = margin + " " * (len(row) - len(row.lstrip()) + 2)
        yield Source(margin + _beginning(row), "json")
        yield Source(f"{under}the JSON inside this string:", "title")
        yield from _unfolded(inner, left, under)


def _beginning(row: str) -> str:
    if len(row) <= _TWICE:
        return row
    return f"{row[:_TWICE]} …  {len(row) - _TWICE:,} more characters, laid out below; r shows them as they are"


def _text(text: str) -> Iterable[Source]:
    """Text that is no JSON, line by line as it stands there."""
    if text.strip():
        yield from (Source(part, "text") for part in text.strip().split("\n"))


def ladder(one: Ladder) -> Iterable[Source]:
    """The steps of a value, the one that the answer has marked with `=` at its beginning and words at its end."""
    yield Source(f"variable {one.of}, decode by decode" if one.of else "the URI, decode by decode", "title")
    for step in one.steps:
        text = f"{step.words:<{_WORDS}}  {step.text}"
        yield Source(f"= {text}  = {step.equal}", "equal") if step.equal else Source(f"  {text}", "text")
    if one.beside:
        yield Source(f"  {one.beside}", "text")

"""`misread formats`: which formats are read, and what kind of file a capture is."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Sequence
from textwrap import fill

import click

from app.status import Status
from diagnosis.captures import CAPTURE_FORMATS, KNOWN_FILES, KnownFile, NotACapture, Source, SourceError, recognise
from diagnosis.captures.no_reads import NO_READS
from diagnosis.captures.sources import Unopened, open_sources
from diagnosis.visible import visible

_WIDTH = 79


def all_formats() -> str:
    """Every format, how it is recognised and what it cannot show; then the files that are known and not read."""
    parts: list[str] = []
    for each in CAPTURE_FORMATS:
        sign = (inspect.getdoc(each.detect) or "").partition("\n")[0]
        parts.append(
            "\n".join(
                (each.name, _item("reads", each.title), _item("recognised", sign), _item("hides", each.cannot_show))
            )
        )
    for known in KNOWN_FILES:
        parts.append("\n".join((f"{known.name} (known, not read)", _item("says", known.sentence))))
    return "\n\n".join(parts) + "\n"


def formats_of(captures: Sequence[str]) -> tuple[str, Status]:
    """What kind of file each capture is, and why; the status is 3 where one of them is none.

    Raises `click.UsageError` for a file that cannot be opened.
    """
    parts: list[str] = []
    status = Status.CLEAR
    for path in captures:
        try:
            for text, is_capture in _of_file(path):
                parts.append(text)
                status = status if is_capture else Status.NOT_ALL_READ
        except SourceError as error:
            raise click.UsageError(f"{visible(path)}: {error}") from None
    return "\n\n".join(parts) + "\n", status


def _of_file(path: str) -> Iterator[tuple[str, bool]]:
    """One text for a file, or for each member of an archive."""
    for source in open_sources(path):
        if isinstance(source, Unopened):
            yield f"{visible(source.path)}\n{_item('not read', source.sentence)}", False
            continue
        with source:
            yield _of_source(source)


def _of_source(source: Source) -> tuple[str, bool]:
    name = visible(source.path)
    try:
        found = recognise(source)
    except NotACapture as error:
        text = f"{name}\n{_item('not read', str(error))}"
        # The customer knows the file by its name; where it lies here is nobody else's business.
        return (f"{text}\n\n{_letter(os.path.basename(name), error.known)}" if error.known else text), False
    items = (("format", found.format.name), ("why", found.reason), ("hides", found.format.cannot_show))
    return "\n".join((name, *(_item(label, text) for label, text in items))), True


def _letter(name: str, known: KnownFile) -> str:
    """The text to send to whoever sent the file; for a file to convert, the command."""
    if known.kind != NO_READS:
        return f"  {known.ask}"  # whole on one line, to be copied
    text = (
        f"Thank you for {name}. It is {known.title}: it says when a server was started and called, but not what was "
        f"asked for and what came back, so it cannot show why a read returned the wrong thing. "
        f"Please send {known.ask}. Such a file may hold documents and tokens; send it the way you would send those."
    )
    return "Text for the customer:\n\n" + fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _item(label: str, text: str) -> str:
    return fill(
        visible(text),
        _WIDTH,
        initial_indent=f"  {label}: ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )

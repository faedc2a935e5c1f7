"""The whole path from capture files to judged reads, and what was learnt on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diagnosis.captures.contract import Skipped
from diagnosis.questions.judgement import Judgement
from diagnosis.statements import Statements


@dataclass(frozen=True, slots=True)
class CaptureFacts:
    """What is known of one capture file. `messages` counts JSON-RPC messages; the other counts are lines.

    `why` is the reason that `detect` gave for the format. `partial` is True where reading was stopped.
    """

    path: str
    format: str
    why: str
    sha256: str
    size: int
    lines: int
    blank: int
    messages: int
    other: int
    unreadable: int
    reads: int
    cannot_show: str = ""
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a load has come, in bytes of the captures on disk; `done` is True once, at the end."""

    bytes_read: int
    bytes_total: int
    messages: int
    reads: int
    done: bool = False


class Diagnosis:
    """Holds the reads of one or several captures and their judgements.

    `read()` gathers in batches; reads keep their index once seen (an answer replaces the read at its index).
    `judge()` judges all reads again, from what was gathered, without opening a file.
    """

    captures: Sequence[CaptureFacts]
    judgements: Sequence[Judgement]
    problems: Sequence[Skipped]
    statements: Statements
    partial: bool

    def __init__(self, paths: Sequence[str], statements: Statements | None = None, capture_format: str | None = None):
        raise NotImplementedError

    def read(self, batch: float = 0.1) -> Iterator[Progress]:
        """Reads the captures; yields about every `batch` seconds, with all reads so far judged provisionally."""
        raise NotImplementedError

    def stop(self) -> None:
        """Asks a running `read()` to end at its next message; everything is labelled partial then."""
        raise NotImplementedError

    def judge(self, statements: Statements) -> None:
        """Judges every read again with other statements."""
        raise NotImplementedError

    def evidence(self, seen: object) -> bytes | None:
        """The bytes of a span, read again from the capture; None where the file has changed since."""
        raise NotImplementedError

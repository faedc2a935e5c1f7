"""An open case: the entries of its files, and new ones, each saved at once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from diagnosis.case.entries import CaseError, Decided, Entry, merged, moment, standing
from diagnosis.case.reviews import NOT_REVIEWED, Contradiction, Review, contradictions_of, reviews_of
from diagnosis.case.saving import read_file, replace_file
from diagnosis.case.stated import with_stated
from diagnosis.case.text import FILE_LIMIT, Contents, entry_of, parse, render
from diagnosis.statements import Statements


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Case:
    """Holds the entries of one or several case files; the first file is the one that is written to.

    Every new entry is saved at once. Where that fails it stays here and counts, `trouble` says why in one sentence,
    and the next entry (or `save()`) tries again. Nothing is ever deleted: `undo` and `withdraw` are entries too.
    A save also takes in what others wrote to the file meanwhile, so `entries` may then hold more than the new one.
    `files` has the SHA-256 (hex) of each file as it was opened.
    """

    def __init__(self, author: str, now: Callable[[], datetime] = _utc_now) -> None:
        self.author = author
        self.path: str | None = None
        self.trouble = ""
        self.entries: tuple[Entry, ...] = ()
        self.files: dict[str, str] = {}
        self._now = now
        self._new_folder = False
        self._file = Contents()
        self._saved: bytes | None = None  # what a save made last: the same bytes need not be read again
        self._beside: tuple[Entry, ...] = ()
        self._unsaved: tuple[Entry, ...] = ()
        self._reviews: Mapping[str, Review] = {}

    @classmethod
    def open(
        cls,
        paths: Sequence[str],
        author: str,
        *,
        new_folder: bool = False,
        now: Callable[[], datetime] = _utc_now,
    ) -> Case:
        """Reads case files. The first need not exist yet; without any the case is kept in memory only.

        Nothing is written before the first entry. With `new_folder` the missing folders of the first are made then.

        Raises:
            CaseError: a file cannot be read or is no case file; it is never written over.
        """
        case = cls(author, now)
        case._new_folder = new_folder
        beside: list[Entry] = []
        for number, path in enumerate(paths):
            try:
                if number == 0:
                    case.path = _absolute(path)
                    data = read_file(case.path)
                    case._file = parse(data) if data is not None else Contents()
                else:
                    data = _existing(path)
                    beside.extend(parse(data).entries)
                if data is not None:
                    case.files[path] = hashlib.sha256(data).hexdigest()
            except CaseError as error:
                raise CaseError(f"The case file {path} cannot be used: {error}.") from None
        case._beside = tuple(beside)
        case._gather()
        return case

    @property
    def unsaved(self) -> int:
        """How many entries are kept only while this program runs."""
        return len(self._unsaved)

    @property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """Where reviewers disagree."""
        return contradictions_of(self.entries)

    def state_of(self, fingerprint: str) -> Review:
        """The review of a finding; a finding that no entry speaks of is new."""
        return self._reviews.get(fingerprint, NOT_REVIEWED)

    @property
    def fingerprints(self) -> frozenset[str]:
        """The findings that a standing entry speaks of, whether or not they are in the captures."""
        return frozenset(self._reviews)

    def statements(self, base: Statements) -> Statements:
        """`base` with the stated callers and templates, each with who stated it and when."""
        return with_stated(base, self.entries)

    def confirm(self, fingerprint: str, reason: str = "") -> Entry:
        """Says that a finding is real."""
        return self._decide(fingerprint, Decided.CONFIRMED, reason)

    def dismiss(self, fingerprint: str, reason: str) -> Entry:
        """Says that a finding is none, and why.

        Raises:
            CaseError: the reason is empty or too long.
        """
        return self._decide(fingerprint, Decided.DISMISSED, reason)

    def reopen(self, fingerprint: str, reason: str = "") -> Entry:
        """Sets a finding back to new, whoever decided what before."""
        return self._decide(fingerprint, Decided.REOPENED, reason)

    def note(self, fingerprint: str, text: str) -> Entry:
        """Adds a note to a finding.

        Raises:
            CaseError: the text is empty or too long.
        """
        return self._add("note", fingerprint=fingerprint, text=text)

    def state_caller(self, who: str, tenants: Sequence[str]) -> Entry:
        """States which tenants a caller may see; `who` as in `--allow`, `"*"` for every caller.

        Raises:
            CaseError: nobody or no tenant is named.
        """
        return self._add("caller", who=who, tenants=list(tenants))

    def state_template(self, template: str) -> Entry:
        """States a template of the server.

        Raises:
            CaseError: it is no RFC 6570 template.
        """
        return self._add("template", template=template)

    def withdraw(self, entry: str) -> Entry:
        """Takes the entry with this id back, whoever wrote it.

        Raises:
            CaseError: no such entry stands.
        """
        if entry not in {each.id for each in standing(self.entries)}:
            raise CaseError("There is no such entry to take back.")
        return self._add("withdrawal", entry=entry)

    def undo(self, fingerprint: str | None = None) -> Entry | None:
        """Takes back the last entry that this author wrote and that stands; of one finding where one is named.

        Returns that entry, or None where there is none.
        """
        for entry in reversed(standing(self.entries)):
            if entry.author == self.author and fingerprint in (None, getattr(entry, "fingerprint", None)):
                self.withdraw(entry.id)
                return entry
        return None

    def save(self) -> bool:
        """Writes what is not saved yet, together with what others wrote to the file meanwhile."""
        if not self._unsaved:
            return True
        try:
            if self.path is None:
                raise CaseError("no case file is named")
            replace_file(self.path, self._with_unsaved, new_folder=self._new_folder)
        except CaseError as error:
            name = f"The case file {self.path}" if self.path else "The case"
            kept = f"{self.unsaved} {'entry is' if self.unsaved == 1 else 'entries are'}"
            self.trouble = f"{name} was not saved: {error}; {kept} kept only while this program runs."
            return False
        self._file = replace(self._file, entries=merged(self._file.entries, self._unsaved))
        self._unsaved = ()
        self.trouble = ""
        self._gather()
        return True

    def save_as(self, path: str) -> bool:
        """Goes on in another file, with all entries that were to be in the first; one that exists keeps its own."""
        try:
            self.path, self._new_folder, self._saved = _absolute(path), False, None
        except CaseError as error:
            self.trouble = f"The case was not saved: {error}."
            return False
        return self.save()

    def _decide(self, fingerprint: str, decided: Decided, reason: str) -> Entry:
        return self._add("decision", fingerprint=fingerprint, decided=decided.value, reason=reason.strip())

    def _add(self, kind: str, **said: Any) -> Entry:
        try:
            entry = entry_of({"kind": kind, "time": self._time(), "author": self.author, **said})
        except CaseError as error:
            raise CaseError(f"This cannot be kept: {error}.") from None
        self._unsaved += (entry,)
        if not self.save():
            self._gather()
        return entry

    def _time(self) -> str:
        """Now, and always later than what the author had before them: the last decision is the one that counts."""
        time = self._now().astimezone(UTC)
        if self.entries and (newest := moment(self.entries[-1])) >= time:
            try:
                time = newest + timedelta(microseconds=1)
            except OverflowError:
                raise CaseError("the newest entry stands at the end of all time") from None
        return f"{time:%Y-%m-%dT%H:%M:%S.%fZ}"

    def _with_unsaved(self, before: bytes | None) -> bytes:
        """The new bytes of the file. What was once in it is kept, also where somebody removed it meanwhile."""
        there = self._file if before is None or before == self._saved else parse(before)
        self._file = Contents(merged(there.entries, self._file.entries), there.extra)
        data = render(Contents(merged(self._file.entries, self._unsaved), there.extra))
        if len(data) > FILE_LIMIT:
            raise CaseError(f"it would be larger than {FILE_LIMIT // 2**20} MiB")
        self._saved = data
        return data

    def _gather(self) -> None:
        self.entries = merged(self._file.entries, self._beside, self._unsaved)
        self._reviews = reviews_of(self.entries)


def _existing(path: str) -> bytes:
    """A file that is only read: it has to be there, and its name may be a link."""
    data = read_file(path, follow=True)
    if data is None:
        raise CaseError("no such file or directory")
    return data


def _absolute(path: str) -> str:
    """The same file, wherever the program goes later."""
    try:
        return os.path.abspath(path)
    except (OSError, ValueError):
        raise CaseError("it cannot be found from here") from None

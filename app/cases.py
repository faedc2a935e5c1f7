"""Where a case is kept when nobody says so, and who its author is."""

from __future__ import annotations

import getpass
import hashlib
import os
from collections.abc import Iterable, Sequence

from platformdirs import user_state_path

from diagnosis.case import Case
from diagnosis.ledger import CaptureFacts
from diagnosis.visible import visible

_NOBODY = "unknown"
_AUTHOR_LIMIT = 100  # characters; it stands in every entry


def open_case(given: Sequence[str], captures: Iterable[CaptureFacts]) -> Case:
    """Opens the case files that were given with `--case`, or that of the captures in the user's state folder.

    Where neither is there the case is kept in memory, and says so with its first entry.

    Raises:
        CaseError: a file cannot be read or is no case file.
    """
    if given:
        return Case.open(given, author())
    own = case_path(facts.sha256 for facts in captures)
    return Case.open([own] if own else [], author(), new_folder=True)


def case_path(hashes: Iterable[str]) -> str | None:
    """The case file of captures with these SHA-256 hashes, in the user's state folder and never beside the evidence.

    Its name comes from the hashes alone, in any order. None where a hash is not known because reading was stopped
    (another part of the same file would be another case), where there is no capture, or no home folder.
    """
    known = sorted(set(hashes))
    if not known or "" in known:
        return None
    try:
        folder = user_state_path("misread", appauthor=False) / "cases"
    except RuntimeError:  # there is no home folder
        return None
    name = hashlib.sha256("\n".join(known).encode()).hexdigest()
    # Older versions give `~/...` where there is no home: a folder of that name, wherever the program was started.
    return str(folder / f"{name}.json") if folder.is_absolute() else None


def author() -> str:
    """The name in new entries: MISREAD_AUTHOR, or the system's name of the user."""
    name = os.environ.get("MISREAD_AUTHOR", "").strip()
    if not name:
        try:
            name = getpass.getuser().strip()
        except (OSError, KeyError, ImportError):  # no name is set and the user id has none, as in a container
            name = ""
    return visible(name)[:_AUTHOR_LIMIT] or _NOBODY

"""What a report rests on: the files as they were, what was stated beside them, and what shaped the view."""

from __future__ import annotations

from collections.abc import Iterator

from diagnosis.diagnosis import Diagnosis
from diagnosis.reports import asked
from diagnosis.reports.choices import Choices
from diagnosis.reports.limits import ROWS, rest
from diagnosis.reports.masking import Masking
from diagnosis.reports.quoting import code, prose, table


def custody_section(diagnosis: Diagnosis, masking: Masking, choices: Choices) -> Iterator[str]:
    """Every input with its SHA-256, so that somebody else can make this report again and compare."""
    yield "## Inputs and custody"
    yield "Hashes are of whole files on disk, as they were read. The same inputs give this report again, but its date."
    files = [
        *(
            ("capture", code(facts.path), _hash(facts.sha256), str(facts.size), _state(facts.partial, facts.changed))
            for facts in diagnosis.captures
        ),
        *_stated_files(diagnosis, choices),
    ]
    yield table(("Input", "File", "SHA-256", "Bytes", "State"), files[:ROWS])
    yield from rest(len(files), "files")
    said = [f"- Stated by the person: {code(masking.stated(word))}" for word in diagnosis.statements.stated]
    said += [f"- Reviewers disagree: {code(masking.stated(word))}" for word in choices.contradictions]
    said += [f"- Option: {code(f'{name} {value}'.strip())}" for name, value in asked.words(diagnosis, masking)]
    said += [f"- Not read: {code(one.path)}: {prose(masking.text(one.sentence))}" for one in diagnosis.refusals[:ROWS]]
    if not said:
        said = ["- Stated by the person: nothing"]
    yield "\n".join(said)


def _stated_files(diagnosis: Diagnosis, choices: Choices) -> Iterator[tuple[str, ...]]:
    statements = diagnosis.statements
    for kind, path, digest in (
        ("policy", statements.policy_path, statements.policy_sha256),
        ("templates", statements.templates_path, statements.templates_sha256),
    ):
        if path is None:
            yield kind, "none given", "", "", ""
        else:
            yield kind, code(path), _hash(digest), "", "as loaded"
    for path, digest in choices.case_files:
        yield "case file", code(path), _hash(digest), "", "as loaded"


def _hash(digest: str) -> str:
    return code(digest) if digest else "not known"


def _state(partial: bool, changed: bool) -> str:
    words = [*(["partial"] if partial else []), *(["changed while it was read"] if changed else [])]
    return ", ".join(words) or "whole"

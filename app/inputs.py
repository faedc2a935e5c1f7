"""What the command line names: captures, folders of them, samples, and what a person states beside them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import click

from app.reading import options_of
from app.samples import UnknownSample, find_sample, sample_names
from app.writing import WritingError, refuse_existing
from diagnosis.captures import holds_capture
from diagnosis.options import Options
from diagnosis.reports.asked import NAMED
from diagnosis.reports.baseline import BaselineError, load_baseline
from diagnosis.statements import StatementError, Statements, load_statements
from diagnosis.wording import listing

FOLDER_LIMIT = 100_000  # entries of a folder; some 2 kB are kept of each capture


@dataclass(frozen=True, slots=True)
class Inputs:
    """The captures of a command line, what is stated beside them, and how they are to be read."""

    paths: tuple[str, ...]
    statements: Statements
    options: Options


def named_inputs(
    captures: Sequence[str],
    *,
    policy: str | None,
    templates: str | None,
    allow: Sequence[str],
    template: Sequence[str],
    sample: str | None = None,
    say: Callable[[str], None],
    **reading: Any,
) -> Inputs:
    """Returns what a command line names, with what belongs to a named sample.

    `reading` are the words that `options_of` takes, `say` takes sentences for standard error. Raises
    `click.UsageError` for what cannot be used.
    """
    paths = tuple(captures)
    if sample is not None:
        try:
            found = find_sample(sample)
        except UnknownSample:
            raise click.UsageError(f"There is no sample {sample}; there are: {', '.join(sample_names())}.") from None
        paths += found.captures
        reading["same_traffic"] = reading.get("same_traffic", False) or found.same_traffic
        policy, templates = policy or found.policy, templates or found.templates
    left_out: list[str] = []
    paths = found_captures(paths, left_out)
    if left_out:
        say(f"No capture, left out: {listing(left_out, NAMED)}.")
    try:
        statements = load_statements(policy, templates, allow, template)
    except StatementError as error:
        raise click.UsageError(str(error)) from None
    return Inputs(paths, statements, options_of(paths, left_out=left_out, **reading))


def found_captures(paths: Sequence[str], left_out: list[str]) -> tuple[str, ...]:
    """The captures that paths name, those of a folder in its place; `left_out` takes what else is in folders.

    Raises `click.UsageError` for a path that cannot be opened.
    """
    for path in paths:
        _check_capture(path)
    return tuple(found for path in paths for found in _expanded(path, left_out))


def typed_paths(text: str) -> tuple[str, ...]:
    """The paths that a person typed or pasted on one line; `~` is the home folder, quotes work as in a shell.

    What is the name of something that is there, with its blanks, is one path. Raises `click.UsageError`.
    """
    whole = os.path.expanduser(text.strip())
    if os.path.lexists(whole):
        return (whole,)
    try:
        words = shlex.split(text)
    except ValueError:
        raise click.UsageError("A quote is not closed.") from None
    if not words:
        raise click.UsageError("A path is needed.")
    if "-" in words:
        raise click.UsageError("Standard input can be named on the command line only: misread -")
    return tuple(map(os.path.expanduser, words))


def check_output(output: str, inputs: Sequence[str | None], force: bool) -> None:
    """Refuses, before anything is read, a name that is taken; with `force` only one that is an input."""
    for path in inputs:
        if path and path != "-" and os.path.exists(output) and os.path.samefile(path, output):
            raise click.UsageError(f"{output} is an input; a report never takes its place.")
    if not force:
        try:
            refuse_existing(output)
        except WritingError as error:
            raise click.UsageError(str(error)) from None


def known_findings(baseline: str | None) -> frozenset[str] | None:
    """The fingerprints of a baseline, None where none is named; raises `click.UsageError` for one that is none."""
    try:
        return None if baseline is None else load_baseline(baseline)
    except BaselineError as error:
        raise click.UsageError(str(error)) from None


def _check_capture(path: str) -> None:
    """Refuses early what is plainly no capture; anything subtler is said where the file is opened."""
    try:
        if path != "-":
            os.stat(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "this is no file name"
        raise click.UsageError(f"{path} cannot be opened: {reason.lower()}.") from None


def _expanded(path: str, left_out: list[str]) -> Sequence[str]:
    """A capture itself, or the captures directly in a folder, sorted.

    `left_out` takes the other files and the folders in it, which are not entered. Links are not followed,
    and neither they nor pipes, sockets and devices are read; they are named with what they are.
    """
    if not os.path.isdir(path):
        return (path,)
    try:
        with os.scandir(path) as entries:
            every = list(islice(entries, FOLDER_LIMIT + 1))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be opened: {(error.strerror or '').lower()}.") from None
    if len(every) > FOLDER_LIMIT:
        raise click.UsageError(f"{path} holds more than {FOLDER_LIMIT:,} files; name those that are captures.")
    names = sorted(entry.path for entry in every if entry.is_file(follow_symlinks=False))
    found = [name for name in names if holds_capture(name)]
    left_out += sorted(set(names) - set(found))
    left_out += sorted(f"{entry.path}{os.sep}" for entry in every if entry.is_dir(follow_symlinks=False))
    left_out += sorted(f"{entry.path} ({_kind(entry)})" for entry in every if _kind(entry))
    return found


def _kind(entry: os.DirEntry[str]) -> str:
    """What a member of a folder is that is neither a regular file nor a folder; "" for these two."""
    if entry.is_symlink():
        return "a link"
    plain = entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)
    return "" if plain else "no regular file"

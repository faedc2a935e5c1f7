"""What the command line names: captures, folders of them, samples, and what a person states beside them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import click

from app.samples import UnknownSample, find_sample, sample_names
from app.writing import WritingError, refuse_existing
from diagnosis.captures import holds_capture
from diagnosis.reports.baseline import BaselineError, load_baseline
from diagnosis.statements import StatementError, Statements, load_statements


def named_inputs(
    captures: Sequence[str],
    *,
    policy: str | None,
    templates: str | None,
    allow: Sequence[str],
    template: Sequence[str],
    sample: str | None,
    say: Callable[[str], None],
) -> tuple[tuple[str, ...], Statements]:
    """Returns the captures and statements of a command line, with those of a named sample.

    `say` takes sentences for standard error. Raises `click.UsageError` for what cannot be used.
    """
    paths = tuple(captures)
    if sample is not None:
        try:
            found = find_sample(sample)
        except UnknownSample:
            raise click.UsageError(f"There is no sample {sample}; there are: {', '.join(sample_names())}.") from None
        paths += (found.capture,)
        policy, templates = policy or found.policy, templates or found.templates
    for path in paths:
        _check_capture(path)
    paths = tuple(found for path in paths for found in (_captures_in(path, say) if os.path.isdir(path) else (path,)))
    try:
        return paths, load_statements(policy, templates, allow, template)
    except StatementError as error:
        raise click.UsageError(str(error)) from None


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


def _captures_in(folder: str, say: Callable[[str], None]) -> Sequence[str]:
    """Returns the captures directly in a folder, sorted; other files are named on standard error.

    Links are not followed.
    """
    found: list[str] = []
    others: list[str] = []
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.path for entry in entries if entry.is_file(follow_symlinks=False))
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be opened: {(error.strerror or '').lower()}.") from None
    for path in names:
        (found if holds_capture(path) else others).append(path)
    if others:
        say(f"No capture, left out: {', '.join(others)}")
    return found

"""A baseline: the findings that an earlier JSON report holds, so that only new ones count."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from diagnosis.questions.findings import Answer
from diagnosis.questions.judgement import Judgement

_SCHEMA = "misread-report/1"


class BaselineError(ValueError):
    """A file that is no JSON report of this program; the text is one sentence, which may hold the file's name."""


def load_baseline(path: str) -> frozenset[str]:
    """Returns the fingerprints of the findings in a JSON report.

    Raises:
        BaselineError: the file cannot be read, is not JSON, or is no report; the sentence names the place.
    """
    try:
        value = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise BaselineError(f"The baseline {path} cannot be read: {(error.strerror or 'it fails').lower()}.") from None
    except (ValueError, RecursionError):  # also a NUL in the name, and bytes that are no UTF-8
        raise BaselineError(f"The baseline {path} is not JSON; it is a report of --format json.") from None
    found = value.get("schema") if isinstance(value, dict) else None
    if found != _SCHEMA:
        raise BaselineError(f"The baseline {path} is no misread report: its schema is not {_SCHEMA}.")
    # pydantic takes a tenth of a second to load, and most runs are given no baseline.
    from pydantic import ValidationError

    from diagnosis.reports.schema import Report

    try:
        report = Report.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole file"
        message = first["msg"].removeprefix("Value error, ")
        raise BaselineError(f"The baseline {path} cannot be used: {place}: {message}.") from None
    return frozenset(finding.fingerprint for read in report.reads for finding in read.findings)


def marked_new(judgements: Iterable[Judgement], known: frozenset[str]) -> Iterator[Judgement]:
    """Says of every finding whether it is new: its fingerprint is not among the known ones."""
    for each in judgements:
        if not each.findings:
            yield each
            continue
        yield replace(
            each,
            segments=_marked(each.segments, known),
            document=_marked(each.document, known),
            principal=_marked(each.principal, known),
        )


def _marked(answer: Answer, known: frozenset[str]) -> Answer:
    findings = tuple(replace(each, new=each.fingerprint not in known) for each in answer.findings)
    return replace(answer, findings=findings)

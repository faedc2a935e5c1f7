"""The forms of a comparison, one file each; a new one is added to `COMPARISONS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from diagnosis.after_fix.comparison import Comparison
from diagnosis.reports import compare_json, compare_markdown, compare_text


@dataclass(frozen=True, slots=True)
class Form:
    """One form: the word for `--format`, and what renders it."""

    name: str
    render: Callable[[Comparison, datetime | None], str]


COMPARISONS = (
    Form("markdown", compare_markdown.render),
    Form("json", compare_json.render),
    Form("text", compare_text.render),
)

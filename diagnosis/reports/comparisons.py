"""The forms of a comparison, one file each; a new one is added to `COMPARISONS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from diagnosis.after_fix.comparison import Comparison
from diagnosis.reports import compare_markdown, compare_text


@dataclass(frozen=True, slots=True)
class Form:
    """One form: the word for `--format`, and what renders it."""

    name: str
    render: Callable[[Comparison, datetime | None], str]


def _json(comparison: Comparison, now: datetime | None = None) -> str:
    from diagnosis.reports import compare_json  # it loads pydantic, which nothing else needs

    return compare_json.render(comparison, now)


COMPARISONS = (
    Form("markdown", compare_markdown.render),
    Form("json", _json),
    Form("text", compare_text.render),
)

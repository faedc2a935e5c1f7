"""How much of a list a report shows, and the line that says so where it is cut."""

from __future__ import annotations

ROWS = 200


def rest(count: int, what: str) -> list[str]:
    """The line under a list that was cut after `ROWS` rows; none where it was not."""
    return [f"{count - ROWS} further {what} are not listed here; the JSON report has all."] if count > ROWS else []

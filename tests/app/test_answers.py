"""The answers to a read: the gravest first, and in sight in every window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.widgets.answers import paragraphs, remarks_of
from app.widgets.uri_lane import rows
from diagnosis.questions.findings import Certainty, Severity
from diagnosis.questions.judgement import Judgement
from diagnosis.uris.reading import Fit
from tests.app.build import (
    ALLOWED,
    INTACT,
    MATCH,
    NO_PRINCIPAL,
    REPORT,
    FakeDiagnosis,
    app_of,
    decoded_twice,
    differs,
    escaped,
    incident,
    judgement,
    many,
    not_checked,
    remark,
    seen,
)
from tests.app.screen_text import screen_text, settle

SIZES = [(120, 36), (100, 24), (80, 24)]


def texts(one: Judgement) -> list[str]:
    """The paragraphs as text."""
    return ["".join(piece.text for piece in each.line).strip() for each in paragraphs(one)]


def order(one: Judgement, *wanted: str) -> list[str]:
    """Those texts that are wanted, in the order in which they stand."""
    return [text for text in texts(one) if text.startswith(wanted)]


def test_gravest_first_clean_last() -> None:
    one = judgement(0, "x://a", answers=(INTACT, differs(), not_checked()), remarks=(remark("odd", "Odd."),))
    found = texts(one)
    assert [text[3:4] for text in found[:3]] == ["1", "2", "3"]
    assert found[3] == "3 ana may see acme only, and was served northwind."
    assert found[4] == "2 The field tenant says globex."
    assert found[-1] == "1 Every value is what its template can produce."


def test_what_is_open_stands_between() -> None:
    one = judgement(0, "x://a", answers=(INTACT, decoded_twice(), NO_PRINCIPAL))
    assert order(one, "2 It", "3 Nobody", "missing", "document/", "1 Every") == [
        "2 It matches after a second decode.",
        "3 Nobody says who asked.",
        "missing: who asked (--policy or --allow)",
        "document/decoded-twice  double-decode, certain, severe",
        "1 Every value is what its template can produce.",
    ]


def test_a_likely_fault_comes_behind_a_certain_one() -> None:
    one = judgement(0, "x://a", answers=(escaped(Certainty.LIKELY), MATCH, not_checked()))
    assert order(one, "1 Four", "3 ana") == [
        "3 ana may see acme only, and was served northwind.",
        "1 Four segments were sent, the template has three.",
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("more", [0, 100])
async def test_the_reason_of_every_fault_is_in_sight(size: tuple[int, int], more: int) -> None:
    reads = [*incident(), *many(more)]
    reads = [replace(one, read=replace(one.read, number=at)) for at, one in enumerate(reads)]
    reasons = {
        1: "Four segments were sent",
        2: "ana may see acme only",
        3: "It matches after a second decode.",
        4: "The field tenant says globex.",
        5: "Four segments were sent",
    }
    app = app_of(FakeDiagnosis(reads))
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for row, reason in reasons.items():
            app.screen.list.rows.cursor = row  # type: ignore[attr-defined]
            await settle(pilot)
            assert reason in screen_text(app), row


@pytest.mark.parametrize("size", SIZES)
async def test_a_short_list_leaves_its_rows_to_the_panes(size: tuple[int, int]) -> None:
    heights: list[tuple[int, int]] = []
    for count in (4, 100):
        app = app_of(FakeDiagnosis(many(count)))
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            screen = app.screen
            heights.append((screen.list.size.height, screen.panes.size.height))  # type: ignore[attr-defined]
    (few, roomy), (many_rows, tight) = heights
    assert few == 1 + 4
    assert many_rows > few
    assert few + roomy == many_rows + tight


def test_a_remark_shows_severity_and_fix_severe_first() -> None:
    severe = replace(remark("grave", "Bad."), severity=Severity.SEVERE)
    one = judgement(0, "x://a", remarks=(remark("odd", "Odd."), severe))
    assert order(one, "remark/", "fix") == [
        "remark/grave  remark, certain, severe",
        "fix    Fix.",
        "remark/odd  remark, certain, mild",
        "fix    Fix.",
    ]


def test_one_remark_of_the_same_places_is_shown_once() -> None:
    odd = remark("odd", "Odd.")
    elsewhere = replace(odd, evidence=(replace(odd.evidence[0], seen=seen(9)),))
    one = judgement(
        0, "x://a", answers=(INTACT, replace(MATCH, remarks=(odd,)), ALLOWED), remarks=(odd, odd, elsewhere)
    )
    assert remarks_of(one) == [odd, elsewhere]


def marks(one: Judgement) -> Sequence[str]:
    """The legend under the request."""
    return ["".join(piece.text for piece in row).partition("^ ")[2] for label, row in rows(one, 0) if not label]


def test_the_legend_says_what_a_mark_means() -> None:
    tolerated = judgement(0, "report://o'brien/2025-10", REPORT)
    assert tolerated.readings[0].fit is Fit.TOLERATED
    assert marks(tolerated) == ["left raw by encodeURIComponent"]
    assert marks(judgement(0, "report://a b/2025-10", REPORT)) == ["not put there by the template"]
    assert marks(judgement(0, "report://acme/2025-10", REPORT)) == []

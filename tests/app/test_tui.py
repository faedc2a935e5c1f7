"""The program around the screens: crashes, samples, states of answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.samples import Sample, find_sample, sample_names, shows, start_order
from app.screens import start
from app.screens.triage import TriageScreen
from app.tui import TriageApp
from app.widgets.glyphs import State, glyph, state
from diagnosis.questions.findings import Answer, Certainty, Question, Verdict
from diagnosis.statements import load_statements
from tests.app.build import (
    ALLOWED,
    INTACT,
    NO_DOCUMENT,
    NO_PRINCIPAL,
    FakeDiagnosis,
    app_of,
    decoded_twice,
    differs,
    escaped,
    incident,
    not_checked,
)
from tests.app.screen_text import screen_text, settle, toasts

REFUSED = Answer(Question.PRINCIPAL, Verdict.REFUSED, "forbidden", "The server refused.")


@pytest.mark.parametrize(
    ("answer", "question", "of", "text"),
    [
        (escaped(), 0, State.FAULT, "E"),
        (escaped(Certainty.LIKELY), 0, State.SUSPECT, "e"),
        (decoded_twice(), 1, State.FAULT, "M"),
        (differs(), 1, State.SUSPECT, "m"),
        (not_checked(), 2, State.FAULT, "A"),
        (replace(not_checked(), certainty=Certainty.POSSIBLE), 2, State.SUSPECT, "a"),
        (INTACT, 0, State.CLEAR, "·"),
        (ALLOWED, 2, State.CLEAR, "·"),
        (NO_PRINCIPAL, 2, State.UNDECIDED, "?"),
        (NO_DOCUMENT, 1, State.VOID, "-"),
        (REFUSED, 2, State.VOID, "-"),
    ],
)
def test_states_and_glyphs(answer: Answer, question: int, of: State, text: str) -> None:
    assert state(answer) is of
    assert glyph(question, answer).text == text


async def test_a_crash_names_places_and_no_text_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    app = app_of(FakeDiagnosis(incident()))
    with pytest.raises(KeyError):
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)

            def fail() -> None:
                text_of_the_log = "secret"  # what a report with local variables would print
                raise KeyError(text_of_the_log)

            app.call_later(fail)
            await pilot.pause()
    printed = "".join(capsys.readouterr())
    assert app.return_code == 1
    assert "misread failed: KeyError" in printed
    assert "secret" not in printed


async def test_the_real_diagnosis_of_a_sample() -> None:
    sample = find_sample()
    app = TriageApp(sample.captures, load_statements(sample.policy, sample.templates))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert " E M A  ok      report://northwind" in screen_text(app)
        assert "E 1  M 1  A 1" in screen_text(app)
        await pilot.press("n")
        await settle(pilot)
        assert "was sent as `costs/R%2526D`" in screen_text(app)
        await pilot.press("m")
        await settle(pilot)
        assert '"method": "resources/read"' in screen_text(app)


async def test_a_file_that_does_not_exist() -> None:
    app = TriageApp(["/nowhere/there.jsonl"])
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "1 file not opened" in screen_text(app)
        assert "/nowhere/there.jsonl" in screen_text(app)


def test_start_order_has_the_essays_cases_first_and_twins_behind() -> None:
    order = start_order(sample_names())
    assert order[:8] == [
        *("unescaped-values", "unescaped-values-clean", "another-tenant", "another-tenant-clean"),
        *("decoded-twice", "decoded-twice-clean", "all-three", "all-three-clean"),
    ]
    assert sorted(order) == sorted(sample_names())
    for name in order:
        if f"{name}-clean" in order:
            assert order.index(f"{name}-clean") == order.index(name) + 1
    assert start_order(["z", "new-clean", "new"]) == ["new", "new-clean", "z"]


def test_every_sample_says_what_it_shows() -> None:
    assert [name for name in sample_names() if not shows(name)] == []


async def test_start_screen_says_what_samples_show() -> None:
    async with TriageApp().run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rows = [line for line in screen_text(pilot.app).splitlines() if "-tenant " in line or "all-three " in line]
        assert "a correct URI, and a report" in rows[0]
        assert "the three faults in one read" in rows[1]


async def test_samples_open_with_what_lies_beside_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    policy = tmp_path / "one.policy.json"
    policy.write_text('{"principals": [], "shared_tenants": ["public"]}')
    samples = [
        Sample("one", (str(tmp_path / "one.jsonl"),), str(policy), None),
        Sample("two", ("two.jsonl",), "no", None),
    ]
    monkeypatch.setattr(start, "sample_names", lambda: [sample.name for sample in samples])
    monkeypatch.setattr(start, "find_sample", lambda name: next(one for one in samples if one.name == name))
    opened: list[tuple[object, ...]] = []

    def opener(*given: object) -> FakeDiagnosis:
        opened.append(given)
        return FakeDiagnosis(incident())

    app = TriageApp(opener=opener)  # type: ignore[arg-type]
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        assert " one    with policy" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, TriageScreen)
        paths, statements, _ = opened[0]
        assert paths == list(samples[0].captures)
        assert statements.policy.shared_tenants == ("public",)  # type: ignore[attr-defined]
        await pilot.press("escape", "j", "enter")
        await pilot.pause()
        assert isinstance(app.screen, start.StartScreen)
        assert len(toasts(app)) == 1

"""Request and response as they stand in the log."""

from __future__ import annotations

import json
import time

import pytest

from app.widgets.json_text import indented, inner_texts
from app.widgets.messages_view import LARGEST, folded, laid_out, record
from tests.app.build import FakeDiagnosis, app_of, incident, judgement, seen
from tests.app.screen_text import screen_text, settle


@pytest.mark.parametrize(
    "value", [{}, [], {"a": {}, "b": []}, [1, [2, {"c": "d, e: {f}"}]], "x", {"a": [{"b": None}], "c": -1.5e3}]
)
def test_indented_json_is_what_the_standard_library_makes(value: object) -> None:
    assert "\n".join(indented(json.dumps(value))) == json.dumps(value, indent=2)


def test_no_token_is_changed() -> None:
    text = '{"id":18446744073709551617,"a":1,"a":2,"u":"\\u0041\\/","n":1.0e400}'
    assert "".join(indented(text)).replace(" ", "") == text


@pytest.mark.parametrize("text", ['{"a": "cut', "]]}}", '"' * 999, "not json at all", '{"a" "b"}', "\\"])
def test_text_that_is_no_json_loses_nothing(text: str) -> None:
    assert "".join("".join(indented(text)).split()) == "".join(text.replace(":", ": ").split())


def test_inner_json_is_unfolded_with_its_escapes_undone() -> None:
    inner = json.dumps({"tenant": "acme", "deep": json.dumps([1])})
    texts = [one.text for one in laid_out(json.dumps({"text": inner, "other": "{no", "plain": "x"}))]
    assert '  "tenant": "acme",' in texts
    assert texts[-3:] == ["[", "  1", "]"]
    assert list(inner_texts(json.dumps({"text": inner}))) == [inner]


def test_hostile_json_takes_linear_time() -> None:
    start = time.perf_counter()
    for text in ('"' + "\\" * 400_000, "[" * 400_000, '{"a":' * 100_000, '"{' * 100_000):
        list(laid_out(text))
    assert time.perf_counter() - start < 20  # a quadratic scan would take hours


@pytest.mark.parametrize("text", ["a" * 25, "日本語" * 9, "e" + "\u0301" * 30, "a\x1b" * 9, ""])
def test_folding_loses_no_character(text: str) -> None:
    rows = list(folded(0, text, 10))
    assert "".join(text[start:end] for _, start, end in rows) == text
    assert all(end > start or not text for _, start, end in rows)


def test_a_record_that_is_too_large_is_shown_as_it_is() -> None:
    titles = [one.text for one in record("request", seen(1), None, lambda _: b"[" + b"1," * LARGEST, False)]
    assert "too many to indent" in titles[1]


async def test_a_changed_file_is_said() -> None:
    diagnosis = FakeDiagnosis(incident())
    diagnosis.changed = True
    app = app_of(diagnosis)
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert "the file has changed since it was read" in screen_text(app)


async def test_a_read_without_an_answer_says_why() -> None:
    app = app_of(FakeDiagnosis([judgement(0, "x://a", answered=False)]))
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert "no response: the capture ends" in screen_text(app)


async def test_only_lines_on_the_screen_are_highlighted(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps({"text": "x" * 1_000_000, "rows": list(range(50_000))}).encode()
    diagnosis = FakeDiagnosis(incident())
    monkeypatch.setattr(diagnosis, "evidence", lambda _: body)
    app = app_of(diagnosis)
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        view = app.screen.panes.messages  # type: ignore[attr-defined]
        assert view.total > 100_000
        assert view._row.cache_info().currsize <= 256
        view.focus()
        await pilot.press("G")
        await settle(pilot)
        assert view.scroll_offset.y == view.total - view.size.height

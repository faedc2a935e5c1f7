"""Request and response as they stand in the log."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import replace

import pytest

from app.widgets import messages_view
from app.widgets.embedded import message_text
from app.widgets.json_text import indented, inner_texts
from app.widgets.messages_view import folded
from app.widgets.records import LARGEST, laid_out, messages, record
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
    row = "  " + json.dumps({"text": inner})[1:-1] + ","
    assert texts == [
        "{",
        row,
        "    the JSON inside this string:",
        "    {",
        '      "tenant": "acme",',
        '      "deep": "[1]"',
        "        the JSON inside this string:",
        *("        [", "          1", "        ]"),
        "    }",
        '  "other": "{no",',
        '  "plain": "x"',
        "}",
    ]
    assert list(inner_texts(json.dumps({"text": inner}))) == [inner]


CLIENT_LINE = (
    "2026-05-18T07:40:06.741Z [notes] [info] Message from client: "
    '{"id":5,"params":{"uri":"notes://a"}} { metadata: undefined }'
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            CLIENT_LINE,
            [
                "2026-05-18T07:40:06.741Z [notes] [info] Message from client:",
                *("{", '  "id": 5,', '  "params": {', '    "uri": "notes://a"', "  }", "}"),
                "{ metadata: undefined }",
            ],
        ),
        (
            '2026-04-02 07:07:02.547 [trace] [editor -> server] {"id":3}',
            ["2026-04-02 07:07:02.547 [trace] [editor -> server]", "{", '  "id": 3', "}"],
        ),
        ('[info] batch [{"id": 1}]', ["[info] batch", "[", "  {", '    "id": 1', "  }", "]"]),
        ('{"a":1} {"b":2}', ["{", '  "a": 1', "}", "{", '  "b": 2', "}"]),
        ("[notes] [info] a, b: c {d}", ["[notes] [info] a, b: c {d}"]),
        ('client: {"jsonrpc": "2.0", "id": 7, "resu', ['client: {"jsonrpc": "2.0", "id": 7, "resu']),
        ("first, line\nsecond: [line]", ["first, line", "second: [line]"]),
        ("x" * 9 + '{"n": ' + "9" * 9999 + "}", ["x" * 9 + '{"n": ' + "9" * 9999 + "}"]),
        ("", []),
    ],
)
def test_text_around_json_is_never_torn(text: str, shown: list[str]) -> None:
    assert [one.text for one in laid_out(text)] == shown


def test_a_string_that_only_looks_like_json_is_not_unfolded() -> None:
    texts = [one.text for one in laid_out(json.dumps({"template": "{tenant}/{month}", "list": "[a, b]"}))]
    assert texts == ["{", '  "template": "{tenant}/{month}",', '  "list": "[a, b]"', "}"]


def test_the_json_of_a_string_stands_under_it_and_the_text_behind_last() -> None:
    texts = [one.text for one in laid_out('m: {"t": "[1]"} { metadata: undefined }')]
    assert texts[:4] == ["m:", "{", '  "t": "[1]"', "    the JSON inside this string:"]
    assert texts[-2:] == ["}", "{ metadata: undefined }"]


def test_a_long_string_that_is_unfolded_is_not_shown_twice() -> None:
    inner = json.dumps({"a": "x" * 1000})
    texts = [one.text for one in laid_out(json.dumps([inner]))]
    # Two of indentation, 1,009 of the inner text, two quotes and four backslashes, less the first 400.
    assert texts[1].endswith("…  617 more characters, laid out below; r shows them as they are")
    assert '      "a": "' + "x" * 1000 + '"' in texts


def test_only_so_many_strings_are_unfolded() -> None:
    texts = [one.text for one in laid_out(json.dumps(["[1]"] * 20))]
    assert texts.count("    the JSON inside this string:") == 16
    assert sum("[1]" in one for one in texts) == 20


async def test_the_decode_ladder_stands_under_the_request() -> None:
    one = judgement(0, "docs://team/ops/policy/a%252Fb", "docs://team/{team}/policy/{name}")
    shown = [source.text for source in messages(one, FakeDiagnosis([one]).evidence, exact=False)]
    at = shown.index("the URI, decode by decode")
    assert shown[at + 1 : at + 4] == [
        "= as sent        docs://team/ops/policy/a%252Fb  = the echoed URI",
        "  decoded once   docs://team/ops/policy/a%2Fb",
        "  decoded twice  docs://team/ops/policy/a/b",
    ]
    assert shown.index("}") < at < next(i for i, text in enumerate(shown) if text.startswith("response "))
    exact = [source.text for source in messages(one, FakeDiagnosis([one]).evidence, exact=True)]
    assert not any("decode by decode" in text for text in exact)


MESSAGE = '{"jsonrpc": "2.0", "id": 4, "result": {"big": 18446744073709551617}}'


@pytest.mark.parametrize(
    ("member", "text", "layers"),
    [
        ("request.postData", MESSAGE, ("entries[0]", "request.postData.text")),
        ("response.content", f"event: message\ndata: {MESSAGE}\n\n", ("entries[0]", "response.content.text", "sse[0]")),
        (
            "response.content",
            base64.b64encode(MESSAGE.encode()).decode(),
            ("entries[0]", "response.content.text", "base64"),
        ),
    ],
)
def test_an_archive_entry_begins_with_its_message(member: str, text: str, layers: tuple[str, ...]) -> None:
    outer, inner = member.split(".")
    entry = {"time": 190, outer: {inner: {"text": text}}}
    place = replace(seen(1), span=replace(seen(1).span, layers=layers))
    shown = [one.text for one in record("response", place, None, lambda _: json.dumps(entry).encode(), False)]
    below = shown.index("the whole entry that holds this message")
    assert shown[1:below] == indented(MESSAGE)
    assert '    "big": 18446744073709551617' in shown
    assert shown[below + 1 :] == indented(json.dumps(entry))


@pytest.mark.parametrize(
    "layers",
    [(), ("message",), ("entries[0]", "response.content.text"), ("entries[0]", "request.postData.text", "base64")],
)
def test_an_entry_that_does_not_hold_what_the_layers_say_is_shown_as_it_is(layers: tuple[str, ...]) -> None:
    assert message_text('{"request": {"postData": {"text": "no base64!"}}}', layers) is None


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


async def test_large_messages_are_read_when_the_cursor_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages_view, "REST", 3600)
    reads = incident()
    large = replace(reads[1].read.request, span=replace(reads[1].read.request.span, length=896_091))
    reads[1] = replace(reads[1], read=replace(reads[1].read, request=large))
    diagnosis = FakeDiagnosis(reads)
    asked: list[int] = []
    evidence = diagnosis.evidence
    diagnosis.evidence = lambda place: asked.append(place.span.line) or evidence(place)  # type: ignore[method-assign]
    app = app_of(diagnosis)
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        asked.clear()
        await pilot.press("j")
        await pilot.pause()
        assert "896,190 bytes, shown when the cursor rests" in screen_text(app)
        await pilot.press("j")
        await pilot.pause()
        assert asked == [5, 6]
        monkeypatch.setattr(messages_view, "REST", 0.001)
        await pilot.press("k")
        while "Platform & Ops/policy" not in screen_text(app).partition("Messages")[2]:
            await pilot.pause()
        assert asked == [5, 6, 3, 4]

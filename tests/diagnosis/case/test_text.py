"""The file border: what a case file may be, what is refused and in which words, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.case import CaseError, Entry, Note
from diagnosis.case.entries import merged
from diagnosis.case.shape import TEXT_LIMIT, CaseFile, schema_text
from diagnosis.case.text import FILE_LIMIT, Contents, parse, render
from tests.diagnosis.case.build import FIRST, caller, decision, note, template, withdrawal

ROOT = Path(__file__).parents[3]
NOTE = {"kind": "note", "time": "2026-12-01T10:00:00Z", "author": "ana", "fingerprint": FIRST, "text": "seen"}


def file_of(*entries: Any, **more: Any) -> bytes:
    return json.dumps({"schema": "misread-case/1", "entries": entries, **more}).encode()


def changed(**members: Any) -> bytes:
    """A file with one note, some members of which are others; None takes one away."""
    return file_of({name: value for name, value in (NOTE | members).items() if value is not None})


def refusal(data: bytes) -> str:
    with pytest.raises(CaseError) as caught:
        parse(data)
    return str(caught.value)


def test_the_checked_in_schema_is_current() -> None:
    assert (ROOT / "docs" / "case.schema.json").read_text(encoding="utf-8") == schema_text()


def test_a_file_is_readable_line_by_line() -> None:
    first = decision("dismissed", reason="Тест, 試験")
    assert render(Contents((first,))).decode() == (
        "{\n"
        '  "schema": "misread-case/1",\n'
        '  "entries": [\n'
        "    {\n"
        f'      "id": "{first.id}",\n'
        '      "kind": "decision",\n'
        '      "time": "2026-12-01T10:00:00.000000Z",\n'
        '      "author": "ana",\n'
        f'      "fingerprint": "{FIRST}",\n'
        '      "decided": "dismissed",\n'
        '      "reason": "Тест, 試験"\n'
        "    }\n"
        "  ]\n"
        "}\n"
    )


def test_every_kind_comes_back_as_it_was() -> None:
    entries = merged(
        [
            *(decision(each, number) for number, each in enumerate(("confirmed", "dismissed", "reopened"))),
            note("two\nlines", 4),
            caller("s-4c1", "acme", "globex", second=5),
            template("report://{tenant}/{month}", 6),
            withdrawal(note("two\nlines", 4), 7),
        ]
    )
    data = render(Contents(entries))
    assert parse(data) == Contents(entries)
    CaseFile.model_validate(json.loads(data))


def test_members_that_are_not_known_are_kept_in_their_places() -> None:
    data = file_of(NOTE | {"ticket": {"id": 7, "open": [True, None, 1.5]}, "\ud800": "\ud800"}, tool={"name": "other"})
    again = json.loads(render(parse(data)))
    assert again["tool"] == {"name": "other"}
    assert again["entries"][0]["ticket"] == {"id": 7, "open": [True, None, 1.5]}
    assert again["entries"][0]["\ud800"] == "\ud800"
    assert parse(render(parse(data))) == parse(data)


def test_an_entry_written_by_hand_needs_no_id_and_gets_one() -> None:
    (entry,) = parse(file_of(NOTE)).entries
    assert entry == Note(time=NOTE["time"], author="ana", fingerprint=FIRST, text="seen")
    assert parse(changed(id=entry.id)).entries == (entry,)


@given(st.text(st.characters(exclude_categories=()), min_size=1).map(lambda text: f"x{text}"))
def test_no_text_steers_a_terminal_from_the_file(text: str) -> None:
    data = render(Contents((note(text),)))
    (entry,) = parse(data).entries
    assert isinstance(entry, Note) and entry.text == text
    assert all(line.isprintable() for line in data.decode().split("\n"))


def test_a_mark_that_belongs_to_its_letter_stays_readable() -> None:
    assert "и\u0306" in render(Contents((note("и\u0306"),))).decode()
    assert r"\u202e" in render(Contents((note("a\u202eb"),))).decode()
    assert r"\udb40\udc41" in render(Contents((note("a\U000e0041"),))).decode()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is empty; remove it, or name another"),
        (b" \n", "it is empty; remove it, or name another"),
        (file_of(NOTE)[:-30], "it is not JSON, or only a part of it, at line 1"),
        (b"\x00" * 40, "it is not JSON, or only a part of it, at line 1"),
        (b"\xff\xfe{", "it is not UTF-8 text"),
        (b" " * (FILE_LIMIT + 1), "it is larger than 16 MiB"),
        (b"[" * 100_000, "it is nested too deeply"),
        (file_of(x=eval("[" * 40 + "]" * 40)), "it is nested too deeply"),
        (b'{"schema": "misread-case/1", "entries": [], "x": ' + b"9" * 5000 + b"}", "it holds a number"),
        (b'{"schema": "misread-case/1", "entries": [], "x": 1e400}', "it holds a number that cannot be read"),
        (b'{"schema": "misread-case/1", "entries": [], "x": NaN}', "NaN is no number of JSON"),
        (b'{"schema": "misread-case/1", "entries": [], "entries": []}', "a member stands twice in one object"),
        (b"7", "it is no case file of misread"),
        (b"[]", "it is no case file of misread"),
        (b'{"principals": []}', "it is no case file of misread"),
        (b'{"schema": 1, "entries": []}', "it is no case file of misread"),
        (b'{"schema": "misread-case/1"}', "it is no case file of misread"),
        (b'{"schema": "misread-case/2", "entries": []}', "its schema is not misread-case/1, the only one that this"),
        (b'{"schema": "misread-report/1", "entries": []}', "its schema is not misread-case/1, the only one"),
        (b'{"schema": "misread-case/1", "entries": {}}', "entries: a list is due here"),
        (file_of(NOTE, 7), "entries.1: an object is due here"),
        (file_of({}), "entries.0.kind: it is none of decision, note, caller, template, withdrawal"),
        (changed(kind="\x1b[31m"), "entries.0.kind: it is none of decision, note, caller, template, withdrawal"),
        (changed(kind=["note"]), "entries.0.kind: it is none of decision, note, caller, template, withdrawal"),
        (changed(text=None), "entries.0.text: Field required"),
        (changed(text=7), "entries.0.text: a string is due here"),
        (changed(text="\t"), "entries.0.text: it is empty"),
        (changed(text="x" * (TEXT_LIMIT + 1)), "entries.0.text: it is longer than 10,000 characters"),
        (changed(author=""), "entries.0.author: it is empty"),
        (changed(author="x" * 1001), "entries.0.author: it is longer than 1,000 characters"),
        (changed(time="2026-12-01 10:00"), "entries.0.time: a time in UTC is due here, such as 2026-12-01T10:05:36"),
        (changed(time="2026-12-01T10:00:00+02:00"), "entries.0.time: a time in UTC is due here"),
        (changed(time="2026-02-30T10:00:00Z"), "entries.0.time: a time in UTC is due here"),
        (changed(time="0000-12-01T10:00:00Z"), "entries.0.time: a time in UTC is due here"),
        (changed(time="٢٠٢٦-12-01T10:00:00Z"), "entries.0.time: a time in UTC is due here"),
        (changed(fingerprint="A" * 64), "entries.0.fingerprint: 64 hexadecimal digits in lower case are due here"),
        (changed(fingerprint=FIRST + "\n"), "entries.0.fingerprint: 64 hexadecimal digits in lower case are due here"),
        (changed(id=FIRST), "entries.0.id: it does not belong to this entry, which was changed after it was written"),
        (changed(kind="decision", decided="maybe"), "entries.0.decided: Input should be 'confirmed', 'dismissed' or"),
        (changed(kind="decision", decided="dismissed"), "entries.0: a dismissal needs a reason"),
        (changed(kind="decision", decided="dismissed", reason=" "), "entries.0.reason: it is empty"),
        (changed(kind="caller", who="ana", tenants=[]), "entries.0.tenants: List should have at least 1 item"),
        (changed(kind="caller", who="ana", tenants="acme"), "entries.0.tenants: Input should be a valid list"),
        (changed(kind="caller", who="ana", tenants=["a", 7]), "entries.0.tenants.1: a string is due here"),
        (changed(kind="template", template="report://{"), "entries.0.template: it is no RFC 6570 template"),
        (changed(kind="withdrawal", entry="1"), "entries.0.entry: 64 hexadecimal digits in lower case are due here"),
    ],
)
def test_what_is_no_case_file_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    found = refusal(data)
    assert found.startswith(sentence)
    assert found.isprintable() and len(found) < 200


@given(st.binary(max_size=200) | st.binary(max_size=40).map(lambda part: file_of(NOTE)[:100] + part))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    try:
        parse(data)
    except CaseError as error:
        assert str(error).isprintable()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*NOTE, "id", "decided", "tenants", "who"]) | st.text(), JSON))
def test_no_members_raise_anything_else(members: dict[str, Any]) -> None:
    try:
        found = parse(file_of(NOTE | members))
    except CaseError as error:
        assert str(error).isprintable()
        return
    assert parse(render(found)) == found


def test_the_order_of_a_file_does_not_matter_to_its_entries() -> None:
    entries: list[Entry] = [note("first", 1), note("second", 2)]
    data = json.loads(render(Contents(tuple(entries))))
    data["entries"].reverse()
    assert merged(parse(json.dumps(data).encode()).entries) == tuple(entries)
